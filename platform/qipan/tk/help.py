"""The list of keys, over whatever page is open."""

from __future__ import annotations

from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk.select import Floating
from qipan.tk.widgets import label

if TYPE_CHECKING:
    from qipan.tk.app import App


class Help(Floating):
    """The keys of the open page, as its ``shortcuts`` say: (how they are written, key of what they do)."""

    def __init__(self, app: App) -> None:
        super().__init__(app, app.root)
        px = app.style.px
        self.inner.configure(padding=(px(24), px(20)))
        label(app, self.inner, "keys", "Raised.Page.TLabel").grid(
            row=0, column=0, columnspan=5, sticky="w", pady=(0, px(12))
        )
        rows = list(getattr(app.page, "shortcuts", ()))
        half = (len(rows) + 1) // 2 if len(rows) > 10 else len(rows)
        for number, (keys, word) in enumerate(rows):
            row, side = 1 + number % max(1, half), 3 * (number // max(1, half))
            ttk.Label(self.inner, style="Raised.Tag.TLabel", text=keys).grid(
                row=row, column=side, sticky="w", pady=px(4)
            )
            label(app, self.inner, word, "Raised.TLabel").grid(
                row=row, column=side + 1, sticky="w", padx=(px(16), px(32) if side == 0 and half < len(rows) else 0)
            )
        self.focus_set()
        self.update_idletasks()
        self.place(relx=0.5, rely=0.5, anchor="center")
        self.tkraise()

    @classmethod
    def toggle(cls, app: App) -> None:
        """Shows the list, or takes it away."""
        if isinstance(app.popup, Help):
            app.popup.dismiss()
        else:
            cls(app)
