"""The program's sign: a corner of a lattice with one piece on it, drawn by Pillow at any size."""

from __future__ import annotations

from PIL import Image, ImageDraw

_OVER = 8


def logo(size: int, ground: str, ink: str) -> Image.Image:
    """The sign on a rounded square of ``size`` pixels."""
    side = size * _OVER
    unit = side / 32
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, side - 1, side - 1), 6.5 * unit, fill=ground)
    width = round(1.7 * unit)
    for x in (7.5, 16, 24.5):
        draw.line((x * unit, 7.5 * unit, x * unit, 24.5 * unit), fill=ink, width=width)
        draw.line((7.5 * unit, x * unit, 24.5 * unit, x * unit), fill=ink, width=width)
    for x in (7.5, 24.5):
        for y in (7.5, 24.5):
            _disc(draw, x * unit, y * unit, width / 2, ink)
    _disc(draw, 18.6 * unit, 18.6 * unit, 8.1 * unit, ground)
    _disc(draw, 18.6 * unit, 18.6 * unit, 6.4 * unit, ink)
    _disc(draw, 18.6 * unit, 18.6 * unit, 4.7 * unit, ground)
    _disc(draw, 18.6 * unit, 18.6 * unit, 3.1 * unit, ink)
    return image.reduce(_OVER)


def _disc(draw: ImageDraw.ImageDraw, x: float, y: float, r: float, fill: str) -> None:
    draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)
