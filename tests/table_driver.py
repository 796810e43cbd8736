"""Plays at a real table in a real window: mouse and key events in, what is drawn and said out."""

from __future__ import annotations

import tkinter as tk
from typing import Any

from qipan.scene import piece_role
from qipan.tk.app import App
from qipan.tk.table.page import Table
from qipan.tk.table.panels import Chooser
from qipan.values import Move


class Driver:
    """The hands and eyes of a test at one table."""

    def __init__(self, app: App) -> None:
        assert isinstance(app.page, Table)
        self.app, self.table = app, app.page
        self.board = self.table.board
        app.settings.animate = app.settings.pulse = False  # what moves has tests of its own
        app.root.focus_force()
        self.board.focus_force()
        app.root.update()

    # -- hands ---------------------------------------------------------------------------------------------------
    def point(self, place: int | str) -> int:
        """The point of a site's name."""
        return self.table.session.rules.board.index[place] if isinstance(place, str) else place

    def pixel(self, place: int | str) -> tuple[int, int]:
        """Where a point is on the canvas."""
        assert self.board.layout is not None
        x, y = self.board.layout.xy(self.point(place))
        return round(x), round(y)

    def click(self, *places: int | str) -> None:
        """Clicks points, one after another."""
        for place in places:
            x, y = self.pixel(place)
            self.board.event_generate("<Motion>", x=x, y=y)
            self.board.event_generate("<Button-1>", x=x, y=y)
            self.board.event_generate("<ButtonRelease-1>", x=x, y=y)
            self.app.root.update()

    def drag(self, start: int | str, end: int | str) -> None:
        """Presses on one point, moves in steps, lets go on another."""
        (x0, y0), (x1, y1) = self.pixel(start), self.pixel(end)
        self.board.event_generate("<Button-1>", x=x0, y=y0)
        for step in range(1, 5):
            x, y = x0 + (x1 - x0) * step // 4, y0 + (y1 - y0) * step // 4
            self.board.event_generate("<B1-Motion>", x=x, y=y, state=0x100)
            self.app.root.update()
        self.board.event_generate("<ButtonRelease-1>", x=x1, y=y1)
        self.app.root.update()

    def key(self, *sequences: str, widget: tk.Misc | None = None) -> None:
        """Presses keys where the focus is, or on a widget that gets it first."""
        if widget is not None and self.app.root.focus_get() is not widget:
            widget.focus_force()
            self.app.root.update()
        for sequence in sequences:
            target: Any = self.app.root.focus_get() or self.board
            target.event_generate(f"<{sequence}>")
            self.app.root.update()

    def walk_to(self, place: int | str) -> None:
        """Walks the keyboard's ring to a point by the shortest way of arrow keys."""
        goal, layout = self.point(place), self.board.layout
        assert layout is not None
        if self.table.sitting.point is None:
            self.key("Up", widget=self.board)
        start = self.table.sitting.point
        assert start is not None
        came: dict[int, tuple[int, str]] = {start: (start, "")}
        todo = [start]
        for at in todo:
            for way in ("Left", "Right", "Up", "Down"):
                following = layout.walk(at, way)
                if following not in came:
                    came[following] = (at, way)
                    todo.append(following)
        ways = []
        while goal != start:
            goal, way = came[goal]
            ways.append(way)
        self.key(*reversed(ways), widget=self.board)
        assert self.table.sitting.point == self.point(place)

    def press(self, *places: int | str) -> None:
        """Touches points by the keyboard alone."""
        for place in places:
            self.walk_to(place)
            self.key("Return", widget=self.board)

    def text(self, text: str) -> None:
        """Types a move into its field and presses Return."""
        self.key("t", widget=self.board)
        entry = self.table.typed.entry
        assert self.app.root.focus_get() is entry
        entry.insert(0, text)
        self.key("Return", widget=entry)
        self.board.focus_force()
        self.app.root.update()

    def sit(self) -> None:
        """Takes the curtain away where one hangs."""
        if self.table.curtain is not None:
            self.key("Return", widget=self.table.curtain.ready)
            assert self.table.curtain is None

    def play(self, move: Move, keyboard: bool = False) -> None:
        """Makes a move of any game as a player would: seats sit down, hands are taken up, words are chosen."""
        self.sit()
        if not move.path:
            self._press_word(move)
            return
        before = self.table.sitting.node
        if move.word.startswith("@"):
            self._take(move)
        for point in move.path:
            (self.press if keyboard else self.click)(point)
        if self.table.sitting.asked:
            self._choose(move)
        if self.table.sitting.node is before:  # a path that could go on ends when its last point is touched again
            (self.press if keyboard else self.click)(move.path[-1])
        self.app.root.update()

    def _press_word(self, move: Move) -> None:
        if move.word.startswith("arrange:"):
            self.answer("table.arrange-done")
            return
        moves = self.table.sitting.word_moves()
        button = self.table.word_buttons.winfo_children()[moves.index(move)]
        self.key("Return", widget=button)

    def answer(self, word: str) -> None:
        """Presses a button under the sentence."""
        text = self.app.t(word)
        buttons = [child for child in family(self.table.status) if child.winfo_class() == "TButton"]
        button = next(button for button in buttons if str(button.cget("text")) == text)  # type: ignore[no-untyped-call]
        self.key("Return", widget=button)

    def _take(self, move: Move) -> None:
        plate = self.table.plates[move.seat]
        hand = self.table.sitting.view.hands[move.seat]
        number = next(n for n, piece in enumerate(hand) if f"@{piece.kind}" == move.word)
        self.key("Return", widget=plate.hand.winfo_children()[number])

    def _choose(self, move: Move) -> None:
        panel = self.table.panel
        assert isinstance(panel, Chooser)
        for _ in range(self.table.sitting.asked.index(move)):
            self.key("Down")
        self.key("Return")

    # -- eyes ----------------------------------------------------------------------------------------------------
    @property
    def said(self) -> str:
        """The sentence of the people column."""
        return self.table.status.text

    def check(self) -> None:
        """Holds that the canvas shows exactly the pieces of the position, each in its place and look."""
        view = self.table.sitting.shown
        seats = self.table.session.rules.seats
        expected = {point: piece_role(piece, seats) for point, piece in enumerate(view.cells) if piece is not None}
        assert self.board.shown() == expected
        assert not self.app.faults, self.app.faults


def family(widget: tk.Misc) -> list[tk.Misc]:
    """All widgets inside one."""
    found = []
    for child in widget.winfo_children():
        found += [child, *family(child)]
    return found
