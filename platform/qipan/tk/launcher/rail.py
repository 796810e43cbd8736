"""The launcher's rail: the sign, where one can go, and what is set for the whole program."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk.elements import Box
from qipan.tk.logo import logo
from qipan.tk.pad import Pad
from qipan.tk.select import Floating
from qipan.tk.settings_page import LANGUAGES
from qipan.tk.widgets import Segments, Tip, button, label, set_icon, slider, switch

if TYPE_CHECKING:
    from qipan.tk.app import App

WIDE, WIDER, NARROW = 200, 224, 56
_PLACES = (
    ("games", "games"), ("continue", "continue"), ("open", "open"), ("plugins", "plugin"), ("settings", "settings"),
)  # fmt: skip


class Row(Pad):
    """One place to go: an icon, its name, and a number at the right."""

    def __init__(self, app: App, parent: tk.Misc, icon: str, key: str, command: Callable[[], object]) -> None:
        super().__init__(app, parent, app.style.px(176), app.style.px(40), command)
        self.icon, self.key, self.count, self.faulty = icon, key, "", False
        self.narrow = False
        self.tip = Tip(app, self, key)
        app.on_language(self.redraw, self)

    def paint(self, width: int, height: int) -> None:
        """Chosen: soft accent ground; narrow: the icon alone, a dot where there is a number."""
        style, px = self.app.style, self.app.style.px
        fill = "accent_soft" if self.chosen else "surface+12" if self.held else "surface+6" if self.hover else ""
        self.create_image(0, 0, image=style.box(width, height, 6, Box(fill, ring=self.focused)), anchor="nw")
        colour = "accent" if self.chosen else "ink2"
        middle = height // 2
        x = width // 2 if self.narrow else px(22)
        self.create_image(x, middle, image=style.icon(self.icon, colour))
        tone = style.red if self.faulty else style.ink2
        if self.narrow:
            if self.count:
                dot = px(3)
                self.create_image(x + px(10), middle - px(9), image=style.box(
                    2 * dot + 1, 2 * dot + 1, 3.5, Box("red" if self.faulty else "accent")))  # fmt: skip
            return
        text = style.accent if self.chosen else style.ink2
        right = width - px(12)
        if self.count:
            self.create_text(right, middle, text=self.count, anchor="e", fill=tone, font=style.font(12, True))
            right -= style.measure(self.count, 12, True) + px(8)
        name = style.fit(self.app.t(self.key), right - px(44), 14, self.chosen)
        self.create_text(px(44), middle, text=name, anchor="w", fill=text, font=style.font(14, self.chosen))

    def show(self, count: str, faulty: bool = False) -> None:
        """Shows a number or a short text at the right."""
        self.count, self.faulty = count, faulty
        self.redraw()


class Rail(ttk.Frame):
    """``go`` gets the name of a place: games, continue, open, plugins, settings."""

    def __init__(self, app: App, parent: tk.Misc, go: Callable[[str], object]) -> None:
        px = app.style.px
        super().__init__(parent, padding=(px(12), px(16), px(12), px(16)))
        self.app, self.narrow = app, False
        self.brand = Brand(app, self)
        self.brand.pack(anchor="w", pady=(0, px(14)))
        self.rows = {
            name: Row(app, self, icon, f"rail.{name}", lambda name=name: go(name))  # type: ignore[misc]
            for name, icon in _PLACES
        }
        for row in self.rows.values():
            row.pack(fill="x")
        self.foot = ttk.Frame(self)
        self.foot.pack(side="bottom", fill="x")
        self._make_foot()
        app.on_theme(self._show_mode, self)

    def _make_foot(self) -> None:
        app, px = self.app, self.app.style.px
        self.languages = Segments(app, self.foot, LANGUAGES, app.language, app.set_language, words=False)
        self.language = ttk.Button(self.foot, style="Tool.TButton", command=self._other_language, width=3)
        self.tools = ttk.Frame(self.foot)
        self.light = button(
            app, self.tools, icon="sun", style="Tool.TButton", tip="mode.light", command=lambda: app.set_mode("light")
        )
        self.dark = button(
            app, self.tools, icon="moon", style="Tool.TButton", tip="mode.dark", command=lambda: app.set_mode("dark")
        )
        self.sound = button(app, self.tools, icon="sound", style="Tool.TButton", tip="sound", command=self._open_sound)
        self.help = button(
            app, self.tools, icon="help", style="Tool.TButton", tip="help", keys="F1", command=app.open_help
        )
        self.tools.pack(side="bottom", fill="x", pady=(px(8), 0))
        app.on_language(self._show_language, self)
        self._lay()
        self._show_mode()
        self._show_language()
        self.show_sound()

    def _lay(self) -> None:
        for child in (self.languages, self.language):
            child.pack_forget()
        for number, tool in enumerate((self.light, self.dark, self.sound, self.help)):
            tool.grid_forget()
            tool.grid(row=number if self.narrow else 0, column=0 if self.narrow else number)
            self.tools.columnconfigure(number, weight=0 if self.narrow and number else 1)
        if self.narrow:
            self.language.pack(fill="x", after=self.tools, side="bottom")
        else:
            self.languages.pack(fill="x", after=self.tools, side="bottom")
        self.tools.pack_configure(side="bottom")

    def set_narrow(self, narrow: bool) -> None:
        """56 wide with icons alone, or with names."""
        px = self.app.style.px
        if narrow != self.narrow:
            self.narrow = narrow
            self.configure(padding=(px(8 if narrow else 12), px(16), px(8 if narrow else 12), px(12 if narrow else 16)))
            self.brand.set_narrow(narrow)
            for row in self.rows.values():
                row.narrow = narrow
                row.configure(width=px(40 if narrow else 176))
                row.redraw()
            self._lay()

    def choose(self, name: str) -> None:
        """Marks the place one is at."""
        for key, row in self.rows.items():
            row.choose(key == name)

    def _show_mode(self) -> None:
        for tool, mode in ((self.light, "light"), (self.dark, "dark")):
            tool.state(["selected" if self.app.style.mode == mode else "!selected"])

    def _show_language(self) -> None:
        self.languages.set(self.app.language)
        self.language.configure(text="中" if self.app.language == "en" else "EN")

    def _other_language(self) -> None:
        self.app.set_language("zh" if self.app.language == "en" else "en")

    def show_sound(self) -> None:
        """Shows whether sounds are muted."""
        set_icon(self.app, self.sound, "mute" if self.app.settings.muted else "sound")

    def _open_sound(self) -> None:
        SoundBox(self.app, self.sound, self.show_sound)


class Brand(tk.Canvas):
    """The sign and the program's name in both scripts."""

    def __init__(self, app: App, parent: tk.Misc) -> None:
        super().__init__(parent, highlightthickness=0, borderwidth=0, takefocus=False)
        self.app, self._narrow = app, False
        app.on_theme(self._draw, self)
        app.on_language(self._draw, self)
        self._draw()

    def set_narrow(self, narrow: bool) -> None:
        """The sign alone, or with the name."""
        self._narrow = narrow
        self._draw()

    def _draw(self) -> None:
        style, px = self.app.style, self.app.style.px
        size = px(32)
        self.delete("all")
        self.configure(background=style.surface, width=px(40 if self._narrow else 176), height=px(38))
        sign = style.photo(("brand", size), lambda: logo(size, style.accent, style.on_accent))
        self.create_image(px(4 if self._narrow else 6), px(3), image=sign, anchor="nw")
        if self._narrow:
            return
        names = ("Qipan", "棋盘") if self.app.language == "en" else ("棋盘", "Qipan")
        self.create_text(px(50), px(11), text=names[0], anchor="w", fill=style.ink, font=style.font(16, True))
        self.create_text(px(50), px(29), text=names[1], anchor="w", fill=style.ink3, font=style.font(12))


class SoundBox(Floating):
    """Mute and volume, over the rail."""

    def __init__(self, app: App, owner: tk.Misc, changed: Callable[[], object]) -> None:
        super().__init__(app, owner)
        px = app.style.px
        self.inner.configure(padding=px(12))

        def mute(on: bool) -> None:
            app.set_muted(not on)
            changed()

        first = switch(app, self.inner, "sound", not app.settings.muted, mute, "Raised.")
        first.pack(fill="x")
        label(app, self.inner, "volume", "Raised.Caption.TLabel").pack(anchor="w", pady=(px(8), px(4)))
        volume = app.settings.volume * 100
        self.volume = slider(app, self.inner, 0, 100, volume, lambda value: app.set_volume(value / 100), "Raised.")
        self.volume.pack(fill="x")
        self.settle(width=px(220))
        for part in (first, self.volume):
            part.bind("<Escape>", lambda event: self.dismiss())
        first.focus_set()
