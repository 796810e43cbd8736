"""Sentences by key and language, read from words.toml files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from qipan.atomic import read_small
from qipan.values import Fault, Note

LANGUAGES = ("en", "zh")
_LIMIT = 1 << 20  # bytes; a words file is small
_PLACE = re.compile(r"\{(\d)\}")  # what str.format does besides is no matter of a data file


class Words:
    """A table of sentences; a later file's key replaces an earlier one's. ``w.say(note, "zh")`` gives a text."""

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        self.table = dict(table)

    @classmethod
    def load(cls, *files: Path) -> Words:
        """The sentences of some words.toml files. Raises Fault naming the file and the key."""
        table: dict[str, dict[str, str]] = {}
        for file in files:
            table.update(_read(file))
        return cls(table)

    def plus(self, other: Words) -> Words:
        """Both tables; the other's keys win."""
        return Words({**self.table, **other.table})

    def __contains__(self, key: str) -> bool:
        return key in self.table

    def text(self, key: str, language: str, *args: str | int) -> str:
        """The sentence of a key with its places, {0} to {9}, filled as far as there are arguments; a key without a
        sentence stands for itself.
        """
        sentences = self.table.get(key)
        if sentences is None:
            return key
        sentence = sentences.get(language) or sentences.get("en") or key
        filled = {str(place): self._filled(arg, language) for place, arg in enumerate(args)}
        return _PLACE.sub(lambda place: filled.get(place[1], place[0]), sentence)

    def say(self, note: Note, language: str) -> str:
        """The sentence of a note."""
        return self.text(note.word, language, *note.args)

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Which of the keys lack a sentence in some language, as "key (language)"."""
        both = ((key, language) for key in sorted(set(keys)) for language in LANGUAGES)
        return [f"{key} ({language})" for key, language in both if not self.table.get(key, {}).get(language)]

    def _filled(self, arg: str | int, language: str) -> str:
        return self.text(arg, language) if isinstance(arg, str) else str(arg)


def _read(file: Path) -> dict[str, dict[str, str]]:
    try:
        return msgspec.convert(tomllib.loads(read_small(file, _LIMIT).decode("utf-8")), dict[str, dict[str, str]])
    except OSError as fault:
        raise Fault(f"{file}: {fault.strerror}") from fault
    except (ValueError, RecursionError) as fault:  # msgspec's own faults are ValueErrors
        raise Fault(f"{file}: {fault}") from fault
