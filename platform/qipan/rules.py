"""The contract: what every game is. Rules are pure functions of immutable positions; a move is a path of points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from qipan.geometry import Board
from qipan.texts import read_position, write_position
from qipan.values import (
    NOBODY,
    Claim,
    Event,
    Fault,
    Move,
    Note,
    Outcome,
    Ply,
    Position,
    Removed,
    Said,
    Searcher,
    Seat,
    Seen,
    Step,
    conceal,
)


class Ruleset(ABC):
    """The rules of one game with one set of options: pure methods; board, seats, kinds belong to the instance."""

    board: Board
    seats: tuple[Seat, ...]
    kinds: tuple[str, ...]
    hidden: ClassVar[bool] = False  # True: the game keeps secrets, so views differ

    # -- what every game says ------------------------------------------------------------------------------------
    @abstractmethod
    def initial(self, rng: Random) -> Position:
        """The start. Deal here what someone might learn early; let CHANCE draw what nobody could know."""

    @abstractmethod
    def legal_moves(self, position: Position) -> Iterable[Move]:
        """Every legal move of every seat that may act now, each once."""

    @abstractmethod
    def apply(self, position: Position, move: Move) -> Step:
        """What a legal move leads to (undefined for others: ask `refusal` first)."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """How the game has ended in this position, from the position alone."""

    # -- what a game may say better ------------------------------------------------------------------------------
    def refusal(self, position: Position, move: Move) -> Note | None:
        """Why the move is illegal, in words; None: it is legal. This is legality, not membership of a list."""
        return None if move in self.legal_moves(position) else Note("illegal")

    def waiting(self, position: Position) -> tuple[int, ...]:
        """The seats that are waited for: their clocks run, their bots think."""
        return (position.turn,) if position.turn >= 0 else ()

    def living(self, position: Position) -> tuple[int, ...]:
        """The seats still in the game: a draw needs them all to agree."""
        return tuple(range(len(self.seats)))

    def view(self, position: Position, viewer: int) -> Position:
        """The position as ``viewer`` (a seat or NOBODY) sees it: what ``known`` doesn't grant is hidden."""
        cells = tuple(conceal(piece, viewer) for piece in position.cells)
        hands = tuple(tuple(filter(None, (conceal(piece, viewer) for piece in hand))) for hand in position.hands)
        return position._replace(cells=cells, hands=hands)

    def notes(self, view: Position, viewer: int) -> tuple[Note, ...]:
        """What shows beside the pieces of a view: dice, territory, liberties, check, skips left."""
        return ()

    def odds(self, position: Position) -> Iterable[tuple[Move, int]]:
        """CHANCE's moves with their weights, where ``position.turn`` is CHANCE."""
        return ((move, 1) for move in self.legal_moves(position))

    def worlds(self, seen: Sequence[Seen], seat: int, rng: Random) -> Position:
        """A full position that fits all the seat has seen; a game without secrets gives what it sees."""
        return seen[-1].view

    def adjudicate(self, line: Sequence[Ply]) -> Outcome | Claim | Note | None:
        """The judge of the whole line (start first), asked once a move: ends it, offers a claim, or tells something."""
        return None

    def concede(self, position: Position, seat: int, why: str) -> Step | Outcome | Note:
        """What resigning ("resign"), overstepping ("time") or leaving ("away") does; a Note refuses it."""
        team = self.seats[seat].team
        winners = tuple(n for n, other in enumerate(self.seats) if other.team != team)
        return Outcome(winners, Note(why, (f"seat.{self.seats[seat].name}",)))

    # -- the text half -------------------------------------------------------------------------------------------
    def write(self, position: Position) -> str:
        """The position as one line of text; `read` gives it back, tally included."""
        return write_position(self, position)

    def read(self, text: str) -> Position:
        """The position of a text. Raises Fault naming the place."""
        return read_position(self, text)

    def fault(self, position: Position) -> Note | None:
        """Why this position can't occur in the game, or None."""
        return None

    styles: ClassVar[tuple[str, ...]] = ("",)  # the notations `say` offers; the first is the exact text form
    spoken: ClassVar[str] = ""  # the one a move list begins with; "": the first

    def say(self, position: Position, move: Move, style: str = "") -> str:
        """The move in a notation of `styles`. The first is exact: `parse` reads it back for any legal move.

        Where several seats act at once the text begins with the seat's name.
        """
        who = f"{self.seats[move.seat].name}:" if position.turn == NOBODY and move.seat >= 0 else ""
        text = "-".join(self.board.sites[point].name for point in move.path)
        if move.word.startswith("@"):
            return f"{who}{move.word}@{text}"
        return who + text + move.word

    def parse(self, position: Position, text: str) -> Move:
        """The legal move a text means, in any notation the game knows. Raises Fault: none, or more than one."""
        moves = self.legal_moves(position)
        found = [move for move in moves if text in {self.say(position, move, style) for style in self.styles}]
        if len(found) != 1:
            raise Fault("{0} is more than one move here" if found else "{0} is no legal move here", repr(text))
        return found[0]

    def cue(self, events: Sequence[Event], outcome: Outcome | None) -> str:
        """The sound of a step: "check" where that was said, else "capture" or "move"; "end" when the game is over."""
        if outcome is not None:
            return "end"
        if any(isinstance(event, Said) and event.note.word == "check" for event in events):
            return "check"
        return "capture" if any(isinstance(event, Removed) for event in events) else "move"

    # -- the fast path -------------------------------------------------------------------------------------------
    def searcher(self, position: Position) -> Searcher | None:
        """A fast player of the same rules from this position, or None: `laws` play both side by side."""
        return None
