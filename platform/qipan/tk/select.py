"""Fields that open a list, and other things that float over a page; drawn inside the window, so alike everywhere."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan.tk.scroll import Scrolled
from qipan.tk.widgets import set_icon

if TYPE_CHECKING:
    from qipan.tk.app import App

_MOST = 9  # rows of a list shown at once


class Floating(ttk.Frame):
    """A frame over the window beside its owner; a click elsewhere or Escape closes it. Put children into `inner`."""

    def __init__(self, app: App, owner: tk.Misc, closed: Callable[[], object] | None = None) -> None:
        """``closed`` is called when the player dismisses it."""
        self._top = owner.winfo_toplevel()
        super().__init__(self._top, style="PopupEdge.TFrame", padding=max(1, app.style.px(1)))
        self.app, self.owner, self._closed = app, owner, closed
        self._before = str(self.tk.call("focus"))  # what has the keyboard again afterwards
        self.inner = ttk.Frame(self, style="Raised.TFrame")
        self.inner.pack(fill="both", expand=True)
        if app.popup is not None:
            app.popup.dismiss()
        app.popup = self
        self.bind("<Escape>", lambda event: self.dismiss())

    def settle(self, width: int = 0, height: int = 0) -> None:
        """Places it below its owner, or above where there is more room; screen pixels, 0: as its children need."""
        self.update_idletasks()
        width, height, gap = width or self.winfo_reqwidth(), height or self.winfo_reqheight(), self.app.style.px(4)
        x = self.owner.winfo_rootx() - self._top.winfo_rootx()
        y = self.owner.winfo_rooty() - self._top.winfo_rooty() + self.owner.winfo_height() + gap
        if y + height > self._top.winfo_height() - gap:
            y = max(gap, y - self.owner.winfo_height() - height - 2 * gap)
        self.place(x=max(gap, min(x, self._top.winfo_width() - width - gap)), y=y, width=width, height=height)
        self.tkraise()

    def pressed(self, widget: object) -> None:
        """A click somewhere: outside of it and of its owner it closes."""
        path = str(widget)
        if not path.startswith(str(self)) and path != str(self.owner):
            self.dismiss()

    def dismiss(self) -> str:
        """Closes it."""
        self.destroy()
        if self._before and self._top.tk.call("winfo", "exists", self._before):
            self._top.tk.call("focus", self._before)
        if self._closed is not None:
            self._closed()
        return "break"

    def destroy(self) -> None:
        """Also tells the application."""
        if self.app.popup is self:
            self.app.popup = None
        super().destroy()


class Popup(Floating):
    """A list of choices, each (value, text); ``done`` gets the chosen value, or None."""

    def __init__(
        self, app: App, owner: tk.Misc, choices: Sequence[tuple[str, str]], value: str,
        done: Callable[[str | None], object],
    ) -> None:  # fmt: skip
        super().__init__(app, owner, lambda: done(None))
        self._done = done
        scrolled = Scrolled(app, self.inner, "Raised.")
        scrolled.pack(fill="both", expand=True)
        scrolled.inner.configure(padding=app.style.px(4))
        self.rows = {choice: self._row(scrolled.inner, choice, text) for choice, text in choices}
        if value in self.rows:
            self.rows[value].state(["selected"])
        px = app.style.px
        widest = max((row.winfo_reqwidth() for row in self.rows.values()), default=0) + px(20)
        self.settle(max(owner.winfo_width(), widest), min(len(choices), _MOST) * px(32) + px(10))
        if self.rows:
            (self.rows.get(value) or next(iter(self.rows.values()))).focus_set()

    def _row(self, parent: tk.Misc, choice: str, text: str) -> ttk.Button:
        row = ttk.Button(parent, style="Raised.Option.TButton", text=text, command=lambda: self._done(choice))
        row.pack(fill="x")
        row.bind("<Return>", lambda event: row.invoke())
        row.bind("<Down>", lambda event: self._walk(row, 1))
        row.bind("<Up>", lambda event: self._walk(row, -1))
        row.bind("<Escape>", lambda event: self.dismiss())
        row.bind("<Tab>", lambda event: self.dismiss())
        return row

    def _walk(self, row: ttk.Button, by: int) -> str:
        rows = list(self.rows.values())
        rows[(rows.index(row) + by) % len(rows)].focus_set()
        return "break"


class Select(ttk.Button):
    """A field that shows one of some choices, each (value, text); the command gets a newly chosen value."""

    def __init__(
        self, app: App, parent: tk.Misc, choices: Sequence[tuple[str, str]], value: str,
        command: Callable[[str], object], *, icon: str = "",
    ) -> None:  # fmt: skip
        super().__init__(parent, style="Select.TButton", command=self.open, compound="left", width=1)
        self.app, self.choices, self._command, self.value, self._icon = app, list(choices), command, value, icon
        self.popup: Popup | None = None
        if icon:
            set_icon(app, self, icon)
        for key in ("<Down>", "<Up>", "<Return>"):
            self.bind(key, self._key)
        self.bind("<Configure>", lambda event: self._label(), add="+")
        self.bind("<Destroy>", lambda event: self.close(), add="+")
        self._label()

    def set(self, value: str) -> None:
        """Shows a value without calling the command."""
        self.value = value
        self._label()

    def _label(self) -> None:
        px = self.app.style.px
        room = self.winfo_width() - px(24 + 22 + (24 if self._icon else 0))
        text = next((text for value, text in self.choices if value == self.value), self.value)
        fitted = self.app.style.fit(text, room) if room > px(20) else text
        self.configure(text="  " + fitted if self._icon else fitted)

    def _key(self, event: tk.Event[Any]) -> str:
        self.open()
        return "break"

    def open(self) -> None:
        """Shows the list, with the present choice focused; closes it where it is open."""
        if self.popup is not None:
            self.close()
            return
        self.popup = Popup(self.app, self, self.choices, self.value, self._chosen)

    def close(self) -> None:
        """Takes the list away."""
        if self.popup is not None:
            popup, self.popup = self.popup, None
            popup.destroy()

    def _chosen(self, value: str | None) -> None:
        self.close()
        self.focus_set()
        if value is not None and value != self.value:
            self.set(value)
            self._command(value)
