"""The painter: pictures of one board at one size, in one theme, each made once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from PIL import Image

from qipan.catalogue import PieceLook
from qipan.fonts import FoundFont
from qipan.layout import Layout
from qipan.paint import board, marks, pieces
from qipan.pictures import Picture
from qipan.scene import PULSE, Layer, Path, Shape, Sprite
from qipan.theme import Theme, Tone
from qipan.values import HIDDEN

_EMBLEMS: Final[tuple[Literal["disc", "square", "diamond"], ...]] = ("disc", "square", "disc", "diamond")
_KEPT = 600  # pictures of one painter


class Drawn(NamedTuple):
    """A picture and where its top left corner lies: from the pixel of a sprite's place, or on the canvas for a path."""

    image: Image.Image
    dx: int
    dy: int


class Painter:
    """Paints a layout in a theme: ``seats`` by name, how their pieces look, fonts (None: letters), pictograms,
    numerals round the board.
    """

    def __init__(
        self,
        theme: Theme,
        layout: Layout,
        *,
        seats: Sequence[str],
        pieces: Mapping[str, PieceLook] | None = None,
        pictures: Mapping[str, Picture] | None = None,
        font: FoundFont | None = None,
        sans: FoundFont | None = None,
        pictograms: bool = False,
        numerals: bool = True,
    ) -> None:
        self.theme, self.layout, self.seats = theme, layout, tuple(seats)
        self.looks, self.pictures = pieces or {}, pictures or {}
        self.font, self.sans = font, sans
        self.pictograms = pictograms or theme.pictograms
        self.numerals = numerals
        self.tones: Mapping[str, Tone] = theme.tones(self.seats)
        self._kept: dict[tuple[object, ...], Drawn] = {}
        self._baked: Image.Image | None = None

    def with_layout(self, layout: Layout) -> Painter:
        """The same looks on another layout."""
        return Painter(
            self.theme,
            layout,
            seats=self.seats,
            pieces=self.looks,
            pictures=self.pictures,
            font=self.font,
            sans=self.sans,
            pictograms=self.pictograms,
            numerals=self.numerals,
        )

    def bake(self) -> Image.Image:
        """Tabletop, slab, lines and texts, RGB, of the layout's size (the painter's own: don't draw on it)."""
        if self._baked is None:
            self._baked = board.bake(self.theme, self.layout, self.font, self.sans, self.numerals)
        return self._baked

    def face(self, role: str) -> tuple[Tone, pieces.Face, PieceLook]:
        """The tone, face and look of a role "piece:{seat}_{kind}"."""
        name = role.partition(":")[2]
        seat = next((s for s in sorted(self.tones, key=len, reverse=True) if name.startswith(s + "_")), "nobody")
        kind = name.removeprefix(seat + "_")
        look = self.looks.get(kind)
        if look is None:  # a back is shaped like the game's other pieces
            tiles = kind == HIDDEN and any(other.shape == "tile" for other in self.looks.values())
            shape: Literal["tile", "disc"] = "tile" if tiles else "disc"
            look = PieceLook(letter="" if kind == HIDDEN else kind[:1].upper(), shape=shape)
        return self.tones[seat], self._face(seat, kind, look), look

    def _face(self, seat: str, kind: str, look: PieceLook) -> pieces.Face:
        """The first that there is: the seat's image, the kind's image tinted, the character, a pictogram, a letter."""
        sharp = self.layout.cell > 64
        if own := self.theme.image(f"{seat}_{kind}", sharp):
            return pieces.Face(image=own)
        if common := self.theme.image(kind, sharp):
            return pieces.Face(image=common, tinted=True)
        if kind == HIDDEN:
            number = self.seats.index(seat) if seat in self.seats else 0
            return pieces.Face(hidden=True, emblem=_EMBLEMS[number % 4])
        character, picture = look.character(seat), self.pictures.get(look.picture)
        if picture and self.pictograms:
            return pieces.Face(picture=picture)
        if character and character.isascii():
            return pieces.Face(text=character)
        if character and self.font and self.font.has(character):
            return pieces.Face(text=character, chinese=True)
        if picture:
            return pieces.Face(picture=picture)
        return pieces.Face(text=look.letter or (kind[:1].upper() if character else ""))

    def sprite(self, shape: Sprite, part: Literal["all", "body", "shadow"] = "all") -> Drawn:
        """The picture of a sprite, its offset from the (rounded) pixel of its place. ``part`` matters for pieces."""
        lifted = shape.layer is Layer.LIFTED
        key = (shape.role, shape.size, shape.turn, shape.text, shape.step, lifted, part)
        drawn = self._kept.get(key)
        if drawn is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            drawn = self._kept[key] = self._sprite(shape, part, lifted)
        return drawn

    def _sprite(self, shape: Sprite, part: str, lifted: bool) -> Drawn:
        cell = self.layout.cell * shape.size
        group, _, name = shape.role.partition(":")
        shift = board.shift(self.theme, self.layout.cell)
        if group == "piece":
            tone, face, look = self.face(shape.role)
            job = pieces.Job(tone, face, cell, look.shape, shape.step, lifted, shape.turn, shape.text, shift)
            body, shadow = pieces.piece(job, self.font, self.sans)
            image = {"body": body, "shadow": shadow}.get(part) or Image.alpha_composite(shadow, body)
        elif group == "mark":
            image = marks.mark(name, self.theme, cell, shift, self.layout.unit)
        elif group == "number":
            image = marks.number(name, self.theme, cell, shift, self.sans)
        elif group == "note":
            seat = next((s for s in sorted(self.tones, key=len, reverse=True) if name.startswith(s + "_")), "nobody")
            sans = self.sans if self.sans and self.sans.has(shape.text) else None
            image = marks.badge(shape.text, self.tones[seat], self.theme, cell, shift, sans)
        else:
            raise KeyError(shape.role)
        return Drawn(image, -image.width // 2, -image.height // 2)

    def path(self, shape: Path) -> Drawn:
        """The picture of a look-back line or a drawn arrow and its top left pixel on the canvas."""
        points = tuple(self.layout.place(x, y) for x, y in shape.points)
        key = (shape.role, points)
        if key not in self._kept:
            ink = self.theme.ink
            colours = (ink.cursor, ink.pale) if shape.role == "drawn" else (ink.pale, ink.casing)
            self._kept[key] = Drawn(*marks.arrow(points, *colours, self.layout.cell))
        return self._kept[key]

    def pulse(self, role: str, text: str = "", turn: float = 0.0) -> tuple[Drawn, ...]:
        """The eleven pictures of a lifted piece; over and over they are its pulse."""
        sprite = Sprite(Layer.LIFTED, "pulse", role, 0, 0, turn=turn, text=text)
        return tuple(self.sprite(sprite._replace(step=step)) for step in range(PULSE))

    def icon(self, role: str, size: int) -> Image.Image:
        """One piece alone, RGBA, size x size pixels: for name plates and captured pieces."""
        tone, face, look = self.face(role)
        large = max(size, 48)  # drawn with its rings, then made small
        body, _ = pieces.piece(pieces.Job(tone, face, large, look.shape), self.font, self.sans)
        middle = body.width / 2
        half = round(large * 0.5)
        cut = body.crop((round(middle - half), round(middle - half), round(middle + half), round(middle + half)))
        return cut if cut.width == size else cut.resize((size, size), Image.Resampling.LANCZOS)

    def picture(self, shapes: Iterable[Shape]) -> Image.Image:
        """The board with shapes on it, RGB: exported pictures, cards, previews."""
        canvas = self.bake().convert("RGBA")
        for shape in sorted(shapes, key=lambda shape: shape.layer):
            if isinstance(shape, Sprite):
                drawn = self.sprite(shape)
                x, y = self.layout.place(shape.x, shape.y)
                _over(canvas, drawn.image, round(x) + drawn.dx, round(y) + drawn.dy)
            elif isinstance(shape, Path):
                drawn = self.path(shape)
                _over(canvas, drawn.image, drawn.dx, drawn.dy)
        return canvas.convert("RGB")


def _over(canvas: Image.Image, image: Image.Image, x: int, y: int) -> None:
    """Lays a picture on another, also where it lies partly outside."""
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(image.width, canvas.width - x), min(image.height, canvas.height - y)
    if left < right and top < bottom:
        canvas.alpha_composite(image.crop((left, top, right, bottom)), (x + left, y + top))
