"""The one way to read a TOML file: small, UTF-8, in bounded time, its numbers finite, of a declared content."""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from qipan.atomic import read_small
from qipan.misread import misread
from qipan.values import Fault

_T = TypeVar("_T")

_PARTS = 16  # of a dotted key: tomllib takes the square of their number in time
_PART = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_DEEP = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*+\.[ \t]*+){{{_PARTS}}}{_PART}")


def read_toml(file: Path, most: int, kind: type[_T]) -> _T:
    """The content of a file of at most so many bytes, as a type that msgspec knows. Raises Fault naming the file."""
    try:
        return msgspec.convert(_parsed(read_small(file, most).decode("utf-8")), kind)
    except OSError as fault:
        raise Fault("{0}: {1}", file.name, str(fault.strerror)) from fault
    except (ValueError, RecursionError) as fault:  # those of UTF-8, tomllib and msgspec are ValueErrors
        raise Fault("{0}: {1}", file.name, misread(fault)) from fault


def _parsed(text: str) -> dict[str, object]:
    if _DEEP.search(text):
        raise ValueError(f"a key of more than {_PARTS} parts")
    return tomllib.loads(text, parse_float=_finite)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no finite number")
    return number
