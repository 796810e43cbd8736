"""The plugin's notes as faults, for texts that can't be read: in English, and for windows in every language."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from qipan.api import Fault, Note


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def told(note: Note) -> Fault:
    """What a note says, its English without the full stop."""
    table = _table()
    args = (table[arg]["en"] if arg in table else arg for arg in note.args)
    return Fault(table[note.word]["en"].format(*args).rstrip("."), note=note)
