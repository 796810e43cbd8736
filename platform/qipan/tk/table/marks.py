"""Marks in the record: points and arrows that the player draws over the board with the right button or with keys."""

from __future__ import annotations

import tkinter as tk
from typing import TYPE_CHECKING, Any

from qipan.geometry import Point
from qipan.tree import Mark

if TYPE_CHECKING:
    from qipan.tk.table.hand import Hand
    from qipan.tk.table.page import Table

BUTTONS = (2, 3)  # the right button: on a Mac it is the second


class Marker:
    """Draws marks at the node that is looked at; a mark drawn once more is taken away."""

    def __init__(self, hand: Hand) -> None:
        table: Table = hand.table
        self._hand, self._table, self._sitting, self._board = hand, table, table.sitting, table.board
        self._start: Point | None = None
        self._end: Point | None = None
        for button in BUTTONS:
            self._board.bind(f"<Button-{button}>", self._press)
            self._board.bind(f"<B{button}-Motion>", self._drag)
            self._board.bind(f"<ButtonRelease-{button}>", self._release)

    @property
    def ahead(self) -> tuple[tuple[Point, ...], ...]:
        """The mark that is being drawn: none or one path."""
        end = self._end if self._end is not None else self._sitting.point
        if self._start is None or end is None:
            return ()
        return ((self._start,) if self._start == end else (self._start, end),)

    def drop(self) -> None:
        """Forgets the mark that is being drawn."""
        self._start = self._end = None

    def mark(self) -> None:
        """Marks the point where the keyboard stands."""
        if self._sitting.point is None:
            self._hand.walk("Up")
        else:
            self._toggle((self._sitting.point,))

    def arrow(self) -> None:
        """Begins an arrow where the keyboard stands, or ends it there; back at its beginning there is none."""
        point, start = self._sitting.point, self._start
        self.drop()
        if point is None:
            self._hand.walk("Up")
        elif start is None:
            self._start = point
            self._table.refresh_board()
        elif start != point:
            self._toggle((start, point))
        else:
            self._table.refresh_board()

    def clear(self) -> None:
        """Takes all marks of the node away."""
        node = self._sitting.node
        if node.marks:
            self._table.deeds.attempt(lambda: self._table.session.mark(node, ()))

    def _toggle(self, path: tuple[Point, ...]) -> None:
        node = self._sitting.node
        kept = tuple(mark for mark in node.marks if mark.path != path)
        marks = kept if len(kept) < len(node.marks) else (*kept, Mark(path))
        self._table.deeds.attempt(lambda: self._table.session.mark(node, marks))

    # -- the mouse -----------------------------------------------------------------------------------------------
    def _press(self, event: tk.Event[Any]) -> None:
        self._board.motion.finish()
        point = self._hand.point_at(event)
        if point is None or not self._sitting.pick.empty:
            self._table.do("put-back")
            return
        self._start = self._end = point
        self._table.refresh_board()

    def _drag(self, event: tk.Event[Any]) -> None:
        point = self._hand.point_at(event)
        if self._start is not None and point is not None and point != self._end:
            self._end = point
            self._table.refresh_board()

    def _release(self, event: tk.Event[Any]) -> None:
        ahead, point = self.ahead, self._hand.point_at(event)
        self.drop()
        if ahead and point is not None:
            self._toggle(ahead[0])
        elif ahead:
            self._table.refresh_board()
