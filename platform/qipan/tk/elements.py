"""The parts of the widgets as nine-slice pictures: one description each, drawn by Pillow for a mode and a scale."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image, ImageDraw

from qipan.tk.tokens import Tokens

_OVER = 4


class Box(NamedTuple):
    """A rounded rectangle: colours are token expressions, "" for none; lengths in pixels at 1x."""

    fill: str = ""
    line: str = ""
    width: float = 1
    ring: bool = False  # the keyboard's focus: an accent line of 2 at the edge, a gap of 2, then the box
    knob: str = ""  # a switch: the colour of its disc
    on: bool = False  # the switch's disc lies at the right


class Element(NamedTuple):
    """A ttk element: its least size, its corner radius, and its box in each state (the first fitting one counts)."""

    size: tuple[int, int]
    radius: float
    normal: Box
    states: tuple[tuple[str, Box], ...] = ()
    made: tuple[int, int] = (160, 0)  # the size of its picture (0: the least): Tk draws a stretched part tile by tile


def _button(normal: Box, hover: Box, pressed: Box, disabled: Box, **more: Box) -> tuple[tuple[str, Box], ...]:
    chosen = list(more.items())
    focused = [(f"{state} focus", box._replace(ring=True)) for state, box in chosen]
    return (
        ("disabled", disabled),
        *focused,
        *chosen,
        ("pressed focus", pressed._replace(ring=True)),
        ("focus", normal._replace(ring=True)),
        ("pressed", pressed),
        ("active", hover),
    )


_OFF = Box(line="line")
_PLAIN, _FLAT = Box("raised", "line"), Box()
_SOLID, _SOLID_HOVER = Box("accent"), Box("accent_hover")
_RED, _RED_HOVER = Box("raised", "red"), Box("red_soft", "red")
_OPTION = _button(_FLAT, Box("raised+6"), Box("raised+12"), _FLAT, selected=Box("accent_soft"))

ELEMENTS: dict[str, Element] = {
    "Button": Element((24, 36), 6, _PLAIN, _button(_PLAIN, Box("raised+6", "line"), Box("raised+12", "line"), _OFF)),
    "Small": Element((24, 32), 6, _PLAIN, _button(_PLAIN, Box("raised+6", "line"), Box("raised+12", "line"), _OFF)),
    "Primary": Element((24, 44), 6, _SOLID, _button(_SOLID, _SOLID_HOVER, _SOLID_HOVER, _OFF)),
    "Accent": Element((24, 36), 6, _SOLID, _button(_SOLID, _SOLID_HOVER, _SOLID_HOVER, _OFF)),
    "Large": Element((24, 44), 6, _PLAIN, _button(_PLAIN, Box("raised+6", "line"), Box("raised+12", "line"), _OFF)),
    "Danger": Element((24, 36), 6, _RED, _button(_RED, _RED_HOVER, _RED_HOVER, _OFF)),
    "SmallDanger": Element((24, 32), 6, _RED, _button(_RED, _RED_HOVER, _RED_HOVER, _OFF)),
    "LargeDanger": Element((24, 44), 6, _RED, _button(_RED, _RED_HOVER, _RED_HOVER, _OFF)),
    "Tool": Element(
        (36, 36), 6, _FLAT, _button(_FLAT, Box("surface+6"), Box("accent_soft"), _FLAT, selected=Box("accent_soft")),
        (0, 0),
    ),
    "Option": Element((24, 32), 4, _FLAT, _OPTION),
    "Chip": Element(
        (30, 28), 14, _PLAIN,
        _button(_PLAIN, Box("raised+6", "line"), Box("raised+12", "line"), _OFF, selected=_SOLID),
    ),
    "Clear": Element((24, 24), 4, _FLAT, _button(_FLAT, Box("raised+6"), Box("raised+12"), _FLAT), (0, 0)),
    "Segment": Element(
        (20, 30), 5, _FLAT, _button(_FLAT, Box("raised+6"), Box("raised+12"), _FLAT, selected=_SOLID)
    ),
    "Field": Element(
        (24, 36), 6, Box("raised", "control"),
        (("disabled", _OFF), ("invalid", Box("raised", "red", 2)), ("focus", Box("raised", "accent", 2))),
    ),
    "Group": Element((20, 34), 6, Box("raised", "line"), made=(160, 0)),
    "Card": Element((28, 28), 10, Box("raised", "line"), made=(320, 76)),
    "Fault": Element((20, 20), 6, Box("red_soft"), made=(320, 60)),
    "Note": Element((20, 20), 6, Box("accent_soft"), made=(320, 60)),
    "Tag": Element((12, 20), 4, Box("raised", "line"), made=(80, 0)),
    "Tip": Element((12, 12), 4, Box("ink"), made=(120, 24)),
    "Switch": Element(
        (36, 20), 10, Box("raised", "control", knob="control"),
        (
            ("disabled selected", Box("", "control", knob="control", on=True)),
            ("disabled", Box("", "line", knob="line")),
            ("selected focus", Box("accent", knob="on_accent", on=True, ring=True)),
            ("selected active", Box("accent_hover", knob="on_accent", on=True)),
            ("selected", Box("accent", knob="on_accent", on=True)),
            ("focus", Box("raised", "control", knob="control", ring=True)),
            ("active", Box("raised+12", "control", knob="control")),
        ),
        (0, 0),
    ),
    "Trough": Element((16, 4), 2, Box("control"), made=(200, 0)),
    "Thumb": Element(
        (16, 16), 8, Box("accent"),
        (("disabled", Box("control")), ("focus", Box("accent", ring=True)), ("active", Box("accent_hover"))),
        (0, 0),
    ),
    "Grip": Element((8, 24), 3, Box("line"), (("pressed", Box("control")), ("active", Box("control"))), (0, 160)),
}  # fmt: skip


def box_image(tokens: Tokens, width: int, height: int, radius: float, box: Box, scale: float = 1) -> Image.Image:
    """A box as an RGBA image of exactly that size; ``radius`` and the box's lengths are multiplied by ``scale``."""
    over = _OVER * scale
    image = Image.new("RGBA", (width, height))
    inset = 0.0
    if box.ring:
        _lay(image, tokens.accent, 0, radius * over)
        _lay(image, "", 2 * over, (radius - 2) * over)
        inset = 4 * over
    inner = max(0.0, radius * over - inset)
    if box.line:
        _lay(image, tokens.colour(box.line), inset, inner)
        _lay(image, tokens.colour(box.fill) if box.fill else "", inset + box.width * over, inner - box.width * over)
    elif box.fill:
        _lay(image, tokens.colour(box.fill), inset, inner)
    if box.knob:
        _knob(image, tokens.colour(box.knob), box, over)
    return image


def stretched(picture: Image.Image, width: int, height: int) -> Image.Image:
    """The picture made wider and taller in its middle, its edges as they are."""
    for side, length in ((0, width), (1, height)):
        old = picture.size[side]
        if length <= old:
            continue
        half = old // 2
        size = (length, picture.height) if side == 0 else (picture.width, length)
        wide = Image.new("RGBA", size)
        lines = [(half, half + 1), (0, half), (half, old)]
        places = [(half, length - old + half), (0, half), (length - old + half, length)]
        for (a, b), (x, y) in zip(lines, places, strict=True):
            box = (a, 0, b, picture.height) if side == 0 else (0, a, picture.width, b)
            part = picture.crop(box)
            wide.paste(
                part.resize((y - x, part.height) if side == 0 else (part.width, y - x)), (x, 0) if side == 0 else (0, x)
            )
        picture = wide
    return picture


def _shape(size: tuple[int, int], inset: float, radius: float) -> Image.Image:
    big = Image.new("L", (size[0] * _OVER, size[1] * _OVER))
    area = (inset, inset, big.width - 1 - inset, big.height - 1 - inset)
    if area[2] > area[0] and area[3] > area[1]:
        ImageDraw.Draw(big).rounded_rectangle(area, max(0, radius), fill=255)
    return big.reduce(_OVER)


def _lay(image: Image.Image, colour: str, inset: float, radius: float) -> None:
    """Lays a rounded rectangle on the image; no colour cuts a hole."""
    fill = Image.new("RGBA", image.size, colour or (0, 0, 0, 0))
    shape = _shape(image.size, inset, radius)
    if colour:
        fill.putalpha(shape)
        image.alpha_composite(fill)
    else:
        image.paste(fill, (0, 0), shape)


def _knob(image: Image.Image, colour: str, box: Box, over: float) -> None:
    big = Image.new("L", (image.width * _OVER, image.height * _OVER))
    half, size = big.height / 2, (4.5 if box.ring else 6) * over
    centre = big.width - half if box.on else half
    ImageDraw.Draw(big).ellipse((centre - size, half - size, centre + size, half + size), fill=255)
    disc = Image.new("RGBA", image.size, colour)
    disc.putalpha(big.reduce(_OVER))
    image.alpha_composite(disc)


def rounded(picture: Image.Image, radius: float, *, corners: str = "all") -> Image.Image:
    """The picture with round corners cut out (RGBA); ``corners``: "all", "top" or "left"."""
    mask = _shape(picture.size, 0, radius * _OVER)
    width, height = picture.size
    if corners == "top":
        mask.paste(255, (0, height // 2, width, height))
    elif corners == "left":
        mask.paste(255, (width // 2, 0, width, height))
    result = picture.convert("RGBA")
    result.putalpha(mask)
    return result
