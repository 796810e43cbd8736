"""Positions as FEN: reading, writing, and the reasons why a position can't occur in a game."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from qipan.api import Fault, Note, Piece, Position

from .board import BLACK, LETTERS, MOST, NAMES, PIECES, RED, SEATS, counters, may_stand
from .sentences import told

if TYPE_CHECKING:
    from .rules import Xiangqi

_LONGEST = 256
_SEATS = {"w": RED, "r": RED, "b": BLACK}
_PIECES = {
    letter if seat == RED else letter.lower(): PIECES[kind, seat]
    for letter, kind in {**LETTERS, "H": "horse", "E": "elephant"}.items()
    for seat in (RED, BLACK)
}
_LETTERS = {
    PIECES[kind, seat]: letter if seat == RED else letter.lower()
    for letter, kind in LETTERS.items()
    for seat in (RED, BLACK)
}
_FIELDS = re.compile(r"(?P<rows>\S+) (?P<side>[wrbWRB])(?: - -)?(?: (?P<since>\d{1,5}) (?P<number>\d{1,5}))?")


def write(position: Position) -> str:
    """The position with its counters: plies since the last capture, and the number of the move."""
    rows = []
    for row in range(10):
        text = "".join(_LETTERS[piece] if piece else " " for piece in position.cells[row * 9 : row * 9 + 9])
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), text))
    since, number = counters(position)
    return f"{'/'.join(rows)} {'wb'[position.turn]} - - {since} {number}"


def read(text: str) -> Position:
    """The position of a FEN, its counters 0 and 1 where it has none. Raises Fault naming what is misspelt."""
    if len(text) > _LONGEST:
        raise Fault("position: longer than {0} characters", _LONGEST)
    words = text.split()
    fields = _FIELDS.fullmatch(" ".join(words))
    if fields is None:
        raise Fault("position: {0}", _misspelt(words))
    since, number = (int(fields["since"]), int(fields["number"])) if fields["since"] else (0, 1)
    return Position(_cells(fields["rows"]), _SEATS[fields["side"].lower()], tally=(since, number))


def _misspelt(words: list[str]) -> Fault:
    if len(words) < 2:
        return Fault("a FEN needs the pieces and the side to move, such as '.../RNBAKABNR w'")
    if words[1] not in ("w", "r", "b", "W", "R", "B"):
        return Fault("the side to move is {0}, not w, r or b", repr(words[1]))
    counters = [word for word in words[2:] if word != "-"]
    if len(counters) != 2:
        return Fault("{0} counters after the side to move, where none or two belong", len(counters))
    for counter in counters:
        if not re.fullmatch(r"\d{1,5}", counter):
            return Fault("the counter {0} is not a whole number from 0 to 99999", repr(counter))
    return Fault("{0} after the side to move is not '- -' and two counters", repr(" ".join(words[2:])))


def _cells(text: str) -> tuple[Piece | None, ...]:
    rows = text.split("/")
    if len(rows) != 10:
        raise Fault("position: {0} ranks where 10 belong", len(rows))
    cells: list[Piece | None] = []
    for rank, row in zip(range(10, 0, -1), rows, strict=True):
        start = len(cells)
        for letter in row:
            if letter in "123456789":
                cells += [None] * int(letter)
            elif letter in _PIECES:
                cells.append(_PIECES[letter])
            else:
                raise Fault("position: rank {0} has {1}, which is no piece", rank, repr(letter))
        if len(cells) - start != 9:
            raise Fault("position: rank {0} has {1} points where 9 belong", rank, len(cells) - start)
    return tuple(cells)


def check(rules: Xiangqi, position: Position) -> None:
    """Raises Fault with the sentence of `fault`."""
    note = fault(rules, position)
    if note is not None:
        raise Fault("position: {0}", told(note))


def fault(rules: Xiangqi, position: Position) -> Note | None:
    """Why the position can't occur; by the original rules a general may be lost, faced or left in check."""
    counts = Counter(piece for piece in position.cells if piece)
    for (kind, seat), wanted in PIECES.items():
        if counts[wanted] > MOST.get(kind, 2):
            points = tuple(point for point, other in enumerate(position.cells) if other == wanted)
            return Note("fault-many", (_seat(seat), _kind(kind), MOST.get(kind, 2)), points)
    lost = [seat for seat in (RED, BLACK) if not counts[PIECES["general", seat]]]
    if len(lost) > rules.original:
        return Note("fault-general", (_seat(lost[0]),))
    for point, piece in enumerate(position.cells):
        if piece and not may_stand(piece.kind, piece.seat, point):
            return Note("fault-place", (_seat(piece.seat), _kind(piece.kind), NAMES[point]), (point,))
    doubled = _doubled(position)
    if doubled is not None or rules.original:
        return doubled
    study = rules.study(position)
    if study.kernel.facing():
        generals = (study.kernel.loc[0], study.kernel.loc[16])
        return Note("fault-facing", (), generals)
    idle = 1 - position.turn
    checkers = study.kernel.checkers(idle)
    return Note("fault-check", (_seat(idle), _seat(position.turn)), checkers) if checkers else None


def _doubled(position: Position) -> Note | None:
    """Two soldiers of a side on one file, both still at home: no soldier leaves its file before the river."""
    for seat, ranks in ((RED, (5, 6)), (BLACK, (4, 3))):
        for file in range(0, 9, 2):
            points = tuple(row * 9 + file for row in ranks)
            if all(position.cells[point] == PIECES["soldier", seat] for point in points):
                return Note("fault-doubled", (_seat(seat),), points)
    return None


def _seat(seat: int) -> str:
    return f"seat.{SEATS[seat].name}"


def _kind(kind: str) -> str:
    return f"kind.{kind}"
