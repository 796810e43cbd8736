"""The sentence of the table: whose move it is, check, why a try was refused, how it ended, and what may be answered."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk import widgets
from qipan.tk.table.words import Status

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

Answer = tuple[str, Callable[[], object]]  # the key of its words, and what it does


class StatusBox(ttk.Frame):
    """A title, details, and small buttons; a soft box for check (red), looking elsewhere and the end (accent)."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        self._shown: object = None
        self._labels: list[ttk.Label] = []
        self._signed = False  # a warning sign stands before the words
        self.bind("<Configure>", self._wrap)

    @property
    def text(self) -> str:
        """All that is said, for reading aloud and for tests."""
        return " ".join(str(label.cget("text")) for label in self._labels)

    def show(self, status: Status, answers: tuple[Answer, ...]) -> None:
        """Shows a status; nothing happens where it is shown already."""
        shown = (status, tuple(key for key, _ in answers), self._table.app.language)
        if shown == self._shown:
            return
        self._shown = shown
        for child in self.winfo_children():
            child.destroy()
        self._labels.clear()
        self._signed = status.tone == "check"
        px = self._table.app.style.px
        boxed = {"check": "Fault", "aside": "Note", "end": "Note"}.get(status.tone, "")
        box = ttk.Frame(self, style=f"{boxed}.TFrame" if boxed else "TFrame", padding=px(10) if boxed else 0)
        inset = px(8 if boxed else 16)
        box.pack(fill="x", padx=inset, pady=px(4 if boxed else 0))
        self._say(box, status, boxed)
        if answers:
            row = ttk.Frame(box, style=f"{boxed}Inside.TFrame" if boxed else "TFrame")
            row.pack(anchor="w", pady=(px(8), 0))
            for key, command in answers:
                style = f"{boxed}.Small.TButton" if boxed else "Small.TButton"
                button = widgets.button(self._table.app, row, key, style=style, command=command)
                button.pack(side="left", padx=(0, px(8)))
        self._wrap()

    def _say(self, box: ttk.Frame, status: Status, boxed: str) -> None:
        style = self._table.app.style
        px = style.px
        title = {"Fault": "FaultTitle.TLabel", "Note": "Note.TLabel"}.get(boxed, "Title.TLabel")
        body = {"Fault": "FaultText.TLabel", "Note": "Note.TLabel"}.get(boxed, "Secondary.TLabel")
        if status.tone == "wrong":
            body = "Red.TLabel"
        if boxed == "Fault":
            sign = ttk.Label(box, style=title, image=str(style.icon("warning", "red")))
            sign.pack(side="left", anchor="n", padx=(0, px(8)))
        heading = ttk.Label(box, style=title, text=status.title)
        if boxed:
            heading.configure(font=style.font(14, True))
        heading.pack(anchor="w")
        self._labels.append(heading)
        for detail in status.details:
            label = ttk.Label(box, style=body, text=detail)
            label.pack(anchor="w", pady=(px(2), 0))
            self._labels.append(label)

    def _wrap(self, event: object = None) -> None:
        width = self.winfo_width() - self._table.app.style.px(38)
        for label in self._labels:
            if width > 60:
                label.configure(wraplength=width - self._table.app.style.px(28) if self._signed else width)
