"""The page on which a game is played: people, board and record, and the one way in which what happens reaches them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING

from PIL import ImageTk

from qipan.acts import Change, Ended, Played, PluginFault, TakenBack
from qipan.audio.player import cue_file
from qipan.layout import Layout
from qipan.paint import Painter
from qipan.scene import draw
from qipan.session import Session
from qipan.tk import parting, widgets
from qipan.tk.table import keys
from qipan.tk.table.actions import Actions, TypedMove, WordButtons
from qipan.tk.table.animate import Plan, plan
from qipan.tk.table.bar import Bar
from qipan.tk.table.canvas import BoardCanvas
from qipan.tk.table.deeds import Deeds
from qipan.tk.table.hand import Hand
from qipan.tk.table.look import fit, make_painter
from qipan.tk.table.panels import Curtain, Panel
from qipan.tk.table.plate import Plate
from qipan.tk.table.record import Record
from qipan.tk.table.shape import Shape, arrange
from qipan.tk.table.state import Habits, Sitting
from qipan.tk.table.status import StatusBox
from qipan.tk.table.words import Speaker, option_tags
from qipan.tree import Node
from qipan.values import HIDDEN, NOBODY

if TYPE_CHECKING:
    from qipan.host import Opened
    from qipan.tk.app import App

_TICK = 200  # ms between two looks at the clocks
_NARROW, _WIDE, _SHORT, _LOW = 1100, 1600, 760, 700  # design pixels where the page takes another shape


class Table(ttk.Frame):
    """One game on one page. Every change goes through the session; what it tells is animated, then drawn."""

    def __init__(self, parent: tk.Misc, app: App, session: Session, opened: Opened, *, filed: bool = False) -> None:
        super().__init__(parent)
        self._filed = filed
        self.app, self.session, self.opened = app, session, opened
        self.sitting = Sitting(session)
        self.words = app.words.plus(opened.words)
        self.start_view = session.view(session.root, NOBODY)
        self.styles = session.rules.styles
        self.bottom = 0
        self.autoplaying = False
        self.panel: Panel | None = None
        self.curtain: Curtain | None = None
        self.look_key = 0
        self._icons: dict[tuple[str, int], ImageTk.PhotoImage] = {}
        self.changes = 0  # of the tree, counted
        self._shape: Shape | None = None
        self._fault_box: widgets.FaultBox | None = None
        self._fault_shown: PluginFault | None = None
        self._heard_end: object = None
        self._jobs: dict[str, str] = {}
        self._first_painter = make_painter(app, opened, session.rules, Layout.natural(session.rules.board))
        self.deeds = Deeds(self)
        known = (*self.deeds.commands, "walk", "touch", "help", "quit")
        self.shortcuts = [(key.label, f"key.{key.command}") for key in keys.KEYS if key.command in known]
        self._build()
        self._unsubscribe = session.subscribe(self._changed)
        self._release: Callable[[], None] = lambda: None
        self.later("keys", 0, self._bind_keys)  # once the page before has taken its own keys away
        app.on_language(self.refresh, self)
        app.on_theme(self.restyle, self)
        self.bind("<Configure>", self._resized)
        self.later("tick", _TICK, self._tick)
        if not session.root.children:
            self.cue("begin")
        self.board.focus_set()

    # -- building ------------------------------------------------------------------------------------------------
    def _build(self) -> None:
        app = self.app
        self.bar = Bar(self, self)
        self.people = ttk.Frame(self)
        self.board = BoardCanvas(
            self, self._first_painter.with_layout, self._fit, app.now, lambda: self.refresh_board()
        )
        self.hand = Hand(self)
        self.record = Record(self, self)
        self.plates = [Plate(self, self, seat) for seat in range(len(self.session.rules.seats))]
        self.status = StatusBox(self, self)
        self.word_buttons = WordButtons(self, self)
        self.actions = Actions(self, self)
        self.typed = TypedMove(self, self)
        self.lines = [widgets.hairline(app, self) for _ in range(4)]
        self.bar.grid(row=0, column=0, columnspan=3, sticky="we")
        self.lines[3].grid(row=1, column=0, columnspan=3, sticky="we")
        self.board.grid(row=2, column=1, sticky="nswe")
        self.people.grid(row=2, column=0, sticky="nswe")
        self.record.grid(row=2, column=2, sticky="nswe")
        self.columnconfigure(1, weight=1)
        self.rowconfigure(2, weight=1)
        for column in (self.people, self.record):
            column.grid_propagate(False)
        self.people.columnconfigure(0, weight=1)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is not self:
            return
        scale = self.app.style.scale
        width, height = event.width / scale, event.height / scale
        shape = Shape(width < _NARROW, width >= _WIDE, height < _SHORT, height < _LOW)
        if shape != self._shape:
            self._shape = shape
            arrange(self, shape)
            self.refresh()

    def order(self) -> list[int]:
        """The seats as their plates stand: the one opposite first, the one at the bottom last."""
        seats = self.session.rules.seats
        base = seats[self.bottom].facing
        others = [seat for seat in range(len(seats)) if seat != self.bottom]
        return [*sorted(others, key=lambda seat: abs(180 - (seats[seat].facing - base) % 360)), self.bottom]

    def _fit(self, width: int, height: int) -> Layout:
        rules = self.session.rules
        unit = self.app.style.scale
        facing = rules.seats[self.bottom].facing
        return fit(rules.board, width, height, facing, unit, self.app.settings.board_scale)

    def _bind_keys(self) -> None:
        self._release = keys.bind_keys(self.app.root, self.do, self.deeds.commands)

    def turn(self, seat: int) -> None:
        """Turns the board so that a seat is at the bottom."""
        if seat != self.bottom:
            self.bottom = seat
            self._shape = self._shape or Shape()
            arrange(self, self._shape)
            self.board.renew()
        self.refresh()

    def show_typed(self) -> None:
        """Lets a move be typed; in a narrow window the field appears below the list for that."""
        if not self.typed.winfo_manager():
            self.typed.grid(in_=self.record.below, row=80, column=0, sticky="we")
            self.typed.tkraise()
        self.typed.entry.focus_set()

    def hide_typed(self) -> None:
        """Back to the board; a narrow window hides the field again."""
        if self._shape is not None and self._shape.narrow:
            self.typed.grid_forget()
        self.board.focus_set()

    # -- reading -------------------------------------------------------------------------------------------------
    @property
    def speaker(self) -> Speaker:
        """Who says things in the present language."""
        return Speaker(self.words, self.app.language, self.sitting)

    @property
    def painter(self) -> Painter:
        """A painter for signs and captured pieces."""
        return self._first_painter

    def icon(self, role: str, size: int) -> ImageTk.PhotoImage:
        """A piece alone, ``size`` design pixels square, for plates and hands."""
        side = self.app.style.px(size)
        if (role, side) not in self._icons:
            self._icons[role, side] = ImageTk.PhotoImage(self.painter.icon(role, side), master=self)
        return self._icons[role, side]

    @property
    def notation(self) -> str:
        """The notation of the move list."""
        rules = self.session.rules
        chosen = self.app.settings.game(self.opened.info.id).notation
        return chosen if chosen in rules.styles else rules.spoken or rules.styles[0]

    def say(self, node: Node) -> str:
        """A node's move in the chosen notation; what the viewer wasn't told isn't said."""
        if node.parent is None or node.move is None:
            return ""
        return self.speaker.move(node, self.notation)

    def numbered(self, node: Node) -> str:
        """The number of a move as the list shows it: "20." or "20…"."""
        for row in self.record.moves.rows:
            for cell in row.cells:
                if cell.node is node:
                    return f"{row.number}{'...' if cell.column else '.'}"
        return f"{node.ply}."

    def sign(self, seat: int) -> str:
        """The role of the piece that stands for a seat: one of its first kind."""
        rules = self.session.rules
        kinds = [kind for kind in rules.kinds if kind != HIDDEN]
        return f"piece:{rules.seats[seat].name}_{kinds[0]}"

    def seat_colour(self, seat: int) -> str:
        """The colour that stands for a seat in lists."""
        return str(self.painter.tones[self.session.rules.seats[seat].name].face[1])

    def tags(self) -> tuple[str, ...]:
        """The clock and every option that is not as usual, in words."""
        return option_tags(self.speaker, self.opened.info, self.session.options, self.session.clock.control)

    def kept(self) -> tuple[str, str]:
        """Whether the game is kept safe: the word and the style of its label."""
        if self.session.unsaved is not None:
            return "table.unsaved", "Warn.TLabel"
        return "table.saved", "Secondary.TLabel"

    def is_aside(self, node: Node) -> bool:
        """True for a move that isn't part of the game as it stands."""
        return not self.session.tip.under(node)

    def can(self, command: str) -> bool:
        """Whether an action can be taken now."""
        return self.deeds.can(command)

    # -- showing -------------------------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Shows everything as it now is; the board only when nothing moves on it."""
        self.bar.refresh()
        for plate in self.plates:
            plate.refresh()
        self.word_buttons.refresh()
        self.actions.refresh()
        self.record.refresh()
        if not self.board.motion.running:
            self.refresh_board()
        self.status.show(self.speaker.status(), self.deeds.answers())
        self._show_fault()
        self._show_curtain()

    def refresh_board(self) -> None:
        """Shows the position with its marks."""
        settings, sitting = self.app.settings, self.sitting
        rules = self.session.rules
        habits = Habits(
            targets=settings.show_targets,
            last=settings.show_last,
            look_back=settings.look_back_count if settings.look_back else 0,
        )
        marks = self.hand.marked(sitting.marks(habits))
        notes = [note for note in sitting.notes if settings.announce_check or note.word != "check"]
        self.board.set_pulse(settings.pulse and not settings.reduce_motion)
        self.board.show(
            draw(
                rules.board, sitting.shown, seats=rules.seats, pieces=self.opened.info.pieces,
                facing=rules.seats[self.bottom].facing, marks=marks, notes=notes,
            )
        )  # fmt: skip

    def restyle(self) -> None:
        """Paints board and pieces anew: another theme, mode, or manner of pieces."""
        rules = self.session.rules
        self._first_painter = make_painter(self.app, self.opened, rules, Layout.natural(rules.board))
        self.look_key += 1
        self._icons.clear()
        self.board.repaint(self._first_painter.with_layout)
        self.refresh()

    def _show_fault(self) -> None:
        fault = self.sitting.fault
        if str(fault) == str(self._fault_shown):
            return
        self._fault_shown = fault
        if self._fault_box is not None:
            self._fault_box.destroy()
            self._fault_box = None
        if fault is not None:
            speaker, app = self.speaker, self.app
            self._fault_box = widgets.FaultBox(
                app, self, speaker.text("table.plugin-fault"), speaker.text("table.plugin-fault-text", fault.told),
                [("app.copy-details", lambda: app.copy(fault.traceback))],
            )  # fmt: skip
            place = self.status.grid_info()
            self._fault_box.grid(
                in_=place["in"], row=int(place["row"]) + 1, column=0, sticky="we", padx=app.style.px(8)
            )
            self._fault_box.tkraise()

    def _show_curtain(self) -> None:
        seat = None if self.board.motion.running else self.sitting.curtain
        if self.curtain is not None and self.curtain.seat != seat:
            self.curtain.destroy()
            self.curtain = None
        if seat is not None and self.curtain is None:
            self.curtain = Curtain(self, seat)
            self.curtain.grid(row=2, column=0, columnspan=3, sticky="nswe")
            self.curtain.tkraise()

    # -- what happens --------------------------------------------------------------------------------------------
    def _changed(self, change: Change) -> None:
        """What the session tells: a move played is followed and animated where the table looked at the game."""
        self.changes += 1
        match change:
            case Played(node) if self.sitting.node is node.parent:
                self.sitting.follow(node)
                self.motion(node)
                return
            case TakenBack(node):
                self.sitting.follow(node)
            case Ended():
                self.cue("end")
            case _:
                pass
        self.refresh()

    def motion(self, node: Node) -> None:
        """Shows a step as it happens, then the board it leads to, then lets it be heard."""
        settings, sitting = self.app.settings, self.sitting
        events = self.session.events(node, sitting.viewer)
        moving = plan(events) if settings.animate and not settings.reduce_motion else Plan()
        if self.hand.dropped:
            moving = moving.dropped()

        def landed() -> None:
            self.refresh_board()
            self._show_curtain()
            if moving.drops:
                self.board.put_down(moving.drops)
            self.cue(sitting.cue(node, events))

        self.board.play(moving, landed)
        self.refresh()  # what is said is said at once; the board waits until the piece has arrived
        self.update_idletasks()  # the columns are drawn now, not within a frame of the motion

    def cue(self, name: str) -> None:
        """Plays a cue of the game, or the platform's own of that name; the end of a game is heard once."""
        if name == "end":
            if self._heard_end is self.session.outcome:
                return
            self._heard_end = self.session.outcome
        player = self.app.player
        file = cue_file(name, [self.opened.info.folder / "sounds"]) if player is not None and name else None
        if player is not None and file is not None:
            player.play(file)

    def do(self, command: str) -> None:
        """Does what a key, a button or a menu names."""
        self.deeds.do(command)

    def later(self, name: str, delay: int, command: Callable[[], object]) -> None:
        """Does something after ``delay`` ms, unless the table is gone; a later job of that name replaces it."""
        self.stop(name)

        def run() -> None:
            if self._jobs.pop(name, ""):  # a signal is heard just before a job: it may have ended the table
                command()

        self._jobs[name] = self.after(delay, run)

    def stop(self, name: str) -> None:
        """Forgets a job."""
        job = self._jobs.pop(name, "")
        if job:
            self.after_cancel(job)

    def _tick(self) -> None:
        self.deeds.attempt(lambda: self.session.tick())
        for plate in self.plates:
            plate.tick()
        self.later("tick", _TICK, self._tick)

    def destroy(self) -> None:
        """Also keeps the comment being written, stops all jobs and lets the session go."""
        self.record.comment.keep()
        self._unsubscribe()
        for name in list(self._jobs):
            self.stop(name)
        self._release()
        parting.leave(self.app, self.session, filed=self._filed and not self.changes)
        super().destroy()
