"""The rules of a game for players: simple Markdown beside its plugin, read as data within bounds.

Headings (#), paragraphs, lists and `code` are understood; a link is its text; all else stands as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

from qipan.atomic import read_small

_LIMIT = 128 << 10  # bytes of a page
_DEEPEST = 3  # levels of headings and of lists
_HEADING = re.compile(r"(#+) +(.+)")
_ITEM = re.compile(r"( *)([-*+]|\d{1,3}[.)]) +(.+)")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


class Run(NamedTuple):
    """Characters of one kind within a block."""

    text: str
    code: bool = False


class Block(NamedTuple):
    """A heading (level 1 to 3), a paragraph, or an item of a list (level 1 to 3; ``mark``: its number, or a bullet)."""

    kind: Literal["heading", "text", "item"]
    runs: tuple[Run, ...]
    level: int = 1
    mark: str = ""


def find(folder: Path, language: str) -> Path | None:
    """A game's page in a language, or in one there is; None for a game without pages."""
    for tongue in (language, "en", "zh"):
        file = folder / f"rules.{tongue}.md"
        if file.is_file() and file.resolve().parent == folder.resolve():  # no link leads out of the folder
            return file
    return None


def read(file: Path) -> tuple[Block, ...]:
    """The blocks of a page. Raises OSError; ValueError for a page that is too large or no text in UTF-8."""
    return parse(read_small(file, _LIMIT).decode("utf-8-sig"))


def parse(text: str) -> tuple[Block, ...]:
    """The blocks of a text: an empty line ends one, and lines that follow each other are one line."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    opened: Block | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        plain = "".join(char for char in line.expandtabs(2) if char.isprintable())
        heading, item = _HEADING.fullmatch(plain.rstrip()), _ITEM.fullmatch(plain.rstrip())
        begins = heading is not None or item is not None or not plain.strip()
        if begins and opened is not None:
            yield opened._replace(runs=_runs(joined(lines)))
            opened = None
        if heading is not None:
            yield Block("heading", _runs(heading[2].strip()), min(len(heading[1]), _DEEPEST))
        elif item is not None:
            mark = "\u2022" if item[2] in "-*+" else item[2]
            opened, lines = Block("item", (), min(1 + len(item[1]) // 2, _DEEPEST), mark), [item[3]]
        elif not begins and opened is None:
            opened, lines = Block("text", ()), [plain]
        elif not begins:
            lines.append(plain)


def joined(lines: list[str]) -> str:
    """Lines as one: with a space between words, with none beside a Chinese character or sign that meets another."""
    whole = ""
    for line in map(str.strip, lines):
        tight = bool(whole) and _wide(whole[-1]) and _wide(line[0])
        tight = tight or (bool(whole) and (_sign(whole[-1]) or _sign(line[0])))
        whole += line if tight or not whole else f" {line}"
    return whole


def lines(runs: Sequence[Run], width: int, measure: Callable[[Run], int]) -> list[tuple[Run, ...]]:
    """A block's runs broken into lines that ``measure`` finds no wider than ``width``.

    Lines break at spaces and beside Chinese characters, but not before a closing sign nor after an opening one; what
    is too wide without such a place breaks anywhere.
    """
    found: list[tuple[Run, ...]] = []
    line: list[Run] = []
    room = width
    for piece in _pieces(runs):
        bare = [Run(run.text.rstrip(), run.code) if run is piece[-1] else run for run in piece]
        if line and sum(map(measure, bare)) > room:
            found.append(_whole(line))
            line, room = [], width
        parts = piece
        if not line and sum(map(measure, bare)) > width:
            parts = tuple(Run(char, run.code) for run in piece for char in run.text)
        for part in parts:
            if line and parts is not piece and measure(part) > room:
                found.append(_whole(line))
                line, room = [], width
            line.append(part)
            room -= measure(part)
    return [*found, _whole(line)] if line else found


def _pieces(runs: Sequence[Run]) -> Iterator[tuple[Run, ...]]:
    """The parts of a line that stay whole, spaces at their ends."""
    chars = [(char, run.code) for run in runs for char in run.text]
    start = 0
    for at in range(1, len(chars) + 1):
        if at == len(chars) or _breaks(chars[at - 1][0], chars[at][0]):
            yield _merged(chars[start:at])
            start = at


def _breaks(before: str, after: str) -> bool:
    if before == " " or after == " ":
        return before == " " and after != " "
    if not (_wide(before) or _wide(after)):
        return False
    return unicodedata.category(before) not in ("Ps", "Pi") and unicodedata.category(after) not in ("Pe", "Pf", "Po")


def _merged(chars: Iterable[tuple[str, bool]]) -> tuple[Run, ...]:
    return tuple(Run("".join(text for text, _ in part), code) for code, part in groupby(chars, lambda pair: pair[1]))


def _whole(line: Sequence[Run]) -> tuple[Run, ...]:
    """A line's runs, neighbours of one kind as one, without the space at its end."""
    merged = _merged([(run.text, run.code) for run in line])
    last = merged[-1]
    return (*merged[:-1], last._replace(text=last.text.rstrip()))


def _wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _sign(char: str) -> bool:
    return _wide(char) and unicodedata.category(char)[0] in "PS"


def _runs(line: str) -> tuple[Run, ...]:
    runs = []
    for number, part in enumerate(_CODE.split(line)):
        text = part if number % 2 else _LINK.sub(r"\1", part)
        if text:
            runs.append(Run(text, number % 2 == 1))
    return tuple(runs)
