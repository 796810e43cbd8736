"""The plate of a seat: its sign and name, its clock, what it has taken; the seat to move is raised, with a bar."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import TYPE_CHECKING, NamedTuple

from qipan.scene import piece_role
from qipan.tk.times import clock_text
from qipan.values import Piece

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_BAR, _INSET = 4, 16  # pixels of the design
_HURRY = 10.0  # seconds; from here on a clock is red and shows tenths


class Facts(NamedTuple):
    """All that a plate shows; it is drawn again only when they differ."""

    width: int
    compact: bool
    sign: str
    name: str
    under: str
    active: bool
    taken: tuple[tuple[Piece, int], ...]
    roomy: bool  # room is kept for what may yet be taken
    below: bool  # a line of its own for what is taken, when something is
    timed: bool
    look: object


class Plate(ttk.Frame):
    """One seat. ``compact``: one line of 54 for narrow windows and for more than two seats.

    What is taken then has a line of 24 below it where the column is high enough, else it stands after the seat's side.
    """

    def __init__(self, parent: tk.Misc, table: Table, seat: int) -> None:
        super().__init__(parent)
        self._table, self._seat = table, seat
        self.compact = self.below = False
        self._facts: Facts | None = None
        self._clock: tuple[str, bool] | None = None
        self.canvas = tk.Canvas(self, highlightthickness=0, borderwidth=0, takefocus=False, width=1, height=1)
        self.canvas.pack(fill="x")
        self.canvas.bind("<Configure>", lambda event: self.refresh())
        self.hand = ttk.Frame(self)
        self._held: object = None

    def set_compact(self, on: bool, below: bool) -> None:
        """One line in place of three; ``below``: what is taken has another."""
        self.compact, self.below = on, below

    def refresh(self) -> None:
        """Shows the seat as the table now stands."""
        table, seat = self._table, self._seat
        speaker, sitting = table.speaker, table.sitting
        name = speaker.name(seat)
        side = speaker.seat(seat)
        person = speaker.text("table.person")
        start = table.start_view
        roomy = len(table.session.rules.seats) == 2 and not start.hands and any(start.cells)
        facts = Facts(
            width=self.canvas.winfo_width(),
            compact=self.compact,
            sign=table.sign(seat),
            name=name,
            under=person if name == side else side if self.compact else f"{side} · {person}",
            active=seat in sitting.waiting,
            taken=sitting.taken(seat),
            roomy=roomy,
            below=self.below,
            timed=bool(table.session.clock.readings(table.app.now())),
            look=(table.app.style.mode, table.look_key),
        )
        if facts != self._facts:
            self._facts = facts
            self._clock = None
            self._paint(facts)
        self.tick()
        self._show_hand()

    def _paint(self, facts: Facts) -> None:
        canvas, style = self.canvas, self._table.app.style
        px = style.px
        canvas.delete("all")
        ground = style.raised if facts.active else style.surface
        inset, avatar = px(_INSET), px(32)
        top = px(11) if facts.compact else px(16)
        canvas.configure(background=ground)
        self._image(inset, top, facts.sign, 32)
        left = inset + avatar + px(10)
        clock = style.measure("00:00", 24, True) + px(10) if facts.compact and facts.timed else 0
        room = facts.width - left - inset - clock
        canvas.create_text(
            left, top + px(8), anchor="w", text=style.fit(facts.name, room, 14, True), font=style.font(14, True),
            fill=style.ink,
        )  # fmt: skip
        canvas.create_text(
            left, top + px(25), anchor="w", text=style.fit(facts.under, room, 12), font=style.font(12), fill=style.ink2
        )
        height = top + avatar + (px(11) if facts.compact else px(16))
        if facts.timed and not facts.compact:
            height += px(41)
        if facts.roomy and not facts.compact:
            self._taken(facts, inset, height - px(2 if facts.timed else 6), 24)
            height += px(36)
        elif facts.compact and facts.taken:
            if facts.below:
                self._taken(facts, inset, height - px(6), 18)
                height += px(20)
            else:
                x = left + style.measure(style.fit(facts.under, room, 12), 12) + px(8)
                self._taken(facts._replace(width=facts.width - clock - px(6)), x, top + px(17), 16)
        if facts.active:
            canvas.create_rectangle(0, 0, px(_BAR), height, fill=style.accent, width=0)
        canvas.configure(height=height)

    def _image(self, x: int, y: int, role: str, size: int) -> int:
        self.canvas.create_image(x, y, anchor="nw", image=str(self._table.icon(role, size)))
        return self._table.app.style.px(size)

    def _taken(self, facts: Facts, x: int, y: int, size: int) -> None:
        """What is taken, from x on, ``size`` design pixels high: closer where it is much, cut short where too much."""
        style, seats = self._table.app.style, self._table.session.rules.seats
        px, end = style.px, facts.width - style.px(8)
        counts = [f"×{number}" if number > 1 else "" for _, number in facts.taken]
        need = sum(px(size + 1) + (style.measure(count, 12) + px(5) if count else 0) for count in counts)
        tight = need > end - x
        side = min(size, 20) if tight else size
        middle = y + px(size) // 2
        for (piece, _), count in zip(facts.taken, counts, strict=True):
            wide = style.measure(count, 12) + px(2 if tight else 5) if count else 0
            if x + px(side) + wide > end:
                self.canvas.create_text(x, middle, anchor="w", text="…", font=style.font(12), fill=style.ink2)
                return
            x += self._image(x, middle - px(side) // 2, piece_role(piece, seats), side) + px(0 if tight else 1)
            if count:
                self.canvas.create_text(x, middle, anchor="w", text=count, font=style.font(12), fill=style.ink2)
                x += wide

    # -- the clock -----------------------------------------------------------------------------------------------
    def tick(self) -> None:
        """Shows the clock as it now runs; digits stand at equal width."""
        facts, table = self._facts, self._table
        if facts is None or not facts.timed:
            return
        reading = table.session.clock.remaining(self._seat, table.app.now())
        text = clock_text(reading.main, tenths=facts.active)
        if reading.in_period:
            text += f" ×{reading.periods}"
        hurry = facts.active and reading.main < _HURRY
        if (text, hurry) == self._clock:
            return
        self._clock = (text, hurry)
        self.canvas.delete("clock")
        style = table.app.style
        size = 24 if facts.compact else 32
        colour = style.red if hurry else style.ink if facts.active else style.ink2
        digit = max(style.measure(sign, size, True) for sign in "0123456789")
        widths = [digit if sign.isdigit() else style.measure(sign, size, True) for sign in text]
        x = style.px(_INSET)
        y = style.px(16 + 32 + 31)
        if facts.compact:
            x, y = facts.width - style.px(_INSET) - sum(widths), style.px(27)
        for sign, width in zip(text, widths, strict=True):
            self.canvas.create_text(
                x + width / 2, y, text=sign, font=style.font(size, True), fill=colour, tags="clock"
            )
            x += width

    # -- the hand ------------------------------------------------------------------------------------------------
    def _show_hand(self) -> None:
        table = self._table
        hands = table.sitting.view.hands
        pieces = hands[self._seat] if self._seat < len(hands) else ()
        ready = table.sitting.ready_hands(self._seat)
        held = (pieces, ready, table.sitting.pick.hand, self._facts)
        if held == self._held:
            return
        self._held = held
        for child in self.hand.winfo_children():
            child.destroy()
        self.hand.pack_forget()
        if not pieces:
            return
        style, seats = table.app.style, table.session.rules.seats
        self.hand.pack(fill="x", padx=style.px(12), pady=(0, style.px(8)))
        for number, piece in enumerate(pieces):
            word = f"@{piece.kind}"
            photo = table.icon(piece_role(piece, seats), 30)
            button = ttk.Button(
                self.hand, style="Tool.TButton", image=str(photo), compound="left",
                text=f"×{piece.count}" if piece.count > 1 else "", command=lambda word=word: table.deeds.take(word),  # type: ignore[misc]
            )  # fmt: skip
            button.bind("<Return>", lambda event: event.widget.invoke())
            if word not in ready:
                button.state(["disabled"])
            elif table.sitting.pick.hand == word:
                button.state(["selected"])
            button.grid(row=number // 4, column=number % 4)
