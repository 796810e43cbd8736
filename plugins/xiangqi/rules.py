"""The rules of xiangqi: pure functions of immutable positions, on the kernel through one narrow door (`Study`)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final

from qipan.api import (
    Cells,
    Claim,
    Event,
    Move,
    Moved,
    Note,
    Options,
    Outcome,
    Ply,
    Point,
    Position,
    Removed,
    Ruleset,
    Said,
    Searcher,
    Step,
)

from . import fen, judge, notation, reasons
from .board import KINDS, SEATS, counters, xiangqi_board
from .search import Kernel
from .tables import OFF, SPANS

START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
DEFAULTS: Final = {"rules": "standard", "draw_moves": "60", "claims": "claim", "handicap": "none"}
_ODDS = {"none": (), "horse": ("b1",), "two-horses": ("b1", "h1"), "chariot": ("a1",)}  # what Red starts without
_MEMORY = 64  # positions remembered; a search through the rules comes back to its last few


class _Moves(dict[int, Move]):
    """A seat's moves by code, each made once."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, code: int) -> Move:
        move = self[code] = Move(self.seat, (code >> 7, code & 127))
        return move


class Study:
    """What the kernel knows of one position; nothing changes it."""

    __slots__ = ("_codes", "cells", "kernel")

    def __init__(self, cells: Cells, kernel: Kernel) -> None:
        self.cells = cells
        self.kernel = kernel
        self._codes: list[int] | None = None

    @property
    def codes(self) -> list[int]:
        """The legal moves as codes."""
        if self._codes is None:
            kernel = self.kernel
            own = Kernel(kernel.board.copy(), kernel.loc.copy(), kernel.side, 0, 0, kernel.strict)
            self._codes = own.moves()
        return self._codes

    def general(self, seat: int) -> Point | None:
        """Where a seat's general stands."""
        point = self.kernel.loc[seat << 4]
        return None if point == OFF else point

    def places(self, kind: str, seat: int) -> list[Point]:
        """Where a seat's pieces of a kind stand."""
        return [point for point in self.kernel.loc[SPANS[kind, seat]] if point != OFF]

    def in_check(self, seat: int) -> bool:
        """True while a seat's general is attacked."""
        point = self.kernel.loc[seat << 4]
        return point != OFF and self.kernel.attacked(point, seat)


class Xiangqi(Ruleset):
    """Xiangqi under its options: ``rules``, ``draw_moves``, ``claims`` and ``handicap`` of the manifest."""

    kinds = KINDS
    seats = SEATS
    styles: ClassVar[tuple[str, ...]] = notation.STYLES
    spoken = "chinese"

    def __init__(self, options: Options) -> None:
        chosen = {**DEFAULTS, **options}
        self.board = xiangqi_board()
        self.original = chosen["rules"] == "original"
        self.draw_plies = 2 * int(chosen["draw_moves"])
        self.automatic = chosen["claims"] == "automatic"
        self.odds_points = tuple(self.board.index[name] for name in _ODDS[str(chosen["handicap"])])
        self._moves = (_Moves(0), _Moves(1))
        self._studied: dict[tuple[int, int], Study] = {}  # a memory only: what is in it follows from the position

    # -- playing -------------------------------------------------------------------------------------------------
    def initial(self, rng: Random) -> Position:
        """The usual start, less what Red gives as a handicap."""
        start = fen.read(START)
        return start._replace(
            cells=tuple(None if point in self.odds_points else piece for point, piece in enumerate(start.cells))
        )

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move of the side to move; none once a general is lost or the generals face."""
        moves = self._moves[position.turn]
        return [moves[code] for code in self.study(position).codes]

    def apply(self, position: Position, move: Move) -> Step:
        """The position after a move; it tells of a capture, then the move, then check."""
        src, dst = move.path
        seat = position.turn
        cells = list(position.cells)
        taken = cells[dst]
        cells[dst], cells[src] = cells[src], None
        since, number = counters(position)
        tally = (0 if taken else since + 1, number + seat)
        after = Position(tuple(cells), 1 - seat, tally=tally)
        study = self._remember(after, Study(after.cells, self.study(position).kernel.after(src << 7 | dst)))
        events: tuple[Event, ...] = (Removed(dst), Moved(src, dst)) if taken else (Moved(src, dst),)
        if study.in_check(1 - seat):
            events += (Said(self._check_note(study, 1 - seat)),)
        return Step(after, events)

    def outcome(self, position: Position) -> Outcome | None:
        """Mate and stalemate lose; without attackers it is a draw; by the original rules a lost or faced general."""
        study, turn = self.study(position), position.turn
        if self.original:
            for seat in (1 - turn, turn):
                if study.general(seat) is None:
                    return self._won(1 - seat, "general-taken")
            if study.kernel.facing():
                return self._won(turn, "generals-face")
        if not study.codes:
            return self._won(1 - turn, "checkmate" if study.in_check(turn) else "stalemate")
        return Outcome((), Note("material")) if study.kernel.bare() else None

    def refusal(self, position: Position, move: Move) -> Note | None:
        """Why a move is illegal, in words and with the points that are in its way."""
        seat, path, word = move
        if seat == position.turn and len(path) == 2 and not word and min(path) >= 0:
            src, dst = path
            if dst < OFF and src << 7 | dst in self.study(position).codes:
                return None
        return reasons.refusal(self, position, move)

    def view(self, position: Position, viewer: int) -> Position:
        """The position: nothing is hidden."""
        return position

    def notes(self, view: Position, viewer: int) -> tuple[Note, ...]:
        """Check: a note on every attacked general."""
        study = self.study(view)
        return tuple(self._check_note(study, seat) for seat in (0, 1) if study.in_check(seat))

    def adjudicate(self, line: Sequence[Ply]) -> Outcome | Claim | Note | None:
        """Third repetition, and too many plies without a capture: a draw to claim, or at once where so agreed."""
        return judge.adjudicate(self, line)

    # -- texts ---------------------------------------------------------------------------------------------------
    def write(self, position: Position) -> str:
        """The position as a FEN with counters."""
        return fen.write(position)

    def read(self, text: str) -> Position:
        """The position of a FEN. Raises Fault, also for a position that can't occur."""
        position = fen.read(text)
        fen.check(self, position)
        return position

    def fault(self, position: Position) -> Note | None:
        """Why a position can't occur, or None."""
        return fen.fault(self, position)

    def say(self, position: Position, move: Move, style: str = "") -> str:
        """The move in one of `styles`."""
        return notation.say(self, position, move, style)

    def parse(self, position: Position, text: str) -> Move:
        """The legal move that a text means, in any of the notations. Raises Fault."""
        return notation.parse(self, position, text)

    def searcher(self, position: Position) -> Searcher:
        """The kernel itself."""
        return Kernel.load(position.cells, position.turn, not self.original)

    # -- the door to the kernel ----------------------------------------------------------------------------------
    def study(self, position: Position) -> Study:
        """What the kernel knows of a position, worked out once while it is remembered."""
        known = self._studied.get((id(position.cells), position.turn))
        if known is not None and known.cells is position.cells:
            return known
        kernel = Kernel.load(position.cells, position.turn, not self.original)
        return self._remember(position, Study(position.cells, kernel))

    def _remember(self, position: Position, study: Study) -> Study:
        if len(self._studied) >= _MEMORY:
            self._studied.clear()
        self._studied[id(position.cells), position.turn] = study
        return study

    def _won(self, seat: int, why: str) -> Outcome:
        return Outcome((seat,), Note(why, (f"seat.{SEATS[seat].name}",)))

    def _check_note(self, study: Study, seat: int) -> Note:
        general = study.general(seat)
        return Note("check", (f"seat.{SEATS[seat].name}",), () if general is None else (general,), seat)
