"""The board as one picture: tabletop, slab, areas, lines and texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from PIL import Image, ImageChops

from qipan.fonts import FoundFont
from qipan.layout import Box, Layout
from qipan.paint.brush import Place, Stencil, blended, faded, lay, linear, rgb, soft
from qipan.paint.textures import covered, grain
from qipan.scene import Disc, Path, Text, ground
from qipan.theme import LineLook, Theme

SPREAD = 2.14  # widths of a river's character from one to the next


def bake(
    theme: Theme, layout: Layout, font: FoundFont | None, sans: FoundFont | None, numerals: bool = True
) -> Image.Image:
    """Everything that lies still, as one RGB picture of the layout's size; ``numerals``: as `ground` has it."""
    picture = _tabletop(theme, layout)
    _slab(picture, theme, layout)
    _shapes(picture, theme, layout, font, sans, numerals)
    return picture


def line_width(look: LineLook, cell: int) -> int:
    """The pixels of a line: whole, so that the lattice is crisp."""
    return max(1, round(look.width * cell))


def shift(theme: Theme, cell: int) -> float:
    """Where the middle of a lattice line lies in its pixel: 0 for an even width, .5 for an odd one."""
    return line_width(theme.line("line"), cell) % 2 / 2


def is_round(layout: Layout) -> bool:
    """True for a board whose sites leave the corners of its bounds empty: its slab is a disc."""
    board = layout.board
    left, top, right, bottom = board.bounds
    x, y = (left + right) / 2, (top + bottom) / 2
    reach = max(math.dist((site.x, site.y), (x, y)) for site in board.sites)
    return not board.cells and len(board.sites) > 4 and reach <= max(right - left, bottom - top) / 2 * 1.03


def _tabletop(theme: Theme, layout: Layout) -> Image.Image:
    table, size = theme.table, layout.size
    picture = Image.new("RGB", size, rgb(table.colour))
    texture = grain(table.texture)
    if texture:
        tile = faded(texture.tile, table.strength)
        picture.paste(rgb(texture.colour), mask=covered(tile, size, max(1.0, layout.unit)))
    if table.vignette:
        curve = [round(255 * table.vignette * max(0.0, value / 255 - 0.25) / 0.75) for value in range(256)]
        dark = Image.radial_gradient("L").resize((128, 128), Image.Resampling.BILINEAR, box=(28, 34, 228, 234))
        picture.paste((0, 0, 0), mask=dark.point(curve).resize(size, Image.Resampling.BICUBIC))
    return picture


def _outline(layout: Layout, box: tuple[int, int, int, int], inset: float = 0.0) -> Image.Image:
    """The mask of the slab (inset by so many pixels) in a picture that is the slab's own box."""
    width, height = box[2] - box[0], box[3] - box[1]
    if is_round(layout):
        side = max(width, height)
        return Stencil((width, height), 3).disc(width / 2, height / 2, side / 2 - inset).done()
    radius = max(0.0, 7 * layout.unit - inset)
    corner = math.ceil(radius) + 2
    mask = Image.new("L", (width, height), 255 if inset == 0 else 0)
    if inset:
        edge = math.ceil(inset)
        mask.paste(255, (edge, edge, width - edge, height - edge))
    # Only the corners need fine drawing: they are cut from a small rounded square.
    small = (
        Stencil((2 * corner, 2 * corner), 8).box(inset, inset, 2 * corner - inset, 2 * corner - inset, radius).done()
    )
    for x, from_x in ((0, 0), (width - corner, corner)):
        for y, from_y in ((0, 0), (height - corner, corner)):
            mask.paste(small.crop((from_x, from_y, from_x + corner, from_y + corner)), (x, y))
    return mask


def slab_box(layout: Layout) -> tuple[int, int, int, int]:
    """The whole pixels the slab takes: left, top, right, bottom."""
    slab: Box = layout.slab
    if is_round(layout):
        x, y = (slab.left + slab.right) / 2, (slab.top + slab.bottom) / 2
        half = max(slab.right - slab.left, slab.bottom - slab.top) / 2
        slab = Box(x - half, y - half, x + half, y + half)
    return math.floor(slab.left), math.floor(slab.top), math.ceil(slab.right), math.ceil(slab.bottom)


def _slab(picture: Image.Image, theme: Theme, layout: Layout) -> None:
    box, unit, look = slab_box(layout), layout.unit, theme.board
    size = (box[2] - box[0], box[3] - box[1])
    mask = _outline(layout, box)
    pad = math.ceil(44 * unit)
    cast = Image.new("L", (size[0] + 2 * pad, size[1] + 2 * pad))
    cast.paste(mask, (pad, pad))
    far, near = (ImageChops.offset(cast, 0, round(drop * unit)) for drop in (8, 2))
    shadow = ImageChops.lighter(faded(soft(far, 14 * unit), 0.38), faded(soft(near, 1.6 * unit), 0.5))
    picture.paste((0, 0, 0), (box[0] - pad, box[1] - pad), shadow)
    start, end = (0.3 * size[0], 0.0), (0.6 * size[0], float(size[1]))
    slab = blended(size, look.light, look.dark, linear(size, start, end))
    texture = grain(look.texture)
    if texture:
        slab.paste(rgb(texture.colour), mask=covered(faded(texture.tile, look.strength), size, max(1.0, unit)))
    rim = ImageChops.subtract(mask, _outline(layout, box, 1.5 * unit))
    band = size[0] if is_round(layout) else min(size[0], math.ceil(9 * unit))
    edges = [(0, 0, band, size[1]), (band, 0, size[0], band), (size[0] - band, band, *size)]
    foot = (0, size[1] - math.ceil(3 * unit), *size)
    for colour, share, parts in (("#FFFFFF", 0.34, edges), ("#000000", 0.36, [foot])):
        for part in parts:
            if part[0] < part[2] and part[1] < part[3]:
                slab.paste(rgb(colour), part[:2], faded(rim.crop(part), share))
    picture.paste(slab, box[:2], mask)


# -- lines, areas and texts --------------------------------------------------------------------------------------
class _Ground:
    """Draws the board's shapes into one picture: shapes of one colour that follow each other share a stencil."""

    def __init__(self, picture: Image.Image, theme: Theme, layout: Layout) -> None:
        self.picture, self.theme, self.layout = picture, theme, layout
        box = slab_box(layout)
        self.left, self.top = max(0, box[0]), max(0, box[1])
        self.size = (
            max(1, min(layout.width, box[2]) - self.left), max(1, min(layout.height, box[3]) - self.top),
        )  # fmt: skip
        self._over = 4 if self.size[0] * self.size[1] < 1_500_000 else 2
        self._colour, self._share = "", 1.0
        self._stencil: Stencil | None = None

    def stencil(self, colour: str, share: float = 1.0) -> Stencil:
        """The stencil of a colour; a change of colour lays the one before."""
        if self._stencil is None or (colour, share) != (self._colour, self._share):
            self.lay()
            self._stencil, self._colour, self._share = Stencil(self.size, self._over), colour, share
        return self._stencil

    def lay(self) -> None:
        """Lays what has been drawn."""
        if self._stencil is not None:
            mask = faded(self._stencil.done(), self._share)
            self.picture.paste(rgb(self._colour), (self.left, self.top), mask)
            self._stencil = None

    def place(self, x: float, y: float) -> Place:
        """A place in cells as a pixel of the stencil."""
        px, py = self.layout.place(x, y)
        return px - self.left, py - self.top

    def path(self, shape: Path) -> None:
        """One line or area."""
        points = [self.place(x, y) for x, y in shape.points]
        role, theme, cell = shape.role, self.theme, self.layout.cell
        if role.startswith("cell:"):
            self.stencil(getattr(theme.board, "cell_" + role[5:])).polygon(points)
            return
        if role.startswith("region:"):
            if share := theme.regions.get(role[7:], 0.0):
                self.stencil(theme.ink.line, share).polygon(points)
            return
        look = theme.line(role)
        width = max(2, round(theme.board.frame * cell)) if role == "frame" else line_width(look, cell)
        if role in ("frame", "cross"):
            points = [(round(x), round(y)) for x, y in points]
        points = [(x + width % 2 / 2, y + width % 2 / 2) for x, y in points]
        run = [*points, points[0]] if shape.closed else points
        colour = look.colour or theme.ink.line
        if look.bed:
            self.stencil(look.bed_colour).line(run, look.bed * cell)
        if look.dash:
            for dash in _dashes(run, look.dash[0] * cell, look.dash[1] * cell):
                self.stencil(colour).line(dash, width)
        else:
            # A line thinner than its whole pixels is as much paler: the weight stays even at every size.
            weight = min(1.0, look.width * cell / width) if role != "frame" else 1.0
            self.stencil(colour).line(run, width, square=True, value=round(255 * weight))


def _dashes(run: Sequence[Place], dash: float, gap: float) -> Iterator[list[Place]]:
    """The dashes of each straight piece, fitted so that its ends fall on gaps."""
    for (ax, ay), (bx, by) in pairwise(run):
        length = math.hypot(bx - ax, by - ay)
        count = max(1, round(length / (dash + gap)))
        for number in range(count):
            start, end = (number + gap / 2 / (dash + gap)) / count, (number + 1 - gap / 2 / (dash + gap)) / count
            yield [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in (start, end)]


def _shapes(
    picture: Image.Image, theme: Theme, layout: Layout, font: FoundFont | None, sans: FoundFont | None, numerals: bool
) -> None:
    lines = _Ground(picture, theme, layout)
    texts: list[Text] = []
    shapes = ground(layout.board, numerals)
    # Squares of one tone, then those of the other: as few stencils as there are tones.
    order = {"cell:light": 0, "cell:mid": 1, "cell:dark": 2}
    for shape in sorted(shapes, key=lambda shape: order.get(shape.role, -1 if shape.role.startswith("region") else 3)):
        if isinstance(shape, Path):
            lines.path(shape)
        elif isinstance(shape, Disc):
            x, y = lines.place(shape.x, shape.y)
            middle = shift(theme, layout.cell)
            lines.stencil(theme.ink.line).disc(x + middle, y + middle, shape.radius * layout.cell)
        elif isinstance(shape, Text):
            texts.append(shape)
    lines.lay()
    for text in texts:
        _text(picture, theme, layout, text, font, sans)


def _text(
    picture: Image.Image, theme: Theme, layout: Layout, text: Text, font: FoundFont | None, sans: FoundFont | None
) -> None:
    x, y = layout.place(text.x, text.y)
    size = max(11 * layout.unit, text.size * layout.cell)
    river = text.role == "river"
    face = font if river else sans or font
    if face is None and not text.text.isascii():
        return  # Pillow's own letters have no Chinese: the board is plain rather than boxed
    runs = [(text.text, x)]
    if river:
        gap = SPREAD * size
        runs = [(char, x + (n - (len(text.text) - 1) / 2) * gap) for n, char in enumerate(text.text)]
    for chars, middle in runs:
        wide, high = math.ceil(size * (len(chars) + 1)), math.ceil(size * 1.6)
        left, top = math.floor(middle - wide / 2), math.floor(y - high / 2)
        stencil = Stencil((wide, high), 1).text(chars, middle - left, y - top, size, face, em=face is not None)
        colour = theme.ink.line if river else theme.ink.numeral
        layer = Image.new("RGBA", (wide, high), (0, 0, 0, 0))
        lay(layer, colour, stencil.done(), theme.ink.river if river else 1.0)
        picture.paste(layer, (left, top), layer)
