"""Pieces as pictures: discs, stones and tiles in a seat's tone, with a character, a pictogram, a letter or a back."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image, ImageOps

from qipan.fonts import FoundFont
from qipan.paint.brush import Stencil, blended, lay, linear, radial, soft
from qipan.pictures import Picture
from qipan.theme import Tone

RADIUS, GLYPH = 0.46, 0.60  # of a cell: 23 and 30 pixels at a cell of 50
STEP = 0.01  # of a cell: each pulse step adds this to the radius and twice this to the character
FINE = 40  # pixels of a cell from which the second ring is drawn


class Face(NamedTuple):
    """What shows on a piece: the first of image, picture, text that is there; ``hidden``: its back.

    ``chinese``: the text is set by its em box in the piece font, else it is a Latin letter.
    """

    text: str = ""
    chinese: bool = False
    picture: Picture | None = None
    image: Path | None = None
    tinted: bool = False
    hidden: bool = False
    emblem: Literal["disc", "square", "diamond"] = "disc"


class Job(NamedTuple):
    """One piece to draw: its tone and face, the cell in pixels, and how it stands."""

    tone: Tone
    face: Face
    cell: float
    shape: Literal["disc", "stone", "tile"] = "disc"
    step: int = 0
    lifted: bool = False
    turn: float = 0.0
    plate: str = ""
    shift: float = 0.0  # of the centre from the middle of the picture, so that it meets the lines


def piece(job: Job, font: FoundFont | None, sans: FoundFont | None) -> tuple[Image.Image, Image.Image]:
    """The body and the shadow of a piece, RGBA pictures of one size, even in width, the piece in their middle."""
    cell = job.cell
    reach = RADIUS + STEP * job.step
    drop, sigma = (0.13, max(2.0, 0.09 * cell)) if job.lifted else (0.05, max(1.0, 0.05 * cell))
    half = math.ceil(cell * (max(reach, 0.48) * 1.08 + drop) + 2.2 * sigma)
    size = (2 * half, 2 * half)
    body = Image.new("RGBA", size, (0, 0, 0, 0))
    inner = math.ceil(cell * max(reach, 0.48) * 1.08) + 2
    part = Image.new("RGBA", (2 * inner, 2 * inner), (0, 0, 0, 0))
    outline = {"disc": _disc, "stone": _stone, "tile": _tile}[job.shape](part, job, reach)
    if job.face.image:
        _image(part, job, reach)
    else:
        _face(part, job, font, sans)
    if job.plate:
        _count(part, job, sans)
    body.paste(part, (half - inner, half - inner))
    cast = Image.new("L", size)
    cast.paste(outline, (half - inner, half - inner))
    shadow = Image.new("RGBA", size, (0, 0, 0, 0))
    lay(shadow, "#000000", soft(cast, sigma, (drop * 0.35 * cell, drop * cell)), 0.42 if job.lifted else 0.38)
    return body, shadow


def _over(cell: float) -> int:
    return 6 if cell <= 72 else 4


def _middle(part: Image.Image, job: Job) -> float:
    return part.width / 2 + job.shift


def _round(part: Image.Image, job: Job, radius: float) -> Image.Image:
    """The filled outline of a disc, or of an octagon for tones that are told apart by it."""
    stencil, at = Stencil(part.size, _over(job.cell)), _middle(part, job)
    if not job.tone.octagon:
        return stencil.disc(at, at, radius).done()
    turns = [math.radians(22.5 + 45 * side) for side in range(8)]
    reach = 1.05 * radius
    return stencil.polygon([(at + reach * math.cos(turn), at + reach * math.sin(turn)) for turn in turns]).done()


def _disc(part: Image.Image, job: Job, reach: float) -> Image.Image:
    cell, tone, at = job.cell, job.tone, _middle(part, job)
    radius, stroke = reach * cell, max(0.8, 0.014 * cell)
    outline = _round(part, job, radius + stroke / 2)
    lay(part, tone.edge, outline)
    slope = linear(part.size, (at - 0.4 * radius, at - radius), (at + 0.2 * radius, at + radius))
    lay(part, blended(part.size, *tone.rim, slope), _round(part, job, radius - stroke / 2))
    inner = 0.915 * radius
    if not tone.flat:
        glow = radial(part.size, (at - 0.24 * inner, at - 0.4 * inner), 1.7 * inner)
        lay(part, blended(part.size, *tone.face, glow), _round(part, job, inner))
    if tone.gloss:
        high = Stencil(part.size).disc(at, at, inner * 0.62).done().resize((part.width, round(part.height * 0.58)))
        mask = Image.new("L", part.size)
        mask.paste(high, (round(-0.04 * cell), round(at - 0.2 * cell - high.height / 2)))
        lay(part, "#FFFFFF", mask, 0.13)
    if tone.rings:
        rings = Stencil(part.size, _over(cell))
        _ring(rings, at, 0.83 * radius, max(1.0, 0.026 * cell))
        if tone.rings > 1 and cell >= FINE:
            inside = Stencil(part.size, _over(cell))
            _ring(inside, at, 0.745 * radius, max(0.7, 0.012 * cell))
            lay(part, tone.ring, inside.done())
        _cut(part, job, rings.done(), tone.ring)
    return outline


def _ring(stencil: Stencil, at: float, radius: float, width: float) -> None:
    stencil.ring(at, at, radius, width)


def _cut(part: Image.Image, job: Job, mask: Image.Image, colour: str) -> None:
    """Lays a ring or character; a carved tone has a light copy just below."""
    if job.tone.carved:
        light = Image.new("L", mask.size)
        light.paste(mask, (0, max(1, round(0.016 * job.cell))))
        lay(part, "#FFFFFF", light, 0.6)
    lay(part, colour, mask)


def _stone(part: Image.Image, job: Job, reach: float) -> Image.Image:
    tone, at, radius = job.tone, _middle(part, job), reach * job.cell
    outline = _round(part, job, radius)
    glow = radial(part.size, (at - 0.34 * radius, at - 0.42 * radius), 1.75 * radius)
    lay(part, tone.edge, outline)
    lay(part, blended(part.size, *tone.rim, glow), _round(part, job, radius - max(0.5, 0.012 * job.cell)))
    shine = Stencil(part.size, 2).disc(at - 0.34 * radius, at - 0.40 * radius, 0.2 * radius).done()
    lay(part, "#FFFFFF", soft(shine, 0.13 * radius), 0.28)
    return outline


def _tile(part: Image.Image, job: Job, reach: float) -> Image.Image:
    cell, tone, at, k = job.cell, job.tone, _middle(part, job), reach / RADIUS
    wide, high = (0.90, 0.68) if round(job.turn) % 180 == 0 else (0.68, 0.90)
    width, height, radius = wide * cell * k / 2, high * cell * k / 2, 0.09 * cell

    def shape(inset: float, drop: float = 0.0) -> Image.Image:
        return (
            Stencil(part.size, _over(cell))
            .box(at - width + inset, at - height + inset + drop, at + width - inset, at + height - inset + drop, radius)
            .done()
        )

    outline = shape(0, max(1.0, 0.03 * cell))
    lay(part, tone.edge, outline)
    lay(part, tone.edge, shape(0))
    slope = linear(part.size, (at - width, at - height), (at + width, at + height))
    lay(part, blended(part.size, tone.rim[0], tone.rim[1], slope), shape(max(0.5, 0.01 * cell)))
    lay(part, blended(part.size, *tone.face, slope), shape(max(1.0, 0.03 * cell)))
    return outline


def _face(part: Image.Image, job: Job, font: FoundFont | None, sans: FoundFont | None) -> None:
    """What is written on the piece, in its tone."""
    cell, at, face = job.cell, _middle(part, job), job.face
    size = (GLYPH + 2 * STEP * job.step) * cell
    stencil = Stencil(part.size, _over(cell))
    if face.hidden:
        if job.shape == "tile":
            lay(part, job.tone.ring, _inner_frame(part, job), 0.45)
        _emblem(stencil, at, size * 0.30, face.emblem)
        lay(part, job.tone.glyph, stencil.done(), 0.85)
    elif face.picture:
        _cut(part, job, stencil.picture(face.picture, at, at, size * 1.02).done(), job.tone.glyph)
    elif face.text and face.chinese:
        stencil = Stencil(part.size, 1)
        for text, x, y, high in columns(face.text, job.shape == "tile", job.turn, at, at, size):
            stencil.text(text, x, y, high, font, em=True)
        _cut(part, job, stencil.done(), job.tone.glyph)
    elif face.text:
        scale = 0.78 if len(face.text) == 1 else 0.5
        _cut(part, job, stencil.text(face.text, at, at, size * scale, sans, bold=0.02).done(), job.tone.glyph)


def _inner_frame(part: Image.Image, job: Job) -> Image.Image:
    """The thin frame on a tile's back."""
    at, width = _middle(part, job), max(1.0, 0.018 * job.cell)
    wide, high = (0.385, 0.275) if round(job.turn) % 180 == 0 else (0.275, 0.385)
    stencil = Stencil(part.size, _over(job.cell))
    for inset, value in ((0.0, 255), (width, 0)):
        x, y = wide * job.cell - inset, high * job.cell - inset
        stencil.box(at - x, at - y, at + x, at + y, 0.05 * job.cell, value)
    return stencil.done()


def columns(
    text: str, tile: bool, turn: float, x: float, y: float, size: float
) -> list[tuple[str, float, float, float]]:
    """How Chinese text is set on a piece, as (text, x, y, size): in a row, or down a tile that stands on end."""
    if not tile:
        return [(text, x, y, size / max(1.0, 0.62 * len(text)))]
    high = size * 0.385 / GLYPH
    if round(turn) % 180 == 0:
        return [(text, x, y, high)]
    return [(char, x, y + (n - (len(text) - 1) / 2) * high, high) for n, char in enumerate(text)]


def _emblem(stencil: Stencil, at: float, reach: float, emblem: str) -> None:
    match emblem:
        case "square":
            stencil.box(at - 0.85 * reach, at - 0.85 * reach, at + 0.85 * reach, at + 0.85 * reach, 0.15 * reach)
        case "diamond":
            far = 1.2 * reach
            stencil.polygon([(at, at - far), (at + far, at), (at, at + far), (at - far, at)])
        case _:
            stencil.disc(at, at, reach)


def _image(part: Image.Image, job: Job, reach: float) -> None:
    """A theme's own picture, fitted into the disc; one without a seat is tinted with the seat's tone."""
    if job.face.image is None:
        return
    with Image.open(job.face.image, formats=["PNG"]) as file:
        picture = file.convert("RGBA")
    side = round(2 * reach * job.cell)
    picture = ImageOps.contain(picture, (side, side), Image.Resampling.LANCZOS)
    if job.face.tinted:
        tinted = ImageOps.colorize(picture.convert("L"), job.tone.glyph, job.tone.face[0])
        tinted.putalpha(picture.getchannel("A"))
        picture = tinted
    at = _middle(part, job)
    part.alpha_composite(picture, (round(at - picture.width / 2), round(at - picture.height / 2)))


def _count(part: Image.Image, job: Job, sans: FoundFont | None) -> None:
    """How many lie on one another, as a plate at the lower right."""
    cell, at = job.cell, _middle(part, job)
    high, wide = 0.15 * cell, (0.11 + 0.07 * len(job.plate)) * cell
    x, y = at + 0.47 * cell - wide, at + 0.34 * cell
    over = _over(cell)
    lay(part, "#FFFFFF", Stencil(part.size, over).box(x - wide, y - high, x + wide, y + high, high).done())
    rim = max(1.0, 0.02 * cell)
    inside = Stencil(part.size, over).box(x - wide + rim, y - high + rim, x + wide - rim, y + high - rim, high - rim)
    lay(part, "#17212A", inside.done())
    text = Stencil(part.size, over).text(job.plate, x, y, 0.22 * cell, sans, bold=0.015)
    lay(part, "#FFFFFF", text.done())
