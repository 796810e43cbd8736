"""Where the parts of the table stand: three columns, or two in a narrow window."""

from __future__ import annotations

from tkinter import ttk
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from qipan.tk.table.page import Table


class Shape(NamedTuple):
    """What a window's size asks for: two columns, wide columns, plates of one line, a comment of one line."""

    narrow: bool = False
    wide: bool = False
    short: bool = False
    low: bool = False


def arrange(table: Table, shape: Shape) -> None:
    """Gives every part its place."""
    px = table.app.style.px
    narrow, wide, short, low = shape
    table.bar.narrow(narrow)
    table.record.narrow(narrow, low)
    table.record.configure(width=px(256 if narrow else 416 if wide else 352))
    table.people.configure(width=px(256 if wide else 224))
    for part in (*table.plates, table.status, table.word_buttons, table.actions, table.typed, *table.lines[:3]):
        part.grid_forget()
    if narrow:
        table.people.grid_remove()
    else:
        table.people.grid()
    others, own = table.order()[:-1], table.order()[-1]
    top: ttk.Frame = table.record.above if narrow else table.people
    foot: ttk.Frame = table.record.below if narrow else table.people
    top.columnconfigure(0, weight=1)
    foot.columnconfigure(0, weight=1)
    for plate in table.plates:
        many = len(table.plates) > 2
        plate.set_compact(narrow or short or many, not (many and (narrow or short)))
    row = 0
    for seat in others:
        table.plates[seat].grid(in_=top, row=row, column=0, sticky="we")
        row += 1
    _stack(table, top, row, narrow)
    table.lines[2].grid(in_=foot, row=90, column=0, sticky="we")
    table.plates[own].grid(in_=foot, row=91, column=0, sticky="we")
    for part in (*table.plates, table.status, table.word_buttons, table.actions, table.typed, *table.lines[:3]):
        part.tkraise()


def _stack(table: Table, top: ttk.Frame, row: int, narrow: bool) -> None:
    """The sentence, the actions and the typed move below the plates of the others."""
    px = table.app.style.px
    table.lines[0].grid(in_=top, row=row, column=0, sticky="we")
    table.status.grid(in_=top, row=row + 1, column=0, sticky="nwe", pady=(px(10), px(8)))
    top.rowconfigure(row + 1, minsize=px(80))  # a sentence of two lines moves nothing below it
    table.word_buttons.grid(in_=top, row=row + 3, column=0, sticky="we")
    if narrow:
        table.lines[1].grid(in_=top, row=row + 4, column=0, sticky="we")
        return
    table.actions.grid(in_=top, row=row + 4, column=0, sticky="we")
    top.rowconfigure(row + 5, weight=1)
    table.typed.grid(in_=top, row=row + 6, column=0, sticky="we")
