"""The laws of the table: every point can be reached by mouse and by keys, at every size and from every seat, and every
piece can be drawn.
"""

from __future__ import annotations

from qipan.fonts import find_piece_font
from qipan.geometry import Board
from qipan.laws.trial import Moment
from qipan.layout import Layout
from qipan.pictures import read_pictures
from qipan.values import HIDDEN

_SIZES = ((640, 480), (960, 720), (1280, 960))  # the smallest board area of the table at 1x, 1.5x and 2x
_LEAST = 5.0  # pixels at 1x between a point and the border to its neighbour: half the least target inside a grid


def reachable_by_mouse(moment: Moment) -> str | None:
    """every point is the nearest to a click on it, with room around it, at 1x, 1.5x and 2x"""
    if len(moment.trial.line) > 1:
        return None
    board = moment.rules.board
    for facing in _facings(moment):
        for number, (width, height) in enumerate(_SIZES):
            layout = Layout.fit(board, width, height, facing=facing)
            room = _LEAST * (1, 1.5, 2)[number]
            for point, site in enumerate(board.sites):
                x, y = layout.xy(point)
                if not (0 <= x < width and 0 <= y < height):
                    return f"{site.name} lies outside the window of {width} x {height} at facing {facing:g}"
                around = ((x, y), (x + room, y), (x - room, y), (x, y + room), (x, y - room))
                if any(layout.nearest(px, py) != point for px, py in around):
                    return f"{site.name} has less than {room:g} px around it at {width} x {height}, facing {facing:g}"
    return None


def reachable_by_keys(moment: Moment) -> str | None:
    """the arrow keys walk from every point to every other, at every facing"""
    if len(moment.trial.line) > 1:
        return None
    board = moment.rules.board
    for facing in _facings(moment):
        layout = Layout.fit(board, *_SIZES[0], facing=facing)
        lost = _unreached(board, layout)
        if lost:
            return f"the arrow keys can't reach {lost} at facing {facing:g}"
    return None


def drawable(moment: Moment) -> str | None:
    """every kind has a picture that exists, a letter, or a character that the piece font has"""
    if len(moment.trial.line) > 1:
        return None
    info = moment.trial.info
    pictures, font = read_pictures(info.folder / "pictures.toml"), find_piece_font()
    for kind in moment.rules.kinds:
        look = info.pieces.get(kind)
        if look is None or look.shape == "stone" or kind == HIDDEN:
            continue
        if look.picture and look.picture not in pictures:
            return f"pictures.toml has no {look.picture!r} for {kind}"
        if look.picture or look.letter:
            continue
        for seat in moment.rules.seats:
            glyph = look.character(seat.name)
            if not glyph or (font is not None and not font.has(glyph)):
                return f"{seat.name}'s {kind} has neither picture nor letter, and the font lacks {glyph!r}"
    return None


def _facings(moment: Moment) -> list[float]:
    return sorted({0.0, *(seat.facing for seat in moment.rules.seats)})


def _unreached(board: Board, layout: Layout) -> str:
    """A site that the arrows don't reach from the first one, or that doesn't lead back to it; "" where all is well."""
    ways = {
        point: {layout.walk(point, way) for way in ("Left", "Right", "Up", "Down")} for point in range(len(board.sites))
    }
    back: dict[int, set[int]] = {point: set() for point in ways}
    for point, ends in ways.items():
        for end in ends:
            back[end].add(point)
    for graph in (ways, back):
        reached, edge = {0}, [0]
        while edge:
            fresh = graph[edge.pop()] - reached
            reached |= fresh
            edge.extend(fresh)
        if len(reached) < len(board.sites):
            return board.sites[next(point for point in ways if point not in reached)].name
    return ""
