"""Finished games become files: their names, that none is written over, and that none is written twice."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from qipan import archive, atomic, record
from qipan.host import Host
from qipan.saved import Record, record_of
from qipan.session import Session


def game(*names: str, created: str = "2026-11-30T21:05:59") -> Record:
    """A game of xiangqi that was resigned after a move."""
    opened = Host.scan(entry_points=False).open("xiangqi")
    rules = opened.rules()
    session = Session(
        opened.info, rules, opened.info.settle({}), rng=Random(1), now=lambda: 0.0, names=names, created=created
    )
    session.play(rules.parse(session.tip.position, "h3e3"))
    session.resign(1)
    return record_of(session)


def test_a_game_is_a_file_named_after_it(tmp_path: Path) -> None:
    saved = game("Lin Mei", "Chen Wei")
    file = archive.keep(tmp_path / "games", saved, "Xiangqi")
    assert file == tmp_path / "games" / "Xiangqi 2026-11-30 21-05 Lin Mei - Chen Wei.qipan"
    assert record.load(file) == saved
    assert [left.name for left in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("names", "title", "stem"),
    [
        ((), "Xiangqi", "Xiangqi 2026-11-30 21-05"),
        (("", "陈伟"), "象棋", "象棋 2026-11-30 21-05 陈伟"),
        (("../../etc/passwd", "a:b*c?<d>|\"e\\"), "X", "X 2026-11-30 21-05 .. .. etc passwd - a b c d e"),
        (("tab\there\nand\x00there", "\u202egnp.x"), "..", "2026-11-30 21-05 tab here and there - gnp.x"),
        (("A.", " "), "X", "X 2026-11-30 21-05 A"),
    ],
)  # fmt: skip
def test_names_are_safe(names: tuple[str, ...], title: str, stem: str) -> None:
    assert archive.name(game(*names), title) == stem


def test_long_names_and_odd_days_are_cut(tmp_path: Path) -> None:
    saved = game("长" * 60, "短" * 60, created="../sometime")
    file = archive.keep(tmp_path, saved, "Xiangqi")
    assert file.parent == tmp_path
    assert len(os.fsencode(file.name)) <= 200
    assert "sometime" not in file.name


def test_nothing_is_written_over(tmp_path: Path) -> None:
    first = game("A")
    files = [archive.keep(tmp_path, first, "X") for _ in range(3)]
    assert [file.stem.removeprefix("X 2026-11-30 21-05 A") for file in files] == ["", "-2", "-3"]
    (tmp_path / "X 2026-11-30 21-05 B.qipan").symlink_to(tmp_path / "elsewhere")
    assert archive.keep(tmp_path, game("B"), "X").stem.endswith("B-2")
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_holds_the_game_is_enough(tmp_path: Path) -> None:
    saved, mine = game("A"), tmp_path / "mine.qipan"
    record.save(mine, saved)
    other = tmp_path / "other.qipan"
    record.save(other, game("B"))
    known = [tmp_path / "gone.qipan", tmp_path, other, mine]
    assert archive.keep(tmp_path / "games", saved, "X", known) == mine
    assert not (tmp_path / "games").exists()
    mine.write_bytes(mine.read_bytes() + b"\n")
    assert archive.keep(tmp_path / "games", saved, "X", known).parent == tmp_path / "games"


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    if not links:

        def link(source: Path, place: Path) -> None:
            raise PermissionError(1, "no links here")

        monkeypatch.setattr(os, "link", link)
    path = tmp_path / "a"
    atomic.write_new(path, b"one")
    with pytest.raises(FileExistsError):
        atomic.write_new(path, b"two")
    assert path.read_bytes() == b"one"

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        atomic.write_new(tmp_path / "b", b"three")
    assert [left.name for left in tmp_path.iterdir()] == ["a"]
