"""A list over the page from which one thing is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk.scroll import Scrolled
from qipan.tk.select import Floating
from qipan.tk.widgets import button

if TYPE_CHECKING:
    from qipan.tk.app import App

_SIZE = (520, 460)
_DRAWN = 200  # rows made at once; the rest when asked for


class Chooser(Floating):
    """``done`` gets the number of the chosen text; Escape or a click elsewhere chooses none."""

    def __init__(self, app: App, title: str, texts: Sequence[str], done: Callable[[int], object]) -> None:
        super().__init__(app, app.root)
        px = app.style.px
        self._texts, self._done = texts, done
        ttk.Label(self.inner, style="Raised.Title.TLabel", text=title).pack(
            anchor="w", padx=px(16), pady=(px(16), px(8))
        )
        self.scrolled = Scrolled(app, self.inner, "Raised.")
        self.scrolled.pack(fill="both", expand=True, padx=px(4), pady=(0, px(4)))
        self.rows: list[ttk.Button] = []
        self._more: ttk.Button | None = None
        self._draw()
        self.place(relx=0.5, rely=0.5, anchor="center", width=px(_SIZE[0]), height=px(_SIZE[1]))
        self.tkraise()
        self.rows[0].focus_set()

    def _draw(self) -> None:
        if self._more is not None:
            self._more.destroy()
            self._more = None
        app, inner, px = self.app, self.scrolled.inner, self.app.style.px
        for number in range(len(self.rows), min(len(self.rows) + _DRAWN, len(self._texts))):
            row = ttk.Button(
                inner, style="Raised.Option.TButton", text=app.style.fit(self._texts[number], px(_SIZE[0] - 48)),
                command=lambda number=number: self._chosen(number),  # type: ignore[misc]
            )  # fmt: skip
            row.pack(fill="x", padx=px(4))
            row.bind("<Return>", lambda event, row=row: row.invoke())  # type: ignore[misc]
            row.bind("<Down>", lambda event, number=number: self._walk(number + 1))  # type: ignore[misc]
            row.bind("<Up>", lambda event, number=number: self._walk(number - 1))  # type: ignore[misc]
            row.bind("<Escape>", lambda event: self.dismiss())
            self.rows.append(row)
        if len(self.rows) < len(self._texts):
            self._more = button(app, inner, "open.more", style="Raised.Link.TButton", command=self._draw)
            self._more.pack(anchor="w")

    def _walk(self, number: int) -> str:
        self.rows[number % len(self.rows)].focus_set()
        return "break"

    def _chosen(self, number: int) -> None:
        self.dismiss()
        self._done(number)
