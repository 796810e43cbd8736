"""A board is points and lines: sites with places and names, and lines whose consecutive points are neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

Point: TypeAlias = int  # index into Board.sites
MOST_CELLS = 64  # how wide or high a board may be: its picture is painted whole, and must fit into memory


class Site(NamedTuple):
    """One place a piece can stand: its name in texts and files, its place (cells; x right, y down) and its tags."""

    name: str
    x: float
    y: float
    tags: frozenset[str] = frozenset()


class Line(NamedTuple):
    """A drawn line through points; consecutive points are neighbours. A closed line repeats its first point.

    ``bulge`` has one number a segment, tan(angle / 4) of its arc as in CAD polylines (0: straight; positive: the arc
    lies to the right of the walk on a screen whose y points down); empty means all straight.
    """

    points: tuple[Point, ...]
    kind: str = "line"
    bulge: tuple[float, ...] = ()


class Region(NamedTuple):
    """A named area of the board for drawing (a palace, a home field): a polygon in board cells."""

    name: str
    corners: tuple[tuple[float, float], ...]


class Decoration(NamedTuple):
    """Something drawn that nobody stands on: ``kind`` is "text" (of ``size`` cells), "cross" or "star".

    ``role`` tells texts apart ("river", "numeral"); they are always drawn upright for the viewer.
    """

    kind: str
    x: float
    y: float
    text: str = ""
    size: float = 0.5
    role: str = "line"


@dataclass(frozen=True)
class Board:
    """The declared board. Raises ValueError, naming the fault: no site, a name twice, a line off them, too large."""

    sites: tuple[Site, ...]
    lines: tuple[Line, ...]
    regions: tuple[Region, ...] = ()
    decorations: tuple[Decoration, ...] = ()
    cells: bool = False  # True: pieces stand on squares or hexes (a checkered board), not on crossings

    def __post_init__(self) -> None:
        if not self.sites:
            raise ValueError("a board needs a site")
        seen: set[str] = set()
        for site in self.sites:
            if site.name in seen:
                raise ValueError(f"two sites are named {site.name!r}")
            seen.add(site.name)
            if not (math.isfinite(site.x) and math.isfinite(site.y)):
                raise ValueError(f"site {site.name!r} has no finite place")
        left, top, right, bottom = self.bounds
        if max(right - left, bottom - top) > MOST_CELLS:
            raise ValueError(f"the board is more than {MOST_CELLS} cells wide or high: none could paint it")
        for number, line in enumerate(self.lines):
            if len(line.points) < 2 or not all(0 <= point < len(self.sites) for point in line.points):
                raise ValueError(f"line {number} ({line.kind}) does not run through points of the board")
            if line.bulge and len(line.bulge) != len(line.points) - 1:
                raise ValueError(f"line {number} ({line.kind}) needs one bulge a segment")

    @cached_property
    def index(self) -> dict[str, Point]:
        """The point of each site name."""
        return {site.name: point for point, site in enumerate(self.sites)}

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The least and greatest coordinates of the sites: (left, top, right, bottom)."""
        xs, ys = [site.x for site in self.sites], [site.y for site in self.sites]
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def _steps(self) -> dict[str | None, tuple[tuple[Point, ...], ...]]:
        return {}

    @cached_property
    def _rays(self) -> dict[str | None, tuple[tuple[tuple[Point, ...], ...], ...]]:
        return {}

    def steps(self, kind: str | None = None) -> tuple[tuple[Point, ...], ...]:
        """For each point its neighbours along lines of that kind (None: of any kind), sorted, each once."""
        if kind not in self._steps:
            near: list[set[Point]] = [set() for _ in self.sites]
            for line in self.lines:
                if kind is None or line.kind == kind:
                    for a, b in pairwise(line.points):
                        near[a].add(b)
                        near[b].add(a)
            self._steps[kind] = tuple(tuple(sorted(points)) for points in near)
        return self._steps[kind]

    def rays(self, kind: str | None = None) -> tuple[tuple[tuple[Point, ...], ...], ...]:
        """For each point the runs that leave it along lines of that kind, nearest point first.

        On a closed line a run goes once round and stops before its own start.
        """
        if kind not in self._rays:
            runs: list[list[tuple[Point, ...]]] = [[] for _ in self.sites]
            for line in self.lines:
                if kind is None or line.kind == kind:
                    self._line_runs(line.points, runs)
            self._rays[kind] = tuple(tuple(found) for found in runs)
        return self._rays[kind]

    @staticmethod
    def _line_runs(points: tuple[Point, ...], runs: list[list[tuple[Point, ...]]]) -> None:
        closed = points[0] == points[-1]
        ring = points[:-1] if closed else points
        for at, point in enumerate(ring):
            if closed:
                ahead: tuple[Point, ...] = ring[at + 1 :] + ring[:at]
                behind = ahead[::-1]
            else:
                ahead, behind = points[at + 1 :], points[:at][::-1]
            runs[point].extend(run for run in (ahead, behind) if run)

    def to_data(self) -> dict[str, object]:
        """The board as plain JSON data; `from_data` gives the same board back."""
        return {
            "sites": [
                {"name": s.name, "x": s.x, "y": s.y, **({"tags": sorted(s.tags)} if s.tags else {})} for s in self.sites
            ],
            "lines": [
                {
                    "points": [self.sites[p].name for p in line.points],
                    "kind": line.kind,
                    **({"bulge": list(line.bulge)} if line.bulge else {}),
                }
                for line in self.lines
            ],
            "regions": [{"name": r.name, "corners": [list(c) for c in r.corners]} for r in self.regions],
            "decorations": [dict(d._asdict()) for d in self.decorations],
            "cells": self.cells,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Board:
        """The board that `to_data` wrote; ValueError names what is missing or wrong."""
        try:
            raw: dict[str, list[dict[str, Any]]] = dict(data)  # type: ignore[arg-type]
            sites = tuple(
                Site(str(s["name"]), float(s["x"]), float(s["y"]), frozenset(s.get("tags", ())))
                for s in raw["sites"]
            )
            index = {site.name: point for point, site in enumerate(sites)}
            lines = tuple(
                Line(
                    tuple(index[name] for name in line["points"]),
                    str(line.get("kind", "line")),
                    tuple(float(b) for b in line.get("bulge", ())),
                )
                for line in raw["lines"]
            )
            regions = tuple(
                Region(str(r["name"]), tuple((float(x), float(y)) for x, y in r["corners"]))
                for r in raw.get("regions", ())
            )
            decorations = tuple(Decoration(**d) for d in raw.get("decorations", ()))
            return cls(sites, lines, regions, decorations, bool(data.get("cells", False)))
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError(f"the board data lacks or misspells {fault}") from fault


def turned(x: float, y: float, facing: float) -> tuple[float, float]:
    """(x, y) as the viewer sees it whose seat direction is ``facing`` degrees: 0 as declared, 180 upside down."""
    if facing % 360 == 0:
        return x, y
    if facing % 360 == 180:
        return -x, -y
    angle = math.radians(-facing)
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def arc(a: tuple[float, float], b: tuple[float, float], bulge: float) -> tuple[tuple[float, float], ...]:
    """The way from ``a`` to ``b`` along a bulge, as points fit for drawing (both ends included)."""
    if abs(bulge) < 1e-9:
        return a, b
    angle = 4 * math.atan(bulge)
    chord = math.dist(a, b)
    radius = chord / 2 / math.sin(abs(angle) / 2)
    reach = chord / 2 / math.tan(angle / 2)
    mid_x, mid_y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    way_x, way_y = (b[0] - a[0]) / chord, (b[1] - a[1]) / chord
    centre_x, centre_y = mid_x + way_y * reach, mid_y - way_x * reach
    start = math.atan2(a[1] - centre_y, a[0] - centre_x)
    # The sweep runs the other way than the sign of the angle because y points down.
    count = max(2, math.ceil(abs(angle) / math.radians(4)))
    inner = tuple(
        (
            centre_x + radius * math.cos(start - angle * step / count),
            centre_y + radius * math.sin(start - angle * step / count),
        )
        for step in range(1, count)
    )
    return (a, *inner, b)


class Sketch:
    """Builds a board step by step: named points, lines through them, whole grids and rings."""

    def __init__(self) -> None:
        self._sites: list[Site] = []
        self._index: dict[str, Point] = {}
        self._lines: list[Line] = []
        self._regions: list[Region] = []
        self._decorations: list[Decoration] = []

    def point(self, name: str, x: float, y: float, *tags: str) -> Point:
        """Adds a site and gives its point."""
        self._index[name] = len(self._sites)
        self._sites.append(Site(name, x, y, frozenset(tags)))
        return len(self._sites) - 1

    def tag(self, tag: str, *names: str) -> None:
        """Gives the named sites one more tag."""
        for name in names:
            site = self._sites[self._index[name]]
            self._sites[self._index[name]] = site._replace(tags=site.tags | {tag})

    def line(self, *names: str, kind: str = "line", bulge: Sequence[float] = ()) -> None:
        """Draws one line through the named sites, in order."""
        self._lines.append(Line(tuple(self._index[name] for name in names), kind, tuple(bulge)))

    def arc(self, *names: str, centre: tuple[float, float], kind: str = "line") -> None:
        """Draws a circular line through the named sites (each step under half a turn) around a centre."""
        bulges = []
        for a, b in pairwise(names):
            one, two = self._sites[self._index[a]], self._sites[self._index[b]]
            from_, to = (math.atan2(s.y - centre[1], s.x - centre[0]) for s in (one, two))
            sweep = (to - from_ + math.pi) % math.tau - math.pi
            bulges.append(-math.tan(sweep / 4))
        self.line(*names, kind=kind, bulge=bulges)

    def grid(
        self, columns: int, rows: int, names: Iterable[str], *, kind: str = "line", left: float = 0, top: float = 0
    ) -> None:
        """Adds ``columns`` x ``rows`` sites one cell apart, named row by row from the top left, with all grid lines."""
        labels = list(names)
        if len(labels) != columns * rows:
            raise ValueError(f"a grid of {columns} x {rows} needs {columns * rows} names, not {len(labels)}")
        for number, name in enumerate(labels):
            self.point(name, left + number % columns, top + number // columns)
        if columns > 1:
            for row in range(rows):
                self.line(*labels[row * columns : (row + 1) * columns], kind=kind)
        if rows > 1:
            for column in range(columns):
                self.line(*labels[column::columns], kind=kind)

    def ring(
        self, names: Sequence[str], radius: float, *, centre: tuple[float, float] = (0, 0), start: float = -90
    ) -> None:
        """Adds sites evenly on a circle, clockwise from ``start`` degrees (-90: the top), and the closed line."""
        for number, name in enumerate(names):
            angle = math.radians(start + 360 * number / len(names))
            self.point(name, centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
        self.arc(*names, names[0], centre=centre)

    def hex(self, rows: Sequence[Sequence[str]], *, kind: str = "line", top: float = 0) -> None:
        """Adds rows of sites in a triangular lattice, each row centred on x = 0, joined along the three directions."""
        height = math.sqrt(3) / 2
        for number, row in enumerate(rows):
            for column, name in enumerate(row):
                self.point(name, column - (len(row) - 1) / 2, top + number * height)
        places = {(round(2 * s.x), round((s.y - top) / height)): s.name for s in self._sites if s.name in self._index}
        for along in ((2, 0), (1, 1), (-1, 1)):
            for (x, y), name in places.items():
                if (x - along[0], y - along[1]) in places:
                    continue
                run = [name]
                while (x := x + along[0], y := y + along[1]) in places:
                    run.append(places[x, y])
                if len(run) > 1:
                    self.line(*run, kind=kind)

    def star(self, points: Mapping[str, tuple[float, float]], lines: Iterable[Sequence[str]]) -> None:
        """Adds any named points and straight lines through them at once."""
        for name, (x, y) in points.items():
            self.point(name, x, y)
        for names in lines:
            self.line(*names)

    def region(self, name: str, *corners: tuple[float, float]) -> None:
        """Names an area for drawing."""
        self._regions.append(Region(name, corners))

    def mark(self, kind: str, *names: str) -> None:
        """Puts a drawn mark on the named sites."""
        for name in names:
            site = self._sites[self._index[name]]
            self._decorations.append(Decoration(kind, site.x, site.y))

    def text(self, text: str, x: float, y: float, *, size: float = 0.5, role: str = "line") -> None:
        """Writes a text on the board, centred on (x, y), ``size`` cells high."""
        self._decorations.append(Decoration("text", x, y, text, size, role))

    def board(self, *, cells: bool = False) -> Board:
        """The finished board; ValueError as `Board` says."""
        return Board(
            tuple(self._sites), tuple(self._lines), tuple(self._regions), tuple(self._decorations), cells
        )
