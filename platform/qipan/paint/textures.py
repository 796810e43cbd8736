"""Textures of table and board: seeded noise in tiles that wrap, made once and kept by their name."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from PIL import Image, ImageChops, ImageOps

from qipan.theme import Texture

TILE = 512


class Grain(NamedTuple):
    """A texture: the colour it is tinted with and how much of it each pixel of the tile has (0 to 255)."""

    colour: str
    tile: Image.Image


def _noise(seed: int, across: float, down: float) -> Image.Image:
    """A smooth tile whose blots are about across x down pixels; it wraps."""
    width, height = max(2, round(TILE / across)), max(2, round(TILE / down))
    small = Image.frombytes("L", (width, height), Random(seed).randbytes(width * height))
    pad = 2
    wide = Image.new("L", (width + 2 * pad, height + 2 * pad))
    for x in (pad - width, pad, pad + width):
        for y in (pad - height, pad, pad + height):
            wide.paste(small, (x, y))
    box = (pad, pad, pad + width, pad + height)
    return wide.resize((TILE, TILE), Image.Resampling.BICUBIC, box=box)


def _fractal(seed: int, across: float, down: float, octaves: int) -> Image.Image:
    """Octaves of noise, each half as large and half as strong as the one before, spread over 0 to 255."""
    sum_ = _noise(seed, across, down)
    for octave in range(1, octaves):
        finer = _noise(seed + octave, across / 2**octave, down / 2**octave)
        sum_ = Image.blend(sum_, finer, 1 / (2**octave + 1))
    return ImageOps.autocontrast(sum_, cutoff=0.5)


def _curve(tile: Image.Image, start: float, most: float, power: float = 1.0) -> Image.Image:
    """A tile read through a curve: 0 below ``start`` (of 1), then up to ``most`` (of 1)."""
    return tile.point(
        [round(255 * most * max(0.0, (value / 255 - start) / (1 - start)) ** power) for value in range(256)]
    )


def _paper() -> Grain:
    clouds = _curve(_fractal(8, 34, 22, 5), 0.25, 0.16)
    fibres = _curve(_fractal(3, 30, 1.8, 2), 0.5, 0.12, 1.5)
    specks = _curve(_fractal(2, 1.6, 1.6, 2), 0.45, 0.09)
    return Grain("#6B5430", ImageChops.add(ImageChops.add(clouds, fibres), specks))


def _linen() -> Grain:
    warp, weft = _fractal(5, 1.7, 18, 2), _fractal(6, 18, 1.7, 2)
    return Grain("#1A2129", _curve(ImageChops.multiply(warp, weft), 0.03, 0.38, 0.8))


def _wood() -> Grain:
    grain = _curve(_fractal(11, 8, 320, 5), 0.35, 0.5, 1.2)
    return Grain("#4D2410", ImageChops.add(grain, _curve(_fractal(12, 60, 500, 2), 0.3, 0.18)))


_MAKERS = {"paper": _paper, "linen": _linen, "wood": _wood}


@lru_cache(maxsize=len(_MAKERS))
def grain(name: Texture) -> Grain | None:
    """The texture of a name; None for "none"."""
    maker = _MAKERS.get(name)
    return maker() if maker else None


def covered(tile: Image.Image, size: tuple[int, int], scale: float = 1.0) -> Image.Image:
    """A mask of a size, laid with a tile (larger on screens of a larger scale)."""
    if scale != 1:
        side = round(TILE * scale)
        tile = tile.resize((side, side), Image.Resampling.BICUBIC)
    laid = Image.new("L", size)
    for x in range(0, size[0], tile.width):
        for y in range(0, size[1], tile.height):
            laid.paste(tile, (x, y))
    return laid
