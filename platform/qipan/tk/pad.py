"""A canvas that is one thing to press: it knows hover, press, focus and choice, and is drawn by its owner."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qipan.tk.app import App


class Pad(tk.Canvas):
    """Override `paint`, called whenever a state or the style changes. Press, Return and space call ``command``."""

    def __init__(
        self, app: App, parent: tk.Misc, width: int, height: int, command: Callable[[], object], ground: str = "surface"
    ) -> None:
        """``width`` and ``height`` are screen pixels; ``ground``: the token of what it lies on."""
        super().__init__(
            parent, width=width, height=height, highlightthickness=0, borderwidth=0, takefocus=True, cursor="hand2"
        )
        self.app, self.command, self.ground = app, command, ground
        self.hover = self.held = self.focused = self.chosen = False
        self._due = ""
        self.bind("<Enter>", lambda event: self._mark("hover", True))
        self.bind("<Leave>", lambda event: self._mark("hover", False))
        self.bind("<FocusIn>", lambda event: self._mark("focused", True), add="+")
        self.bind("<FocusOut>", lambda event: self._mark("focused", False), add="+")
        self.bind("<Button-1>", lambda event: self._mark("held", True), add="+")
        self.bind("<ButtonRelease-1>", self._released, add="+")
        self.bind("<Return>", lambda event: self.command())
        self.bind("<space>", lambda event: self.command())
        self.bind("<Configure>", lambda event: self.redraw(), add="+")
        app.on_theme(self.redraw, self)

    def _mark(self, name: str, value: bool) -> None:
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.redraw()

    def _released(self, event: tk.Event[Any]) -> None:
        inside = 0 <= event.x < self.winfo_width() and 0 <= event.y < self.winfo_height()
        was, self.held = self.held, False
        self.redraw()
        if was and inside:
            self.command()

    def choose(self, on: bool) -> None:
        """Marks it as the chosen one of its group."""
        self._mark("chosen", on)

    def redraw(self) -> None:
        """Has it painted once this round of events is over."""
        if not self._due:
            self._due = self.after_idle(self._draw)

    def _draw(self) -> None:
        self._due = ""
        self.delete("all")
        self.configure(background=self.app.style.tokens.colour(self.ground))
        self.paint(self.winfo_width(), self.winfo_height())

    def paint(self, width: int, height: int) -> None:
        """Draws the present state on the empty canvas."""
        raise NotImplementedError

    def destroy(self) -> None:
        """Also forgets a painting that is due."""
        if self._due:
            self.after_cancel(self._due)
            self._due = ""
        super().destroy()
