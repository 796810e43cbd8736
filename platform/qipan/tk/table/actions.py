"""The actions of the people column: rows with an icon, a text and their key; and the field that takes a typed move."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING, NamedTuple

from qipan.tk import widgets
from qipan.tk.elements import Box
from qipan.tk.pad import Pad
from qipan.tk.select import Popup
from qipan.tk.table import keys

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

MOST = 6  # moves that can be looked back at


class Action(NamedTuple):
    """One action: the command, its icon, whether the bar of a narrow window shows it too."""

    command: str
    icon: str
    bar: bool = True


ACTIONS = (
    Action("take-back", "undo"),
    Action("redo", "redo"),
    Action("look-back", "look-back"),
    Action("flip", "flip"),
    Action("draw", "draw"),
    Action("resign", "flag"),
    Action("restart", "turn", bar=False),
)


class ActionRow(Pad):
    """A row to press: icon, text, and its key at the right; ``extra`` (look back) opens a choice instead of a key."""

    def __init__(self, parent: tk.Misc, table: Table, action: Action, extra: Callable[[], str] | None = None) -> None:
        self._table, self.action, self._extra = table, action, extra
        self.enabled = True
        style = table.app.style
        super().__init__(table.app, parent, style.px(208), style.px(34), self._pressed)
        self._x = 0
        self.tip = widgets.Tip(table.app, self, "", why_not=lambda: table.deeds.why_not(action.command))
        self.bind("<Button-1>", lambda event: setattr(self, "_x", event.x), add="+")
        if extra is not None:
            self.bind("<Down>", lambda event: self._choose())

    def _pressed(self) -> None:
        if not self.enabled:
            return
        x, self._x = self._x, 0
        if self._extra is not None and x > self.winfo_width() - self.app.style.px(84):
            self._choose()
        else:
            self._table.do(self.action.command)

    def _choose(self) -> None:
        table = self._table
        choices = [(str(count), table.speaker.text("table.last-n", count)) for count in range(1, MOST + 1)]

        def done(choice: str | None) -> None:
            popup.destroy()
            if choice is not None:
                table.deeds.set_look_back(int(choice))

        popup = Popup(self.app, self, choices, str(self.app.settings.look_back_count), done)

    def enable(self, on: bool) -> None:
        """Lets it be pressed, or not; a disabled row is drawn in the colour of outlines."""
        if on != self.enabled:
            self.enabled = on
            self.configure(takefocus=on, cursor="hand2" if on else "arrow")
            self.redraw()

    def paint(self, width: int, height: int) -> None:
        """Draws the row in its state."""
        style = self.app.style
        px = style.px
        fill = "accent_soft" if self.chosen else ""
        if self.enabled and (self.hover or self.held):
            fill = "raised+12" if self.held else fill or "surface+6"
        if fill or self.focused:
            box = style.box(width, height, 6, Box(fill, ring=self.focused))
            self.create_image(0, 0, anchor="nw", image=str(box))
        ink = "accent" if self.chosen else "ink" if self.enabled else "control"
        icon = ink if ink != "ink" else "ink2"
        self.create_image(px(8), height // 2, anchor="w", image=str(style.icon(self.action.icon, icon)))
        speaker = self._table.speaker
        text = speaker.text(f"table.{self.action.command}")
        self.create_text(
            px(38), height // 2, anchor="w", text=text, font=style.font(14, self.chosen),
            fill=style.tokens.colour(ink),
        )  # fmt: skip
        right = width - px(8)
        if self._extra is None:
            hint, colour = keys.label(self.action.command), "ink3" if self.enabled else "control"
        else:
            arrow = style.icon("down", "accent" if self.chosen else "ink3", 16)
            self.create_image(right, height // 2, anchor="e", image=str(arrow))
            right -= px(20)
            hint, colour = self._extra(), "accent" if self.chosen else "ink3"
        self.create_text(
            right, height // 2, anchor="e", text=hint, font=style.font(12), fill=style.tokens.colour(colour)
        )


class Actions(ttk.Frame):
    """All actions as rows."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        self._said = ("", "")  # the language and the count that the rows were drawn with
        self.rows: dict[str, ActionRow] = {}
        for action in ACTIONS:
            extra = self._count if action.command == "look-back" else None
            row = ActionRow(self, table, action, extra)
            row.pack(fill="x", padx=table.app.style.px(8))
            self.rows[action.command] = row

    def _count(self) -> str:
        return self._table.speaker.text("table.last-n", self._table.app.settings.look_back_count)

    def refresh(self) -> None:
        """Shows which actions can be taken now. Rows that stay as they are aren't drawn: this is part of every move."""
        before, self._said = self._said, (self._table.app.language, self._count())
        for command, row in self.rows.items():
            row.enable(self._table.can(command))
            row.choose(command == "look-back" and self._table.app.settings.look_back)
            if self._said != before:
                row.redraw()


class WordButtons(ttk.Frame):
    """The moves without points as buttons: "Pass", "Roll"."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        self._shown: object = None

    def refresh(self) -> None:
        """Shows the buttons of the moves that are legal now."""
        table = self._table
        moves = table.sitting.word_moves()
        shown = (moves, table.app.language)
        if shown == self._shown:
            return
        self._shown = shown
        for child in self.winfo_children():
            child.destroy()
        px = table.app.style.px
        self.configure(height=1)
        several = len({move.seat for move in moves}) > 1
        for move in moves:
            text = table.speaker.word(move)
            if several:
                text = f"{table.speaker.seat(move.seat)}: {text}"
            button = ttk.Button(self, text=text, command=lambda move=move: table.deeds.play(move))  # type: ignore[misc]
            button.bind("<Return>", lambda event: event.widget.invoke())
            button.pack(fill="x", padx=px(16), pady=(0, px(8)))


class TypedMove(ttk.Frame):
    """The field for a move in any notation the game reads; Return plays it, Esc goes back to the board."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        app = table.app
        px = app.style.px
        widgets.label(app, self, "table.type", "Label.TLabel").pack(anchor="w", padx=px(16), pady=(0, px(4)))
        self.entry = widgets.entry(app, self)
        self.entry.pack(fill="x", padx=px(16), pady=(0, px(12)))
        self.entry.bind("<Return>", lambda event: self._play(table))
        self.entry.bind("<Escape>", lambda event: self._leave(table))

    def _play(self, table: Table) -> str:
        text = self.entry.get().strip()
        if text and table.deeds.type_move(text):
            self.entry.delete(0, "end")
        return "break"

    def _leave(self, table: Table) -> str:
        self.entry.delete(0, "end")
        table.hide_typed()
        return "break"
