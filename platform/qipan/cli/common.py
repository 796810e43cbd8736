"""What several commands share: their parser, the host of this user, options and positions from words."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from qipan.host import Host, Opened
from qipan.paths import user_paths
from qipan.rules import Ruleset
from qipan.settings import load
from qipan.values import Fault, Position

if TYPE_CHECKING:
    from qipan.session import Session
    from qipan.theme import Theme

FIRST_DEAL = 0  # the seed of every start that a command makes: the same words always give the same answer


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, a Fault."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"qipan {command}", description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Raises Fault with argparse's sentence."""
        raise Fault(f"{self.prog.removeprefix('qipan ')}: {message} (see {self.prog} --help)")

    def with_start(self) -> None:
        """Adds --option and --position."""
        self.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game's rules")
        self.add_argument("--position", metavar="TEXT", help="start from this position (xiangqi: a FEN)")

    def with_json(self) -> None:
        """Adds --json."""
        self.add_argument("--json", action="store_true", help="answer in JSON")


class Start(NamedTuple):
    """A game as words on the command line describe it."""

    opened: Opened
    options: dict[str, str]
    rules: Ruleset
    position: Position


def make_host() -> Host:
    """The host over this user's plugins, trusting what the player allowed; a damaged settings file is told of."""
    paths = user_paths()
    settings, warning = load(paths.settings)
    host = Host.scan(paths.plugins, trusted=settings.trusts)
    if warning is not None:
        print(f"qipan: {host.platform_words.say(warning, 'en')}", file=sys.stderr)
    return host


def pairs(words: Iterable[str]) -> dict[str, str]:
    """The K=V words as a table. Raises Fault for one without "=" or said twice."""
    table: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise Fault(f"--option {word!r} is not of the form K=V")
        if key in table:
            raise Fault(f"--option {key} is given twice")
        table[key] = value
    return table


def start(host: Host, game_id: str, option_words: Iterable[str], position: str | None) -> Start:
    """The game with its options and its start: the given position or the usual one. Raises Fault, PluginBroken."""
    options = pairs(option_words)
    host.owner(game_id)
    host.games[game_id].settle(options)
    opened = host.open(game_id)
    rules = opened.rules(options)
    if position is None:
        with opened.fence("initial"):
            return Start(opened, options, rules, rules.initial(Random(FIRST_DEAL)))
    try:
        return Start(opened, options, rules, opened.position(rules, position))
    except Fault as fault:
        raise named("--position", fault) from fault


def named(place: str, fault: Fault) -> Fault:
    """The fault with its place in front, unless its own sentence begins with that."""
    word = place.removeprefix("--")
    text = str(fault).removeprefix(f"{word}: ")
    return Fault(f"{place}: {text}")


def find_theme(theme_id: str) -> Theme:
    """The theme of that id, the user's own among them. Raises Fault: there is none, or it is broken."""
    from qipan import themes
    from qipan.theme import find

    found = find([*(Path(base) for base in themes.__path__), user_paths().themes])
    theme = found.get(theme_id)
    if theme is None:
        raise Fault(f"there is no theme {theme_id!r} (there is: {', '.join(sorted(found))})")
    if isinstance(theme, Fault):
        raise Fault(f"theme {theme_id}: {theme}")
    return theme


def seat_number(rules: Ruleset, name: str) -> int:
    """The seat of a name, of a letter of the game's texts, or of what its name alone begins with. Raises Fault."""
    names = [seat.name for seat in rules.seats]
    found = [n for n, seat in enumerate(rules.seats) if name == seat.name or (name and name in seat.letters)]
    found = found or [n for n, seat in enumerate(names) if name and seat.lower().startswith(name.lower())]
    if len(found) != 1:
        raise Fault(f"{name!r} is {'more than one seat' if found else 'no seat'} of this game ({', '.join(names)})")
    return found[0]


def first_game(host: Host, name: str) -> Session:
    """The game of a file, of several the first, judged and standing where the file says.

    Raises Fault: there is no such game or file, or it is bad.
    """
    from qipan import files

    path = Path(name)
    if not path.suffix and not path.exists():
        host.owner(name)
    return next(files.sessions(host, path, rng=Random(FIRST_DEAL)))


def tell_of_others(host: Host, name: str) -> None:
    """Says on stderr that a file has more games than the first, where it has."""
    from qipan import files, record

    path = Path(name)
    if path.suffix.lower() != record.SUFFIX:
        with contextlib.suppress(Fault):  # a fault in a later game is no matter of this one
            if len(list(islice(files.transcripts(host, path), 2))) > 1:
                print(f"qipan: {path.name} has several games; this is the first", file=sys.stderr)


def print_json(data: object) -> None:
    """One JSON line."""
    print(json.dumps(data, ensure_ascii=False))


def print_table(rows: Iterable[Iterable[str]]) -> None:
    """Rows of words in columns, two blanks apart; Chinese characters count as two."""
    table = [list(row) for row in rows]
    if not table:
        return
    widths = [max(_width(cell) for cell in column) for column in zip(*table, strict=True)]
    for row in table:
        line = "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
        print(line.rstrip())


def _width(text: str) -> int:
    return sum(2 if "\u1100" <= letter <= "\uffef" else 1 for letter in text)
