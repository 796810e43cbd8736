"""Pictograms as data: pictures.toml beside a game, one path a picture in a box of 24 x 24, filled even-odd."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from qipan.toml_file import read_toml
from qipan.values import Fault

BOX = 24.0
_LIMIT = 1 << 18
_TOKEN = re.compile(r"[MLCQZ]|-?(?:\d+\.?\d*|\.\d+)|[\s,]+|.", re.DOTALL)
_NUMBERS = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}
_BENDS = 12  # straight pieces of one curve

Place = tuple[float, float]


class Picture(NamedTuple):
    """One pictogram: its path as written, and its outlines as points (units of the box)."""

    path: str
    outlines: tuple[tuple[Place, ...], ...]


class _Drawn(msgspec.Struct, forbid_unknown_fields=True):
    path: Annotated[str, msgspec.Meta(min_length=5, max_length=8000)]


def read_pictures(file: Path) -> dict[str, Picture]:
    """The pictures of a file by name; none where there is no file. Raises Fault naming the picture that is wrong."""
    if not file.is_file():
        return {}
    found = {}
    for name, drawn in read_toml(file, _LIMIT, dict[str, _Drawn]).items():
        try:
            found[name] = read_path(drawn.path)
        except Fault as fault:
            raise Fault("{0}: {1}: {2}", file.name, name, fault) from fault
    return found


def read_path(text: str) -> Picture:
    """A picture from path text of M, L, Q, C, Z with absolute numbers. Raises Fault naming the place."""
    outlines: list[tuple[Place, ...]] = []
    run: list[Place] = []
    for letter, numbers in _commands(text):
        places = list(zip(numbers[::2], numbers[1::2], strict=True))
        if letter in "MZ" and run:
            outlines.append(tuple(run))
            run = []
        if letter == "M":
            run = places
        elif letter != "Z" and not run:
            raise Fault("{0} before any M", letter)
        elif letter == "L":
            run += places
        elif letter in "QC":
            run += _curve([run[-1], *places])
    if run:
        outlines.append(tuple(run))
    if not outlines or any(len(outline) < 3 for outline in outlines):
        raise Fault("an outline has fewer than three points")
    return Picture(text, tuple(outlines))


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with one set of its numbers; a letter's further numbers repeat it (after M as L)."""
    letter, numbers = "", list[float]()
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in _NUMBERS:
            if numbers:
                raise Fault("{0} lacks a number at {1}", letter, match.start())
            letter = token
            if letter == "Z":
                yield "Z", []
        elif token[0] in "-.0123456789" and token != "-" and token != ".":
            number = float(token)
            if not letter or letter == "Z" or not -BOX <= number <= 2 * BOX:
                raise Fault("{0} at {1} is out of place", repr(token), match.start())
            numbers.append(number)
            if len(numbers) == _NUMBERS[letter]:
                yield letter, numbers
                numbers = []
                letter = "L" if letter == "M" else letter
        elif not token.isspace() and token.strip(", \t\r\n"):
            raise Fault("{0} at {1} is no command of M L Q C Z", repr(token), match.start())
    if numbers:
        raise Fault("{0} lacks a number at the end", letter)


def _curve(points: list[Place]) -> list[Place]:
    """A quadratic or cubic curve as points, its start left out (de Casteljau's construction)."""
    found = []
    for step in range(1, _BENDS + 1):
        t, level = step / _BENDS, points
        while len(level) > 1:
            level = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(level)]
        found.append(level[0])
    return found
