"""Why a move is illegal, in words: the clear telling of the rules that the kernel plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipan.api import Move, Note, Piece, Point, Position

from .board import NAMES, SEATS, home, in_palace
from .tables import BETWEEN

if TYPE_CHECKING:
    from .rules import Xiangqi


def refusal(rules: Xiangqi, position: Position, move: Move) -> Note:
    """The reason why a move that is not legal is refused."""
    if _over(rules, position):
        return Note("ended")
    if move.seat != position.turn:
        return Note("not-to-move", (f"seat.{SEATS[position.turn].name}",))
    if len(move.path) != 2 or move.word or not all(0 <= point < len(NAMES) for point in move.path):
        return Note("no-such-move")
    src, dst = move.path
    piece, target = position.cells[src], position.cells[dst]
    if piece is None:
        return Note("empty-point", (NAMES[src],), (src,))
    if piece.seat != position.turn:
        return Note("not-own", (f"seat.{SEATS[piece.seat].name}",), (src,))
    if src == dst:
        return Note("same-point", (), (src,))
    return (
        _shape(position, piece, src, dst)
        or (Note("own-target", (f"kind.{target.kind}",), (dst,)) if target and target.seat == piece.seat else None)
        or _exposed(rules, position, src, dst)
    )


def _over(rules: Xiangqi, position: Position) -> bool:
    study = rules.study(position)
    return rules.original and (None in (study.general(0), study.general(1)) or study.kernel.facing())


def _shape(position: Position, piece: Piece, src: Point, dst: Point) -> Note | None:
    """Why the piece can't go that way at all, whatever else the move would do."""
    ahead = home(dst, piece.seat) - home(src, piece.seat)
    aside = abs(dst % 9 - src % 9)
    shape = tuple(sorted((abs(ahead), aside)))
    match piece.kind:
        case "general":
            return _palace_piece("general", piece.seat, dst, shape == (0, 1))
        case "advisor":
            return _palace_piece("advisor", piece.seat, dst, shape == (1, 1))
        case "elephant":
            return _elephant(position, piece.seat, src, dst, shape)
        case "horse":
            return _horse(position, src, dst, shape)
        case "chariot":
            return _chariot(position, src, dst)
        case "cannon":
            return _cannon(position, piece.seat, src, dst)
    return _soldier(piece.seat, src, ahead, shape)


def _palace_piece(kind: str, seat: int, dst: Point, steps: bool) -> Note | None:
    if not steps:
        return Note(f"{kind}-steps")
    return None if in_palace(dst, seat) else Note(f"{kind}-palace", (), (dst,))


def _middle(src: Point, dst: Point) -> Point:
    return (src // 9 + dst // 9) // 2 * 9 + (src % 9 + dst % 9) // 2


def _elephant(position: Position, seat: int, src: Point, dst: Point, shape: tuple[int, ...]) -> Note | None:
    if shape != (2, 2):
        return Note("elephant-steps")
    if home(dst, seat) >= 5:
        return Note("elephant-river", (), (dst,))
    eye = _middle(src, dst)
    return Note("elephant-eye", (NAMES[eye],), (eye,)) if position.cells[eye] else None


def _horse(position: Position, src: Point, dst: Point, shape: tuple[int, ...]) -> Note | None:
    if shape != (1, 2):
        return Note("horse-steps")
    rows, columns = dst // 9 - src // 9, dst % 9 - src % 9
    leg = src + (rows // 2 * 9 if abs(rows) == 2 else columns // 2)
    return Note("horse-leg", (NAMES[leg],), (leg,)) if position.cells[leg] else None


def _blockers(position: Position, src: Point, dst: Point) -> tuple[Point, ...] | None:
    """The pieces between two points of one line, None off a line."""
    way = BETWEEN[src][dst]
    return None if way is None else tuple(point for point in way if position.cells[point])


def _chariot(position: Position, src: Point, dst: Point) -> Note | None:
    blockers = _blockers(position, src, dst)
    if blockers is None:
        return Note("chariot-lines")
    return Note("chariot-blocked", (), blockers) if blockers else None


def _cannon(position: Position, seat: int, src: Point, dst: Point) -> Note | None:
    blockers, target = _blockers(position, src, dst), position.cells[dst]
    if blockers is None:
        return Note("cannon-lines")
    if target is None or target.seat == seat:
        return Note("cannon-blocked", (), blockers) if blockers else None
    return None if len(blockers) == 1 else Note("cannon-screen", (len(blockers),), blockers or (dst,))


def _soldier(seat: int, src: Point, ahead: int, shape: tuple[int, ...]) -> Note | None:
    if shape != (0, 1):
        return Note("soldier-steps")
    if ahead < 0:
        return Note("soldier-back")
    return Note("soldier-sideways") if ahead == 0 and home(src, seat) < 5 else None


def _exposed(rules: Xiangqi, position: Position, src: Point, dst: Point) -> Note:
    """What would attack the mover's general: the other general along the file, or other foes."""
    seat = position.turn
    study = rules.study(position)
    after = study.kernel.after(src << 7 | dst)
    if after.facing():
        return Note("would-face", (), (after.loc[0], after.loc[16]))
    checkers = after.checkers(seat)
    if not checkers:
        return Note("no-such-move")
    return Note("still-in-check" if study.in_check(seat) else "would-be-check", (), checkers)
