"""A field for one line of text with an icon before it and a hint in it while it is empty."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk.widgets import button, label

if TYPE_CHECKING:
    from qipan.tk.app import App


class HintField(ttk.Frame):
    """``value``: the text; ``clear``: what the cross does that shows while there is text (None: no cross)."""

    def __init__(
        self,
        app: App,
        parent: tk.Misc,
        icon: str,
        hint: str,
        *,
        text: str = "",
        clear: Callable[[], object] | None = None,
        ground: str = "",
    ) -> None:
        px = app.style.px
        super().__init__(
            parent,
            style=f"{ground}Field.TFrame",
            padding=(px(12), px(3), px(5), px(3)),
            height=px(36),
            width=px(80),
            cursor="xterm",
        )
        self.pack_propagate(False)
        self.value = tk.StringVar(self, text)
        sign = ttk.Label(self, style="Raised.TLabel", image=app.style.icon(icon, "ink2"))
        sign.pack(side="left", padx=(0, px(8)))
        self.entry = ttk.Entry(self, style="Bare.TEntry", font=app.style.font(14), textvariable=self.value, width=1)
        self.entry.pack(side="left", fill="both", expand=True)
        self._cross = (
            button(app, self, icon="close", style="Raised.Clear.TButton", tip="clear", command=clear) if clear else None
        )
        self._hint = label(app, self, hint, "Raised.Hint.TLabel", cursor="xterm")
        for part in (self, sign, self._hint):
            part.bind("<Button-1>", lambda event: self.entry.focus_set())
        self.entry.bind("<FocusIn>", lambda event: self.state(["focus"]), add="+")
        self.entry.bind("<FocusOut>", lambda event: self.state(["!focus"]), add="+")
        self.follow(self._show)
        self._show()

    def follow(self, fn: Callable[[], object]) -> None:
        """Calls ``fn`` after each change of the text as long as the field lives; a trace that stays holds the page."""
        trace = self.value.trace_add("write", lambda *_: fn())
        self.bind("<Destroy>", lambda event: self.value.trace_remove("write", trace), add="+")

    def _show(self) -> None:
        if self.value.get():
            self._hint.place_forget()
        else:
            self._hint.place(in_=self.entry, x=0, rely=0.5, anchor="w")
            self._hint.tkraise()
        if self._cross is not None and not self.value.get():
            self._cross.pack_forget()
        elif self._cross is not None:
            self._cross.pack(side="right", before=self.entry)
