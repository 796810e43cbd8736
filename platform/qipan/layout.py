"""The one transform between board cells and pixels: size, turning, nearest site, and where an arrow key walks."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from qipan.geometry import Board, Point, arc, turned

NATURAL = 50  # pixels of a cell at natural size
AROUND = 22  # pixels of tabletop round the slab
MARGIN: Final = 0.84  # cells of slab outside the outermost sites of a board of lines
CELL_MARGIN: Final = 0.98  # the same for a board of squares or hexes

_ASIDE: Final = 1e6  # more than any cost: a site outside the 45 degrees comes after all inside


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float


def corners(board: Board) -> bool:
    """True when the four corners of the board's bounds are sites: it is a rectangle."""
    left, top, right, bottom = board.bounds
    places = {(round(site.x, 3), round(site.y, 3)) for site in board.sites}
    return all((round(x, 3), round(y, 3)) in places for x in (left, right) for y in (top, bottom))


def six_sided(board: Board) -> bool:
    """True for a board whose rows lie .866 cell apart: its cells are hexes."""
    rows = sorted({round(site.y, 3) for site in board.sites})
    return len(rows) > 1 and abs(min(b - a for a, b in pairwise(rows)) - math.sqrt(3) / 2) < 0.01


def _extent(board: Board, facing: float) -> Box:
    """The slab in turned cells: sites and arcs with their margin, and every text outside with a little air."""
    margin = CELL_MARGIN if board.cells else MARGIN
    places = [(site.x, site.y) for site in board.sites]
    for line in board.lines:
        for number, bulge in enumerate(line.bulge):
            a, b = (board.sites[line.points[number + step]] for step in (0, 1))
            places += arc((a.x, a.y), (b.x, b.y), bulge)
    seen = [turned(x, y, facing) for x, y in places]
    boxes = [
        (min(x for x, _ in seen) - margin, min(y for _, y in seen) - margin),
        (max(x for x, _ in seen) + margin, max(y for _, y in seen) + margin),
    ]
    for what in board.decorations:
        x, y = turned(what.x, what.y, facing)
        reach = 0.4 * what.size + 0.04 if what.kind == "text" else 0.3  # a character fills four fifths of its em
        boxes += [(x - reach, y - reach), (x + reach, y + reach)]
    return Box(min(x for x, _ in boxes), min(y for _, y in boxes), max(x for x, _ in boxes), max(y for _, y in boxes))


@dataclass(frozen=True)
class Layout:
    """A board laid out on a canvas of whole pixels. ``unit`` is the screen's scale (2 on a hi-DPI screen).

    ``cell`` is the pixels of one board cell, a whole number, so every site of a lattice is on a whole pixel.
    """

    board: Board
    width: int
    height: int
    cell: int
    facing: float = 0.0
    unit: float = 1.0
    centre: tuple[float, float] | None = None  # the place (cells) in the middle of the canvas; None: the board's

    @classmethod
    def fit(cls, board: Board, width: int, height: int, *, facing: float = 0.0, unit: float = 1.0) -> Layout:
        """The largest whole cell at which the slab and its surround fit into width x height pixels (at least 4)."""
        box = _extent(board, facing)
        around = 2 * AROUND * unit
        across, down = (width - around) / (box.right - box.left), (height - around) / (box.bottom - box.top)
        return cls(board, width, height, max(4, math.floor(min(across, down) + 1e-6)), facing, unit)

    @classmethod
    def natural(cls, board: Board, cell: int = NATURAL, *, facing: float = 0.0, unit: float = 1.0) -> Layout:
        """The canvas that a cell of that many pixels needs."""
        box = _extent(board, facing)
        around = 2 * AROUND * unit
        width = math.ceil((box.right - box.left) * cell + around)
        height = math.ceil((box.bottom - box.top) * cell + around)
        return cls(board, width, height, cell, facing, unit)

    @classmethod
    def crop(
        cls,
        board: Board,
        width: int,
        height: int,
        *,
        cell: int,
        centre: tuple[float, float] | None = None,
        facing: float = 0.0,
        unit: float = 1.0,
    ) -> Layout:
        """A cut-out of width x height pixels at a cell size, around a place of the board (None: its middle)."""
        return cls(board, width, height, cell, facing, unit, centre)

    @cached_property
    def extent(self) -> Box:
        """The slab in cells as the viewer sees it."""
        return _extent(self.board, self.facing)

    @property
    def size(self) -> tuple[int, int]:
        """The canvas in pixels."""
        return self.width, self.height

    @cached_property
    def _origin(self) -> tuple[int, int]:
        box = self.extent
        if self.centre is None:
            x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        else:
            x, y = turned(*self.centre, self.facing)
        # The first site decides the rounding, so that whole cells from it are whole pixels.
        first = turned(self.board.sites[0].x, self.board.sites[0].y, self.facing)
        return (
            round(self.width / 2 + (first[0] - x) * self.cell),
            round(self.height / 2 + (first[1] - y) * self.cell),
        )

    @cached_property
    def slab(self) -> Box:
        """The slab in pixels (not rounded)."""
        box = self.extent
        return Box(*self._seen(box.left, box.top), *self._seen(box.right, box.bottom))

    def _seen(self, x: float, y: float) -> tuple[float, float]:
        first = turned(self.board.sites[0].x, self.board.sites[0].y, self.facing)
        return self._origin[0] + (x - first[0]) * self.cell, self._origin[1] + (y - first[1]) * self.cell

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a place in cells, turned for the viewer."""
        px, py = self._seen(*turned(x, y, self.facing))
        return round(px, 6), round(py, 6)

    def xy(self, point: Point) -> tuple[float, float]:
        """The pixel of a site."""
        site = self.board.sites[point]
        return self.place(site.x, site.y)

    def nearest(self, px: float, py: float, within: float = 0.5) -> Point | None:
        """The site nearest to a pixel, not farther than ``within`` cells; None: there is none."""
        best = min(range(len(self.board.sites)), key=lambda point: math.dist(self.xy(point), (px, py)))
        return best if math.dist(self.xy(best), (px, py)) <= within * self.cell else None

    def walk(self, point: Point, way: str) -> Point:
        """The site that "Left", "Right", "Up" or "Down" leads to on the screen; the same one where the board ends.

        From every site every other can be reached.
        """
        return _walks(self.board, self.facing)[way][point]


@lru_cache(maxsize=8)
def _walks(board: Board, facing: float) -> dict[str, list[Point]]:
    """Each way's table: the nearest site ahead, or Left and Right in reading order where that leaves some out."""
    seen = [turned(site.x, site.y, facing) for site in board.sites]
    tables = _ahead(seen)
    if not _joined(tables):
        order = sorted(range(len(seen)), key=lambda point: (round(seen[point][1], 3), seen[point][0]))
        for way, step in (("Right", 1), ("Left", -1)):
            for rank, point in enumerate(order):
                tables[way][point] = order[min(max(rank + step, 0), len(order) - 1)]
    return tables


def _ahead(seen: list[tuple[float, float]]) -> dict[str, list[Point]]:
    """For each way the best site ahead of each: within 45 degrees before all others, near before far and aside."""
    tables = {way: list(range(len(seen))) for way in ("Left", "Right", "Up", "Down")}
    least = {way: [math.inf] * len(seen) for way in tables}
    for point, (x, y) in enumerate(seen):
        for other, (ox, oy) in enumerate(seen):
            right, down = ox - x, oy - y
            for way, along, aside in (
                ("Right" if right > 0 else "Left", abs(right), abs(down)),
                ("Down" if down > 0 else "Up", abs(down), abs(right)),
            ):
                if along < 1e-6:
                    continue
                # a hair's difference is a tie, at every facing, and the first site wins it
                cost = along + 2 * aside + (0 if aside <= along + 1e-6 else _ASIDE)
                if cost < least[way][point] - 1e-6:
                    least[way][point], tables[way][point] = cost, other
    return tables


def _joined(tables: dict[str, list[Point]]) -> bool:
    """True when the walks lead from every site to every other."""
    count = len(next(iter(tables.values())))
    forward: list[set[Point]] = [{table[point] for table in tables.values()} for point in range(count)]
    backward: list[set[Point]] = [set() for _ in range(count)]
    for point, ends in enumerate(forward):
        for end in ends:
            backward[end].add(point)
    return all(_reached(steps) == count for steps in (forward, backward))


def _reached(steps: list[set[Point]]) -> int:
    found, queue = {0}, deque([0])
    while queue:
        for end in steps[queue.popleft()] - found:
            found.add(end)
            queue.append(end)
    return len(found)
