"""Moves as text: UCI (h3e3), ICCS (H2-E2), Chinese in both scripts (炮二平五, 馬８進７, 前炮退二) and WXF (C2=5).

A relative notation names a piece by its file, or by its place among pieces of its kind on one file, counted from the
front. All of them are read into one spelling first: pieces ``KABNRCP``, places ``<`` front, ``|`` middle, ``>`` rear
or a number, ways ``+`` ahead, ``-`` back, ``=`` sideways.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from qipan.api import Fault, Move, Note, Point, Position

from .board import FILES, LETTERS, NAMES, RED, SEATS, home
from .sentences import told

if TYPE_CHECKING:
    from .rules import Xiangqi

STYLES: Final = ("uci", "iccs", "chinese", "chinese-traditional", "wxf")

_LONGEST = 32
_LETTER = {kind: letter for letter, kind in LETTERS.items()}
_STACKING = ("horse", "chariot", "cannon", "soldier")  # two advisors or elephants on one file are told apart by the way
_DIAGONAL = ("advisor", "elephant", "horse")
_NUMERALS = "一二三四五六七八九"
_WIDE = "１２３４５６７８９"


class _Script(NamedTuple):
    pieces: tuple[dict[str, str], dict[str, str]]
    places: dict[str, str]
    ways: dict[str, str]


def _script(red: str, black: str, places: str, ways: str) -> _Script:
    ordinals = dict(zip("12345", _NUMERALS, strict=False))
    return _Script(
        (dict(zip("KABNRCP", red, strict=True)), dict(zip("KABNRCP", black, strict=True))),
        {**dict(zip("<|>", places, strict=True)), **ordinals},
        dict(zip("+-=", ways, strict=True)),
    )


_SCRIPTS = {
    "chinese": _script("帅仕相马车炮兵", "将士象马车炮卒", "前中后", "进退平"),
    "chinese-traditional": _script("帥仕相傌俥炮兵", "將士象馬車砲卒", "前中後", "進退平"),
}
_SPELL = str.maketrans(
    "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前中后後进進退平" + _NUMERALS + "EHS.",
    "KKKKAABBNNNRRRCCCPP<|>>++-=123456789BNP=",
)
_RELATIVE = re.compile(
    r"(?:(?P<place>[<|>1-5+\-])(?P<kind>[KABNRCP])|(?P<kind2>[KABNRCP])(?P<place2>[<|>+\-])"
    r"|(?P<kind3>[KABNRCP])(?P<file>[1-9])|(?P<place4>[<|>1-5])P?(?P<file4>[1-9]))(?P<way>[+\-=])(?P<number>[1-9])"
)
_UCI = re.compile(r"([a-i])(10|[1-9])-?([a-i])(10|[1-9])", re.IGNORECASE)
_ICCS = re.compile(r"([a-i])([0-9])-?([a-i])([0-9])", re.IGNORECASE)


class _Named(NamedTuple):
    """A relative notation in parts; ``place`` or ``file`` may be missing, not both."""

    kind: str
    place: str
    file: int
    way: str
    number: int


# -- writing -----------------------------------------------------------------------------------------------------
def say(rules: Xiangqi, position: Position, move: Move, style: str) -> str:
    """The move of the side to move in a style of `STYLES` ("" is the first)."""
    src, dst = move.path
    if style in ("", "uci"):
        return NAMES[src] + NAMES[dst]
    if style == "iccs":
        return f"{_iccs(src)}-{_iccs(dst)}"
    piece = position.cells[src]
    if piece is None:
        raise ValueError(f"nothing stands on {NAMES[src]}")
    letter, seat = _LETTER[piece.kind], piece.seat
    place, ordinal = _place(rules, position, piece.kind, seat, src)
    way, number = _way(piece.kind, seat, src, dst)
    file = _file(src, seat)
    if style == "wxf":
        letter = {"B": "E", "N": "H"}.get(letter, letter)
        if place and not ordinal:
            return f"{letter}{'+' if place == '<' else '-'}{way}{number}"
        return f"{ordinal or letter}{file}{way}{number}"
    script = _SCRIPTS[style]
    digits = _NUMERALS if seat == RED else _WIDE
    name = script.pieces[seat][letter]
    head = script.places[place] + name if place else name + digits[file - 1]
    return head + script.ways[way] + digits[number - 1]


def _iccs(point: Point) -> str:
    return f"{FILES[point % 9].upper()}{home(point, RED)}"


def _file(point: Point, seat: int) -> int:
    """The number of a file, counted from a seat's right."""
    return 9 - point % 9 if seat == RED else point % 9 + 1


def _way(kind: str, seat: int, src: Point, dst: Point) -> tuple[str, int]:
    ahead = home(dst, seat) - home(src, seat)
    if not ahead:
        return "=", _file(dst, seat)
    return "+" if ahead > 0 else "-", _file(dst, seat) if kind in _DIAGONAL else abs(ahead)


def _stacks(rules: Xiangqi, position: Position, kind: str, seat: int) -> list[list[Point]]:
    """The files with two or more of a kind, from the seat's right to its left, each from front to rear."""
    files: dict[int, list[Point]] = {}
    for point in rules.study(position).places(kind, seat):
        files.setdefault(_file(point, seat), []).append(point)
    return [sorted(files[n], key=lambda p: -home(p, seat)) for n in sorted(files) if len(files[n]) > 1]


def _place(rules: Xiangqi, position: Position, kind: str, seat: int, src: Point) -> tuple[str, int]:
    """The place of a piece among its like on its file, and its number there (0: none needed).

    Where one file has four or more, or two files have several soldiers, they are numbered through all such files.
    """
    stacks = _stacks(rules, position, kind, seat) if kind in _STACKING else []
    stack = next((stack for stack in stacks if src in stack), None)
    if stack is None:
        return "", 0
    at = stack.index(src)
    if len(stacks) == 1 and len(stack) <= 3:
        return ("<>" if len(stack) == 2 else "<|>")[at], 0 if len(stack) == 2 else at + 1
    return str([point for stack in stacks for point in stack].index(src) + 1), at + 1


# -- reading -----------------------------------------------------------------------------------------------------
def parse(rules: Xiangqi, position: Position, text: str) -> Move:
    """The one legal move that a text means. Raises Fault saying what it lacks, or why that move is illegal."""
    named = _meaning(text)
    if named is None:
        raise Fault("{0} is no move in any notation of xiangqi", repr(text[:_LONGEST]))
    if not isinstance(named, _Named):
        return _legal(rules, position, text, [named])
    seat = position.turn
    readings = _sources(rules, position, named)
    if not any(readings):
        raise Fault("{0}: {1}", text, told(_missing(named, seat)))
    paths: list[tuple[Point, Point]] = []
    for sources in readings:
        paths = [(src, dst) for src in sources if (dst := _target(named, seat, src)) is not None]
        if any(src << 7 | dst in rules.study(position).codes for src, dst in paths):
            break
    if not paths:
        raise Fault("{0}: {1}", text, told(Note("not-that-way", (f"kind.{named.kind}",))))
    return _legal(rules, position, text, paths)


def looks_like_move(text: str) -> bool:
    """True for a text that is a move in one of the notations, possible or not."""
    return _meaning(text) is not None


@lru_cache(maxsize=4096)  # the same few thousand texts make up all games
def _meaning(text: str) -> _Named | tuple[Point, Point] | None:
    """What a text says, whatever the position: the parts of a relative notation, or two points."""
    if len(text) > _LONGEST:
        return None
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    plain = "".join(plain.split())
    return _coordinates(plain) or _named(plain)


def _legal(rules: Xiangqi, position: Position, text: str, paths: list[tuple[Point, Point]]) -> Move:
    """The one legal move among the paths; where there is none, a Fault with the reason why the first is refused."""
    codes = rules.study(position).codes
    legal = [(src, dst) for src, dst in paths if src << 7 | dst in codes]
    if len(legal) > 1:
        *names, last = [NAMES[src] + NAMES[dst] for src, dst in legal]
        raise Fault("{0}: {1}", text, Fault("could be {0} or {1}", ", ".join(names), last))
    if legal:
        return Move(position.turn, legal[0])
    reason = rules.refusal(position, Move(position.turn, paths[0])) or Note("no-such-move")
    raise Fault("{0}: {1}", text, told(reason))


def _coordinates(text: str) -> tuple[Point, Point] | None:
    """The points of UCI (small letters, ranks 1 to 10) or ICCS (a hyphen or capitals, ranks 0 to 9)."""
    uci, iccs = _UCI.fullmatch(text), _ICCS.fullmatch(text)
    if iccs and not (uci and "-" not in text and text[0].islower()):
        file, rank, to_file, to_rank = iccs.groups()
        return _point(file, int(rank) + 1), _point(to_file, int(to_rank) + 1)
    if uci:
        file, rank, to_file, to_rank = uci.groups()
        return _point(file, int(rank)), _point(to_file, int(to_rank))
    return None


def _point(file: str, rank: int) -> Point:
    return (10 - rank) * 9 + FILES.index(file.lower())


def _named(text: str) -> _Named | None:
    found = _RELATIVE.fullmatch(text.upper().translate(_SPELL))
    if found is None:
        return None
    letter = found["kind"] or found["kind2"] or found["kind3"] or "P"
    place = found["place"] or found["place2"] or found["place4"] or ""
    place = {"+": "<", "-": ">"}.get(place, place)
    return _Named(LETTERS[letter], place, int(found["file"] or found["file4"] or 0), found["way"], int(found["number"]))


def _sources(rules: Xiangqi, position: Position, named: _Named) -> list[list[Point]]:
    """Where the piece may stand that a text names: the readings of it, the likeliest first."""
    seat = position.turn
    if not named.place:
        points = rules.study(position).places(named.kind, seat)
        return [[point for point in points if _file(point, seat) == named.file]]
    stacks = _stacks(rules, position, named.kind, seat)
    if named.file:
        stacks = [stack for stack in stacks if _file(stack[0], seat) == named.file]
    if named.place == "<":
        return [[stack[0] for stack in stacks]]
    if named.place == ">":
        return [[stack[-1] for stack in stacks]]
    if named.place == "|":
        return [[point for stack in stacks for point in stack[1:-1]]]
    number = int(named.place)
    through = [point for stack in stacks for point in stack]
    return [through[number - 1 : number], [stack[number - 1] for stack in stacks if len(stack) >= number]]


def _target(named: _Named, seat: int, src: Point) -> Point | None:
    """Where the named move takes a piece, by its shape alone; None where that is off the board."""
    column = 9 - named.number if seat == RED else named.number - 1
    if named.way == "=":
        return None if named.kind in _DIAGONAL or column == src % 9 else src - src % 9 + column
    ranks = named.number
    if named.kind in _DIAGONAL:
        aside = abs(column - src % 9)
        ranks = {("advisor", 1): 1, ("elephant", 2): 2, ("horse", 1): 2, ("horse", 2): 1}.get((named.kind, aside), 0)
        if not ranks:
            return None
    else:
        column = src % 9
    ahead = home(src, seat) + (ranks if named.way == "+" else -ranks)
    if not 0 <= ahead <= 9:
        return None
    return (9 - ahead if seat == RED else ahead) * 9 + column


def _missing(named: _Named, seat: int) -> Note:
    who, kind = f"seat.{SEATS[seat].name}", f"kind.{named.kind}"
    return Note("none-placed", (who, kind)) if named.place else Note("none-on-file", (who, kind, named.file))
