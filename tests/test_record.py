"""The `.qipan` file: a round trip of everything, and one clear sentence for every damage."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import msgspec
import pytest
import small_games as games
from game_walks import Time, record_without_pause, step, whole

from qipan.acts import PluginFault
from qipan.catalogue import GameInfo, MoveText, Transcript
from qipan.clock import NONE, Control
from qipan.record import decode, encode, load, open_session, salvage, save
from qipan.replay import Misplayed, replay, session_of, transcript
from qipan.rules import Ruleset
from qipan.saved import Record
from qipan.session import Policy, Session
from qipan.values import Claim, Fault, Move, Note, Outcome, Ply
from qipan.words import Words

KINDS: list[tuple[GameInfo, type[games.Heap], str, Policy]] = [
    (games.HEAP, games.Heap, "10+5", "free"),
    (games.HEAP, games.Judged, "1+3x30", "agreed"),
    (games.LIVELY, games.Lively, "30/move", "free"),
    (games.DICE, games.Dice, "none", "free"),
    (games.SECRET, games.Secret, "10", "agreed"),
]


def begin(info: GameInfo, rules: Ruleset, seed: int, control: str = "none", policy: Policy = "free") -> Session:
    return Session(
        info, rules, info.settle({}), rng=Random(seed), now=Time(), names=["甲", "Bob"], policy=policy,
        control=Control.parse(control), created="2026-01-02", tags={"event": "Cup"},
    )  # fmt: skip


def reopened(record: Record, info: GameInfo, rules: Ruleset, words: Words | None = None) -> Session:
    return open_session(record, info, rules, rng=Random(0), now=Time(), words=words)


def played(*counts: int, stones: int = 21) -> Session:
    session = begin(games.HEAP, games.Heap(stones), 1)
    for count in counts:
        session.play(Move(session.tip.position.turn, (count - 1,)))
    return session


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_a_session_comes_back_whole(kind: int, seed: int) -> None:
    info, rules, control, policy = KINDS[kind]
    session, rng = begin(info, rules(), seed, control, policy), Random(seed)
    for _ in range(80):
        session.now.now += rng.random()  # type: ignore[attr-defined]
        step(session, rng)
    data = encode(session)
    again = reopened(decode(data), info, rules())
    assert whole(again) == whole(session)
    assert record_without_pause(again) == record_without_pause(session)
    going_on = session.outcome is None and len(session.root.walk()) > 1
    assert again.paused == (session.paused or (control != "none" and going_on))


def test_the_file_is_for_people_too() -> None:
    session = played(1, 2)
    session.take_back()
    session.add(session.root, Move(0, (2,)))
    session.comment(session.tip, "one")
    lines = encode(session).decode().splitlines()
    assert lines[:3] == ["{", '"qipan": 1,', '"game": "heap",']
    moves = lines[lines.index('"moves": [') + 1 :]
    assert moves[:2] == ['{"id":0},', '{"id":1,"seat":"red","path":["one"],"spent":0.0,"comment":"one"},']
    assert moves[3].startswith('{"id":3,"seat":"red","path":["three"],"after":0,"tried":true')
    assert msgspec.json.decode(encode(session))["names"] == ["甲", "Bob"]
    assert encode(decode(encode(session))) == encode(session)


def test_the_usual_start_is_not_written_and_another_is() -> None:
    assert b'"start"' not in encode(played())
    session = begin(games.SECRET, games.Secret(), 7)
    assert b'"start"' in encode(session)
    rules = games.Heap()
    start = rules.initial(Random(0))._replace(data=5)
    session = Session(games.HEAP, rules, {}, rng=Random(0), now=Time(), start=rules.read(rules.write(start)))
    assert reopened(decode(encode(session)), games.HEAP, games.Heap()).root.position == start


def test_a_long_game_and_deep_variations_are_no_trouble() -> None:
    session = begin(games.HEAP, games.Heap(20_000), 1)
    for number in range(5000):
        session.play(Move(number % 2, (0,)))
    node = session.root
    for number in range(1500):  # each variation hangs on the one before, so that they nest
        node = session.add(session.add(node, Move(number % 2, (1,))).parent, Move(number % 2, (2,)))
    again = reopened(decode(encode(session)), games.HEAP, games.Heap(20_000))
    assert len(again.line) == 5001
    assert len(again.root.walk()) == len(session.root.walk())
    with pytest.raises(Fault, match="variations within variations"):
        transcript(session)


def test_a_drawn_game_replays_without_chance() -> None:
    session = begin(games.DICE, games.Dice(), 3)
    while session.outcome is None:
        session.play(session.legal()[0])

    class Sure(games.Dice):
        def odds(self, position: object) -> list[tuple[Move, int]]:
            raise AssertionError("nothing is to be drawn")

    again = reopened(decode(encode(session)), games.DICE, Sure())
    assert again.tip.moves() == session.tip.moves()
    assert again.outcome == session.outcome


# -- damage ----------------------------------------------------------------------------------------------------------
def fault_of(data: bytes, name: str = "game.qipan") -> str:
    with pytest.raises(Fault) as caught:
        decode(data, name)
    return str(caught.value)


def test_foreign_files() -> None:
    for data in (b"", b"[]", b"1", b"hi", b'{"a": 1}', b"\xff\xfe\x00", b"\x89PNG", b"[" * 100_000, b'{"qipan": "x"}'):
        assert fault_of(data) == "game.qipan is no game of Qipan", data[:20]
    assert fault_of(b'{"qipan": 1, "moves":' + b"[" * 100_000).startswith("game.qipan is cut short at line 1")
    assert "larger than 16 MB" in fault_of(b" " * (17 << 20))


def test_newer_files_say_so() -> None:
    assert fault_of(b'{"qipan": 2, "board": []}') == "game.qipan was made by a newer Qipan (format 2; this one reads 1)"
    assert "format 0 is not known" in fault_of(encode(played()).replace(b'"qipan": 1', b'"qipan": 0'))


def test_a_cut_file_names_the_line_and_gives_what_is_above() -> None:
    session = played(1, 2, 3, 1)
    data = encode(session)
    lines = data.split(b"\n")
    first = lines.index(b'"moves": [') + 1
    cut = b"\n".join(lines[: first + 3]) + b'\n{"id":3,"se'
    assert fault_of(cut) == f"game.qipan is cut short at line {first + 4}"
    record, fault = salvage(cut, "game.qipan")
    assert str(fault) == f"game.qipan is cut short at line {first + 4}. The 2 moves before it are kept."
    again = reopened(record, games.HEAP, games.Heap())
    assert again.tip.moves() == session.tip.moves()[:2]
    assert salvage(data, "game.qipan")[1] is None
    with pytest.raises(Fault, match="cut short"):
        salvage(b"\n".join(lines[:4]), "game.qipan")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"id":2,', b'"id":1,', r"line 12: moves\[2\]: the id 1 is there twice"),
        (b'"id":2,', b'"id":"2",', r"line 12: Expected `int`, got `str`"),
        (b'"id":2,', b'"id":2,"after":9,', r"line 12: moves\[2\]: comes after move 9"),
        (b'"id":2,', b'"id":2,"colour":1,', r"line 12: .*unknown field `colour`"),
        (b'"tip":2', b'"tip":5', "line 14: state: the game stands at move 5, which was not played"),
        (b'"tip":2', b'"tip":1e999', r"line 14: Number out of range"),
        (b'"tip":2', b'"tip":2,"ask":1', r"line 14: .*unknown field `ask`"),
        (b'"game": "heap"', b'"game": 7', r"line 3: Expected `str`"),
        (b'{"id":0},', b'{"id":0,"after":0},', "do not begin with the start"),
        (b'"tip":2', b'"tip":2,"clock":[[-1,0,false]]', "line 14: state: no clock shows that"),
        (b'"id":2,', b'"id":2,"clock":[[1,1000000000,true]],', r"line 12: moves\[2\]: no clock shows that"),
        (b'"tip":2', b'"tip":2,"outcome":{"winners":[],"reason":"' + b"r" * 2001 + b'"}', "line 14: state: the reason"),
        (b'"Bob"', b'"' + b"B" * 201 + b'"', "a name is longer than 200 characters"),
    ],
)
def test_damage_is_named(old: bytes, new: bytes, told: str) -> None:
    data = encode(played(1, 2))
    assert data.count(old) == 1
    with pytest.raises(Fault, match=told) as caught:
        decode(data.replace(old, new), "game.qipan")
    assert str(caught.value).startswith("game.qipan")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"red","path":["two"]', b'"red","path":["four"]', "move 3: the board has no site 'four'"),
        (b'"red","path":["two"]', b'"green","path":["two"]', "move 3: the game has no seat 'green'"),
        (b'"red","path":["two"]', b'"black","path":["two"]', "move 3: black two is illegal: That is not a legal move"),
        (b'"red","path":["two"]', b'"red","path":["two"],"why":"resign"', "move 3: red two is illegal"),
        (b'"game": "heap"', b'"game": "chess"', "this is a game of chess, not of heap"),
        (b'["red","black"]', b'["red","blue"]', "the seats are red, blue, not red, black"),
        (b'{"stones":21}', b'{"stones":0}', "option stones: 0 is not a whole number"),
        (b'{"stones":21}', b'{"depth":3}', "heap has no option 'depth'"),
        (b'{"id":0}', b'{"id":0,"acts":[{"act":"hop","seat":"red"}]}', "the start: 'hop' is no act"),
        (b'{"id":0}', b'{"id":0,"acts":[{"act":"resign","seat":"red","to":1}]}', "the act 'resign' can't have"),
        (b'{"id":0}', b'{"id":0,"marks":[{"path":["x"]}]}', "the start: the board has no site 'x'"),
        (b'"moves": [', b'"start": "[1,2]",\n"moves": [', "the start position: not a position text"),
        (b'"moves": [', b'"policy": "wild",\n"moves": [', "'wild' is no policy"),
        (b'"tip":3', b'"tip":3,"outcome":{"winners":["nobody"],"reason":"empty"}', "nobody are not players"),
        (b'"tip":3', b'"tip":3,"outcome":{"winners":["red","red"],"reason":"empty"}', "red, red are not players"),
        (b'"tip":3', b'"tip":3,"offer":"chance"', "chance are not players"),
        (b'"moves": [', b'"control": ["sudden",-5,0,0],\n"moves": [', "no clock can give that time"),
    ],
)
def test_a_game_that_is_not_one_is_refused(old: bytes, new: bytes, told: str) -> None:
    data = encode(played(1, 3, 2))
    assert data.count(old) == 1
    words = Words({"illegal": {"en": "That is not a legal move"}})
    with pytest.raises(Fault) as caught:
        reopened(decode(data.replace(old, new)), games.HEAP, games.Heap(), words)
    assert told in str(caught.value)


def mutated(data: bytes, rng: Random) -> bytes:
    """The bytes with some damage: cut, flipped, doubled, swapped, or with something of their own kind put in."""
    spot, other = sorted(rng.randrange(len(data)) for _ in range(2))
    pieces = [b"null", b"-1", b"1e999", b"[]", b"{}", b'""', b'"\\ud800"', b"9" * 30, b"\x00", b"\xff", b'{"id":1}']
    kind = rng.randrange(6)
    if kind == 0:
        return data[:spot]
    if kind == 1:
        return data[:spot] + bytes([rng.randrange(256)]) + data[spot + 1 :]
    if kind == 2:
        return data[:spot] + data[other:]
    if kind == 3:
        return data[:other] + data[spot:]
    if kind == 4:
        return data[:spot] + rng.choice(pieces) + data[spot + rng.randrange(8) :]
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def fuzz(count: int, seed: int = 0) -> dict[str, int]:
    """Damages saved games ``count`` times; each must open, or be refused by a Fault. Gives how often which happened."""
    rng, tally = Random(seed), {"opened": 0, "refused": 0, "salvaged": 0}
    kinds = []
    for info, rules, control, policy in KINDS:
        session = begin(info, rules(), seed, control, policy)
        for _ in range(30):
            step(session, rng)
        kinds.append((info, rules, encode(session)))
    for _ in range(count):
        info, rules, data = rng.choice(kinds)
        for _ in range(rng.choice([1, 1, 1, 2, 5])):
            data = mutated(data, rng) or b" "
        try:
            record, fault = salvage(data)
            assert fault is None or str(fault).endswith("kept.")
            tally["salvaged"] += fault is not None
            reopened(record, info, rules())
            tally["opened"] += 1
        except Fault:
            tally["refused"] += 1
        except PluginFault:  # these small rules trust their positions; the fence held
            tally["refused"] += 1
    return tally


def test_no_damage_leads_to_a_traceback() -> None:
    tally = fuzz(3000)
    assert tally["opened"] > 200
    assert tally["refused"] > 500
    assert tally["salvaged"] > 200


# -- files -----------------------------------------------------------------------------------------------------------
def test_files_are_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "棋 局.qipan"
    save(path, played(1))
    before = path.read_bytes()
    assert load(path).moves[1].path == ("one",)

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fails)
            with pytest.raises(Fault, match=r"棋 局\.qipan can't be written: No space left"):
                save(path, played(1, 2))
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]
    save(path, played(1, 2))
    assert len(load(path).moves) == 3
    with pytest.raises(Fault, match="can't be written"):
        save(tmp_path / "missing" / "x.qipan", played(1))
    for place in (tmp_path, tmp_path / "none.qipan"):
        with pytest.raises(Fault, match=place.name):
            load(place)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.qipan", tmp_path / "link.qipan"
    target.write_bytes(b"")
    link.symlink_to(target)
    save(link, played(1))
    assert link.is_symlink()
    assert len(load(target).moves) == 2


# -- transcripts -----------------------------------------------------------------------------------------------------
def test_a_transcript_and_back() -> None:
    session = played(1, 2, 3)
    session.add(session.add(session.root, Move(0, (2,))), Move(1, (0,)))
    session.add(session.path[1], Move(1, (0,)))
    session.comment(session.path[2], "two")
    session.resign(1)
    told = transcript(session)
    assert told.result == "1-0"
    assert told.names == {"red": "甲", "black": "Bob"}
    assert told.tags == {"event": "Cup"}
    assert told.moves[0] == MoveText("one", "", ((MoveText("three"), MoveText("one")),))
    assert told.moves[1] == MoveText("two", "two", ((MoveText("one"),),))
    again = session_of(told, games.HEAP, games.Heap(), rng=Random(0), now=Time())
    assert again.outcome == Outcome((0,), Note("recorded"))
    assert transcript(again) == told
    assert [node.played for node in again.root.walk()] == [True, True, True, True, False, False, False]


def test_a_concession_is_told_and_read() -> None:
    session = begin(games.LIVELY, games.Lively(), 1)
    session.play(Move(0, (0,)))
    session.resign(1)
    session.play(Move(2, (0,)))
    told = transcript(session)
    assert [move.text for move in told.moves] == ["one", "resign:black", "one"]
    again = session_of(told, games.LIVELY, games.Lively(), rng=Random(0), now=Time())
    assert again.tip.position == session.tip.position
    assert replay(told, games.LIVELY, games.Lively()).position == session.tip.position


def test_replay_says_which_move_was_wrong_and_why() -> None:
    words = Words({"too-few": {"en": "only {0} are left"}, "no-stones": {"en": "no stone is left"}})

    class Lax(games.Speaks):
        def parse(self, position: object, text: str) -> Move:
            return Move(position.turn, (2,)) if text == "all" else super().parse(position, text)  # type: ignore

    def told(*texts: str) -> Transcript:
        return Transcript("heap", tuple(MoveText(text, line=10 + n) for n, text in enumerate(texts)))

    for texts, ply, reason in [
        (("one", "four"), 2, "four stones are never taken at once"),
        (("five",), 1, "'five' is no legal move here"),
        (("three", "all"), 2, "only 1 are left"),
        (("three", "one", "one"), 3, "the game is over: no stone is left"),
    ]:
        found = replay(told(*texts), games.HEAP, Lax(4), words)
        assert found.fault == Misplayed(ply, texts[-1], reason, 9 + ply)
        assert found.plies == ply - 1
        with pytest.raises(Fault, match=f"move {ply}"):
            session_of(told(*texts), games.HEAP, Lax(4), rng=Random(0), now=Time(), words=words)
    found = replay(told("three", "one"), games.HEAP, Lax(4), words)
    assert (found.plies, found.outcome, found.fault) == (2, Outcome((1,), Note("no-stones")), None)
    with pytest.raises(Fault, match="the start position: "):
        replay(Transcript("heap", (), position="nowhere"), games.HEAP, Lax(4))


def test_replay_notes_what_the_judge_says_and_goes_on() -> None:
    texts = tuple(MoveText("one") for _ in range(8))
    found = replay(Transcript("heap", texts), games.HEAP, games.Judged())
    assert found.plies == 8
    assert found.fault is None
    assert [(ply, note.word) for ply, note in found.notes] == [(2, "slow"), (4, "repeats"), (6, "long")]
    assert found.outcome == Outcome((), Note("long"))
    assert isinstance(games.Judged().adjudicate([Ply(None, found.position)] * 5), Claim)


def test_a_control_none_is_not_written() -> None:
    assert b'"control"' not in encode(played(1))
    assert decode(encode(played(1))).control == NONE
