"""Marks as pictures: targets, captures, the last move, check, the keyboard's point, numbers, arrows, what is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image

from qipan.fonts import FoundFont
from qipan.paint.brush import Place, Stencil, lay
from qipan.theme import Theme, Tone

ARCS = [(turn - 32, turn + 32) for turn in (0, 90, 180, 270)]  # gaps at the diagonals: a shape, not only a colour
_DIAMOND = ((0, -1), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))  # its first side twice, so that every corner is joined
_DASHES = [(30 * turn, 30 * turn + 18) for turn in range(12)]


def _blank(cell: float, reach: float) -> Image.Image:
    half = math.ceil(cell * reach) + 3
    return Image.new("RGBA", (2 * half, 2 * half), (0, 0, 0, 0))


def mark(word: str, theme: Theme, cell: float, shift: float, unit: float) -> Image.Image:
    """The picture of a mark ("target", "capture", ...), the point in its middle. KeyError: no such mark."""
    picture = _blank(cell, 0.66 if word in ("check", "cursor", "fault", "note") else 0.58)
    at, ink, thin = picture.width / 2 + shift, theme.ink, max(1.0, 0.022 * cell)

    def ring(colour: str, radius: float, width: float, share: float = 1.0) -> None:
        lay(picture, colour, Stencil(picture.size).ring(at, at, radius, width).done(), share)

    def disc(colour: str, radius: float, share: float = 1.0) -> None:
        lay(picture, colour, Stencil(picture.size).disc(at, at, radius).done(), share)

    match word:
        case "target":
            disc(ink.pale, 0.11 * cell + thin, 0.9)
            disc(ink.target, 0.11 * cell)
        case "target-ring":
            disc(ink.pale, 0.205 * cell + thin, 0.9)
            disc(ink.target, 0.205 * cell)
        case "capture":
            width = max(2.0, 0.055 * cell)
            for colour, wide, more in ((ink.pale, width + 2 * thin, 2.0), (ink.target, width, 0.0)):
                spans = [(start - more, end + more) for start, end in ARCS]
                lay(picture, colour, Stencil(picture.size).arcs(at, at, 0.505 * cell, wide, spans).done())
        case "origin":
            ring(ink.last, 0.13 * cell, max(1.5, 0.042 * cell))
        case "last":
            lay(picture, ink.last, _brackets(picture.size, at, 0.485 * cell, 0.16 * cell, max(1.5, 0.05 * cell)))
        case "lifted":
            dashes = Stencil(picture.size).arcs(at, at, 0.2 * cell, max(1.2, 0.03 * cell), _DASHES)
            lay(picture, ink.last, dashes.done(), 0.9)
        case "check":
            ring(ink.check, 0.50 * cell, max(1.6, 0.05 * cell))
            ring(ink.check, 0.57 * cell, max(1.0, 0.026 * cell))
        case "fault":
            ring(ink.pale, 0.53 * cell, max(3.0, 0.07 * cell) + 2 * thin)
            ring(ink.check, 0.53 * cell, max(3.0, 0.07 * cell))
        case "note":
            corners = [(at + across * 0.56 * cell, at + down * 0.56 * cell) for across, down in _DIAMOND]
            for colour, width in ((ink.pale, 0.075 * cell + 2 * thin), (ink.cursor, 0.075 * cell)):
                lay(picture, colour, Stencil(picture.size).line(corners, max(2.0, width)).done())
        case "hover":
            disc("#FFFFFF", 0.46 * cell, 0.08)
        case "cursor":
            ring(ink.cursor, 0.58 * cell, 2 * unit)
            ring(ink.pale, 0.58 * cell + 2 * unit, 2 * unit)
        case _:
            raise KeyError(word)
    return picture


def _brackets(size: tuple[int, int], at: float, reach: float, arm: float, width: float) -> Image.Image:
    stencil = Stencil(size)
    for across in (-1, 1):
        for down in (-1, 1):
            x, y = at + across * reach, at + down * reach
            stencil.line(((x, y - down * arm), (x, y), (x - across * arm, y)), width)
    return stencil.done()


def number(text: str, theme: Theme, cell: float, shift: float, sans: FoundFont | None) -> Image.Image:
    """The numbered disc at a look-back line's origin."""
    picture = _blank(cell, 0.2)
    at, stroke = picture.width / 2 + shift, max(1.2, 0.026 * cell)
    lay(picture, theme.ink.casing, Stencil(picture.size).disc(at, at, 0.155 * cell + stroke / 2).done())
    lay(picture, theme.ink.pale, Stencil(picture.size).disc(at, at, 0.155 * cell - stroke / 2).done())
    size = (0.23 if len(text) == 1 else 0.17) * cell
    lay(picture, theme.ink.casing, Stencil(picture.size, 8).text(text, at, at, size, sans, bold=0.035).done())
    return picture


def badge(text: str, tone: Tone, theme: Theme, cell: float, shift: float, sans: FoundFont | None) -> Image.Image:
    """A note at a point: a small square in the seat's colour, or a plate with a number or short word."""
    picture = _blank(cell, 0.3)
    at = picture.width / 2 + shift
    if not text:
        lay(picture, tone.glyph, Stencil(picture.size).box(*_around(at, 0.13 * cell, 0.13 * cell), 0.02 * cell).done())
        lay(picture, tone.face[0], Stencil(picture.size).box(*_around(at, 0.1 * cell, 0.1 * cell)).done())
        return picture
    wide, high = (0.09 + 0.065 * len(text)) * cell, 0.15 * cell
    lay(picture, theme.ink.pale, Stencil(picture.size).box(*_around(at, wide + 1, high + 1), high).done())
    lay(picture, theme.ink.casing, Stencil(picture.size).box(*_around(at, wide, high), high).done())
    lay(picture, theme.ink.pale, Stencil(picture.size, 8).text(text, at, at, 0.22 * cell, sans, bold=0.02).done())
    return picture


def _around(at: float, wide: float, high: float) -> tuple[float, float, float, float]:
    return at - wide, at - high, at + wide, at + high


def arrow(points: Sequence[Place], line: str, casing: str, cell: float) -> tuple[Image.Image, int, int]:
    """A line through pixels in two colours, its head at the rim of the piece it ends at; and its top left pixel."""
    pad = math.ceil(0.3 * cell) + 2
    left, top = (math.floor(min(point[axis] for point in points)) - pad for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for point in points)) + pad for axis in (0, 1))
    size = (right - left, bottom - top)
    run = [(x - left, y - top) for x, y in points]
    (ax, ay), (bx, by) = run[-2], run[-1]
    length = math.hypot(bx - ax, by - ay)
    if length == 0:
        return Image.new("RGBA", (1, 1), (0, 0, 0, 0)), left, top
    ux, uy = (bx - ax) / length, (by - ay) / length
    stop = min(0.49 * cell, length * 0.5)
    tip = (bx - ux * stop, by - uy * stop)
    long, wide = 0.2 * cell, 0.12 * cell
    foot = (tip[0] - ux * long, tip[1] - uy * long)
    head = [tip, (foot[0] - uy * wide, foot[1] + ux * wide), (foot[0] + uy * wide, foot[1] - ux * wide)]
    neck = (tip[0] - ux * long * 0.8, tip[1] - uy * long * 0.8)
    shaft = [*run[:-1], neck]
    over = 4 if size[0] * size[1] < 400_000 else 2
    bed = Stencil(size, over).line(shaft, 0.125 * cell).line([*head, head[0]], 0.07 * cell).polygon(head)
    picture = Image.new("RGBA", size, (0, 0, 0, 0))
    lay(picture, casing, bed.done())
    lay(picture, line, Stencil(size, over).line(shaft, 0.075 * cell).polygon(head).done())
    return picture, left, top
