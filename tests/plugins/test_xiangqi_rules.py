"""Xiangqi's rules around the moves: events, ends, refusals in words, draws, handicaps, the original rules."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from plugins.xiangqi_play import DATA, RULES, at, legal, line, wander
from qipan.plugins.xiangqi.board import NAMES, xiangqi_board
from qipan.plugins.xiangqi.judge import occurrences, quiet_plies
from qipan.plugins.xiangqi.rules import DEFAULTS, START, Xiangqi

from qipan.api import Claim, Move, Moved, Note, Outcome, Ply, Position, Removed, Said, fold
from qipan.catalogue import read_manifest
from qipan.plugins import xiangqi
from qipan.words import Words

FOLDER = Path(next(iter(xiangqi.__path__)))
WORDS = Words.load(FOLDER / "words.toml")
ORIGINAL = Xiangqi({"rules": "original"})
POINT = {name: point for point, name in enumerate(NAMES)}


def refused(fen: str, text: str, rules: Xiangqi = RULES) -> Note | None:
    """The refusal of a move given as two site names."""
    position = rules.read(fen)
    src, dst = text.split("-")
    return rules.refusal(position, Move(position.turn, (POINT[src], POINT[dst])))


def word(fen: str, rules: Xiangqi = RULES) -> tuple[tuple[int, ...], str] | None:
    """Winners and reason of a position."""
    outcome = rules.outcome(rules.read(fen))
    return None if outcome is None else (outcome.winners, outcome.reason.word)


# -- the board and the manifest ------------------------------------------------------------------------------------
def test_board() -> None:
    board = xiangqi_board()
    assert [site.name for site in board.sites][:10] == [*(f"{file}10" for file in "abcdefghi"), "a9"]
    assert board.sites[board.index["a1"]][1:3] == (0, 9)
    assert board.sites[board.index["i10"]][1:3] == (8, 0)
    assert board.index["b5"] not in board.steps("line")[board.index["b6"]]
    assert board.index["a5"] in board.steps("line")[board.index["a6"]]
    assert len(board.steps("palace")[board.index["e2"]]) == 4
    assert sum(decoration.kind == "cross" for decoration in board.decorations) == 14
    assert sum("palace" in site.tags for site in board.sites) == 18


def test_manifest_is_what_the_rules_say() -> None:
    manifest = read_manifest(FOLDER)
    (info,) = manifest.games
    (game,) = xiangqi.games()
    rules = game.rules({})
    assert (info.id, game.id) == ("xiangqi", "xiangqi")
    assert info.seats == tuple(seat.name for seat in rules.seats)
    assert set(info.pieces) == set(rules.kinds)
    assert info.settle({}) == DEFAULTS
    assert rules.read(info.thumbnail.position).turn == 0


def test_everything_has_words_in_both_languages() -> None:
    (info,) = read_manifest(FOLDER).games
    keys = {f"seat.{seat}" for seat in info.seats} | {f"kind.{kind}" for kind in RULES.kinds}
    keys |= {f"style.{style}" for style in RULES.styles}
    for option in info.options:
        keys |= {f"option.{option.id}", *(f"option.{option.id}.{choice}" for choice in option.choices)}
    assert WORDS.missing(keys) == []
    assert [key for key, sentences in WORDS.table.items() if set(sentences) != {"en", "zh"}] == []


# -- playing -------------------------------------------------------------------------------------------------------
def test_a_capture_with_check_tells_its_events_in_order() -> None:
    position = at("3aka3/9/9/9/9/9/9/9/9/3K1R3 w - - 7 20")
    quiet = RULES.apply(position, RULES.parse(position, "f1f5"))
    sharp = RULES.apply(position, RULES.parse(position, "f1f10"))
    check = Note("check", ("seat.black",), (POINT["e10"],), 1)
    assert quiet.events == (Moved(POINT["f1"], POINT["f5"]),)
    assert sharp.events == (Removed(POINT["f10"]), Moved(POINT["f1"], POINT["f10"]), Said(check))
    assert RULES.notes(sharp.position, -1) == (check,)
    assert RULES.notes(quiet.position, 0) == ()
    assert fold(position.cells, sharp.events) == sharp.position.cells
    assert RULES.write(quiet.position) == "3aka3/9/9/9/9/5R3/9/9/9/3K5 b - - 8 20"
    assert RULES.write(sharp.position) == "3akR3/9/9/9/9/9/9/9/9/3K5 b - - 0 20"
    assert [RULES.cue(events, None) for events in (quiet.events, sharp.events, sharp.events[:2])] == [
        "move", "check", "capture",
    ]  # fmt: skip


def test_black_moves_raise_the_move_number() -> None:
    position = line(RULES.initial(Random(0)), "h3e3 h10g8")[-1].position
    assert RULES.write(position).endswith(" w - - 2 2")


def test_rules_are_pure() -> None:
    position = RULES.initial(Random(0))
    moves = RULES.legal_moves(position)
    for move in moves:
        RULES.apply(position, move)
    assert RULES.legal_moves(position) == moves
    twin = position._replace(cells=tuple(position.cells))
    assert Xiangqi({}).legal_moves(twin) == moves
    assert RULES.legal_moves(position._replace(turn=1)) != moves


def test_many_positions_do_not_confuse_the_memory() -> None:
    positions = list(wander(seed=5, count=200))
    fresh = [sorted(Xiangqi({}).legal_moves(position)) for position in positions]
    again = list(range(len(positions)))
    Random(5).shuffle(again)
    for number in again:
        assert sorted(RULES.legal_moves(positions[number])) == fresh[number]


# -- ends ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("4k4/4R4/4N4/9/9/9/9/9/9/3K5 b", None),
        ("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", ((0,), "checkmate")),
        ("3k5/9/9/4c4/4c4/9/9/9/9/3AKA3 w", ((1,), "checkmate")),
        ("3k5/4P4/9/9/9/9/9/9/9/4K4 b", ((0,), "stalemate")),
        ("4k4/9/9/9/9/9/9/9/4p4/3K5 w", ((1,), "stalemate")),
        ("3ak4/9/9/9/9/2B6/9/9/4A4/3K5 w", ((), "material")),
        ("3ak4/9/9/9/2p6/2B6/9/9/4A4/3K5 w", None),
    ],
)
def test_ends(fen: str, end: tuple[tuple[int, ...], str] | None) -> None:
    assert word(fen) == end


def test_the_winner_is_named_in_both_languages() -> None:
    outcome = RULES.outcome(at("R3k4/1R7/9/9/9/9/9/9/9/3K5 b"))
    assert outcome is not None
    assert WORDS.say(outcome.reason, "en") == "Checkmate. Red wins."
    assert WORDS.say(outcome.reason, "zh") == "绝杀，红方胜。"


def test_the_last_attacker_taken_is_a_draw_yet_moves_are_counted() -> None:
    position = at("4k4/4P4/9/9/9/9/9/9/9/3K5 b")
    after = RULES.apply(position, RULES.parse(position, "e10e9")).position
    outcome = RULES.outcome(after)
    assert outcome is not None
    assert outcome == Outcome((), Note("material"))
    assert legal(after) == ["d1d2"]


# -- why not ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fen", "move", "reason", "points"),
    [
        (START, "a5-a6", "empty-point", "a5"),
        (START, "a10-a9", "not-own", "a10"),
        (START, "a1-a1", "same-point", "a1"),
        (START, "a1-b1", "own-target", "b1"),
        (START, "a1-b2", "chariot-lines", ""),
        (START, "a1-a5", "chariot-blocked", "a4"),
        (START, "b1-d2", "horse-leg", "c1"),
        (START, "b1-b3", "horse-steps", ""),
        (START, "c1-c3", "elephant-steps", ""),
        (START, "e1-e3", "general-steps", ""),
        (START, "d1-d2", "advisor-steps", ""),
        (START, "d1-c2", "advisor-palace", "c2"),
        (START, "b3-c4", "cannon-lines", ""),
        (START, "b3-b9", "cannon-blocked", "b8"),
        (START, "b3-b8", "cannon-screen", "b8"),
        (START, "a4-a6", "soldier-steps", ""),
        (START, "a4-a3", "soldier-back", ""),
        (START, "a4-b4", "soldier-sideways", ""),
        ("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c5-e7", "elephant-river", "e7"),
        ("3k5/9/9/9/9/2B6/1p7/9/9/4K4 w", "c5-a3", "elephant-eye", "b4"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 b", "d10-c10", "general-palace", "c10"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w", "e1-d1", "would-face", "d1 d10"),
        ("5k3/4r4/9/9/9/9/9/9/9/3K5 w", "d1-e1", "would-be-check", "e9"),
        ("5k3/4r4/9/9/9/9/9/9/R8/4K4 w", "a2-a3", "still-in-check", "e9"),
        ("5k3/9/9/9/2p6/9/9/2p6/2R6/3K5 w", "c2-c6", "chariot-blocked", "c3"),
        ("5k3/2r6/9/2p6/9/2p6/9/9/2C6/3K5 w", "c2-c9", "cannon-screen", "c5 c7"),
    ],
)
def test_refusals(fen: str, move: str, reason: str, points: str) -> None:
    note = refused(fen, move)
    assert note is not None
    assert note.word == reason
    assert [NAMES[point] for point in note.points] == points.split()
    for language in ("en", "zh"):
        assert "{" not in WORDS.say(note, language)
    assert note.word in WORDS


def test_refusals_of_what_is_no_move() -> None:
    position = RULES.initial(Random(0))
    cases = {
        Move(1, (0, 9)): "not-to-move",
        Move(0, (81,)): "no-such-move",
        Move(0, (81, 72, 63)): "no-such-move",
        Move(0, (81, 72), "=queen"): "no-such-move",
        Move(0, (81, 172)): "no-such-move",
        Move(0, (-9, 72)): "no-such-move",
        Move(0, ()): "no-such-move",
    }
    for move, reason in cases.items():
        note = RULES.refusal(position, move)
        assert note is not None
        assert note.word == reason


def test_refusal_is_legality() -> None:
    for number, position in enumerate(wander(seed=9, count=60)):
        rules = ORIGINAL if number % 3 == 0 else RULES
        moves = set(rules.legal_moves(position))
        for src in range(90):
            for dst in range(90):
                note = rules.refusal(position, Move(position.turn, (src, dst)))
                assert (note is None) == (Move(position.turn, (src, dst)) in moves)
                if note is not None:
                    assert note.word in WORDS
                    own = position.cells[src] is not None and position.cells[src].seat == position.turn  # type: ignore[union-attr]
                    assert own == (note.word not in ("empty-point", "not-own"))
                    assert note.word != "no-such-move"


# -- the judge -------------------------------------------------------------------------------------------------------
SHUFFLE = "b1c3 b10c8 c3b1 c8b10 "


def test_the_second_occurrence_is_told_the_third_is_a_draw_to_claim() -> None:
    start = RULES.initial(Random(0))
    assert RULES.adjudicate(line(start, "")) is None
    assert RULES.adjudicate(line(start, SHUFFLE)) == Note("repeated-twice")
    assert RULES.adjudicate(line(start, SHUFFLE * 2)) == Claim(Outcome((), Note("repetition")))
    assert RULES.adjudicate(line(start, SHUFFLE * 2 + "h3e3")) is None
    automatic = Xiangqi({"claims": "automatic"})
    assert automatic.adjudicate(line(start, SHUFFLE * 2)) == Outcome((), Note("repetition"))


def test_repetition_forbids_nothing() -> None:
    plies = line(RULES.initial(Random(0)), SHUFFLE * 6)
    assert occurrences(plies) == 7
    assert "b1c3" in legal(plies[-1].position)
    assert RULES.outcome(plies[-1].position) is None


def test_no_position_from_before_a_capture_counts() -> None:
    plies = line(RULES.initial(Random(0)), SHUFFLE + "b3b10 a10b10")
    assert occurrences(plies) == 1
    assert occurrences(line(plies[-1].position, "h1g3 h10g8 g3h1 g8h10")) == 2


def quiet_line(rules: Xiangqi, start: str, cycle: str, plies: int) -> list[Ply]:
    """The line of so many plies that goes through a cycle of moves."""
    moves = (cycle.split() * (plies // len(cycle.split()) + 1))[:plies]
    return line(rules.read(start), " ".join(moves), rules)


def test_plies_without_a_capture() -> None:
    cycle = "a1a2 i10i9 a2a3 i9i8 a3a2 i8i9 a2a1 i9i10"
    start = "5k2r/9/9/9/9/9/9/9/9/R2K5 w"
    for rules, limit in ((RULES, 120), (Xiangqi({"draw_moves": "50"}), 100)):
        plies = quiet_line(rules, start, cycle, limit)
        assert quiet_plies(rules, plies) == limit
        assert quiet_plies(rules, plies[:-1]) == limit - 1
    assert quiet_plies(RULES, line(at(start.replace(" w", " w - - 119 80")), "a1a2")) == 120
    verdict = RULES.adjudicate(line(at(start.replace(" w", " w - - 119 80")), "a1a2"))
    assert verdict == Claim(Outcome((), Note("move-limit")))
    assert RULES.adjudicate(line(at(start.replace(" w", " w - - 118 80")), "a1a2")) is None


def test_checks_past_the_tenth_do_not_count() -> None:
    # Red checks with every move, 61 times; 51 of them don't count.
    plies = line(at("4k4/9/9/9/9/9/9/9/R8/3K5 w"), "a2a10 e10e9 " + "a10a9 e9e10 a9a10 e10e9 " * 30)
    checks = sum(RULES.study(ply.position).in_check(1) for ply in plies)
    assert checks == 61
    assert quiet_plies(RULES, plies) == 122 - 51


def test_a_long_quiet_line_is_judged_by_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Xiangqi({})
    plies = quiet_line(rules, "5k2r/9/9/9/9/9/9/9/9/R2K5 w", "a1a2 i10i9 a2a3 i9i8 a3a2 i8i9 a2a1 i9i10", 1000)
    asked: list[Position] = []
    monkeypatch.setattr(rules, "study", lambda position: asked.append(position) or RULES.study(position))
    assert quiet_plies(rules, plies) == 120
    assert len(asked) == 120


def test_a_verdict_comes_from_the_line_alone() -> None:
    games = DATA / "games_2000.jsonl"
    thirds = continued = 0
    for text in games.read_text("utf-8").splitlines()[:400] if games.exists() else ():
        game = json.loads(text)
        position = at(game["fen"]) if game["fen"] else RULES.initial(Random(0))
        plies, seen = [Ply(None, position)], [position.key]
        third = 0
        for move in game["uci"].split():
            played = RULES.parse(position, move)
            position = RULES.apply(position, played).position
            plies.append(Ply(played, position))
            seen.append(position.key)
            if position.tally[0] > 7:  # type: ignore[index, operator]
                assert occurrences(plies) == seen.count(position.key)
            if occurrences(plies) >= 3 and not third:
                third = len(plies)
        thirds += bool(third)
        continued += 0 < third < len(plies)
    assert thirds >= continued >= 0
    assert not games.exists() or thirds > 10


# -- options ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("handicap", "missing"), [("none", ""), ("horse", "b1"), ("two-horses", "b1 h1"), ("chariot", "a1")]
)
def test_handicaps(handicap: str, missing: str) -> None:
    rules = Xiangqi({"handicap": handicap})
    start = rules.initial(Random(0))
    full = RULES.initial(Random(0))
    gone = [NAMES[point] for point in range(90) if start.cells[point] != full.cells[point]]
    assert gone == missing.split()
    assert start.turn == 0
    assert rules.fault(start) is None


def test_original_rules_let_a_general_be_taken() -> None:
    fen = "5k3/4r4/9/9/9/9/9/9/R8/4K4 w"
    assert refused(fen, "a2-a3") is not None
    assert refused(fen, "a2-a3", ORIGINAL) is None
    plies = line(ORIGINAL.read(fen), "a2a3 e9e1", ORIGINAL)
    outcome = ORIGINAL.outcome(plies[-1].position)
    assert outcome == Outcome((1,), Note("general-taken", ("seat.black",)))
    assert ORIGINAL.legal_moves(plies[-1].position) == []
    assert ORIGINAL.read(ORIGINAL.write(plies[-1].position)) == plies[-1].position
    note = ORIGINAL.refusal(plies[-1].position, Move(0, (63, 62)))
    assert note == Note("ended")


def test_original_rules_who_makes_the_generals_face_loses() -> None:
    fen = "4k4/9/9/9/9/9/9/9/4R4/4K4 w"
    plies = line(ORIGINAL.read(fen), "e2a2", ORIGINAL)
    assert ORIGINAL.outcome(plies[-1].position) == Outcome((1,), Note("generals-face", ("seat.black",)))
    assert ORIGINAL.outcome(plies[0].position) is None
    assert word("4k4/9/9/9/9/9/9/9/R8/4K4 w", ORIGINAL) == ((0,), "generals-face")


def test_original_rules_a_side_without_any_move_loses() -> None:
    blocked = "3k5/9/9/9/9/9/3p1p3/4B4/3nNn3/3AKA3 w"
    assert ORIGINAL.legal_moves(ORIGINAL.read(blocked)) == []
    assert word(blocked, ORIGINAL) == ((1,), "stalemate")
