"""Anti-aliased shapes: stencils drawn larger and reduced, gradients, soft shadows, and laying a colour through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter, ImageFont

from qipan.fonts import FoundFont
from qipan.pictures import BOX, Picture

Place = tuple[float, float]
RGB = tuple[int, int, int]


def rgb(colour: str) -> RGB:
    """The three parts of "#RRGGBB"."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def mixed(one: str, other: str, share: float) -> str:
    """A colour ``share`` of the way from one to another."""
    parts = (round(a + (b - a) * share) for a, b in zip(rgb(one), rgb(other), strict=True))
    return "#{:02X}{:02X}{:02X}".format(*parts)


class Stencil:
    """A mask of width x height pixels that shapes are drawn into ``over`` times as large; `done` gives it reduced.

    All places and widths are in pixels; (0, 0) is the top left corner of the top left pixel.
    """

    def __init__(self, size: tuple[int, int], over: int = 6) -> None:
        self.size, self.over = size, over
        self._image = Image.new("L", (size[0] * over, size[1] * over))
        self._draw = ImageDraw.Draw(self._image)

    def done(self) -> Image.Image:
        """The finished mask."""
        return self._image.reduce(self.over) if self.over > 1 else self._image

    def disc(self, x: float, y: float, radius: float, value: int = 255) -> Stencil:
        """A filled circle."""
        k = self.over
        edges = (round(side * k) for side in (x - radius, y - radius, x + radius, y + radius))
        left, top, right, bottom = edges
        self._draw.ellipse((left, top, right - 1, bottom - 1), fill=value)
        return self

    def ring(self, x: float, y: float, radius: float, width: float) -> Stencil:
        """A circle line, ``radius`` to its middle."""
        return self.disc(x, y, radius + width / 2).disc(x, y, radius - width / 2, 0)

    def arcs(self, x: float, y: float, radius: float, width: float, spans: Sequence[tuple[float, float]]) -> Stencil:
        """Parts of a circle line, each from one angle (degrees clockwise from the right) to another."""
        k, outer = self.over, radius + width / 2
        box = ((x - outer) * k, (y - outer) * k, (x + outer) * k - 1, (y + outer) * k - 1)
        for start, end in spans:
            self._draw.arc(box, start, end, fill=255, width=round(width * k))
        return self

    def polygon(self, points: Sequence[Place], value: int = 255) -> Stencil:
        """A filled polygon."""
        k = self.over
        self._draw.polygon([(x * k - 0.5, y * k - 0.5) for x, y in points], fill=value)
        return self

    def box(self, left: float, top: float, right: float, bottom: float, radius: float = 0, value: int = 255) -> Stencil:
        """A filled rectangle, rounded by ``radius``."""
        k = self.over
        edges = (round(left * k), round(top * k), round(right * k) - 1, round(bottom * k) - 1)
        if edges[2] >= edges[0] and edges[3] >= edges[1]:
            self._draw.rounded_rectangle(edges, round(radius * k), fill=value)
        return self

    def line(self, points: Sequence[Place], width: float, *, square: bool = False, value: int = 255) -> Stencil:
        """A line with round joints and round ends, or square ends half a width beyond its points."""
        k, half = self.over, width / 2
        for (ax, ay), (bx, by) in pairwise(points):
            length = math.hypot(bx - ax, by - ay)
            if length == 0:
                continue
            ux, uy = (bx - ax) / length * half, (by - ay) / length * half
            if square:
                ax, ay, bx, by = ax - ux, ay - uy, bx + ux, by + uy
            quad = ((ax - uy, ay + ux), (bx - uy, by + ux), (bx + uy, by - ux), (ax + uy, ay - ux))
            self._draw.polygon([(round(x * k) - 0.5, round(y * k) - 0.5) for x, y in quad], fill=value)
        for x, y in points[1:-1] if square else points:
            self.disc(x, y, half, value)
        return self

    def picture(self, picture: Picture, x: float, y: float, size: float) -> Stencil:
        """A pictogram centred on (x, y), its box ``size`` pixels a side."""
        shape, k = Image.new("L", self._image.size), self.over
        for outline in picture.outlines:
            part = Image.new("L", self._image.size)
            scale = size * k / BOX
            points = [((px - BOX / 2) * scale + x * k, (py - BOX / 2) * scale + y * k) for px, py in outline]
            ImageDraw.Draw(part).polygon(points, fill=255)
            shape = ImageChops.difference(shape, part)
        self._image.paste(255, mask=shape)
        return self

    def text(
        self, text: str, x: float, y: float, size: float, font: FoundFont | None, *, bold: float = 0.0, em: bool = False
    ) -> Stencil:
        """A text centred on (x, y): by its em box (Chinese) where ``em``, else by the ink's height."""
        k = self.over
        face = letter_font(font, max(4, round(size * k)))
        stroke = round(bold * size * k)
        if em:  # the baseline on a whole pixel: the font's own hints then make its level strokes crisp
            at = (x * k, float(round((y + 0.372 * size) * k)))
            self._draw.text(at, text, fill=255, font=face, anchor="ms", stroke_width=stroke)
            return self
        left, top, right, bottom = face.getbbox(text, anchor="ls")
        at = (x * k - (left + right) / 2, y * k - (top + bottom) / 2)
        self._draw.text(at, text, fill=255, font=face, anchor="ls", stroke_width=stroke)
        return self


def letter_font(font: FoundFont | None, size: int) -> ImageFont.FreeTypeFont:
    """A found font at a size, or the one that Pillow carries (Latin letters and digits)."""
    face = font.at(size) if font else ImageFont.load_default(size)
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise OSError("Pillow was built without FreeType: no letters can be drawn")
    return face


def _ramp() -> Image.Image:
    """0 above, then 0 to 255 over 256 rows, then 255: a gradient that can be read beyond its ends."""
    ramp = Image.new("L", (4, 2304), 255)
    ramp.paste(0, (0, 0, 4, 1024))
    ramp.paste(Image.linear_gradient("L").crop((0, 0, 4, 256)), (0, 1024))
    return ramp


def linear(size: tuple[int, int], start: Place, end: Place) -> Image.Image:
    """A mask that runs from 0 at one place to 255 at another."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    scale = 255 / (dx * dx + dy * dy)
    shift = 1024.5 - (start[0] * dx + start[1] * dy) * scale
    data = (0.0, 0.0, 2.0, dx * scale, dy * scale, shift)
    return _ramp().transform(size, Image.Transform.AFFINE, data, Image.Resampling.BILINEAR)


def radial(size: tuple[int, int], centre: Place, radius: float) -> Image.Image:
    """A mask that runs from 0 at a place to 255 at a distance."""
    scale = 127.0 / radius
    data = (scale, 0.0, 128 - centre[0] * scale, 0.0, scale, 128 - centre[1] * scale)
    return Image.radial_gradient("L").transform(
        size, Image.Transform.AFFINE, data, Image.Resampling.BILINEAR, fillcolor=255
    )


def blended(size: tuple[int, int], light: str, dark: str, mask: Image.Image) -> Image.Image:
    """Two colours, the second where the mask is 255."""
    return Image.composite(Image.new("RGB", size, rgb(dark)), Image.new("RGB", size, rgb(light)), mask)


def faded(mask: Image.Image, share: float) -> Image.Image:
    """A mask at a share of its strength."""
    return mask if share >= 1 else mask.point([round(value * share) for value in range(256)])


def lay(picture: Image.Image, paint: str | Image.Image, mask: Image.Image, share: float = 1.0) -> None:
    """Lays a colour, or a picture of the same size, over an RGBA picture through a mask."""
    layer = Image.new("RGB", picture.size, rgb(paint)) if isinstance(paint, str) else paint.convert("RGB")
    layer.putalpha(faded(mask, share))
    picture.alpha_composite(layer)


def soft(mask: Image.Image, sigma: float, offset: Place = (0, 0)) -> Image.Image:
    """A mask moved by whole pixels and blurred: a shadow. Wide blurs are made at a quarter of the size."""
    moved = ImageChops.offset(mask, round(offset[0]), round(offset[1])) if any(offset) else mask
    if sigma < 6:
        return moved.filter(ImageFilter.GaussianBlur(sigma))
    small = moved.reduce(4).filter(ImageFilter.GaussianBlur(sigma / 4))
    return small.resize(mask.size, Image.Resampling.BILINEAR)
