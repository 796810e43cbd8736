"""A frame that scrolls: a slim bar only where it is needed; the wheel and the keyboard's focus move it."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qipan.tk.app import App


class Scrolled(ttk.Frame):
    """Put children into `inner`; it is as wide as the view. ``ground``: "", "Bg." or "Raised."."""

    def __init__(self, app: App, parent: tk.Misc, ground: str = "") -> None:
        super().__init__(parent, style=f"{ground}TFrame")
        self._app, self._ground = app, ground
        self.canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, takefocus=False)
        self.inner = ttk.Frame(self.canvas, style=f"{ground}TFrame")
        self._window = self.canvas.create_window(0, 0, window=self.inner, anchor="nw")
        self.bar = ttk.Scrollbar(self, style=f"{ground}Vertical.TScrollbar", command=self.canvas.yview)
        self.canvas.configure(yscrollcommand=self._moved)
        self.canvas.pack(fill="both", expand=True)
        self.canvas.bind("<Configure>", lambda event: self.canvas.itemconfigure(self._window, width=event.width))
        self.inner.bind("<Configure>", self._measured)
        app.on_theme(self._colour, self)
        self._colour()

    def _colour(self) -> None:
        tokens = self._app.style.tokens
        self.canvas.configure(background={"": tokens.surface, "Bg.": tokens.bg, "Raised.": tokens.raised}[self._ground])

    def _measured(self, event: tk.Event[Any]) -> None:
        self.canvas.configure(scrollregion=(0, 0, event.width, event.height))

    def _moved(self, first: float, last: float) -> None:
        self.bar.set(float(first), float(last))
        if float(first) <= 0 and float(last) >= 1:
            self.bar.place_forget()
        else:
            px = self._app.style.px
            self.bar.place(relx=1, x=-px(2), y=px(2), relheight=1, height=-px(4), width=px(8), anchor="ne")

    def wheel(self, steps: int) -> None:
        """Scrolls by some steps of the wheel (positive: down)."""
        if self.inner.winfo_height() > self.canvas.winfo_height():
            self.canvas.yview_moveto(
                (self.canvas.canvasy(0) + steps * self._app.style.px(48)) / max(1, self.inner.winfo_height())
            )

    def see(self, widget: tk.Misc) -> None:
        """Scrolls so that a widget inside is wholly visible."""
        height = self.inner.winfo_height()
        top = widget.winfo_rooty() - self.inner.winfo_rooty()
        bottom, margin = top + widget.winfo_height(), self._app.style.px(12)
        shown = self.canvas.canvasy(0)
        view = self.canvas.winfo_height()
        if height <= view:
            return
        if top - margin < shown:
            self.canvas.yview_moveto(max(0, top - margin) / height)
        elif bottom + margin > shown + view:
            self.canvas.yview_moveto((bottom + margin - view) / height)

    def top(self) -> None:
        """Scrolls to the beginning."""
        self.canvas.yview_moveto(0)


def watch(root: tk.Misc) -> None:
    """Lets the wheel and the focus move whatever `Scrolled` they are in."""

    def holder(widget: object) -> Scrolled | None:
        while isinstance(widget, tk.Misc):
            if isinstance(widget, Scrolled):
                return widget
            widget = widget.master
        return None

    def wheel(event: tk.Event[Any], steps: int = 0) -> None:
        found = holder(event.widget)
        if found is not None:
            found.wheel(steps or (-1 if event.delta > 0 else 1))

    def focus(event: tk.Event[Any]) -> None:
        found = holder(event.widget)
        if found is not None and event.widget is not found.canvas:
            found.see(event.widget)

    root.bind_all("<MouseWheel>", wheel)
    root.bind_all("<Button-4>", lambda event: wheel(event, -1))
    root.bind_all("<Button-5>", lambda event: wheel(event, 1))
    root.bind_all("<FocusIn>", focus, add="+")
