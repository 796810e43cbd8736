"""Nothing is lost: journals hold every accepted change, also of a killed program, a torn line, a damaged file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import small_games as games
from game_walks import Time, digest, start, step, walk, whole

import qipan
from qipan.acts import Unsaved
from qipan.journal import Journal, recover, unfinished
from qipan.record import open_session
from qipan.session import Session
from qipan.values import Fault, Move

HERE = Path(__file__).parent


def reopened(path: Path, stones: int = 60) -> Session:
    record, journal, fault = recover(path)
    assert fault is None
    return open_session(record, games.HEAP, games.Judged(stones), rng=Random(0), now=Time(), journal=journal)


def child(folder: Path, seed: int) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(Path(qipan.__file__).parents[1]), str(HERE)])
    return subprocess.Popen(
        [sys.executable, str(HERE / "game_walks.py"), str(folder), str(seed)], stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip


def killed(folder: Path, seed: int) -> tuple[int, int]:
    """Lets a program play, kills it after a random number of changes, and holds that all it told is there.

    Gives how many changes were told, and how many more the journal had.
    """
    wanted = Random(seed).randrange(1, 160)
    with child(folder, seed) as program:
        assert program.stdout is not None
        told = [program.stdout.readline().decode().strip() for _ in range(wanted)]
        program.kill()
        told += program.stdout.read().decode().split()
    (game,) = unfinished(folder)
    assert (game.game, game.names, game.fault) == ("heap", ("甲", "Bob"), None)
    session = reopened(game.path)
    assert session.paused or session.outcome is not None
    assert game.ply == session.tip.ply

    # The same walk in here says what must be there: all that was told, perhaps the beginning of one change more.
    mirror = start(seed)
    commits: list[str] = []
    mirror.subscribe(lambda _: commits.append(digest(mirror)))
    at = 0
    for number, name in enumerate(walk(mirror, seed, 100_000), 1):
        if number <= len(told):
            assert name == told[number - 1]
        if number == len(told):
            at = len(commits)
        if number == len(told) + 1:
            break
    found = digest(session)
    assert found in [told[-1], *commits[at:]], "the journal lost an accepted change"
    session.close(keep=False)
    return len(told), int(found != told[-1])


@pytest.mark.parametrize("seed", range(8))
def test_a_killed_program_loses_no_accepted_change(tmp_path: Path, seed: int) -> None:
    told, _ = killed(tmp_path, seed)
    assert told >= 1


@pytest.mark.parametrize("seed", range(10))
def test_every_change_can_be_recovered(tmp_path: Path, seed: int) -> None:
    session = start(seed, Journal.create(tmp_path, "game"))
    copy = tmp_path / "copy.journal"
    rng = Random(seed)
    for _ in range(60):
        session.now.now += rng.random()  # type: ignore[attr-defined]
        if step(session, rng):
            copy.write_bytes((tmp_path / "game.journal").read_bytes())
            again = reopened(copy)
            assert whole(again) == whole(session)
            again.close(keep=True)


def test_a_recovered_game_goes_on_in_the_same_journal(tmp_path: Path) -> None:
    session = start(1, Journal.create(tmp_path, "game"))
    session.play(Move(0, (0,)))
    session.close()
    for ply in range(2, 5):
        (game,) = unfinished(tmp_path)
        session = reopened(game.path)
        session.pause(False)
        session.play(Move(session.tip.position.turn, (1,)))
        assert session.tip.ply == ply
        session.close()
    assert len(list(tmp_path.iterdir())) == 1


def test_chance_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    session = Session(
        games.DICE, games.Dice(), {}, rng=Random(1), now=Time(), journal=Journal.create(tmp_path, "dice")
    )
    session.play(session.legal()[0])
    session.close()
    path = tmp_path / "dice.journal"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))  # killed between the move and the draw
    record, journal, _ = recover(path)
    again = open_session(record, games.DICE, games.Dice(), rng=Random(1), now=Time(), journal=journal)
    assert again.tip.ply == 3
    assert again.tip.position.turn == 1
    assert len(path.read_bytes().splitlines()) == len(lines)
    again.close()


def test_a_torn_last_line_is_dropped_and_the_file_is_not(tmp_path: Path) -> None:
    session = start(1, Journal.create(tmp_path, "game"))
    session.play(Move(0, (0,)))
    session.play(Move(1, (1,)))
    session.close()
    path = tmp_path / "game.journal"
    data = path.read_bytes()
    last = len(data.splitlines(keepends=True)[-1])
    for cut in range(1, last, 7):
        path.write_bytes(data[:-cut])
        again = reopened(path)
        assert again.tip.ply == 1
        again.close()
        assert path.read_bytes() == data[:-last], "and what is written next begins on a line of its own"
    path.write_bytes(data[:-last] + b"\0" * 300)
    assert unfinished(tmp_path)[0].ply == 1


@pytest.mark.parametrize(
    "damage", [b"{}", b"not json", b'{"state":{"tip":99}}', b'{"state":{},"delete":0}', b"\xff", b"[" * 9999]
)
def test_a_damaged_line_ends_the_game_there_with_a_message(tmp_path: Path, damage: bytes) -> None:
    session = start(1, Journal.create(tmp_path, "game"))
    for number in range(4):
        session.play(Move(number % 2, (0,)))
    session.close()
    path = tmp_path / "game.journal"
    lines = path.read_bytes().splitlines()
    lines[3] = damage
    bad = b"\n".join(lines) + b"\n"
    path.write_bytes(bad)
    (game,) = unfinished(tmp_path)
    text = "game.journal is damaged at line 4; the game stands as it was before it"
    assert (str(game.fault), game.ply) == (text, 2)
    record, journal, fault = recover(path)
    assert str(fault) == text
    again = open_session(record, games.HEAP, games.Judged(60), rng=Random(0), now=Time(), journal=journal)
    assert again.tip.ply == 2
    assert (tmp_path / "game.journal.damaged").read_bytes() == bad
    again.close()
    assert reopened(path).tip.ply == 2


@pytest.mark.parametrize("data", [b"garbage\n", b'{"qipan":7}\n', b"{}\n", b"\xff\n", b"\n"])
def test_a_journal_without_a_game_says_so(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.journal"
    path.write_bytes(data)
    assert str(unfinished(tmp_path)[0].fault).startswith("x.journal: line 1 is no game")
    with pytest.raises(Fault, match=r"x\.journal: line 1 is no game"):
        recover(path)
    assert path.read_bytes() == data
    path.write_bytes(b"torn before the first line was wh")
    with pytest.raises(Fault, match="first line"):
        recover(path)
    with pytest.raises(Fault, match=r"none\.journal"):
        recover(tmp_path / "none.journal")


def test_one_window_has_a_journal(tmp_path: Path) -> None:
    with child(tmp_path, 1) as program:
        assert program.stdout is not None
        program.stdout.readline()
        assert unfinished(tmp_path) == []
        (path,) = tmp_path.iterdir()
        with pytest.raises(Fault, match="is open in another window"):
            recover(path)
        program.kill()
    assert len(unfinished(tmp_path)) == 1
    session = reopened(path)
    with pytest.raises(Fault, match="is open in another window"):
        recover(path)
    session.close()


def test_what_a_closed_game_leaves_behind(tmp_path: Path) -> None:
    def left(*, plies: int, resign: bool = False, keep: bool | None = None) -> int:
        session = start(1, Journal.create(tmp_path, "game"))
        for number in range(plies):
            session.play(Move(number % 2, (0,)))
        if resign:
            session.resign(0)
        session.close(keep)
        session.close()
        games_left = len(unfinished(tmp_path))
        for path in tmp_path.iterdir():
            path.unlink()
        return games_left

    assert left(plies=2) == 1
    assert left(plies=0) == 0, "nothing was played"
    assert left(plies=2, resign=True) == 0, "it is over"
    assert left(plies=2, resign=True, keep=True) == 1
    assert left(plies=2, keep=False) == 0


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, heard = start(1, Journal.create(tmp_path, "game")), []
    session.play(Move(0, (0,)))
    session.subscribe(heard.append)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        session.play(Move(1, (0,)))
    session.play(Move(0, (0,)))
    assert session.tip.ply == 3
    assert str(session.unsaved) == "the game can't be kept in game.journal: No space left on device"
    assert [change for change in heard if isinstance(change, Unsaved)] == [Unsaved(session.unsaved)]
    assert unfinished(tmp_path)[0].ply == 1
    with pytest.raises(Fault, match="no journal can be kept"):
        Journal.create(tmp_path / "game.journal" / "below", "x")


def test_clocks_are_noted_though_nobody_moves(tmp_path: Path) -> None:
    session = start(1, Journal.create(tmp_path, "game"))
    session.play(Move(0, (0,)))
    for _ in range(100):
        session.now.now += 1  # type: ignore[attr-defined]
        session.tick()
    session.close()
    again = reopened(tmp_path / "game.journal")
    assert again.clock.remaining(1, 0).main == 5900
    assert again.paused
    again.now.now = 50  # type: ignore[attr-defined]
    assert again.tick() is None
    assert again.clock.remaining(1, 50).main == 5900


def test_names_of_journals_stay_in_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "棋 journals"
    for name in ("../../up", "象棋 2026-01-02 10:11", "", ".", "x" * 400):
        Journal.create(folder, name).close(keep=True)
        Journal.create(folder, name).close(keep=True)
    assert len(list(folder.iterdir())) == 10
    assert [path.name for path in tmp_path.iterdir()] == ["棋 journals"]
