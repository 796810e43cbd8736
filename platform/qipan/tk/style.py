"""The platform's look on Tk: tokens, fonts, measures, icons, and the ttk styles made from them."""

from __future__ import annotations

import os
import sys
import tkinter as tk
from collections.abc import Callable
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any

from PIL import Image, ImageTk

from qipan.tk import icons
from qipan.tk.elements import ELEMENTS, Box, box_image, stretched
from qipan.tk.sheet import configure
from qipan.tk.tokens import MODES, Mode, Tokens

# Noto Sans CJK carries the letters of Source Sans, so it stands before the families of quite another width.
FAMILIES = {
    "en": ("Segoe UI", "SF Pro Text", "Inter", "Noto Sans", "Source Sans 3", "Noto Sans CJK SC", "Source Han Sans SC",
           "Cantarell", "DejaVu Sans"),
    "zh": ("Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    "mono": ("Cascadia Mono", "SF Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono"),
}  # fmt: skip


class Style:
    """Colours as attributes, `px`, `font`, `icon`; `set_mode` and `set_language` change every live widget at once."""

    def __init__(self, root: tk.Misc, mode: Mode = "light", scale: float = 1.0, language: str = "en") -> None:
        self.root = root
        self.scale = scale
        self.mode: Mode = mode
        self.language = language
        self._photos: dict[object, tuple[ImageTk.PhotoImage, Callable[[], Image.Image]]] = {}
        self._fonts: dict[tuple[int, bool, str], tkfont.Font] = {}
        self._families: dict[str, str] = {}
        self._theme = f"qipan-{scale:g}"
        self._take(MODES[mode])
        self.ttk = ttk.Style(root)
        self._make_theme()

    def _take(self, tokens: Tokens) -> None:
        self.tokens = tokens
        (self.bg, self.surface, self.raised, self.line, self.control, self.ink, self.ink2, self.ink3, self.accent,
         self.on_accent, self.accent_soft, self.accent_hover, self.red, self.red_soft, self.good, self.warn,
         self.win, self.draw, self.loss) = tokens  # fmt: skip

    # -- measures and fonts --------------------------------------------------------------------------------------
    def px(self, length: float) -> int:
        """A length of the design (pixels at 1x) in screen pixels."""
        return round(length * self.scale)

    def font(self, size: int = 14, bold: bool = False, family: str = "") -> str:
        """The name of a Tk font of that pixel size; it follows the language. ``family`` "mono": a fixed pitch."""
        key = (size, bold, family)
        if key not in self._fonts:
            self._fonts[key] = tkfont.Font(
                self.root, family=self._family(family or self.language), size=-self.px(size),
                weight="bold" if bold else "normal",
            )  # fmt: skip
        return self._fonts[key].name

    def measure(self, text: str, size: int = 14, bold: bool = False, family: str = "") -> int:
        """The width of a text in screen pixels."""
        self.font(size, bold, family)
        return self._fonts[size, bold, family].measure(text)

    def fit(self, text: str, width: int, size: int = 14, bold: bool = False) -> str:
        """The text, or as much of its beginning as fits into ``width`` screen pixels, with an ellipsis."""
        if self.measure(text, size, bold) <= width:
            return text
        dots = "…" if self.language == "zh" else "..."  # a CJK font draws the one character at half height
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.measure(text[:middle].rstrip() + dots, size, bold) <= width:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + dots

    def _family(self, kind: str) -> str:
        if kind not in self._families:
            self._families[kind] = next(
                (name for name in FAMILIES[kind] if self._has(name)),
                "TkFixedFont" if kind == "mono" else "TkDefaultFont",
            )
        return self._families[kind]

    def _has(self, name: str) -> bool:
        got = str(self.root.tk.call("font", "actual", (name, -14), "-family"))
        return got.casefold() == name.casefold()

    def set_language(self, language: str) -> None:
        """Gives every font the family of the language."""
        self.language = language
        for (_, _, family), made in self._fonts.items():
            made.configure(family=self._family(family or language))

    # -- pictures ------------------------------------------------------------------------------------------------
    def photo(self, key: object, draw: Callable[[], Image.Image]) -> ImageTk.PhotoImage:
        """A picture made once by ``draw`` and made again, in place, when the mode changes."""
        if key not in self._photos:
            self._photos[key] = (ImageTk.PhotoImage(draw(), master=self.root), draw)
        return self._photos[key][0]

    def drop(self, key: object) -> None:
        """Forgets a picture that nothing shows any more."""
        self._photos.pop(key, None)

    def icon(self, name: str, colour: str = "ink2", size: int = 20) -> ImageTk.PhotoImage:
        """An icon of icons.toml in a token's colour; it follows the mode."""
        side = self.px(size)
        return self.photo(("icon", name, colour, side), lambda: icons.tinted(name, side, self.tokens.colour(colour)))

    def box(self, width: int, height: int, radius: float, box: Box) -> ImageTk.PhotoImage:
        """A rounded box of that many screen pixels; it follows the mode."""
        return self.photo(
            ("box", width, height, radius, box),
            lambda: box_image(self.tokens, width, height, radius, box, self.scale),
        )

    # -- modes ---------------------------------------------------------------------------------------------------
    def set_mode(self, mode: Mode) -> None:
        """Repaints every picture and restyles every ttk widget; canvases are told by the application."""
        self.mode = mode
        self._take(MODES[mode])
        for picture, draw in self._photos.values():
            picture.paste(draw())
        configure(self)

    def use(self, mode: Mode, language: str) -> None:
        """Makes this style the one in use, after another of another scale was."""
        self.ttk.theme_use(self._theme)
        self.set_language(language)
        self.set_mode(mode)

    def _make_theme(self) -> None:
        if self._theme not in self.ttk.theme_names():
            self.ttk.theme_create(self._theme, parent="default")
        self.ttk.theme_use(self._theme)
        existing = set(self.ttk.element_names())
        for element in ELEMENTS:
            if part(element) not in existing:
                self._make_element(element)
        if "Chevron.image" not in existing:
            self.ttk.element_create(
                "Chevron.image", "image", self.icon("down", "ink2"), ("disabled", self.icon("down", "control"))
            )
        configure(self)

    def _make_element(self, name: str) -> None:
        element = ELEMENTS[name]
        width, height = self.px(element.size[0]), self.px(element.size[1])
        large = (self.px(element.made[0]), self.px(element.made[1]))

        def picture(box: Box) -> ImageTk.PhotoImage:
            return self.photo(
                ("element", name, self.scale, box),
                lambda: stretched(box_image(self.tokens, width, height, element.radius, box, self.scale), *large),
            )

        pictures = [picture(box) for box in (element.normal, *(box for _, box in element.states))]
        states = [(*state.split(), picture) for (state, _), picture in zip(element.states, pictures[1:], strict=True)]
        edge = self.px(element.radius + 2)
        border = (min(edge, (width - 1) // 2), min(edge, (height - 1) // 2))
        make: Any = self.ttk.element_create
        make(
            part(name),
            "image",
            pictures[0],
            *states,
            border=border,
            padding=0,
            sticky="nswe",
            width=width,
            height=height,
        )


def part(element: str) -> str:
    """The name of an element: ttk finds the moving parts of scales and scrollbars by the last word of theirs."""
    return f"{element}.{ {'Trough': 'trough', 'Thumb': 'slider', 'Grip': 'thumb'}.get(element, 'box') }"


def screen_scale(root: tk.Misc, setting: float = 0) -> float:
    """How many screen pixels one pixel of the design is: QIPAN_SCALE, else the setting, else the screen's density."""
    given = os.environ.get("QIPAN_SCALE", "")
    try:
        wanted = float(given) if given else setting
    except ValueError:
        wanted = setting
    if not wanted:
        density = 72 if sys.platform == "darwin" else 96
        wanted = round(root.winfo_fpixels("1i") / density * 4) / 4
    return min(4.0, max(1.0, wanted))
