"""A field that opens a list of choices, drawn inside the window so that it looks the same everywhere."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan.tk.scroll import Scrolled
from qipan.tk.widgets import set_icon

if TYPE_CHECKING:
    from qipan.tk.app import App

_MOST = 9  # rows shown at once


class Select(ttk.Button):
    """One of some choices, each (value, text); the command gets a newly chosen value."""

    def __init__(
        self, app: App, parent: tk.Misc, choices: Sequence[tuple[str, str]], value: str,
        command: Callable[[str], object], *, icon: str = "",
    ) -> None:  # fmt: skip
        super().__init__(parent, style="Select.TButton", command=self.open, compound="left", width=1)
        self.app, self.choices, self._command, self.value = app, list(choices), command, value
        self.popup: Popup | None = None
        if icon:
            set_icon(app, self, icon)
        for key in ("<Down>", "<Up>", "<Return>"):
            self.bind(key, lambda event: self._opened())
        self.bind("<Configure>", lambda event: self._label(), add="+")
        self.bind("<Destroy>", lambda event: self.close(), add="+")
        self._icon = icon
        self._label()

    def set(self, value: str) -> None:
        """Shows a value without calling the command."""
        self.value = value
        self._label()

    def _label(self) -> None:
        px = self.app.style.px
        room = self.winfo_width() - px(24 + 22 + (24 if self._icon else 0))
        text = next((text for value, text in self.choices if value == self.value), self.value)
        self.configure(text=("  " if self._icon else "") + (self.app.style.fit(text, room) if room > px(20) else text))

    def _opened(self) -> str:
        self.open()
        return "break"

    def open(self) -> None:
        """Shows the list, with the present choice focused."""
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
        if not self.winfo_exists():
            return
        self.focus_set()
        if value is not None and value != self.value:
            self.set(value)
            self._command(value)


class Popup(ttk.Frame):
    """A list over the window, below (or above) a widget; ``done`` gets the chosen value, or None."""

    def __init__(
        self, app: App, owner: tk.Misc, choices: Sequence[tuple[str, str]], value: str, done: Callable[[str | None], object]
    ) -> None:
        edge = max(1, app.style.px(1))
        self._top = owner.winfo_toplevel()
        super().__init__(self._top, style="PopupEdge.TFrame", padding=edge)
        self._done, self._owner = done, owner
        self._list = Scrolled(app, self, "Raised.")
        self._list.pack(fill="both", expand=True)
        inner = self._list.inner
        inner.configure(padding=app.style.px(4))
        self.rows: dict[str, ttk.Button] = {}
        for choice, text in choices:
            row = ttk.Button(inner, style="Raised.Option.TButton", text=text, compound="right",
                             command=lambda choice=choice: self._done(choice))  # type: ignore[misc]  # fmt: skip
            if choice == value:
                row.state(["selected"])
            row.pack(fill="x")
            row.bind("<Return>", lambda event: event.widget.invoke())
            row.bind("<Down>", lambda event: self._walk(event.widget, 1))
            row.bind("<Up>", lambda event: self._walk(event.widget, -1))
            row.bind("<Escape>", lambda event: self._escape())
            row.bind("<Tab>", lambda event: self._escape())
            self.rows[choice] = row
        self._place(app, len(choices))
        self._app, app.popup = app, self
        if self.rows:
            first = self.rows.get(value) or next(iter(self.rows.values()))
            first.focus_set()

    def _place(self, app: App, count: int) -> None:
        px = app.style.px
        height = min(count, _MOST) * px(32) + px(10)
        width = max(self._owner.winfo_width(), max((row.winfo_reqwidth() for row in self.rows.values()), default=0) + px(20))
        x = self._owner.winfo_rootx() - self._top.winfo_rootx()
        y = self._owner.winfo_rooty() - self._top.winfo_rooty() + self._owner.winfo_height() + px(4)
        if y + height > self._top.winfo_height() - px(4):
            y = max(px(4), y - self._owner.winfo_height() - height - px(8))
        self.place(x=max(px(4), min(x, self._top.winfo_width() - width - px(4))), y=y, width=width, height=height)
        self.tkraise()

    def _walk(self, widget: Any, by: int) -> str:
        rows = list(self.rows.values())
        rows[(rows.index(widget) + by) % len(rows)].focus_set()
        return "break"

    def _escape(self) -> str:
        self._done(None)
        return "break"

    def pressed(self, widget: object) -> None:
        """A click somewhere: outside the list it closes it."""
        path = str(widget)
        if not path.startswith(str(self)) and path != str(self._owner):
            self._done(None)

    def destroy(self) -> None:
        """Also tells the application."""
        if self._app.popup is self:
            self._app.popup = None
        super().destroy()
