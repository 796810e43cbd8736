"""The drawn icons: strokes of icons.toml as grey masks, by Pillow at eight times the size and reduced."""

from __future__ import annotations

import math
import tomllib
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw

_OVER = 8  # how much larger an icon is drawn before it is reduced
_GRID = 20
_STROKE = 1.6

Stroke = tuple[tuple[float, float], ...]


@lru_cache(maxsize=1)
def names() -> dict[str, str]:
    """Every icon's strokes as text, by name."""
    return dict(tomllib.loads((Path(__file__).parent / "icons.toml").read_text("utf-8")))


@lru_cache(maxsize=512)
def mask(name: str, size: int) -> Image.Image:
    """The icon as an L image of ``size`` pixels square: 255 where it is inked. KeyError for an unknown name."""
    side = size * _OVER
    unit = side / _GRID
    image = Image.new("L", (side, side))
    draw = ImageDraw.Draw(image)
    width = max(_STROKE * unit, 1.25 * _OVER)  # never thinner than a pixel and a quarter
    for stroke in strokes(names()[name]):
        ink(draw, [(x * unit, y * unit) for x, y in stroke], width)
    return image.reduce(_OVER)


def tinted(name: str, size: int, colour: str) -> Image.Image:
    """The icon as an RGBA image in one colour."""
    image = Image.new("RGBA", (size, size), colour)
    image.putalpha(mask(name, size))
    return image


def ink(draw: ImageDraw.ImageDraw, points: list[tuple[float, float]], width: float) -> None:
    """Draws a polyline with round caps and joins; a single point is a dot."""
    half = width / 2 if len(points) > 1 else width * 0.62
    if len(points) > 1:
        draw.line(points, fill=255, width=round(width))
    for x, y in points:
        draw.ellipse((x - half, y - half, x + half, y + half), fill=255)


def strokes(text: str) -> list[Stroke]:
    """The polylines of an icon's text, in grid units; ValueError for a letter that is no stroke."""
    return [_stroke(part.split()) for part in text.split(";")]


def _stroke(words: list[str]) -> Stroke:
    kind, *rest = words
    numbers = [tuple(map(float, word.split(","))) for word in rest]
    match kind:
        case "l" | "d":
            return tuple((n[0], n[1]) for n in numbers)
        case "p":
            return tuple((n[0], n[1]) for n in [*numbers, numbers[0]])
        case "o":
            x, y, r = numbers[0]
            return _arc(x, y, r, 0, 360)
        case "a":
            x, y, r, start, end = numbers[0]
            return _arc(x, y, r, start, end)
        case "c":
            return _cubic(*((n[0], n[1]) for n in numbers))
    raise ValueError(f"{kind!r} is no stroke of an icon")


def _arc(x: float, y: float, r: float, start: float, end: float) -> Stroke:
    count = max(2, math.ceil(abs(end - start) / 6))
    angles = [math.radians(start + (end - start) * n / count) for n in range(count + 1)]
    return tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles)


def _cubic(*p: tuple[float, float]) -> Stroke:
    points = []
    for n in range(25):
        t = n / 24
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        points.append((sum(w * q[0] for w, q in zip(weights, p, strict=True)),
                       sum(w * q[1] for w, q in zip(weights, p, strict=True))))  # fmt: skip
    return tuple(points)
