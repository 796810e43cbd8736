"""Reading xiangqi games from PGN: moves in any notation, comments anywhere, variations, several games in a file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from qipan.api import Fault, MoveText, Transcript

from . import notation
from .encodings import decode
from .rules import START

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")

_LARGEST = 32 << 20  # bytes of a file
_DEEPEST = 64  # variations within variations
_OURS = {"chinese chess", "xiangqi", "象棋", "中国象棋", "中國象棋"}  # what the tags Game and Variant may say
_TOKEN = re.compile(
    r"""\s*(?:
      \[[ \t]*(?P<tag>\w+)[ \t]+"(?P<value>(?:[^"\\\n]|\\.|"(?![ \t]*\]))*)"[ \t]*\]
    | \{(?P<comment>[^}]*)\} | ;(?P<remark>[^\n]*)
    | (?P<open>\() | (?P<close>\))
    | (?P<result>1-0|0-1|1/2-1/2|\*)(?![^\s{}();\[])
    | (?P<number>\d+\s*[.．、。…]+|\.{2,}|…+)
    | (?P<sign>\$\d+|[!?]+)
    | (?P<move>[^\s{}()\[\];$!?"*]+)
    )""",
    re.VERBOSE,
)
_NEXT_GAME = re.compile(r"^[ \t]*\[[ \t]*\w+[ \t]+\"", re.MULTILINE)


@dataclass
class _Move:
    text: str
    line: int
    comments: list[str] = field(default_factory=list)
    variations: list[list[_Move]] = field(default_factory=list)

    def told(self) -> MoveText:
        variations = tuple(tuple(move.told() for move in line) for line in self.variations)
        return MoveText(self.text, " ".join(self.comments), variations, self.line)


class _Reader:
    """Walks through the tokens of one file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.end = 0  # of the token last given
        self.before = 0  # where the search for it began
        self.starts = [match.end() for match in re.finditer("\n", text)]

    @property
    def line(self) -> int:
        """The line, from 1, of the present place."""
        return bisect_right(self.starts, self.at) + 1

    def placed(self, fault: Fault) -> Fault:
        """A fault with the present place in front."""
        return Fault("line {0}: {1}", self.line, fault, line=self.line)

    def next(self) -> tuple[str, str]:
        """The kind and text of the next token, ("end", "") after the last; a tag's text is its name, tab, value."""
        self.before = self.end
        found = _TOKEN.match(self.text, self.end)
        if found is None:
            self.at = len(self.text) - len(self.text[self.end :].lstrip())
            if self.at < len(self.text):
                raise self.placed(_unreadable(self.text[self.at]))
            return "end", ""
        kind = str(found.lastgroup)
        self.at, self.end = found.start(kind), found.end()
        return ("tag", f"{found['tag']}\t{found['value']}") if kind == "value" else (kind, found[kind])

    def back(self) -> None:
        """Makes the token just given the next one again."""
        self.end = self.before


def _unreadable(letter: str) -> Fault:
    match letter:
        case "{":
            return Fault("a comment is opened and not closed")
        case "}":
            return Fault("a comment is closed that was not opened")
        case "[":
            return Fault('a tag is not of the form [Name "text"]')
    return Fault("{0} is out of place", repr(letter))


class _Game:
    """One game as it is read."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[_Move] = []
        self.comments: list[str] = []
        self.result = ""
        self._lines = [self.moves]  # the line being read, after those it varies
        self._waiting: list[str] = []  # said before the first move of a variation

    def say(self, text: str) -> None:
        """Puts a comment where it belongs: to the move before it."""
        text = " ".join(text.split())
        if not text:
            return
        if self._lines[-1]:
            self._lines[-1][-1].comments.append(text)
        else:
            (self._waiting if len(self._lines) > 1 else self.comments).append(text)

    def play(self, text: str, line: int) -> None:
        """Adds a move to the line being read."""
        self._lines[-1].append(_Move(text, line, self._waiting))
        self._waiting = []

    def open(self) -> Fault | None:
        """Begins a variation of the move before; tells what is wrong with that."""
        if not self._lines[-1]:
            return Fault("a variation before any move")
        if len(self._lines) > _DEEPEST:
            return Fault("more than {0} variations within one another", _DEEPEST)
        self._lines[-1][-1].variations.append([])
        self._lines.append(self._lines[-1][-1].variations[-1])
        return None

    def close(self) -> Fault | None:
        """Ends a variation; tells what is wrong with that."""
        if len(self._lines) == 1:
            return Fault("a variation is closed that was not opened")
        return None if self._lines.pop() else Fault("a variation without a move")

    @property
    def inside(self) -> bool:
        """True within a variation."""
        return len(self._lines) > 1

    def transcript(self) -> Transcript:
        """The game read. Raises Fault for another game's tags."""
        tags = dict(self.tags)
        for name in ("Game", "Variant"):
            kind = tags.pop(name, "xiangqi")
            if kind.strip().lower() not in _OURS:
                raise Fault("a game of {0}, not of xiangqi", repr(kind))
        names = {"red": tags.pop("Red", tags.pop("White", "")), "black": tags.pop("Black", "")}
        result = tags.pop("Result", "*")
        position = tags.pop("FEN", "").strip() or None
        if position and position.split()[:2] in ([START.split()[0], side] for side in "wr"):
            position = None
        if tags.pop("Format", "").upper() == "ICCS":
            _hyphenate(self.moves)
        return Transcript(
            game="xiangqi",
            moves=tuple(move.told() for move in self.moves),
            position=position,
            options=_options(tags.pop("Options", "")),
            names={seat: name for seat, name in names.items() if name.strip()},
            tags={name: value for name, value in tags.items() if value.strip()},
            result=self.result or (result if result in RESULTS else "*"),
            comment=" ".join(self.comments),
        )


def _options(text: str) -> dict[str, str | int | bool]:
    pairs = [word.partition("=") for word in text.split()]
    return {key: value for key, _, value in pairs}


def _hyphenate(moves: list[_Move]) -> None:
    """Coordinates of a file in ICCS, as ICCS is told from UCI: with a hyphen."""
    for move in moves:
        if re.fullmatch("[A-Ia-i][0-9][A-Ia-i][0-9]", move.text):
            move.text = f"{move.text[:2]}-{move.text[2:]}"
        for variation in move.variations:
            _hyphenate(variation)


def read(data: bytes) -> Iterator[Transcript]:
    """The games of a file, in order. Raises Fault with the line of what can't be read."""
    if len(data) > _LARGEST:
        raise Fault("larger than {0} bytes", _LARGEST)
    reader = _Reader(decode(data))
    if reader.next()[0] == "end":
        raise Fault("there is no game in it", line=1)
    reader.back()
    while reader.next()[0] != "end":
        reader.back()
        yield _read_game(reader)


def _read_game(reader: _Reader) -> Transcript:
    game, kind = _Game(), ""
    first = 0
    while kind != "result":
        kind, text = reader.next()
        first = first or reader.line
        if kind == "end" or (kind == "tag" and (game.moves or game.comments)):
            reader.back()
            break
        wrong = _take(game, kind, text, reader.line)
        if wrong is not None:
            raise reader.placed(wrong)
    if game.inside:
        raise reader.placed(Fault("a variation is opened and not closed"))
    if kind == "result":
        _after_result(reader, game)
    try:
        return game.transcript()
    except Fault as fault:
        raise Fault("line {0}: {1}", first, fault, line=first) from fault


def _take(game: _Game, kind: str, text: str, line: int) -> Fault | None:
    """Adds a token to the game; tells what is wrong with it."""
    if kind == "tag":
        name, _, value = text.partition("\t")
        game.tags[name] = re.sub(r"\\(.)", r"\1", value)
    elif kind in ("comment", "remark", "sign"):
        game.say(text)
    elif kind == "open":
        return game.open()
    elif kind == "close":
        return game.close()
    elif kind == "move":
        if not notation.looks_like_move(text):
            return Fault("{0} is no move", repr(text[:20]))
        game.play(text, line)
    elif kind == "result":
        game.result = text
        return Fault("a result within a variation") if game.inside else None
    return None


def _after_result(reader: _Reader, game: _Game) -> None:
    """Keeps what a program wrote below a game as a comment; moves there are a fault."""
    following = _NEXT_GAME.search(reader.text, reader.end)
    end = following.start() if following else len(reader.text)
    tail = reader.text[reader.end : end]
    for word in re.finditer(r"\S+", tail):
        if notation.looks_like_move(word[0]):
            reader.at = reader.end + word.start()
            raise reader.placed(Fault("a move {0} after the result", repr(word[0])))
    game.say(tail)
    reader.end = end
