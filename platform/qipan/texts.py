"""The default text of a position, for games without a text of their own: one line of compact JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

from qipan.geometry import Board
from qipan.values import CHANCE, HIDDEN, NOBODY, Data, Fault, Piece, Position, Seat


class Declared(Protocol):
    """What a text needs to know of the rules: where pieces stand, whose they are, which there are."""

    board: Board
    seats: tuple[Seat, ...]
    kinds: tuple[str, ...]


def write_position(rules: Declared, position: Position) -> str:
    """One line: pieces by site name, turn, hands, phase, data, tally as compact JSON; hidden pieces are ``?``."""
    sites = rules.board.sites
    parts = {sites[n].name: _piece_data(piece) for n, piece in enumerate(position.cells) if piece is not None}
    whole = [parts, position.turn, [[_piece_data(p) for p in hand] for hand in position.hands], position.phase]
    return json.dumps([*whole, position.data, position.tally], ensure_ascii=False, separators=(",", ":"))


def read_position(rules: Declared, text: str) -> Position:
    """The position that `write_position` wrote. Raises Fault."""
    try:
        parts, turn, hands, phase, data, tally = json.loads(text)
        cells: list[Piece | None] = [None] * len(rules.board.sites)
        for name, piece in parts.items():
            cells[rules.board.index[name]] = _data_piece(rules, piece)
        in_hand = tuple(tuple(_data_piece(rules, piece) for piece in hand) for hand in hands)
        if not isinstance(turn, int) or not isinstance(phase, str) or not CHANCE <= turn < len(rules.seats):
            raise Fault("{0}, {1} is no turn and phase", repr(turn), repr(phase))
        return Position(tuple(cells), turn, in_hand, phase, frozen(data), frozen(tally))
    except KeyError as fault:
        raise Fault("the board has no site {0}", str(fault)) from fault
    except Fault:
        raise
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError) as fault:
        raise Fault("not a position text: {0}", str(fault)) from fault


def frozen(data: object) -> Data:
    """Plain JSON data as nested tuples, ints and strings; ValueError for anything else."""
    if isinstance(data, list | tuple):
        return tuple(frozen(item) for item in data)
    if data is None or isinstance(data, int | str):
        return data
    raise ValueError(f"{data!r} can't be part of a position")


def _piece_data(piece: Piece) -> list[object]:
    known = None if piece.known is None else list(piece.known)
    return ["?" if piece.kind == HIDDEN else piece.kind, piece.seat, known, piece.count]


def _data_piece(rules: Declared, data: Sequence[object]) -> Piece:
    kind, seat, known, count = data
    kind = HIDDEN if kind == "?" else kind
    if kind not in rules.kinds and kind != HIDDEN:
        raise Fault("{0} is no piece of this game", repr(kind))
    if not isinstance(seat, int) or not NOBODY <= seat < len(rules.seats) or not isinstance(count, int) or count < 1:
        raise Fault("{0} is no piece of this game", repr(data))
    who = None if known is None else tuple(int(n) for n in known)  # type: ignore[attr-defined]
    return Piece(str(kind), seat, who, count)
