"""The page of everything that is remembered for the whole program."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk.scroll import Scrolled
from qipan.tk.select import Select
from qipan.tk.widgets import Segments, button, hairline, label, slider, switch

if TYPE_CHECKING:
    from qipan.tk.app import App

_WIDTH = 640
_TEXT_SCALES = (1.0, 1.1, 1.25, 1.5)
LANGUAGES = (("en", "English"), ("zh", "简体中文"))
MODES = ("system", "light", "dark")
SWITCHES = (
    "show_targets", "show_last", "announce_check", "coordinates", "pulse", "animate", "reduce_motion", "pictograms",
)  # fmt: skip


class SettingsPage(ttk.Frame):
    """Changes hold at once and are saved by themselves."""

    shortcuts = (("Esc", "keys.back"), ("F1", "keys.help"), ("Ctrl Q", "keys.quit"))

    def __init__(self, parent: tk.Misc, app: App) -> None:
        super().__init__(parent, style="Bg.TFrame")
        self.app = app
        px = app.style.px
        bar = ttk.Frame(self, padding=(px(8), px(6)))
        bar.pack(fill="x")
        button(app, bar, icon="back", style="Tool.TButton", tip="back", keys="Esc", command=app.open_launcher).pack(
            side="left"
        )
        label(app, bar, "settings", "Title.TLabel").pack(side="left", padx=(px(8), 0))
        hairline(app, self).pack(fill="x")
        self.scrolled = Scrolled(app, self, "Bg.")
        self.scrolled.pack(fill="both", expand=True)
        self.scrolled.inner.columnconfigure(0, weight=1)
        self.scrolled.inner.columnconfigure(1, minsize=px(_WIDTH))
        self.scrolled.inner.columnconfigure(2, weight=1)
        self._count = 0
        self._window(self._group("settings.window"))
        self._sound(self._group("settings.sound"))
        self._table(self._group("settings.table"))

    def bind_keys(self) -> None:
        """The page's accelerators."""
        self.app.bind_page(self, {"<Escape>": lambda event: self.app.open_launcher()})

    def _group(self, key: str) -> ttk.Frame:
        app, px = self.app, self.app.style.px
        label(app, self.scrolled.inner, key, "Bg.Bold.TLabel").grid(
            row=self._count, column=1, sticky="w", pady=(px(24), px(8)))  # fmt: skip
        card = ttk.Frame(self.scrolled.inner, style="Bg.Card.TFrame", padding=(px(16), px(8)))
        card.grid(row=self._count + 1, column=1, sticky="we", pady=(0, px(8)))
        card.columnconfigure(1, weight=1)
        self._count += 2
        return card

    def _row(self, card: ttk.Frame, key: str, field: Callable[[ttk.Frame], tk.Misc]) -> tk.Misc:
        px = self.app.style.px
        row = card.grid_size()[1]
        label(self.app, card, key, "Raised.TLabel").grid(row=row, column=0, sticky="w", pady=px(8))
        made = field(card)
        made.grid(row=row, column=1, sticky="e", pady=px(6))  # type: ignore[attr-defined]
        return made

    def _window(self, card: ttk.Frame) -> None:
        app = self.app
        self.languages = Segments(app, card, LANGUAGES, app.language, app.set_language, words=False, ground="Raised.")
        modes = [(mode, f"mode.{mode}") for mode in MODES]
        self.modes = Segments(app, card, modes, app.settings.mode, app.set_mode, ground="Raised.")
        self._row(card, "settings.language", lambda parent: self.languages)
        self._row(card, "settings.mode", lambda parent: self.modes)
        scales = [(f"{scale:g}", f"{scale:.0%}") for scale in _TEXT_SCALES]
        self.scale = Select(app, card, scales, f"{app.settings.text_scale:g}", self._scaled)
        self.scale.configure(width=12, style="Raised.Select.TButton")
        self._row(card, "settings.text-scale", lambda parent: self.scale)

    def _scaled(self, value: str) -> None:
        self.app.set_text_scale(float(value))

    def _sound(self, card: ttk.Frame) -> None:
        app, px = self.app, self.app.style.px
        self._switch(card, "sound", not app.settings.muted, lambda on: app.set_muted(not on))

        def volume(parent: ttk.Frame) -> tk.Misc:
            made = slider(app, parent, 0, 100, app.settings.volume * 100, lambda value: app.set_volume(value / 100),
                          ground="Raised.")  # fmt: skip
            made.configure(length=px(200))
            return made

        self._row(card, "volume", volume)

    def _table(self, card: ttk.Frame) -> None:
        app = self.app
        self.switches: dict[str, ttk.Checkbutton] = {}
        for name in (*SWITCHES, "look_back"):

            def keep(on: bool, name: str = name) -> None:
                setattr(app.settings, name, on)
                app.save_soon()

            self.switches[name] = self._switch(card, f"settings.{name}", bool(getattr(app.settings, name)), keep)
        counts = [(str(number), str(number)) for number in (1, 2, 3, 4, 6, 8, 999)]
        counts[-1] = ("999", app.t("settings.all"))
        look = Select(app, card, counts, str(app.settings.look_back_count), self._looked)
        look.configure(width=12, style="Raised.Select.TButton")
        self._row(card, "settings.look-back-count", lambda parent: look)

    def _looked(self, value: str) -> None:
        self.app.settings.look_back_count = int(value)
        self.app.save_soon()

    def _switch(self, card: ttk.Frame, key: str, value: bool, command: Callable[[bool], object]) -> ttk.Checkbutton:
        made = switch(self.app, card, key, value, command, "Raised.")
        made.grid(row=card.grid_size()[1], column=0, columnspan=2, sticky="we", pady=self.app.style.px(4))
        return made
