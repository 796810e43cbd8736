"""Games that are over, kept: each a file in the user's folder, named after the game, its day and who played."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from time import localtime, strftime

from qipan import record
from qipan.atomic import read_small, write_new
from qipan.saved import Record

_LONGEST = 180  # bytes of a name before its number and ending; file systems take 255
_DATED = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)")


def keep(folder: Path, game: Record, title: str, known: Iterable[Path] = ()) -> Path:
    """Writes a game into the folder (made if missing), whole and over no other file, and gives the file.

    ``title``: the game's name for people. Where one of the ``known`` files is that game as it stands, nothing is
    written and that file is given. Raises OSError.
    """
    data = record.encode(game)
    for file in known:
        if file.suffix.lower() == record.SUFFIX and _holds(file, data):
            return file
    folder.mkdir(parents=True, exist_ok=True)
    stem = name(game, title)
    for number in count(1):
        path = folder / f"{stem}{f'-{number}' if number > 1 else ''}{record.SUFFIX}"
        try:
            write_new(path, data)
        except FileExistsError:
            continue
        return path
    raise AssertionError


def name(game: Record, title: str) -> str:
    """``Xiangqi 2026-11-30 21-05 Lin Mei - Chen Wei``: characters that every file system takes, at most 180 bytes."""
    dated = _DATED.match(game.created)
    day = f"{dated[1]} {dated[2]}-{dated[3]}" if dated else strftime("%Y-%m-%d %H-%M", localtime())
    people = " - ".join(person for person in game.names if person.strip())
    plain = "".join(char if char.isprintable() else " " for char in f"{title} {day} {people}")
    plain = " ".join(re.sub(r'[<>:"/\\|?*]', " ", plain).split()).lstrip(". ")
    return plain.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore").rstrip(". ") or game.game


def _holds(file: Path, data: bytes) -> bool:
    try:
        return read_small(file, len(data)) == data
    except (OSError, ValueError):  # gone, or another file
        return False
