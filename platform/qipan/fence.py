"""The one way a game in play calls its rules: whatever they raise or wrongly answer becomes a PluginFault."""

from __future__ import annotations

import reprlib
import traceback
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from qipan.acts import PluginFault
from qipan.rules import Ruleset
from qipan.values import (
    CHANCE,
    HIDDEN,
    NOBODY,
    Claim,
    Fault,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Placed,
    Ply,
    Position,
    Removed,
    Revealed,
    Said,
    Step,
)

_SPEAKING = ("parse", "read")  # the methods that may raise Fault by contract


class Fence:
    """Asks the rules of one game. Every method raises PluginFault where the rules break their contract."""

    def __init__(self, game: str, rules: Ruleset) -> None:
        self.game = game
        self.rules = rules
        self._sites = len(rules.board.sites)
        self._seats = len(rules.seats)
        self._kinds = {*rules.kinds, HIDDEN}

    def ask(self, method: Callable[..., Any], *args: object) -> Any:
        """What the method answers. A Fault of `parse` and `read` passes, as the contract says."""
        try:
            return method(*args)
        except Fault:
            if getattr(method, "__name__", "") in _SPEAKING:
                raise
            raise self._broken(method, traceback.format_exc()) from None
        except (Exception, SystemExit):
            raise self._broken(method, traceback.format_exc()) from None

    def legal(self, position: Position) -> tuple[Move, ...]:
        """Every legal move."""
        moves = self.ask(_legal_moves, self.rules, position)
        fits = all(isinstance(move, Move) for move in moves)
        checked: tuple[Move, ...] = self._fits(moves, fits, self.rules.legal_moves)
        return checked

    def refusal(self, position: Position, move: Move) -> Note | None:
        """Why a move is illegal; None: it is legal. A move that is none on this board never reaches the rules."""
        seat, path, word = move
        plain = type(seat) is int and type(path) is tuple and type(word) is str
        if not plain or not CHANCE <= seat < self._seats or seat == -1:
            return Note("illegal")
        if not self._on_board(path):
            return Note("illegal")
        note = self.ask(self.rules.refusal, position, move)
        checked: Note | None = self._fits(note, note is None or isinstance(note, Note), self.rules.refusal)
        return checked

    def apply(self, position: Position, move: Move) -> Step:
        """What a legal move leads to."""
        step = self.ask(self.rules.apply, position, move)
        checked: Step = self._fits(step, self.is_step(step), self.rules.apply)
        return checked

    def concede(self, position: Position, seat: int, why: str) -> Step | Outcome | Note:
        """What a resignation, lost time or absence does."""
        answer = self.ask(self.rules.concede, position, seat, why)
        fits = isinstance(answer, Outcome | Note) or self.is_step(answer)
        checked: Step | Outcome | Note = self._fits(answer, fits, self.rules.concede)
        return checked

    def outcome(self, position: Position) -> Outcome | None:
        """How the game has ended in this position."""
        found = self.ask(self.rules.outcome, position)
        checked: Outcome | None = self._fits(found, found is None or isinstance(found, Outcome), self.rules.outcome)
        return checked

    def judge(self, line: list[Ply]) -> Outcome | Claim | Note | None:
        """What the judge says of a line."""
        found = self.ask(self.rules.adjudicate, line)
        fits = found is None or isinstance(found, Outcome | Claim | Note)
        checked: Outcome | Claim | Note | None = self._fits(found, fits, self.rules.adjudicate)
        return checked

    def notes(self, view: Position, viewer: int) -> tuple[Note, ...]:
        """What is shown beside the pieces."""
        notes = self.ask(_notes, self.rules, view, viewer)
        fits = all(isinstance(note, Note) and self._on_board(note.points) for note in notes)
        checked: tuple[Note, ...] = self._fits(notes, fits, self.rules.notes)
        return checked

    def waiting(self, position: Position) -> tuple[int, ...]:
        """The seats waited for."""
        return self._seat_list(self.rules.waiting, position)

    def living(self, position: Position) -> tuple[int, ...]:
        """The seats still in the game."""
        return self._seat_list(self.rules.living, position)

    def position(self, method: Callable[..., Any], *args: object) -> Position:
        """A position that a method (`initial`, `view`, `read`) gives."""
        position = self.ask(method, *args)
        checked: Position = self._fits(position, self.is_position(position), method)
        return checked

    def draw(self, position: Position, rng: Random) -> Move:
        """A move of CHANCE, by its odds."""
        odds = self.ask(_odds, self.rules, position)
        total = sum(weight for _, weight in odds if weight > 0)
        if total <= 0:
            raise self._broken(self.rules.odds, f"no draw has a weight here: {reprlib.repr(odds)}")
        at = rng.randrange(total)
        for move, weight in odds:
            at -= max(0, weight)
            if at < 0:
                drawn: Move = self._fits(move, isinstance(move, Move), self.rules.odds)
                if self.refusal(position, drawn) is not None:
                    raise self._broken(self.rules.odds, f"an illegal move was drawn: {drawn}")
                return drawn
        raise AssertionError("the weights add up to their sum")

    def is_step(self, step: object) -> bool:
        """True for a step whose parts can be played on."""
        return (
            isinstance(step, Step)
            and type(step.events) is tuple
            and self.is_position(step.position)
            and all(self._is_event(event) for event in step.events)
        )

    def _is_event(self, event: object) -> bool:
        match event:
            case Moved(src, dst, via):
                points: tuple[object, ...] = (src, dst, *via)
            case Removed(point):
                points = (point,)
            case Placed(point, piece) | Revealed(point, piece) if self._is_piece(piece):
                points = (point,)
            case Said(Note(_, _, places)):
                points = places
            case _:
                return False
        return self._on_board(points)

    def _on_board(self, points: Iterable[object]) -> bool:
        return all(type(point) is int and 0 <= point < self._sites for point in points)

    def is_position(self, position: object) -> bool:
        """True for a position of this board, these seats and kinds."""
        return (
            isinstance(position, Position)
            and len(position.cells) == self._sites
            and self._are_cells(position.cells)
            and type(position.turn) is int
            and CHANCE <= position.turn < self._seats
        )

    def _are_cells(self, cells: Iterable[object]) -> bool:
        different = {id(cell): cell for cell in cells}.values()  # each object once: this is asked after every ply
        return all(cell is None or self._is_piece(cell) for cell in different)

    def _is_piece(self, piece: object) -> bool:
        return isinstance(piece, Piece) and piece.kind in self._kinds and NOBODY <= piece.seat < self._seats

    def _seat_list(self, method: Callable[[Position], tuple[int, ...]], position: Position) -> tuple[int, ...]:
        seats = self.ask(method, position)
        fits = isinstance(seats, tuple) and all(type(seat) is int and 0 <= seat < self._seats for seat in seats)
        checked: tuple[int, ...] = self._fits(seats, fits, method)
        return checked

    def _fits(self, answer: object, fits: bool, method: Callable[..., Any]) -> Any:
        if fits:
            return answer
        raise self._broken(method, f"{method.__name__} answered {reprlib.repr(answer)}")

    def _broken(self, method: Callable[..., Any], text: str) -> PluginFault:
        return PluginFault(self.game, getattr(method, "__name__", "rules").lstrip("_"), text)


# Generators run only when they are read, so these are read inside the fence.
def _legal_moves(rules: Ruleset, position: Position) -> tuple[Move, ...]:
    return tuple(rules.legal_moves(position))


def _notes(rules: Ruleset, view: Position, viewer: int) -> tuple[Note, ...]:
    return tuple(rules.notes(view, viewer))


def _odds(rules: Ruleset, position: Position) -> list[tuple[Move, int]]:
    return [(move, int(weight)) for move, weight in rules.odds(position)]
