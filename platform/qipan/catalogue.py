"""What a plugin says about itself without being imported: plugin.toml, its games, their seats, options and pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from qipan.misread import misread
from qipan.rules import Ruleset
from qipan.toml_file import read_toml
from qipan.values import Fault, Options, Position

API = 1  # what a manifest's ``api`` must equal
_LIMIT = 1 << 20


class ApiFault(Fault):
    """A manifest made for another version of the plugin interface."""


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in each language."""

    en: str
    zh: str

    def text(self, language: str) -> str:
        """The text in a language."""
        return self.zh if language == "zh" else self.en


class OptionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One declared option. Its label is the word ``option.ID``, a choice's ``option.ID.VALUE``."""

    id: str
    kind: Literal["choice", "flag", "number"]
    default: str | int | bool
    choices: tuple[str, ...] = ()
    min: int = 0
    max: int = 0

    def accept(self, value: object) -> str | int | bool:
        """The value as this option's type, also from its text. Raises Fault."""
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in ("true", "yes", "on", "1", "false", "no", "off", "0"):
                return value.lower() in ("true", "yes", "on", "1")
            raise Fault("option {0}: {1} is not true or false", self.id, repr(value))
        if self.kind == "number":
            try:
                number = int(value) if isinstance(value, str) else value
            except ValueError:
                number = None
            if isinstance(number, bool) or not isinstance(number, int) or not self.min <= number <= self.max:
                said = "option {0}: {1} is not a whole number from {2} to {3}"
                raise Fault(said, self.id, repr(value), self.min, self.max)
            return number
        if not isinstance(value, str) or value not in self.choices:
            raise Fault("option {0}: {1} is none of {2}", self.id, repr(value), ", ".join(self.choices))
        return value


class PieceLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a kind may be drawn: a character (one, or one a seat), a Latin letter, a pictogram of pictures.toml."""

    glyph: str | dict[str, str] = ""
    letter: str = ""
    picture: str = ""
    shape: Literal["disc", "stone", "tile"] = "disc"

    def character(self, seat: str) -> str:
        """The character for a seat's piece."""
        return self.glyph if isinstance(self.glyph, str) else self.glyph.get(seat, "")


class Thumbnail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The picture of a game's card: a crop at playing size around a place of a position ("" : the start)."""

    position: str = ""
    centre: tuple[float, float] | None = None
    cell: int = 40


class GameInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game as its manifest declares it. ``length``: no random game lasts more plies."""

    id: str
    name: Names
    blurb: Names
    seats: tuple[str, ...]
    tags: tuple[str, ...] = ()
    length: int = 10_000
    options: tuple[OptionSpec, ...] = ()
    pieces: dict[str, PieceLook] = {}
    thumbnail: Thumbnail = Thumbnail()
    folder: Path = Path()

    def settle(self, given: Mapping[str, object]) -> dict[str, str | int | bool]:
        """Every option's value, from the given ones and the defaults. Raises Fault for an unknown or bad one."""
        specs = {spec.id: spec for spec in self.options}
        for key in given:
            if key not in specs:
                known = ", ".join(specs) or "none"
                raise Fault("{0} has no option {1} (it has: {2})", self.id, repr(key), known)
        return {key: spec.accept(given[key]) if key in given else spec.default for key, spec in specs.items()}


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole plugin.toml. ``commands``: the words of the command line that the plugin's `commands` hook answers."""

    api: int
    id: str
    version: str
    licence: str
    name: Names
    blurb: Names
    games: tuple[GameInfo, ...] = ()
    commands: tuple[str, ...] = ()


class Command(NamedTuple):
    """A word of the command line: ``run`` gets what follows it and gives the exit code; its Fault is bad input."""

    name: str
    help: str
    run: Callable[[Sequence[str]], int]


class Game(NamedTuple):
    """What a plugin's `games` hook returns for each game of its manifest: the id and how its rules are made.

    ``asks``: questions of its own that the rules service answers, each (rules, position, seat) -> plain JSON data.
    """

    id: str
    rules: Callable[[Options], Ruleset]
    asks: Mapping[str, Callable[[Ruleset, Position, int], object]] = {}


class MoveText(NamedTuple):
    """One move of a transcript: its text, what was said of it, the other lines tried instead, its line in the file."""

    text: str
    comment: str = ""
    variations: tuple[tuple[MoveText, ...], ...] = ()
    line: int = 0


class Transcript(NamedTuple):
    """A game as a file tells it, its moves not yet judged. ``names`` by seat id; ``result``: 1-0, 0-1, 1/2-1/2 or *."""

    game: str
    moves: tuple[MoveText, ...]
    position: str | None = None
    options: Mapping[str, str | int | bool] = {}
    names: Mapping[str, str] = {}
    tags: Mapping[str, str] = {}
    result: str = "*"
    comment: str = ""


class Format(NamedTuple):
    """A file format a plugin reads and, where ``write`` is given, writes. ``read`` raises Fault with the line."""

    id: str
    games: tuple[str, ...]
    suffixes: tuple[str, ...]
    read: Callable[[bytes], Iterable[Transcript]]
    write: Callable[[Transcript], bytes] | None = None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a plugin's folder. Raises Fault naming the file and what is wrong; ApiFault for another api."""
    file = folder / "plugin.toml"
    raw = read_toml(file, _LIMIT, dict[str, object])
    if raw.get("api") != API:
        raise ApiFault("Made for api {0}, this is {1}", str(raw.get("api")), API)
    try:
        manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as fault:
        raise Fault("{0}: {1}", file.name, misread(fault)) from fault
    for game in manifest.games:
        for spec in game.options:
            if spec.accept(spec.default) is not spec.default:
                said = "option {0}: the default {1} is a text, not what it says"
                raise Fault(said, spec.id, repr(spec.default))
    return msgspec.structs.replace(
        manifest, games=tuple(msgspec.structs.replace(game, folder=folder) for game in manifest.games)
    )
