"""What lies over the table for a moment: questions, the choice of a word, the curtain, the table's settings."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk import widgets
from qipan.tk.select import Select
from qipan.tk.settings_page import LANGUAGES, MODES, SWITCHES
from qipan.values import Move

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_PAINTED = ("coordinates", "pictograms")  # what changes the pictures themselves


class Panel(ttk.Frame):
    """A card over the table; Esc takes it away, and the focus goes back to the board."""

    def __init__(self, table: Table, pad: int = 20) -> None:
        super().__init__(table, style="PopupEdge.TFrame", padding=max(1, table.app.style.px(1)))
        self.table = table
        self.inner = ttk.Frame(self, style="Raised.TFrame", padding=table.app.style.px(pad))
        self.inner.pack(fill="both", expand=True)

    def bind_all_keys(self, widget: tk.Misc) -> None:
        """Esc on any part of it closes it."""
        widget.bind("<Escape>", lambda event: self.close(), add="+")
        for child in widget.winfo_children():
            self.bind_all_keys(child)

    def close(self) -> str:
        """Takes it away."""
        table = self.table
        self.destroy()
        if table.panel is self:
            table.panel = None
        table.board.focus_set()
        return "break"


class Question(Panel):
    """Asks before something that cannot be undone by one key: a title, a sentence, yes or no."""

    def __init__(self, table: Table, title: str, text: str, yes: str, command: Callable[[], object]) -> None:
        super().__init__(table)
        app = table.app
        px = app.style.px
        ttk.Label(self.inner, style="Raised.Title.TLabel", text=title, wraplength=px(320)).pack(anchor="w")
        ttk.Label(self.inner, style="Raised.Secondary.TLabel", text=text, wraplength=px(320)).pack(
            anchor="w", pady=(px(6), px(16))
        )
        row = ttk.Frame(self.inner, style="Raised.TFrame")
        row.pack(anchor="e")
        self.no = widgets.button(app, row, "table.cancel", command=self.close)
        self.no.pack(side="left", padx=px(8))
        self.yes = widgets.button(app, row, yes, style="Danger.TButton", command=lambda: (self.close(), command()))
        self.yes.pack(side="left")
        self.bind_all_keys(self)
        self.place(relx=0.5, rely=0.4, anchor="center")
        self.tkraise()
        self.no.focus_set()


class Chooser(Panel):
    """The words of moves that walk the same path ("=queen"), as buttons beside its last point."""

    def __init__(self, table: Table, moves: Sequence[Move], x: int, y: int) -> None:
        super().__init__(table, 8)
        self.buttons: list[ttk.Button] = []
        for move in moves:
            button = ttk.Button(
                self.inner, style="Raised.Option.TButton", text=table.speaker.word(move),
                command=lambda move=move: self._chosen(move),  # type: ignore[misc]
            )  # fmt: skip
            button.pack(fill="x")
            for keysym, step in (("<Down>", 1), ("<Right>", 1), ("<Up>", -1), ("<Left>", -1)):
                button.bind(keysym, lambda event, step=step: self._walk(event.widget, step))  # type: ignore[misc]
            button.bind("<Return>", lambda event: event.widget.invoke())
            self.buttons.append(button)
        self.bind_all_keys(self)
        self.update_idletasks()
        width, height = self.winfo_reqwidth(), self.winfo_reqheight()
        self.place(
            x=max(0, min(x, table.winfo_width() - width)), y=max(0, min(y, table.winfo_height() - height)), anchor="nw"
        )
        self.tkraise()
        self.buttons[0].focus_set()

    def _walk(self, widget: ttk.Button, step: int) -> str:
        self.buttons[(self.buttons.index(widget) + step) % len(self.buttons)].focus_set()
        return "break"

    def _chosen(self, move: Move) -> None:
        table = self.table
        super().close()
        table.deeds.play(move)

    def close(self) -> str:
        """Also puts the piece back."""
        table = self.table
        super().close()
        table.do("put-back")
        return "break"


class Curtain(ttk.Frame):
    """Between two seats of a game with secrets: a plain surface, the next player's name, one button."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table)
        self.seat = seat
        app, px = table.app, table.app.style.px
        inner = ttk.Frame(self)
        inner.place(relx=0.5, rely=0.36, anchor="center")
        name = table.speaker.name(seat)
        ttk.Label(inner, style="Page.TLabel", text=table.speaker.text("table.curtain", name)).pack(pady=(0, px(20)))
        self.ready = widgets.button(
            app, inner, "table.curtain-ready", style="Primary.TButton", command=lambda: table.deeds.sit(seat)
        )
        self.ready.pack()
        self.ready.focus_set()


class SettingsPanel(Panel):
    """The switches that matter at the table, and theme, language, volume, size."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, 16)
        app = table.app
        px = app.style.px
        widgets.label(app, self.inner, "table.settings", "Raised.Title.TLabel").pack(anchor="w", pady=(0, px(8)))
        for name in SWITCHES:
            widgets.switch(
                app, self.inner, f"settings.{name}", getattr(app.settings, name), partial(self._set, name), "Raised."
            ).pack(fill="x")
        self._row("table.set-scale", lambda parent: widgets.slider(
            app, parent, 0.5, 1.0, min(1.0, app.settings.board_scale), table.deeds.set_board_scale))  # fmt: skip
        self._row("volume", lambda parent: widgets.slider(
            app, parent, 0.0, 1.0, app.settings.volume, app.set_volume))  # fmt: skip
        themes = [(name, theme.name.text(app.language)) for name, theme in app.pictures.themes().items()]
        self._row("table.set-theme", lambda parent: Select(app, parent, themes, app.settings.theme, app.set_theme))
        self._row("settings.language", lambda parent: widgets.Segments(
            app, parent, LANGUAGES, app.language, app.set_language, ground="Raised.", words=False))  # fmt: skip
        modes = [(mode, f"mode.{mode}") for mode in MODES]
        self._row("table.set-mode", lambda parent: widgets.Segments(
            app, parent, modes, app.settings.mode, app.set_mode, ground="Raised."))  # fmt: skip
        widgets.button(app, self.inner, "table.close", command=self.close).pack(anchor="e", pady=(px(12), 0))
        self.bind_all_keys(self)
        self.place(relx=1, x=-px(12), y=px(52), anchor="ne", width=px(344))
        self.tkraise()
        self.inner.winfo_children()[1].focus_set()

    def _row(self, key: str, make: Callable[[tk.Misc], tk.Widget]) -> None:
        px = self.table.app.style.px
        row = ttk.Frame(self.inner, style="Raised.TFrame")
        row.pack(fill="x", pady=(px(6), 0))
        widgets.label(self.table.app, row, key, "Raised.Secondary.TLabel", width=11).pack(side="left")
        make(row).pack(side="left", fill="x", expand=True)

    def _set(self, name: str, on: bool) -> None:
        setattr(self.table.app.settings, name, on)
        self.table.app.save_soon()
        self.table.restyle() if name in _PAINTED else self.table.refresh()
