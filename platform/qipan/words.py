"""Sentences by key and language, read from words.toml files.

A key is a word ("check"), or, for faults, the English sentence itself, whose line then has the other language alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from qipan.toml_file import read_toml
from qipan.values import Fault, Note, filled, shortened

LANGUAGES = ("en", "zh")
_LIMIT = 1 << 20  # bytes; a words file is small


class Words:
    """A table of sentences; a later file's key replaces an earlier one's. ``w.say(note, "zh")`` gives a text."""

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        self.table = dict(table)

    @classmethod
    def load(cls, *files: Path) -> Words:
        """The sentences of some words.toml files. Raises Fault naming the file and the key."""
        table: dict[str, dict[str, str]] = {}
        for file in files:
            for key, said in read_toml(file, _LIMIT, dict[str, dict[str, str]]).items():
                table[key] = {"en": key, **said} if " " in key else said
        return cls(table)

    def plus(self, other: Words) -> Words:
        """Both tables; the other's keys win."""
        return Words({**self.table, **other.table})

    def __contains__(self, key: str) -> bool:
        return key in self.table

    def text(self, key: str, language: str, *args: str | int | Fault) -> str:
        """The sentence of a key with its places, {0} to {9}, filled as far as there are arguments; a key without a
        sentence stands for itself.
        """
        sentences = self.table.get(key, {})
        sentence = sentences.get(language) or sentences.get("en") or key
        return filled(sentence, (self._part(arg, language) for arg in args))

    def say(self, said: Note | Fault, language: str) -> str:
        """The sentence of a note or of a fault."""
        if isinstance(said, Fault):
            return shortened(self.text(said.word, language, *said.parts))
        return self.text(said.word, language, *said.args)

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Which of the keys lack a sentence in some language, as "key (language)"."""
        both = ((key, language) for key in sorted(set(keys)) for language in LANGUAGES)
        return [f"{key} ({language})" for key, language in both if not self.table.get(key, {}).get(language)]

    def _part(self, arg: str | int | Fault, language: str) -> str:
        if isinstance(arg, Fault):
            return self.say(arg, language)
        return self.text(arg, language) if isinstance(arg, str) else str(arg)
