"""The move list: one canvas on which only the visible rows are drawn, however long the game."""

from __future__ import annotations

import tkinter as tk
from bisect import bisect_right
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan.tk.elements import Box
from qipan.tk.table.marks import BUTTONS
from qipan.tk.table.rows import Cell, Row, table_rows
from qipan.tk.times import spent_text
from qipan.tree import Node

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_ROW, _SMALL, _HEAD, _TOP = 28, 22, 22, 8  # heights: a row, a row of a variation, its heading, above the first
_NUMBER, _COLUMN, _INDENT = 32, 112, 16


class MoveList(ttk.Frame):
    """The moves of the game in its notation; the one looked at on accent; a click goes there, the right button asks."""

    def __init__(self, parent: tk.Misc, table: Table, menu: Callable[[Node, tk.Event[Any]], object]) -> None:
        super().__init__(parent)
        self._table, self._menu = table, menu
        self.rows: list[Row] = []
        self._tops: list[int] = []
        self._height = 0
        self._offset = 0
        self._cells: list[tuple[int, int, int, int, Node]] = []
        self._texts: dict[tuple[int, str], str] = {}
        self._followed: object = None
        self._shown: object = None
        self.canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, takefocus=True)
        self.canvas.pack(side="left", fill="both", expand=True)
        self._bar = ttk.Scrollbar(self, style="Vertical.TScrollbar", command=self._scrolled)
        for sequence, command in (
            ("<Configure>", lambda event: self._draw()),
            ("<Button-1>", self._clicked),
            *((f"<Button-{button}>", self._asked) for button in BUTTONS),
            ("<MouseWheel>", lambda event: self._wheel(-1 if event.delta > 0 else 1)),
            ("<Button-4>", lambda event: self._wheel(-1)),
            ("<Button-5>", lambda event: self._wheel(1)),
            ("<Up>", lambda event: self._step("back")),
            ("<Down>", lambda event: self._step("forward")),
        ):
            self.canvas.bind(sequence, command)
        table.app.on_theme(self._draw, self)

    # -- what is in it -------------------------------------------------------------------------------------------
    def text(self, node: Node) -> str:
        """A move in the chosen notation, as far as the viewer was told it."""
        table = self._table
        key = (node.id, f"{table.notation}/{table.app.language}/{table.sitting.viewer}")
        if key not in self._texts:
            self._texts[key] = table.say(node)
        return self._texts[key]

    def refresh(self) -> None:
        """Shows the tree as it now is, and the node that is looked at."""
        table = self._table
        px = table.app.style.px
        node = table.sitting.node
        shown = (table.changes, node, table.notation, table.app.language, table.sitting.viewer)
        if shown == self._shown:
            return
        self._shown = shown
        self.rows = table_rows(table.session.root, len(table.session.rules.seats), self.text)
        self._tops, y = [], px(_TOP)
        for row in self.rows:
            self._tops.append(y)
            y += px(_SMALL if row.depth else _ROW) + px(_HEAD if row.head else 0)
        self._height = y + px(_TOP)
        if (node, len(self.rows)) != self._followed:
            self._followed = (node, len(self.rows))
            self._see(node)
        self._draw()

    def _see(self, node: Node) -> None:
        at = next((n for n, row in enumerate(self.rows) if any(cell.node is node for cell in row.cells)), None)
        view = self.canvas.winfo_height()
        if at is None:
            self._offset = 0
            return
        row = self._table.app.style.px(_ROW)
        if self._tops[at] < self._offset + row:
            self._offset = self._tops[at] - row
        elif self._tops[at] + 2 * row > self._offset + view:
            self._offset = self._tops[at] + 2 * row - view

    # -- drawing -------------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        canvas, style = self.canvas, self._table.app.style
        canvas.delete("all")
        self._cells.clear()
        view, width = canvas.winfo_height(), canvas.winfo_width()
        canvas.configure(background=style.surface)
        self._offset = max(0, min(self._offset, self._height - view))
        self._show_bar(view)
        if not self.rows:
            canvas.create_text(
                style.px(16), style.px(24), anchor="nw", text=self._table.speaker.text("table.no-moves"),
                font=style.font(13), fill=style.ink2, width=max(60, width - style.px(32)),
            )  # fmt: skip
            return
        first = max(0, bisect_right(self._tops, self._offset) - 1)
        for number in range(first, len(self.rows)):
            y = self._tops[number] - self._offset
            if y > view:
                break
            self._draw_row(self.rows[number], y, width)

    def _draw_row(self, row: Row, y: int, width: int) -> None:
        canvas, style = self.canvas, self._table.app.style
        px = style.px
        left = px(16) + px(_INDENT) * row.depth
        height = px(_SMALL if row.depth else _ROW)
        if row.depth:
            whole = height + px(_HEAD if row.head else 0)
            for depth in range(1, row.depth + 1):
                x = px(16) + px(_INDENT) * depth
                canvas.create_rectangle(x, y, x + px(2), y + whole, fill=style.accent, width=0)
            left += px(12)
        if row.head:
            canvas.create_image(left, y + px(_HEAD) // 2, anchor="w", image=str(style.icon("variation", "accent", 16)))
            canvas.create_text(
                left + px(20), y + px(_HEAD) // 2, anchor="w", text=self._table.speaker.text("table.variation"),
                font=style.font(12), fill=style.ink3,
            )  # fmt: skip
            y += px(_HEAD)
        middle = y + height // 2
        canvas.create_text(left, middle, anchor="w", text=row.number, font=style.font(12), fill=style.ink3)
        x = left + px(24 if row.depth else _NUMBER)
        room = width - px(16) - x - (px(44) if row.spent is not None else 0)
        column = min(px(90 if row.depth else _COLUMN), room // 2)
        paired = len(self._table.session.rules.seats) == 2
        for cell in row.cells:
            self._draw_cell(cell, x + column * cell.column, y, column if paired else room, height, row.depth)
        if row.spent is not None and not row.depth:
            canvas.create_text(
                width - px(16), middle, anchor="e", text=spent_text(row.spent), font=style.font(12), fill=style.ink3
            )

    def _draw_cell(self, cell: Cell, x: int, y: int, room: int, height: int, depth: int) -> None:
        canvas, style, table = self.canvas, self._table.app.style, self._table
        px = style.px
        size = 13 if depth else 15
        here = cell.node is table.sitting.node
        text = style.fit(cell.text, room - px(4), size, here)
        ink = style.on_accent if here else style.ink2 if depth or not cell.node.played else style.ink
        if len(table.session.rules.seats) > 2 and cell.node.move is not None and cell.node.move.seat >= 0:
            canvas.create_rectangle(
                x, y + px(5), x + px(4), y + height - px(5), width=0, fill=table.seat_colour(cell.node.move.seat)
            )
            x += px(12)
        if here:
            pad = px(8)
            width = style.measure(text, size, True) + 2 * pad
            box = style.box(width, height - px(4), 4, Box("accent"))
            canvas.create_image(x - pad, y + px(2), anchor="nw", image=str(box))
        canvas.create_text(x, y + height // 2, anchor="w", text=text, font=style.font(size, here), fill=ink)
        if cell.node.comment or cell.node.marks:
            mark = x + style.measure(text, size, here) + px(2 if here else 6)
            canvas.create_oval(mark, y + px(8), mark + px(4), y + px(12), width=0, fill=ink if here else style.accent)
        self._cells.append((x - px(8), y, x - px(8) + room, y + height, cell.node))

    # -- moving about --------------------------------------------------------------------------------------------
    def _show_bar(self, view: int) -> None:
        if self._height <= view or view < 2:
            self._bar.place_forget()
            return
        px = self._table.app.style.px
        self._bar.set(self._offset / self._height, (self._offset + view) / self._height)
        self._bar.place(relx=1, x=-px(2), y=px(2), relheight=1, height=-px(4), width=px(8), anchor="ne")

    def _scrolled(self, *words: str) -> None:
        if words[0] == "moveto":
            self._offset = round(float(words[1]) * self._height)
        else:
            self._offset += int(words[1]) * self._table.app.style.px(_ROW)
        self._draw()

    def _wheel(self, steps: int) -> None:
        self._offset += steps * 3 * self._table.app.style.px(_ROW)
        self._draw()

    def place_of(self, node: Node) -> tuple[int, int] | None:
        """The pixel in the middle of a move's cell, where it is visible."""
        found = next((cell for cell in self._cells if cell[4] is node), None)
        return (found[0] + 20, (found[1] + found[3]) // 2) if found else None

    def _at(self, event: tk.Event[Any]) -> Node | None:
        return next(
            (node for x0, y0, x1, y1, node in self._cells if x0 <= event.x < x1 and y0 <= event.y < y1), None
        )

    def _clicked(self, event: tk.Event[Any]) -> None:
        self.canvas.focus_set()
        node = self._at(event)
        if node is not None:
            self._table.deeds.look_at(node)

    def _asked(self, event: tk.Event[Any]) -> None:
        node = self._at(event)
        if node is not None:
            self._menu(node, event)

    def _step(self, command: str) -> str:
        self._table.do(command)
        return "break"
