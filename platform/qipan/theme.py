"""A theme as data: theme.toml with tones, textures and line widths, and at most pictures and a font beside it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from PIL import Image

from qipan.catalogue import Names
from qipan.toml_file import read_toml
from qipan.values import Fault

Colour: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^#[0-9A-Fa-f]{6}$")]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Width: TypeAlias = Annotated[float, msgspec.Meta(gt=0, le=0.5)]  # in cells
Texture: TypeAlias = Literal["none", "paper", "linen", "wood"]

TOML_LIMIT = 1 << 18
FILE_LIMIT = 4 << 20  # bytes of a picture
FONT_LIMIT = 64 << 20
PIXEL_LIMIT = 1024  # of a picture's side


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tabletop under the slab."""

    colour: Colour
    texture: Texture = "none"
    strength: Share = 0.5
    vignette: Share = 0.22


class Slab(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board: a gradient from the top left to the bottom right, its texture, frame and squares."""

    light: Colour
    dark: Colour
    texture: Texture = "none"
    strength: Share = 0.5
    frame: Width = 0.05  # of the heavy line round the lattice
    cell_light: Colour = "#F3E9CF"
    cell_mid: Colour = "#DCC9A0"
    cell_dark: Colour = "#C4AD7F"


class LineLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a kind of line is drawn: its width in cells, over a bed where it has one, dashed where it says so."""

    width: Width = 0.026
    colour: Colour | None = None  # None: the theme's line
    bed: Share = 0.0
    bed_colour: Colour = "#171B13"
    dash: tuple[Width, Width] | None = None


class Ink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of lines, texts and marks."""

    line: Colour
    numeral: Colour
    target: Colour
    last: Colour
    check: Colour
    cursor: Colour
    river: Share = 0.5  # how much of the line colour a river text has
    pale: Colour = "#FFFFFF"  # rims of marks and the look-back lines
    casing: Colour = "#2B2722"  # round the look-back lines


class Tone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The material of a seat's pieces: rim and face from light to dark, rings, character, edge."""

    rim: tuple[Colour, Colour]
    face: tuple[Colour, Colour]
    ring: Colour
    glyph: Colour
    edge: Colour
    rings: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    octagon: bool = False
    flat: bool = False
    carved: bool = False
    gloss: bool = False


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """theme.toml as written."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
    name: Names
    blurb: Names
    table: Table
    board: Slab
    ink: Ink
    seats: dict[str, Tone]
    order: tuple[str, ...]
    lines: dict[str, LineLook] = {}  # (msgspec copies a default for each instance)
    regions: dict[str, Share] = {}  # how much of the line colour a named area is tinted with; others are not
    images: dict[str, str] = {}  # by role
    font: str = ""
    pictograms: bool = False


class Theme(_File, frozen=True, forbid_unknown_fields=True):
    """A checked theme: what theme.toml says, and the folder it may take pictures and a font from."""

    folder: Path = Path()

    def line(self, kind: str) -> LineLook:
        """The look of a kind of line; one the theme doesn't name is drawn as "line"."""
        return self.lines.get(kind) or self.lines.get("line") or LineLook()

    def tones(self, seats: Sequence[str]) -> dict[str, Tone]:
        """A tone for each seat, no two the same up to as many as the theme has, and for "nobody".

        A seat has the tone of its own name where the theme has one, else the first of ``order`` not yet taken.
        """
        found = {seat: self.seats[seat] for seat in seats if seat in self.seats}
        spare = [name for name in (*self.order, *self.seats) if name not in found and name != "nobody"]
        for number, seat in enumerate(seat for seat in seats if seat not in found):
            names = spare or list(self.order)
            found[seat] = self.seats[names[number % len(names)]]
        found["nobody"] = self.seats["nobody"]
        return found

    def image(self, role: str, sharp: bool = False) -> Path | None:
        """The picture file of a piece role ("red_horse" or "horse"), the "@2x" one where ``sharp`` and there is one."""
        name = self.images.get(role)
        if name is None:
            return None
        twice = self.folder / (name.removesuffix(".png") + "@2x.png")
        return twice if sharp and twice.is_file() else self.folder / name

    @property
    def font_file(self) -> Path | None:
        """The theme's own font for pieces."""
        return self.folder / self.font if self.font else None


def load(folder: Path) -> Theme:
    """The theme in a folder. Raises Fault naming the file and the place that is wrong."""
    raw = read_toml(folder / "theme.toml", TOML_LIMIT, _File)
    for name in raw.order:
        if name not in raw.seats:
            raise Fault("theme.toml: order: {0} is not among the seats", repr(name))
    if not raw.order or "nobody" not in raw.seats:
        raise Fault("theme.toml: seats: needs an order and a tone for 'nobody'")
    for role, name in raw.images.items():
        _picture(folder, f"images.{role}", name)
        twice = name.removesuffix(".png") + "@2x.png"
        if (folder / twice).exists() or (folder / twice).is_symlink():
            _picture(folder, f"images.{role}", twice)
    if raw.font:
        _font(_inside(folder, "font", raw.font, (".ttf", ".otf", ".ttc"), FONT_LIMIT))
    return Theme(**{name: getattr(raw, name) for name in raw.__struct_fields__}, folder=folder)


def find(folders: Iterable[Path]) -> dict[str, Theme | Fault]:
    """Every theme in the folders by id, an earlier folder's first; a broken one is its Fault by its folder's name."""
    found: dict[str, Theme | Fault] = {}
    children: list[Path] = []
    for folder in folders:
        with contextlib.suppress(OSError):  # it isn't there, or can't be read
            children += sorted(folder.iterdir())
    for child in children:
        if os.path.isfile(child / "theme.toml"):  # a Path's own raises where the folder can't be read
            try:
                theme = load(child)
                found.setdefault(theme.id, theme)
            except Fault as fault:
                found.setdefault(child.name, fault)
    return found


def _inside(folder: Path, place: str, name: str, suffixes: tuple[str, ...], limit: int) -> Path:
    """The file of a plain name in the theme's own folder. Raises Fault for any other name, a link out, a large file."""
    if not re.fullmatch(r"[A-Za-z0-9_@][A-Za-z0-9_@.-]*", name) or not name.endswith(suffixes):
        said = "theme.toml: {0}: {1} is not the plain name of a {2} file"
        raise Fault(said, place, repr(name), " or ".join(suffixes))
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        raise Fault("theme.toml: {0}: {1} leads out of the theme's folder", place, repr(name))
    try:
        size = file.stat().st_size
    except OSError as fault:
        raise Fault("theme.toml: {0}: {1}: {2}", place, repr(name), str(fault.strerror)) from fault
    if not file.is_file() or size > limit:
        raise Fault("theme.toml: {0}: {1} is no file of at most {2} bytes", place, repr(name), limit)
    return file


def _picture(folder: Path, place: str, name: str) -> None:
    file = _inside(folder, place, name, (".png",), FILE_LIMIT)
    try:
        with Image.open(file, formats=["PNG"]) as picture:  # reads the header alone
            width, height = picture.size
            if max(width, height) <= PIXEL_LIMIT:
                picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as fault:
        raise Fault("theme.toml: {0}: {1} is not a PNG picture", place, repr(name)) from fault
    if max(width, height) > PIXEL_LIMIT:
        said = "theme.toml: {0}: {1} is {2} x {3} pixels, more than {4} a side"
        raise Fault(said, place, repr(name), width, height, PIXEL_LIMIT)


def _font(file: Path) -> None:
    from PIL import ImageFont  # only here: most themes have no font, and listing themes is to be quick

    try:
        ImageFont.truetype(file, 16)
    except (OSError, ValueError) as fault:
        raise Fault("theme.toml: font: {0} is not a font", repr(file.name)) from fault


# -- contrast ----------------------------------------------------------------------------------------------------
def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1 (WCAG 2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def contrast_faults(theme: Theme, seats: Sequence[str] = ("red", "black")) -> list[str]:
    """What is too faint in a theme, each by name: characters under 4.5 on their face, lines and marks under 3 on the
    board, two seats that neither luminance (1.5) nor rings nor shape tell apart.
    """
    found = []

    def bar(name: str, ratio: float, least: float) -> None:
        if ratio < least:
            found.append(f"{name}: contrast {ratio:.1f}, needs {least}")

    grounds = (theme.board.light, theme.board.dark)
    for name in ("line", "numeral", "target", "last", "check", "cursor"):
        bar(f"ink.{name} on the board", min(contrast(getattr(theme.ink, name), ground) for ground in grounds), 3.0)
    for seat, tone in theme.seats.items():
        bar(f"seats.{seat}: glyph on face", min(contrast(tone.glyph, face) for face in tone.face), 4.5)
    tones: Mapping[str, Tone] = theme.tones(seats)
    for number, seat in enumerate(seats):
        for other in seats[number + 1 :]:
            a, b = tones[seat], tones[other]
            if (a.rings, a.octagon) != (b.rings, b.octagon):
                continue
            apart = max(contrast(a.face[0], b.face[0]), contrast(a.glyph, b.glyph))
            bar(f"seats.{seat} and seats.{other} apart", apart, 1.5)
    return found
