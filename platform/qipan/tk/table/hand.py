"""The player's hand on the board: mouse and keys become touches of points; what is hovered or at fault shows."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qipan.geometry import Point
from qipan.scene import Marks
from qipan.tk.table.animate import FLASH
from qipan.tk.table.marks import Marker
from qipan.tk.table.panels import Chooser

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_DRAG = 6  # design pixels a pressed pointer goes before it drags


class Hand:
    """Click and click, press and drag, arrows and Enter: all the same touches."""

    def __init__(self, table: Table) -> None:
        self.table, self.board, self.sitting = table, table.board, table.sitting
        self.hover: Point | None = None
        self.faults: tuple[Point, ...] = ()
        self.dropped = False  # the touch under way lets a dragged piece go
        self._pressed: tuple[int, int] | None = None
        self._again = False  # the press is on what is lifted already: it counts when it is released there
        self._dragging = False
        self.marker: Marker = Marker(self)
        board = self.board
        board.bind("<Button-1>", self._press)
        board.bind("<B1-Motion>", self._drag)
        board.bind("<ButtonRelease-1>", self._release)
        board.bind("<Motion>", self._hovered)
        board.bind("<Leave>", lambda event: self._hover(None))
        for way in ("Left", "Right", "Up", "Down"):
            board.bind(f"<{way}>", lambda event, way=way: self.walk(way))  # type: ignore[misc]
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            board.bind(key, lambda event: self._enter())
        board.bind("<FocusOut>", lambda event: self._hide_point())

    # -- the mouse -----------------------------------------------------------------------------------------------
    def point_at(self, event: tk.Event[Any]) -> Point | None:
        """The point under the pointer."""
        layout = self.board.layout
        return layout.nearest(event.x, event.y) if layout is not None else None

    def _press(self, event: tk.Event[Any]) -> None:
        self.board.focus_set()
        self.board.motion.finish()
        self.sitting.point = None
        self._pressed, self._dragging = (event.x, event.y), False
        point, path = self.point_at(event), self.sitting.pick.path
        self._again = point is not None and bool(path) and point == path[-1]
        if self._again:
            return
        if point is None:
            self.table.do("put-back")
        else:
            self.touch(point)

    def _drag(self, event: tk.Event[Any]) -> None:
        path = self.sitting.pick.path
        if self._pressed is None or len(path) != 1:
            return
        far = max(abs(event.x - self._pressed[0]), abs(event.y - self._pressed[1]))
        if self._dragging or far >= self.table.app.style.px(_DRAG):
            self._dragging = True
            self.board.drag(event.x, event.y)

    def _release(self, event: tk.Event[Any]) -> None:
        again, dragging = self._again, self._dragging
        self._pressed, self._again, self._dragging = None, False, False
        point, path = self.point_at(event), self.sitting.pick.path
        if dragging:
            if point is None or not path or point == path[-1]:
                self.table.do("put-back")
            else:
                self.board.settle()
                self.dropped = True
                self.touch(point)
                self.dropped = False
        elif again and point is not None:
            self.touch(point)

    def _hovered(self, event: tk.Event[Any]) -> None:
        point = self.point_at(event)
        self._hover(point if point is not None and self.sitting.touchable(point) else None)

    def _hover(self, point: Point | None) -> None:
        if point == self.hover:
            return
        self.hover = point
        self.board.configure(cursor="hand2" if point is not None else "")
        if not self.board.motion.running:
            self.table.refresh_board()

    # -- the keyboard --------------------------------------------------------------------------------------------
    def walk(self, way: str) -> str:
        """Goes to the next point that way; at first, shows where the keyboard stands."""
        layout, sitting = self.board.layout, self.sitting
        self.board.motion.finish()
        if layout is None:
            return "break"
        if sitting.point is None:
            path = sitting.pick.path or sitting.trace(sitting.node)
            start = path[-1] if path else layout.nearest(layout.width / 2, layout.height * 0.75, 99)
            sitting.point = start
        else:
            sitting.point = layout.walk(sitting.point, way)
        self.table.refresh_board()
        return "break"

    def _enter(self) -> str:
        self.board.motion.finish()
        if self.sitting.point is None:
            return self.walk("Up")
        self.touch(self.sitting.point)
        return "break"

    def _hide_point(self) -> None:
        if self.sitting.point is not None and self.table.panel is None:
            self.sitting.point = None
            if not self.board.motion.running:
                self.table.refresh_board()

    # -- touching ------------------------------------------------------------------------------------------------
    def touch(self, point: Point) -> None:
        """Touches a point; where several words fit, asks which."""
        table, layout = self.table, self.board.layout
        self.sitting.fault = None
        table.deeds.heard(self.sitting.touch(point))
        if self.sitting.asked and layout is not None:
            x, y = layout.xy(point)
            gap = layout.cell * 0.6
            left, top = table.board.winfo_x(), table.board.winfo_y()
            table.panel = Chooser(table, self.sitting.asked, round(left + x + gap), round(top + y - gap))

    # -- what shows of it ----------------------------------------------------------------------------------------
    def marked(self, marks: Marks) -> Marks:
        """The marks with what the hand adds: the hovered piece, the points at fault, a mark being drawn."""
        cells = self.sitting.view.cells
        hover = self.hover if self.hover is not None and cells[self.hover] is not None else None
        drawn = (*marks.drawn, *self.marker.ahead)
        return marks._replace(hover=hover if hover != marks.lifted else None, fault=self.faults, drawn=drawn)

    def flash(self, points: Sequence[Point]) -> None:
        """Shows red rings at points twice, 600 ms in all; with reduced motion once, as long."""
        self.faults = tuple(points)
        if not points:
            return
        still = self.table.app.settings.reduce_motion
        self._blink(tuple(points), 1 if still else 3, 4 * FLASH if still else FLASH)

    def _blink(self, points: tuple[Point, ...], left: int, each: int) -> None:
        def turn() -> None:
            self.faults = () if self.faults else points
            self.table.refresh_board()
            if left > 1:
                self._blink(points, left - 1, each)

        self.table.later("flash", each, turn)
