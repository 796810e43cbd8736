"""The English sentences of the plugin's notes, for messages that are not shown on a table."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from qipan.api import Note


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def english(note: Note) -> str:
    """The sentence of a note, its places filled, without the full stop."""
    table = _table()
    args = (table[arg]["en"] if arg in table else arg for arg in note.args)
    return table[note.word]["en"].format(*args).rstrip(".")
