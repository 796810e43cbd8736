"""Tables of the kernel: for each point where each piece can go, what lies between two points, keys and values.

Points are 0 to 89 (rows of nine from Black's back rank), ``OFF`` is where a captured piece is. A code is a move:
``from << 7 | to``. Slots number the pieces: 16 a side, Red's first, in the order of ``SLOTS``.
"""

from __future__ import annotations

from random import Random
from typing import Final, TypeAlias

from .board import BLACK, RED, home, in_palace, may_stand

Dest: TypeAlias = "tuple[int, int]"  # a point and the code of going there
Dests: TypeAlias = "tuple[Dest, ...]"

OFF: Final = 90
EMPTY: Final = 32  # the "slot" of an empty point
WALL: Final = 33  # the "slot" that stands on OFF
SLOTS: Final = (
    ("general", 0, 1), ("chariot", 1, 2), ("cannon", 3, 2), ("horse", 5, 2), ("soldier", 7, 5),
    ("advisor", 12, 2), ("elephant", 14, 2),
)  # fmt: skip  (kind, first slot of a side, how many)
SPANS: Final = {
    (kind, seat): slice(seat * 16 + first, seat * 16 + first + count)
    for kind, first, count in SLOTS
    for seat in (RED, BLACK)
}
CHARIOT, CANNON, HORSE, SOLDIER, ADVISOR, ELEPHANT = 1, 3, 5, 7, 12, 14
FREE: Final = tuple([slot >> 4 != seat and slot != WALL for slot in range(34)] for seat in (RED, BLACK))
FOE: Final = tuple([slot >> 4 == 1 - seat for slot in range(34)] for seat in (RED, BLACK))

_SIDES: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))  # rows, columns
_CORNERS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def _on(row: int, column: int) -> bool:
    return 0 <= row < 10 and 0 <= column < 9


def _step(point: int, rows: int, columns: int) -> int:
    row, column = point // 9 + rows, point % 9 + columns
    return row * 9 + column if _on(row, column) else OFF


def _dest(point: int, to: int) -> Dest:
    return to, point << 7 | to


def _ray(point: int, rows: int, columns: int) -> Dests:
    found, to = [], _step(point, rows, columns)
    while to != OFF:
        found.append(_dest(point, to))
        to = _step(to, rows, columns)
    return tuple(found)


def _seat_of(point: int) -> int:
    return RED if home(point, RED) <= 4 else BLACK


def _horse(point: int) -> tuple[tuple[int, Dests], ...]:
    found = []
    for rows, columns in _SIDES:
        ends = [_step(point, 2 * rows + turn * columns, 2 * columns + turn * rows) for turn in (-1, 1)]
        dests = tuple(_dest(point, end) for end in ends if end != OFF)
        if dests:
            found.append((_step(point, rows, columns), dests))
    return tuple(found)


def _elephant(point: int) -> tuple[tuple[int, int, int], ...]:
    ends = [(_step(point, r, c), _step(point, 2 * r, 2 * c)) for r, c in _CORNERS]
    seat = _seat_of(point)
    return tuple((eye, *_dest(point, to)) for eye, to in ends if to != OFF and may_stand("elephant", seat, to))


def _palace(point: int, steps: tuple[tuple[int, int], ...]) -> Dests:
    seat = _seat_of(point)
    ends = [_step(point, *step) for step in steps]
    return tuple(_dest(point, to) for to in ends if to != OFF and in_palace(point, seat) and in_palace(to, seat))


def _soldier(point: int, seat: int) -> Dests:
    ends = [_step(point, -1 if seat == RED else 1, 0)]
    if home(point, seat) >= 5:
        ends += [_step(point, 0, -1), _step(point, 0, 1)]
    return tuple(_dest(point, to) for to in ends if to != OFF)


def _between() -> list[list[tuple[int, ...] | None]]:
    table: list[list[tuple[int, ...] | None]] = [[None] * 91 for _ in range(91)]
    for point in range(90):
        for ray in RAYS[point]:
            way = tuple(to for to, _ in ray)
            for at, to in enumerate(way):
                table[point][to] = way[:at]
    return table


def _legs() -> list[list[int]]:
    table = [[OFF] * 91 for _ in range(91)]
    for point in range(90):
        for leg, dests in HORSES[point]:
            for to, _ in dests:
                table[to][point] = leg
    return table


def _soldiers_from(seat: int) -> list[tuple[int, ...]]:
    found: list[list[int]] = [[] for _ in range(91)]
    for point in range(90):
        for to, _ in SOLDIERS[1 - seat][point]:
            found[to].append(point)
    return [tuple(points) for points in found]


RAYS: Final = [tuple(filter(None, (_ray(p, *side) for side in _SIDES))) for p in range(90)] + [()]
HORSES: Final = [_horse(p) for p in range(90)] + [()]  # (leg, ways past it)
ELEPHANTS: Final = [_elephant(p) if may_stand("elephant", _seat_of(p), p) else () for p in range(90)] + [()]
ADVISORS: Final = [_palace(p, _CORNERS) if may_stand("advisor", _seat_of(p), p) else () for p in range(90)] + [()]
GENERALS: Final = [_palace(p, _SIDES) for p in range(90)] + [()]
SOLDIERS: Final = tuple([_soldier(p, seat) for p in range(90)] + [()] for seat in (RED, BLACK))
BETWEEN: Final = _between()  # [a][b]: the points strictly between two on one line, None off a line
LEGS: Final = _legs()  # [target][horse]: the point whose piece would hobble that attack, OFF where there is none
SOLDIERS_FROM: Final = tuple(_soldiers_from(seat) for seat in (RED, BLACK))  # whence a foe's soldier attacks a point

_WORTH: Final = {
    "general": 10_000, "chariot": 900, "cannon": 450, "horse": 400, "soldier": 100, "advisor": 200, "elephant": 200,
}  # fmt: skip


def _value(kind: str, seat: int, point: int) -> int:
    """Centi-soldiers: crossed soldiers count double until they are too deep; pieces like the middle files."""
    ahead, off_centre = home(point, seat), abs(point % 9 - 4)
    value = _WORTH[kind]
    if kind == "soldier" and ahead >= 5:
        value += 100 + 12 * (4 - off_centre) if ahead < 9 else 20
    elif kind in ("horse", "chariot", "cannon"):
        value += 4 * (4 - off_centre) + (6 * min(ahead, 6) if kind == "horse" else 2 * min(ahead, 6))
    return value if seat == RED else -value


def _rows() -> tuple[list[list[int]], list[list[int]]]:
    random = Random(90)
    none = [0] * 91
    keys, values = [none] * 34, [none] * 34
    for seat in (RED, BLACK):
        for kind, first, count in SLOTS:
            key = [random.getrandbits(60) for _ in range(90)] + [0]
            value = [_value(kind, seat, point) for point in range(90)] + [0]
            for slot in range(seat * 16 + first, seat * 16 + first + count):
                keys[slot], values[slot] = key, value
    return keys, values


KEYS, VALUES = _rows()  # [slot][point]; one row serves all pieces of a kind
BLACK_TO_MOVE: Final = Random(91).getrandbits(60)
