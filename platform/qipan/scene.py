"""What a position looks like, as data: shapes in board cells that a canvas, a PNG or an SVG all draw from."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from qipan.catalogue import PieceLook
from qipan.geometry import Board, Decoration, Line, Point, arc
from qipan.layout import Layout, corners, six_sided
from qipan.tree import Node
from qipan.values import HIDDEN, NOBODY, Event, Moved, Note, Piece, Placed, Position, Seat, events_for, told

__all__ = [
    "Disc", "Layer", "Layout", "Marks", "Path", "Shape", "Sprite", "Text", "draw", "ground", "piece_role", "trace",
    "traces", "ways",
]  # fmt: skip

PULSE = 11  # frames of a lifted piece: radius .46 to .56 cell, character .60 to .80


class Layer(IntEnum):
    """What lies over what, lowest first."""

    BOARD = 0
    LAST = 1
    BELOW = 2
    PIECE = 3
    DOT = 4
    NUMBER = 5
    LIFTED = 6
    CURSOR = 7


class Sprite(NamedTuple):
    """A picture centred on (x, y): a piece ("piece:red_horse"), a mark ("mark:target"), a number ("number:1").

    ``key`` tells the shapes of one layer apart; ``turn`` (degrees) is for tiles; ``text`` is a count or a note;
    ``step`` is the pulse frame of a lifted piece.
    """

    layer: Layer
    key: Hashable
    role: str
    x: float
    y: float
    size: float = 1.0
    turn: float = 0.0
    text: str = ""
    step: int = 0


class Path(NamedTuple):
    """A line through points ("line", "palace", "frame", "look-back", "drawn") or, closed, an area ("cell:dark")."""

    layer: Layer
    key: Hashable
    points: tuple[tuple[float, float], ...]
    role: str
    closed: bool = False


class Disc(NamedTuple):
    """A filled dot of a radius in cells ("star")."""

    layer: Layer
    key: Hashable
    x: float
    y: float
    radius: float
    role: str


class Text(NamedTuple):
    """Characters ``size`` cells high, centred on (x, y), always upright ("river", "numeral", "label")."""

    layer: Layer
    key: Hashable
    x: float
    y: float
    text: str
    size: float
    role: str


Shape: TypeAlias = "Sprite | Path | Disc | Text"


class Marks(NamedTuple):
    """What the table wants marked. Points are sites; paths run from where a piece stood to where it went.

    ``last``: the last move's path. ``look_back``: the paths of earlier moves, newest first. ``pulse``: 0 to 10.
    ``drawn``: what a person drew: single points, and arrows from their first point to their last.
    """

    last: tuple[Point, ...] = ()
    targets: tuple[Point, ...] = ()
    captures: tuple[Point, ...] = ()
    lifted: Point | None = None
    pulse: int = 0
    look_back: tuple[tuple[Point, ...], ...] = ()
    check: tuple[Point, ...] = ()
    fault: tuple[Point, ...] = ()
    cursor: Point | None = None
    hover: Point | None = None
    drawn: tuple[tuple[Point, ...], ...] = ()


def ways(events: Iterable[Event]) -> tuple[tuple[Point, ...], ...]:
    """Where the pieces of a step went, each from its first point to its last; one that goes on is one way."""
    found: dict[Point, tuple[Point, ...]] = {}  # by where they end
    for event in events:
        if isinstance(event, Moved):
            found[event.dst] = (*found.pop(event.src, (event.src,)), *event.via, event.dst)
    return tuple(found.values())


def trace(node: Node, viewer: int) -> tuple[Point, ...]:
    """Where the step to a node went, as far as a viewer was told of it: its first piece's way, or one point."""
    events = events_for(node.events, viewer)
    if gone := ways(events):
        return gone[0]
    if placed := [event.point for event in events if isinstance(event, Placed)]:
        return (placed[-1],)
    return node.move.path[-1:] if node.move is not None and told(node.told, viewer) else ()


def traces(line: Sequence[Node], viewer: int, count: int) -> tuple[tuple[Point, ...], ...]:
    """The ways of the last ``count`` steps of a line that moved a piece, newest first."""
    found: list[tuple[Point, ...]] = []
    for node in reversed(line):
        if len(found) >= count:
            break
        if len(way := trace(node, viewer)) > 1:
            found.append(way)
    return tuple(found)


def piece_role(piece: Piece, seats: Sequence[Seat]) -> str:
    """The role of a piece: "piece:{seat}_{kind}", the seat "nobody" for a neutral one."""
    owner = seats[piece.seat].name if piece.seat >= 0 else "nobody"
    return f"piece:{owner}_{piece.kind}"


def draw(
    board: Board,
    view: Position,
    *,
    seats: Sequence[Seat],
    pieces: Mapping[str, PieceLook] | None = None,
    facing: float = 0.0,
    marks: Marks | None = None,
    notes: Sequence[Note] = (),
) -> tuple[Shape, ...]:
    """All that lies on the board in a view: pieces and marks, lowest layer first (the board itself is `ground`)."""
    marks = marks or Marks()
    looks = pieces or {}
    tiles = {kind for kind, look in looks.items() if look.shape == "tile"}
    shapes: list[Shape] = [*_last(board, marks), *_look_back(board, marks)]
    for point, piece in enumerate(view.cells):
        if piece is None:
            continue
        tile = piece.kind in tiles or (piece.kind == HIDDEN and HIDDEN not in looks and bool(tiles))
        turn = seats[piece.seat].facing - facing if tile and piece.seat >= 0 else 0.0
        up = marks.lifted == point
        layer = Layer.LIFTED if up else Layer.PIECE
        count = f"×{piece.count}" if piece.count > 1 else ""
        x, y = _place(board, point)
        step = marks.pulse if up else 0
        shapes.append(
            Sprite(layer, ("piece", point), piece_role(piece, seats), x, y, turn=turn % 360, text=count, step=step)
        )
    shapes += [*_drawn(board, marks), *_dots(board, marks), *_noted(board, seats, notes)]
    return tuple(sorted(shapes, key=lambda shape: shape.layer))


def _place(board: Board, point: Point) -> tuple[float, float]:
    site = board.sites[point]
    return site.x, site.y


def _mark(board: Board, layer: Layer, word: str, point: Point) -> Sprite:
    return Sprite(layer, (word, point), f"mark:{word}", *_place(board, point))


def _last(board: Board, marks: Marks) -> Iterator[Sprite]:
    if len(marks.last) > 1:
        yield _mark(board, Layer.LAST, "origin", marks.last[0])
    if marks.last:
        yield _mark(board, Layer.LAST, "last", marks.last[-1])
    if marks.lifted is not None:
        yield _mark(board, Layer.LAST, "lifted", marks.lifted)


def _look_back(board: Board, marks: Marks) -> Iterator[Shape]:
    told: set[Point] = set()
    for number, path in reversed(list(enumerate(marks.look_back, 1))):
        if len(path) > 1:
            yield Path(Layer.BELOW, ("arrow", number), tuple(_place(board, point) for point in path), "look-back")
    for number, path in enumerate(marks.look_back, 1):
        if path and path[0] not in told:  # of two moves from one point the newer keeps the number
            told.add(path[0])
            yield Sprite(Layer.NUMBER, ("number", number), f"number:{number}", *_place(board, path[0]))


def _drawn(board: Board, marks: Marks) -> Iterator[Shape]:
    for path in dict.fromkeys(marks.drawn):
        if len(path) == 1:
            yield _mark(board, Layer.DOT, "note", path[0])
        elif path:
            yield Path(Layer.DOT, ("drawn", path), tuple(_place(board, point) for point in path), "drawn")


def _dots(board: Board, marks: Marks) -> Iterator[Sprite]:
    numbered = {path[0] for path in marks.look_back if path}
    for point in marks.targets:
        yield _mark(board, Layer.DOT, "target-ring" if point in numbered else "target", point)
    for point in marks.captures:
        yield _mark(board, Layer.DOT, "capture", point)
    for point in marks.check:
        yield _mark(board, Layer.DOT, "check", point)
    for point in marks.fault:
        yield _mark(board, Layer.DOT, "fault", point)
    if marks.hover is not None:
        yield _mark(board, Layer.DOT, "hover", marks.hover)
    if marks.cursor is not None:
        yield _mark(board, Layer.CURSOR, "cursor", marks.cursor)


def _noted(board: Board, seats: Sequence[Seat], notes: Sequence[Note]) -> Iterator[Sprite]:
    """Notes about points: "check" as its rings; others as a badge, with a number or short word where they have one."""
    for number, note in enumerate(notes):
        owner = seats[note.seat].name if note.seat > NOBODY else "nobody"
        text = str(note.args[0]) if note.args and len(str(note.args[0])) <= 3 else ""
        for point in note.points:
            if note.word == "check":
                yield _mark(board, Layer.DOT, "check", point)
            else:
                key = ("note", number, point)
                yield Sprite(Layer.NUMBER, key, f"note:{owner}_{note.word}", *_place(board, point), text=text)


# -- the board itself --------------------------------------------------------------------------------------------
def ground(board: Board, numerals: bool = True) -> tuple[Shape, ...]:
    """The board's own shapes: areas, squares or hexes, lines, frame, marks and texts, in the order they are drawn.

    ``numerals``: False leaves out the texts of that role.
    """
    shapes: list[Shape] = []
    for region in board.regions:
        if len(region.corners) > 2:
            shapes.append(Path(Layer.BOARD, ("region", len(shapes)), region.corners, f"region:{region.name}", True))
    if board.cells:
        shapes += _cells(board)
    else:
        for number, line in enumerate(board.lines):
            points = _run(board, line)
            shapes.append(Path(Layer.BOARD, ("line", number), points, line.kind, points[0] == points[-1]))
        left, top, right, bottom = board.bounds
        if len(board.sites) == round(right - left + 1) * round(bottom - top + 1):
            shapes += _frame(board)
        else:  # no full lattice: where one can stand is not plain from the lines alone
            places = enumerate(board.sites)
            shapes += [Disc(Layer.BOARD, ("site", n), site.x, site.y, 0.075, "site") for n, site in places]
    for number, decoration in enumerate(board.decorations):
        if numerals or decoration.role != "numeral":
            shapes += _decoration(board, number, decoration)
    return tuple(shapes)


def _run(board: Board, line: Line) -> tuple[tuple[float, float], ...]:
    run = [_place(board, line.points[0])]
    for number, point in enumerate(line.points[1:]):
        run += arc(run[-1], _place(board, point), line.bulge[number] if line.bulge else 0.0)[1:]
    return tuple(run)


def _frame(board: Board) -> Iterator[Path]:
    """The heavy line .1 cell outside a lattice."""
    left, top, right, bottom = board.bounds
    if not corners(board) or right - left < 2 or bottom - top < 2:
        return
    box = ((left - 0.1, top - 0.1), (right + 0.1, top - 0.1), (right + 0.1, bottom + 0.1), (left - 0.1, bottom + 0.1))
    yield Path(Layer.BOARD, "frame", box, "frame", True)


def _cells(board: Board) -> Iterator[Path]:
    left, top, right, bottom = board.bounds
    if six_sided(board):
        reach = 1 / math.sqrt(3)
        for point, site in enumerate(board.sites):
            turns = [math.radians(30 + 60 * side) for side in range(6)]
            edge = tuple((site.x + reach * math.cos(turn), site.y + reach * math.sin(turn)) for turn in turns)
            row = round((site.y - top) / (math.sqrt(3) / 2))
            tone = ("light", "mid", "dark")[(round(site.x - left - row / 2) - row) % 3]
            yield Path(Layer.BOARD, ("cell", point), edge, f"cell:{tone}", True)
        return
    odd = {round(site.x - left + bottom - site.y) % 2 for site in board.sites}
    dark = 1 if odd == {1} else 0  # the near left square is dark, as in chess, unless only the others are played on
    for row in range(round(bottom - top) + 1):
        for column in range(round(right - left) + 1):
            x, y = left + column, top + row
            box = ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))
            tone = "dark" if round(column + bottom - y) % 2 == dark else "light"
            yield Path(Layer.BOARD, ("cell", column, row), box, f"cell:{tone}", True)
    box = (
        (left - 0.5, top - 0.5), (right + 0.5, top - 0.5), (right + 0.5, bottom + 0.5), (left - 0.5, bottom + 0.5),
    )  # fmt: skip
    yield Path(Layer.BOARD, "frame", box, "frame", True)


def _decoration(board: Board, number: int, what: Decoration) -> Iterator[Shape]:
    """The shapes of a decoration; a kind that is not known draws nothing."""
    key = ("decoration", number)
    if what.kind == "text":
        yield Text(Layer.BOARD, key, what.x, what.y, what.text, what.size, what.role)
    elif what.kind == "star":
        yield Disc(Layer.BOARD, key, what.x, what.y, 0.09, "star")
    elif what.kind == "cross":
        left, top, right, bottom = board.bounds
        near, far = 0.092, 0.242  # never half a pixel at the usual sizes, so the four arms stay alike
        for across in (-1, 1):
            for down in (-1, 1):
                if left <= what.x + across * far <= right and top <= what.y + down * far <= bottom:
                    arms = ((far, near), (near, near), (near, far))
                    points = tuple((what.x + across * a, what.y + down * b) for a, b in arms)
                    yield Path(Layer.BOARD, (*key, across, down), points, "cross")
