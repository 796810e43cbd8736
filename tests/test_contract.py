"""The ten mini-games that try the contract: each keeps every law and its own rules, and every move can be clicked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from qipan import laws, places
from qipan.geometry import turned
from qipan.host import Host, Opened
from qipan.picker import ARRANGE, Ask, Hold, Pick, Play, arrangers, buttons, finish, liftable, take, touch
from qipan.rules import Ruleset
from qipan.values import (
    CHANCE,
    NOBODY,
    Cells,
    Move,
    Moved,
    Piece,
    Placed,
    Position,
    Removed,
    Revealed,
    Seen,
    Step,
    events_for,
    fold,
    hand_word,
)
from qipan.words import LANGUAGES

FOLDER = Path(__file__).parent / "contract"
HOST = Host(list(places.user(FOLDER)), lambda plugin, sha256: True)
GAMES = (
    "mini_siguo", "mini_backgammon", "mini_jieqi", "mini_banqi", "mini_shogi", "mini_go", "mini_draughts",
    "mini_morris", "mini_checkers", "mini_chess", "mini_xiangqi",
)  # fmt: skip


@cache
def opened(game: str) -> Opened:
    return HOST.open(game)


def rules_of(game: str, **options: str) -> Ruleset:
    return opened(game).rules(options)


def start(rules: Ruleset, **changes: object) -> Position:
    return rules.initial(Random(1))._replace(**changes)  # type: ignore[arg-type]


def cells(rules: Ruleset, men: Mapping[str, str], **counts: int) -> Cells:
    """Cells from site names to "seat kind"; ``counts`` by site name where more than one stands there."""
    found: list[Piece | None] = [None] * len(rules.board.sites)
    seats = [seat.name for seat in rules.seats]
    for names, man in men.items():
        seat, kind = man.split()
        for name in names.split():
            found[rules.board.index[name]] = Piece(kind, seats.index(seat), None, counts.get(name, 1))
    return tuple(found)


def step(rules: Ruleset, position: Position, *texts: str) -> Step:
    """The last of some moves by their exact texts, each legal and not refused; the events fold to the new cells."""
    result = Step(position)
    for text in texts:
        move = rules.parse(result.position, text)
        assert rules.refusal(result.position, move) is None
        before, result = result.position, rules.apply(result.position, move)
        shown = fold(rules.view(before, move.seat).cells, events_for(result.events, move.seat))
        assert shown == rules.view(result.position, move.seat).cells
    return result


def on(rules: Ruleset, position: Position, name: str) -> str:
    """What stands on a site, as "seat kind"; "" where nothing does."""
    piece = position.cells[rules.board.index[name]]
    return f"{rules.seats[piece.seat].name} {piece.kind}" if piece else ""


def texts(rules: Ruleset, position: Position) -> set[str]:
    return {rules.say(position, move) for move in rules.legal_moves(position)}


def refused(rules: Ruleset, position: Position, path: str, word: str = "") -> str:
    """The word with which a move of the seat to move is refused; "" where it is legal."""
    points = tuple(rules.board.index[name] for name in path.split())
    move = Move(position.turn, points, word)
    note = rules.refusal(position, move)
    assert (note is None) == (move in tuple(rules.legal_moves(position)))
    return note.word if note else ""


def reason(rules: Ruleset, position: Position) -> tuple[str, tuple[int, ...]]:
    """Why and for whom the game is over."""
    outcome = rules.outcome(position)
    return (outcome.reason.word, outcome.winners) if outcome else ("", ())


def perft(rules: Ruleset, position: Position, depth: int) -> int:
    moves = tuple(rules.legal_moves(position))
    return len(moves) if depth == 1 else sum(perft(rules, rules.apply(position, m).position, depth - 1) for m in moves)


# -- all of them -------------------------------------------------------------------------------------------------
def test_every_game_of_the_folder_is_tried() -> None:
    assert [plugin.fault for plugin in HOST.plugins] == [None] * 10
    assert set(HOST.games) == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_law_is_kept(game: str) -> None:
    one = opened(game)
    found = laws.check(one.rules, one.info, one.words, games=1)
    assert found.ok, "\n".join(found.lines())
    assert found.plies > 40
    assert found.games == len(laws.trial.option_sets(one.info))


def clicked(moves: Sequence[Move], there: Cells, move: Move) -> tuple[Move, ...]:
    """What touching the points of a move one by one ends in: the move played, or those that a word is asked for."""
    if not move.path:
        return tuple(m for m in buttons(moves) if m == move)
    own, pick = liftable(moves, there), Pick()
    if hand_word(move):
        reply = take(moves, move.word)
        assert isinstance(reply, Hold)
        pick = reply.pick
    for point in move.path:
        reply = touch(moves, pick, point, own)
        if isinstance(reply, Hold):
            pick = reply.pick
    if isinstance(reply, Hold):  # the path could go on: its last point again, or Enter, ends it
        assert pick.path == move.path
        reply = touch(moves, pick, move.path[-1], own)
        assert finish(moves, pick) == reply
    assert isinstance(reply, Play | Ask), f"{move} ends in {reply}"
    return (reply.move,) if isinstance(reply, Play) else reply.moves


@pytest.mark.parametrize("game", GAMES)
def test_every_move_can_be_clicked(game: str) -> None:
    one, tried = opened(game), 0
    for seed, options in enumerate(laws.trial.option_sets(one.info)):
        rng, rules = Random(seed), one.rules(options)
        position = rules.initial(rng)
        while rules.outcome(position) is None and tried < 4000:
            moves = tuple(rules.legal_moves(position))
            for move in () if position.turn == CHANCE else moves:
                if move.word.startswith(ARRANGE):
                    assert move.seat in arrangers(moves)
                    continue
                found = clicked([m for m in moves if m.seat == move.seat], position.cells, move)
                assert move in found
                labels = [m.word.split(":")[0] for m in found]
                assert len(set(labels)) == len(labels)
                tried += 1
                for word in filter(None, labels if len(labels) > 1 else ()):
                    assert not one.words.missing([f"word.{word}"])
            position = rules.apply(position, laws.trial.draw(rules, position, moves, rng)).position
    assert tried > 100


@pytest.mark.parametrize("game", [game for game in GAMES if game != "mini_backgammon"])
def test_every_seat_sits_at_its_own_bottom(game: str) -> None:
    """A seat sees the middle of its own pieces nearer to itself; in backgammon both share the board."""
    rules = rules_of(game)
    position = rules.initial(Random(1))
    left, top, right, bottom = rules.board.bounds
    middle = ((left + right) / 2, (top + bottom) / 2)
    for number, seat in enumerate(rules.seats):
        own = [site for site, p in zip(rules.board.sites, position.cells, strict=True) if p and p.seat == number]
        heights = [turned(site.x - middle[0], site.y - middle[1], seat.facing)[1] for site in own]
        assert sum(heights) > 0 or not own


def test_every_sentence_is_in_both_languages() -> None:
    for game in GAMES:
        for key, sentence in opened(game).words.table.items():
            assert set(sentence) == set(LANGUAGES), f"{game}: {key}"


# -- Siguo -------------------------------------------------------------------------------------------------------
def siguo(rules: Ruleset, men: Mapping[str, str], turn: int = 0) -> Position:
    """A position in play; each piece known to its seat alone, its origin where it stands."""
    there = tuple(piece and piece._replace(known=(piece.seat,)) for piece in cells(rules, men))
    origins = tuple(n if piece else -1 for n, piece in enumerate(there))
    return Position(there, turn, (), "play", ((0,) * 4, ()), (0, origins, (), (), ()))


def test_siguo_board_has_its_railways() -> None:
    board = rules_of("mini_siguo").board
    assert len(board.sites) == 45
    assert Counter(tag for site in board.sites for tag in site.tags if tag in ("camp", "hq")) == {"camp": 4, "hq": 8}
    rails = [line for line in board.lines if line.kind == "rail"]
    assert Counter(len(line.points) for line in rails) == {7: 4, 5: 2, 3: 4, 4: 4}
    curves = [line for line in rails if line.bulge]
    assert {tuple(board.sites[p].name for p in line.points) for line in curves} == {
        ("f2", "f3", "g4", "h4"), ("h6", "g6", "f7", "f8"), ("d8", "d7", "c6", "b6"), ("b4", "c4", "d3", "d2"),
    }  # fmt: skip


def test_siguo_line_ups_are_secret_and_all_at_once() -> None:
    rules = rules_of("mini_siguo")
    position = rules.initial(Random(1))
    assert rules.waiting(position) == (0, 1, 2, 3)
    home = [n for n, piece in enumerate(position.cells) if piece and piece.seat == 2]
    names = [rules.board.sites[n].name for n in home]
    kinds = [position.cells[n].kind for n in home]  # type: ignore[union-attr]
    front = next(i for i, n in enumerate(home) if "front" in rules.board.sites[n].tags)

    def swapped(i: int, j: int) -> Move:
        order = list(names)
        order[i], order[j] = order[j], order[i]
        return Move(2, (), "arrange:" + ",".join(order))

    bad = rules.refusal(position, swapped(kinds.index("flag"), front))
    assert bad is not None
    assert bad.word == "bad-line-up"
    ranked = [i for i, kind in enumerate(kinds) if kind in ("commander", "general", "captain", "engineer")]
    good = swapped(ranked[0], ranked[1])
    assert rules.refusal(position, good) is None
    first = rules.apply(position, good)
    assert first.told == (2,)
    assert all(not events_for(first.events, viewer) for viewer in (NOBODY, 0, 1, 3))
    assert {event.point for event in first.events if isinstance(event, Placed)} == {home[ranked[0]], home[ranked[1]]}
    assert first.position.cells[home[ranked[0]]] == position.cells[home[ranked[1]]]
    assert rules.waiting(first.position) == (0, 1, 3)
    assert rules.refusal(first.position, good) is not None
    rest = [next(m for m in rules.legal_moves(position) if m.seat == seat) for seat in (3, 0, 1)]
    position = first.position
    for move in rest:
        position = rules.apply(position, move).position
    assert (position.phase, position.turn, rules.waiting(position)) == ("play", 0, (0,))


def test_siguo_pieces_run_straight_and_engineers_turn() -> None:
    rules = rules_of("mini_siguo")
    position = siguo(rules, {"d3": "orange captain", "f3": "orange engineer", "d1": "orange flag", "f8": "green bomb"})
    assert refused(rules, position, "d3 d8") == ""  # along the through line
    assert refused(rules, position, "d3 b4") == ""  # round the corner curve
    assert refused(rules, position, "d3 h4") == "illegal"  # a corner, though the rails lead there
    assert refused(rules, position, "f3 b6") == ""  # an engineer turns
    assert refused(rules, position, "f3 f8") == "illegal"  # an ally's piece
    assert refused(rules, position, "d1 e1") == "illegal"  # a headquarters holds what is in it
    turning = step(rules, position, "f3-b6")
    assert turning.final
    assert turning.position.tally[3] == (rules.board.index["f3"],)  # type: ignore[index]


CLASHES = [
    ("commander", "general", "orange commander", []),
    ("general", "commander", "purple commander", []),
    ("captain", "captain", "", []),
    ("bomb", "commander", "", ["purple flag"]),
    ("commander", "commander", "", ["purple flag", "orange flag"]),
    ("commander", "mine", "purple mine", ["orange flag"]),
    ("engineer", "mine", "orange engineer", []),
    ("bomb", "mine", "", []),
]


@pytest.mark.parametrize(("mine", "theirs", "stands", "shown"), CLASHES)
def test_siguo_clashes(mine: str, theirs: str, stands: str, shown: list[str]) -> None:
    rules = rules_of("mini_siguo")
    flags = {"d1": "orange flag", "i6": "purple flag", "f9": "green flag", "a4": "blue flag"}
    done = step(rules, siguo(rules, {"e4": f"orange {mine}", "f4": f"purple {theirs}", **flags}), "e4-f4")
    assert on(rules, done.position, "f4") == stands
    assert on(rules, done.position, "e4") == ""
    revealed = [event.piece for event in done.events if isinstance(event, Revealed)]
    assert {f"{rules.seats[p.seat].name} {p.kind}" for p in revealed} == set(shown)
    assert all(p.known is None for p in revealed)
    assert done.final
    if stands:
        assert rules.view(done.position, 3).cells[rules.board.index["f4"]].kind == "hidden"  # type: ignore[union-attr]


def test_siguo_taking_a_flag_removes_the_army_and_two_end_the_game() -> None:
    rules = rules_of("mini_siguo")
    men = {
        "h5": "orange captain", "i6": "purple flag", "h6": "orange engineer", "g5": "purple general",
        "d1": "orange flag", "f9": "green flag", "e9": "green captain", "a4": "blue flag", "a5": "green bomb",
    }  # fmt: skip
    taken = step(rules, siguo(rules, men), "h6-i6")
    assert {rules.board.sites[e.point].name for e in taken.events if isinstance(e, Removed)} == {"i6", "g5"}
    assert on(rules, taken.position, "i6") == "orange engineer"
    assert rules.living(taken.position) == (0, 2, 3)
    assert taken.position.turn == 2  # the dead seat is passed over
    over = step(rules, taken.position, "a5-a4").position  # a bomb on the flag takes it too
    assert on(rules, over, "a4") == ""
    assert reason(rules, over) == ("last-team", (0, 2))


def test_siguo_three_skips_or_resigning_end_an_army() -> None:
    rules = rules_of("mini_siguo")
    men = {"d2": "orange captain", "h6": "purple captain", "e8": "green captain", "b5": "blue captain"}
    position = siguo(rules, men)
    for _ in range(2):
        for _ in range(4):
            position = step(rules, position, "skip").position
    third = step(rules, position, "skip")
    assert on(rules, third.position, "d2") == ""
    assert rules.living(third.position) == (1, 2, 3)
    resigned = rules.concede(third.position, 2, "resign")
    assert isinstance(resigned, Step)
    assert reason(rules, resigned.position) == ("last-team", (1, 3))


RANK = {"engineer": 1, "captain": 2, "general": 3, "commander": 4}
ARMY = Counter({"flag": 1, "mine": 1, "bomb": 1, "commander": 1, "general": 1, "captain": 1, "engineer": 2})


@pytest.mark.parametrize("seed", range(3))
def test_siguo_worlds_fit_all_that_was_seen(seed: int) -> None:
    """Ranks that beat the viewer's own, places, movement and numbers hold in every world drawn for a seat."""
    rules, rng = rules_of("mini_siguo"), Random(seed)
    position = rules.initial(rng)
    seen = {s: [Seen(rules.view(position, s), None, ())] for s in range(4)}
    beaten: dict[int, Counter[str]] = {}  # by where a piece stands now: the kinds it has beaten, by "seat kind"
    moved: set[int] = set()
    while rules.outcome(position) is None:
        move = rng.choice(list(rules.legal_moves(position)))
        done = rules.apply(position, move)
        if len(move.path) == 2:
            src, dst = move.path
            mover, target = position.cells[src], position.cells[dst]
            there, record = done.position.cells[dst], beaten.pop(src, Counter())
            mine = there is not None and mover is not None and there.seat == mover.seat
            if mine:
                moved = (moved - {src}) | {dst}
                beaten[dst] = record + (Counter([f"{target.seat} {target.kind}"]) if target else Counter())
            elif there is not None and mover is not None:
                moved -= {src}
                beaten[dst] = beaten.get(dst, Counter()) + Counter([f"{mover.seat} {mover.kind}"])
            else:
                moved -= {src, dst}
                beaten.pop(dst, None)
        position = done.position
        for seat in range(4):
            seen[seat].append(Seen(rules.view(position, seat), move, events_for(done.events, seat)))
            world = rules.worlds(seen[seat], seat, rng)
            assert rules.view(world, seat) == seen[seat][-1].view
            armies = [Counter(p.kind for p in world.cells if p and p.seat == other) for other in range(4)]
            assert all(not army - ARMY for army in armies)
            for point, piece in enumerate(world.cells):
                if piece is None:
                    continue
                tags = rules.board.sites[point].tags
                assert piece.kind != "flag" or "hq" in tags
                assert piece.kind not in ("mine", "flag") or point not in moved
                assert piece.kind != "mine" or "front" not in tags
                own = [kind.split()[1] for kind in beaten.get(point, ()) if kind.startswith(f"{seat} ")]
                assert piece.kind == "mine" or all(RANK[piece.kind] > RANK.get(kind, 0) for kind in own)


def test_siguo_allies_may_see_each_other() -> None:
    for choice, shown in (("hidden", {0}), ("open", {0, 2})):
        rules = rules_of("mini_siguo", allies=choice)
        view = rules.view(rules.initial(Random(1)), 0)
        assert {piece.seat for piece in view.cells if piece and piece.kind != "hidden"} == shown


# -- backgammon --------------------------------------------------------------------------------------------------
def race(rules: Ruleset, men: Mapping[str, str], seat: int = 0, dice: tuple[int, ...] = (), **counts: int) -> Position:
    """White or Black to play these dice; without dice, to roll."""
    named = {name.removeprefix("n"): count for name, count in counts.items()}
    there = cells(rules, men, **named)
    return Position(there, seat if dice else CHANCE, data=(seat, dice), tally=())


def test_backgammon_rolls_are_fair() -> None:
    rules = rules_of("mini_backgammon")
    first = dict(rules.odds(rules.initial(Random(1))))
    assert len(first) == 30  # no double begins a game
    assert set(first.values()) == {1}
    later = {move.word: weight for move, weight in rules.odds(race(rules, {"5": "white man", "9": "black man"}))}
    assert sum(later.values()) == 36
    assert (later["roll:66"], later["roll:12"]) == (1, 2)
    begun = step(rules, rules.initial(Random(1)), "roll:25")
    assert (begun.position.turn, begun.position.data, begun.final) == (1, (1, (5, 2)), True)


def test_backgammon_hits_enters_and_uses_both_dice() -> None:
    rules = rules_of("mini_backgammon")
    position = race(rules, {"8": "white man", "6": "white man", "4": "black man", "12": "black man"}, 0, (4, 2), n12=2)
    hit = step(rules, position, "8-4")
    assert [type(event) for event in hit.events] == [Moved, Moved]
    assert on(rules, hit.position, "bbar") == "black man"
    assert hit.position.turn == 0  # the other die is still to be played
    rolling = step(rules, hit.position, "6-4").position
    assert (rolling.turn, rolling.cells[rules.board.index["4"]]) == (CHANCE, Piece("man", 0, None, 2))
    entering = step(rules, rolling, "roll:34").position
    assert texts(rules, entering) == {"bbar-3"}  # the four is held by two white men
    assert refused(rules, entering, "12 16") == "bar-first"
    shut = step(rules, rolling, "roll:44")
    assert (shut.position.turn, shut.position.data) == (CHANCE, (0, ()))
    assert any(getattr(event, "note", None) and event.note.word == "no-move" for event in shut.events)  # type: ignore[union-attr]


def test_backgammon_doubles_are_four_plies_and_the_higher_die_is_forced() -> None:
    rules = rules_of("mini_backgammon")
    position = race(rules, {"24": "white man", "13": "white man", "1": "black man"}, n24=2)
    position = step(rules, position, "roll:33", "24-21", "24-21", "13-10", "21-18").position
    assert (position.turn, position.data) == (CHANCE, (1, ()))
    lone = race(rules, {"20": "white man", "3": "black man"}, 0, (5, 2))
    assert texts(rules, lone) == {"20-15", "20-18"}  # either order uses both dice
    held = race(rules, {"20": "white man", "13": "black man"}, 0, (5, 2), n13=2)
    assert texts(rules, held) == {"20-15"}  # only one die can be used, so it is the higher one
    both = race(rules, {"20": "white man", "15": "black man"}, 0, (5, 2), n15=2)
    assert texts(rules, both) == {"20-18"}


def test_backgammon_bears_off_with_a_larger_die_and_wins() -> None:
    rules = rules_of("mini_backgammon")
    there = {"4": "white man", "2": "white man", "woff": "white man", "12": "black man"}
    position = race(rules, there, 0, (6, 3), n12=3)
    assert texts(rules, position) == {"4-woff", "4-1"}
    last = step(rules, position, "4-woff", "2-woff").position
    outcome = rules.outcome(last)
    assert outcome is not None
    assert (outcome.winners, outcome.reason.word, outcome.scores) == ((0,), "gammon", (2, -2))
    away = race(rules, {"7": "white man", "2": "white man", "12": "black man"}, 0, (2,), n12=3)
    assert "2-woff" not in texts(rules, away)


# -- jieqi and banqi ---------------------------------------------------------------------------------------------
def test_jieqi_turns_a_piece_up_after_its_first_move() -> None:
    rules = rules_of("mini_jieqi")
    position = rules.initial(Random(1))
    assert perft(rules, position, 1) == 44  # face-down pieces move as xiangqi begins
    assert rules.view(position, 0) == rules.view(position, 1) == position
    moved = step(rules, position, "h3-e3")
    assert not moved.final
    odds = {move.word: weight for move, weight in rules.odds(moved.position)}
    assert (odds["reveal:soldier"], odds["reveal:cannon"], sum(odds.values())) == (5, 2, 15)
    shown = step(rules, moved.position, "e3reveal:horse")
    assert shown.final
    assert on(rules, shown.position, "e3") == "red horse"
    assert [type(event) for event in shown.events] == [Revealed]
    assert shown.position.turn == 1
    line = ("a7-a6", "a6reveal:elephant", "i4-i5", "i5reveal:soldier", "a6-c4")
    after = step(rules, shown.position, *line).position
    assert on(rules, after, "c4") == "black elephant"  # over the river
    assert refused(rules, after, "i5 h5") == "illegal"  # a soldier on its own bank
    assert refused(rules, after, "i5 i6") == ""
    odds = {move.word: weight for move, weight in rules.odds(step(rules, after, "g4-g5").position)}
    assert (odds["reveal:horse"], odds["reveal:soldier"], sum(odds.values())) == (1, 4, 13)


def test_banqi_colours_ranks_and_cannons() -> None:
    rules = rules_of("mini_banqi")
    position = rules.initial(Random(1))
    assert perft(rules, position, 1) == 32
    flipped = step(rules, position, "a1")
    assert {move.word.split(":")[2] for move, _ in rules.odds(flipped.position)} == {"0"}
    assert sum(weight for _, weight in rules.odds(flipped.position)) == 16
    second = step(rules, flipped.position, "a1reveal:cannon:0", "b1").position
    assert sum(weight for _, weight in rules.odds(second)) == 31
    men = {
        "a1": "first general", "b1": "second soldier", "a2": "second general", "d4": "first cannon",
        "f4": "first soldier", "h4": "second chariot", "d3": "second horse",
    }  # fmt: skip
    play = position._replace(cells=cells(rules, men))
    assert refused(rules, play, "a1 b1") == "illegal"  # a general can't take a soldier
    assert refused(rules, play, "a1 a2") == ""  # equals take each other
    assert refused(rules, play, "d4 h4") == ""  # over one piece
    assert refused(rules, play, "d4 d3") == "illegal"  # a cannon doesn't take what stands beside it
    turned_over = play._replace(turn=1)
    assert refused(rules, turned_over, "b1 a1") == ""  # a soldier takes the general
    assert refused(rules, turned_over, "h4 f4") == "illegal"


# -- shogi -------------------------------------------------------------------------------------------------------
def test_shogi_begins_with_its_known_number_of_moves() -> None:
    rules = rules_of("mini_shogi")
    assert [perft(rules, rules.initial(Random(1)), depth) for depth in (1, 2, 3)] == [14, 181, 2512]


def hand(seat: int, *kinds: str) -> tuple[Piece, ...]:
    return tuple(Piece(kind, seat) for kind in kinds)


def test_shogi_drops_and_what_refuses_them() -> None:
    rules = rules_of("mini_shogi")
    men = {"11": "white king", "55": "black king", "43": "black pawn", "23": "black promoted-pawn"}
    position = Position(cells(rules, men), 0, (hand(0, "pawn", "gold"), ()), tally=0)
    assert refused(rules, position, "42", "@pawn") == "nifu"
    assert refused(rules, position, "24", "@pawn") == ""  # a promoted pawn on the file is no pawn
    assert refused(rules, position, "31", "@pawn") == "no-way-on"
    assert refused(rules, position, "31", "@gold") == ""
    assert refused(rules, position, "43", "@gold") == "illegal"
    dropped = step(rules, position, "@gold@31").position
    assert dropped.hands == (hand(0, "pawn"), ())
    assert on(rules, dropped, "31") == "black gold"


def test_shogi_a_dropped_pawn_may_not_mate_but_gold_may() -> None:
    rules = rules_of("mini_shogi")
    men = {"11": "white king", "21": "white pawn", "23": "black gold", "13": "black gold", "55": "black king"}
    position = Position(cells(rules, men), 0, (hand(0, "pawn"), ()), tally=0)
    assert refused(rules, position, "12", "@pawn") == "pawn-mate"
    gold = position._replace(hands=(hand(0, "gold"), ()))
    mate = step(rules, gold, "@gold@12").position
    assert reason(rules, mate) == ("mated", (0,))


def test_shogi_promotes_by_choice_and_captures_turn_back() -> None:
    rules = rules_of("mini_shogi")
    men = {"15": "white king", "55": "black king", "42": "black silver", "31": "white promoted-rook"}
    position = Position(cells(rules, {**men, "52": "black pawn"}), 0, ((), ()), tally=0)
    assert {"42-31=promote", "42-31=keep"} <= texts(rules, position)
    assert {text for text in texts(rules, position) if text.startswith("52")} == {"52-51=promote"}
    after = step(rules, position, "42-31=promote").position
    assert on(rules, after, "31") == "black promoted-silver"
    assert after.hands == (hand(0, "rook"), ())


# -- Go ----------------------------------------------------------------------------------------------------------
def test_go_captures_refuses_suicide_and_ko() -> None:
    rules = rules_of("mini_go", size="5")
    position = step(rules, start(rules), "b3", "c3", "a2", "d2", "b1", "c1", "c2", "b2").position
    # White's b2 took c2, and Black may not take back at once.
    assert on(rules, position, "c2") == ""
    assert refused(rules, position, "c2") == "superko"
    assert refused(rules, position, "b2") == "occupied"
    later = step(rules, position, "e5", "a5", "c2")
    assert Removed(rules.board.index["b2"]) in later.events
    corner = step(rules, start(rules), "a2", "e5", "b1").position
    assert refused(rules, corner, "a1") == "suicide"


def test_go_two_passes_then_both_agree_on_the_dead() -> None:
    rules = rules_of("mini_go", size="5")
    wall = ["c1", "d1", "c2", "d2", "c3", "d3", "c4", "d4", "c5", "d5"]
    position = step(rules, start(rules), *wall, "pass", "a3", "pass", "pass").position
    assert position.phase == "mark"
    assert rules.outcome(position) is None
    assert refused(rules, position, "b2") == "illegal"
    marker = position.turn
    position = step(rules, position, "agree", "a3", "agree").position
    assert position.turn == marker  # the marks have changed, so the first must agree again
    assert rules.notes(position, NOBODY)[0].points == (rules.board.index["a3"],)
    assert rules.outcome(position) is None
    position = step(rules, position, "agree").position
    outcome = rules.outcome(position)
    assert outcome is not None
    # Black's three files are 15, White's two are 10 and 6.5 for going second.
    assert (outcome.winners, outcome.scores, outcome.reason.args) == ((1,), (15, 16.5), ("seat.white", 1))


# -- draughts ----------------------------------------------------------------------------------------------------
def test_draughts_counts_as_published() -> None:
    rules = rules_of("mini_draughts")
    assert [perft(rules, rules.initial(Random(1)), depth) for depth in (1, 2, 3, 4)] == [9, 81, 658, 4265]


def test_draughts_takes_as_many_as_it_can() -> None:
    rules = rules_of("mini_draughts")
    men = {"32": "white man", "28": "black man", "19": "black man", "27": "black man", "46": "white man"}
    position = start(rules, cells=cells(rules, men))
    assert texts(rules, position) == {"32-23-14"}
    assert refused(rules, position, "46 41") == "must-capture"
    done = step(rules, position, "32-23-14")
    assert [event for event in done.events if isinstance(event, Removed)] == [Removed(27), Removed(18)]
    assert Moved(31, 13, (22,)) in done.events


def test_draughts_kings_fly_and_men_crown_only_where_they_stop() -> None:
    rules = rules_of("mini_draughts")
    flying = start(rules, cells=cells(rules, {"46": "white king", "28": "black man"}))
    assert texts(rules, flying) == {"46-23", "46-19", "46-14", "46-10", "46-5"}
    crowned = step(rules, start(rules, cells=cells(rules, {"7": "white man", "50": "black man"})), "7-1")
    assert on(rules, crowned.position, "1") == "white king"
    passing = start(rules, cells=cells(rules, {"13": "white man", "8": "black man", "7": "black man"}))
    through = step(rules, passing, "13-2-11")
    assert on(rules, through.position, "11") == "white man"


def test_draughts_a_ring_of_jumps_ends_where_it_began() -> None:
    rules = rules_of("mini_draughts")
    ring = {"28": "white man", "22 23 12 13": "black man", "45": "white man"}
    position = start(rules, cells=cells(rules, ring))
    assert texts(rules, position) == {"28-17-8-19-28", "28-19-8-17-28"}
    done = step(rules, position, "28-17-8-19-28")
    assert done.position.cells[27] == Piece("man", 0)
    assert reason(rules, done.position) == ("no-move", (0,))


# -- morris ------------------------------------------------------------------------------------------------------
def test_morris_a_mill_takes_a_man_that_is_in_none() -> None:
    rules = rules_of("mini_morris")
    assert len(rules.board.sites) == 24
    assert sorted(len(near) for near in rules.board.steps()) == [2] * 12 + [3] * 8 + [4] * 4
    men = {"a7 d7": "white man", "a1 d1 g1 f4": "black man"}
    position = start(rules, cells=cells(rules, men))
    assert {text for text in texts(rules, position) if text.startswith("g7")} == {"g7-f4"}
    assert refused(rules, position, "g7") == "must-take"
    assert refused(rules, position, "g7 a1") == "illegal"  # it stands in a mill
    all_in_mills = position._replace(cells=cells(rules, {"a7 d7": "white man", "a1 d1 g1": "black man"}))
    assert {text for text in texts(rules, all_in_mills) if text.startswith("g7")} == {"g7-a1", "g7-d1", "g7-g1"}
    done = step(rules, position, "g7-f4")
    assert on(rules, done.position, "f4") == ""
    assert [hands[0].count for hands in done.position.hands] == [8, 9]


def test_morris_slides_then_flies_then_loses() -> None:
    rules = rules_of("mini_morris")
    four = start(rules, cells=cells(rules, {"a7 d7 b4 g1": "white man", "a1 d1 f6": "black man"}), hands=((), ()))
    assert refused(rules, four, "g1 g7") == "illegal"
    assert refused(rules, four, "g1 g4") == ""
    flying = four._replace(cells=cells(rules, {"a7 d7 g1": "white man", "a1 d1 f6": "black man"}))
    done = step(rules, flying, "g1-g7-f6").position
    assert reason(rules, done) == ("too-few", (0,))
    stuck = four._replace(cells=cells(rules, {"a7 d7 g7 d6": "white man", "a4 b6 d5 f6 g4": "black man"}))
    assert reason(rules, stuck) == ("no-move", (1,))


# -- Chinese checkers --------------------------------------------------------------------------------------------
def test_checkers_seats_two_three_or_six() -> None:
    for players in (2, 3, 6):
        rules = rules_of("mini_checkers", players=str(players))
        position = rules.initial(Random(1))
        assert len(rules.seats) == players
        assert Counter(piece.seat for piece in position.cells if piece) == dict.fromkeys(range(players), 3)
        turns = []
        for _ in range(players + 1):
            turns.append(position.turn)
            position = rules.apply(position, next(iter(rules.legal_moves(position)))).position
        assert turns == [*range(players), 0]


def test_checkers_a_chain_of_hops_is_one_move_that_may_stop_on_the_way() -> None:
    rules = rules_of("mini_checkers", players="2")
    position = start(rules, cells=cells(rules, {"i1": "red marble", "h1": "red marble", "f3": "green marble"}))
    found = texts(rules, position)
    assert {"i1-g3", "i1-g3-e3"} <= found
    done = step(rules, position, "i1-g3-e3")
    assert done.events == (Moved(*(rules.board.index[n] for n in ("i1", "e3")), (rules.board.index["g3"],)),)


def test_checkers_the_far_corner_wins() -> None:
    rules = rules_of("mini_checkers", players="2")
    position = start(rules, cells=cells(rules, {"a1 b1 c4": "red marble", "e3": "green marble"}))
    done = step(rules, position, "c4-b2").position
    assert reason(rules, done) == ("arrived", (0,))


# -- chess -------------------------------------------------------------------------------------------------------
def test_chess_counts_as_published() -> None:
    rules = rules_of("mini_chess")
    assert [perft(rules, rules.initial(Random(1)), depth) for depth in (1, 2, 3)] == [20, 400, 8902]


def test_chess_castles_but_not_through_check() -> None:
    rules = rules_of("mini_chess")
    men = {"e1": "white king", "h1 a1": "white rook", "e8": "black king"}
    position = start(rules, cells=cells(rules, men), data=((56, 60, 63), -1))
    short = step(rules, position, "e1-g1").position
    assert (on(rules, short, "g1"), on(rules, short, "f1"), on(rules, short, "h1")) == ("white king", "white rook", "")
    watched = position._replace(cells=cells(rules, {**men, "f8": "black rook"}))
    assert refused(rules, watched, "e1 g1") == "castling-check"
    assert refused(rules, watched, "e1 c1") == ""
    beside = position._replace(cells=cells(rules, {**men, "b8": "black rook"}))
    assert refused(rules, beside, "e1 c1") == ""  # only the rook crosses the attacked square
    once = step(rules, position, "h1-h2", "e8-e7", "h2-h1", "e7-e8").position
    assert refused(rules, once, "e1 g1") == "illegal"
    assert refused(rules, once, "e1 c1") == ""


def test_chess_en_passant_and_promotion() -> None:
    rules = rules_of("mini_chess")
    position = step(rules, start(rules), "e2-e4", "a7-a6", "e4-e5", "d7-d5").position
    taken = step(rules, position, "e5-d6")
    assert on(rules, taken.position, "d5") == ""
    assert Removed(rules.board.index["d5"]) in taken.events
    late = step(rules, position, "h2-h3", "h7-h6").position
    assert refused(rules, late, "e5 d6") == "illegal"
    men = {"a7": "white pawn", "e1": "white king", "e7": "black king", "b8": "black knight"}
    crowning = start(rules, cells=cells(rules, men), data=((), -1))
    found = {text for text in texts(rules, crowning) if text.startswith("a7")}
    assert found == {f"a7-{to}={kind}" for to in ("a8", "b8") for kind in ("queen", "rook", "bishop", "knight")}
    assert on(rules, step(rules, crowning, "a7-b8=knight").position, "b8") == "white knight"


def test_chess_mate_and_stalemate() -> None:
    rules = rules_of("mini_chess")
    mate = step(rules, start(rules), "f2-f3", "e7-e5", "g2-g4", "d8-h4")
    assert reason(rules, mate.position) == ("checkmate", (1,))
    assert any(getattr(event, "note", None) and event.note.word == "check" for event in mate.events)  # type: ignore[union-attr]
    men = {"a8": "black king", "b6": "white queen", "e1": "white king"}
    still = start(rules, cells=cells(rules, men), turn=1, data=((), -1))
    assert reason(rules, still) == ("stalemate", ())
    bound = {"e1": "white king", "e2": "white rook", "e8": "black rook", "a8": "black king"}
    pinned = start(rules, cells=cells(rules, bound), data=((), -1))
    assert refused(rules, pinned, "e2 d2") == "would-be-check"


# -- xiangqi -----------------------------------------------------------------------------------------------------
def test_xiangqi_counts_as_published() -> None:
    rules = rules_of("mini_xiangqi")
    assert [perft(rules, rules.initial(Random(1)), depth) for depth in (1, 2)] == [44, 1920]


def test_xiangqi_generals_legs_eyes_and_screens() -> None:
    rules = rules_of("mini_xiangqi")
    men = {"e1": "red general", "e10": "black general", "e5": "red horse", "c5": "red elephant", "d4": "black soldier"}
    position = start(rules, cells=cells(rules, men))
    assert refused(rules, position, "e5 f7") == "would-be-check"  # the generals would face each other
    assert refused(rules, position, "e1 d1") == ""
    assert refused(rules, position, "c5 e3") == "illegal"  # its eye is blocked
    assert refused(rules, position, "c5 e7") == "illegal"  # over the river
    assert refused(rules, position, "c5 a3") == ""
    men = {"e1": "red general", "d10": "black general", "a6 i5": "red soldier"}
    soldiers = start(rules, cells=cells(rules, men))
    assert [refused(rules, soldiers, path) for path in ("a6 b6", "a6 a5", "i5 h5")] == ["", "illegal", "illegal"]
    first = start(rules)
    assert refused(rules, first, "b1 d2") == "illegal"  # a bishop's neighbour blocks the leg
    assert refused(rules, first, "b1 c3") == ""
    assert refused(rules, first, "b3 b10") == ""  # over one screen
    assert refused(rules, first, "b3 b8") == "illegal"
