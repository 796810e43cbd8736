"""The xiangqi board: nine files, ten ranks, a river, two palaces; and where each piece may ever stand."""

from __future__ import annotations

from functools import cache
from typing import Final, cast

from qipan.api import Board, Piece, Point, Position, Seat, Sketch

RED: Final = 0
BLACK: Final = 1
FILES: Final = "abcdefghi"
SEATS: Final = (Seat("red", 0, 0.0, letters="rw"), Seat("black", 1, 180.0))
KINDS: Final = ("general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier")
LETTERS: Final = dict(zip("KABNRCP", KINDS, strict=True))  # of a FEN; black's are small
MOST: Final = {"general": 1, "soldier": 5}  # how many of a kind a side can have; 2 of any other
NAMES: Final = tuple(f"{file}{rank}" for rank in range(10, 0, -1) for file in FILES)
PIECES: Final = {(kind, seat): Piece(kind, seat) for kind in KINDS for seat in (RED, BLACK)}
_RED_NUMERALS: Final = "九八七六五四三二一"


def home(point: Point, seat: int) -> int:
    """How many ranks a point lies before a seat's own back rank: 0 to 9; from 5 on it is across the river."""
    return 9 - point // 9 if seat == RED else point // 9


def in_palace(point: Point, seat: int) -> bool:
    """True on the nine points of a seat's palace."""
    return 3 <= point % 9 <= 5 and home(point, seat) <= 2


def may_stand(kind: str, seat: int, point: Point) -> bool:
    """True where a piece can ever come by its own moves."""
    ahead, file = home(point, seat), point % 9
    if kind == "general":
        return in_palace(point, seat)
    if kind == "advisor":
        return in_palace(point, seat) and (ahead + file) % 2 == 1
    if kind == "elephant":
        return ahead <= 4 and ahead % 2 == 0 and file % 2 == 0 and (ahead + file) % 4 == 2
    if kind == "soldier":
        return ahead >= 5 or (ahead >= 3 and file % 2 == 0)
    return True


def counters(position: Position) -> tuple[int, int]:
    """The plies since the last capture and the number of the move; a position without a tally counts from the start."""
    return cast("tuple[int, int]", position.tally or (0, 1))


@cache
def xiangqi_board() -> Board:
    """The board, sites row by row from a10 to i1 (the order of a FEN), Red's home at the bottom."""
    sketch = Sketch()
    for point, name in enumerate(NAMES):
        sketch.point(name, point % 9, point // 9)
    for rank in range(10, 0, -1):
        sketch.line(*(f"{file}{rank}" for file in FILES))
    for file in FILES:
        if file in "ai":
            sketch.line(*(f"{file}{rank}" for rank in range(10, 0, -1)))
        else:  # the river breaks the inner files
            sketch.line(*(f"{file}{rank}" for rank in range(10, 5, -1)))
            sketch.line(*(f"{file}{rank}" for rank in range(5, 0, -1)))
    for low in (1, 8):
        sketch.line(f"d{low}", f"e{low + 1}", f"f{low + 2}", kind="palace")
        sketch.line(f"f{low}", f"e{low + 1}", f"d{low + 2}", kind="palace")
    for seat in (RED, BLACK):
        sketch.tag("palace", *(name for point, name in enumerate(NAMES) if in_palace(point, seat)))
    sketch.region("palace", (3, 0), (5, 0), (5, 2), (3, 2))
    sketch.region("palace", (3, 7), (5, 7), (5, 9), (3, 9))
    sketch.region("river", (0, 4), (8, 4), (8, 5), (0, 5))
    sketch.mark("cross", "b3", "h3", "b8", "h8", *(f"{file}{rank}" for rank in (4, 7) for file in "acegi"))
    for text, x in (("楚", 1.1), ("河", 2.4), ("漢", 5.6), ("界", 6.9)):
        sketch.text(text, x, 4.5, size=0.56, role="river")
    for x in range(9):
        sketch.text(str(x + 1), x, -0.66, size=0.22, role="numeral")
        sketch.text(_RED_NUMERALS[x], x, 9.66, size=0.22, role="numeral")
    return sketch.board()
