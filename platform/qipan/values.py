"""The vocabulary of every game: seats, pieces, positions, moves, events, outcomes; immutable values, no rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from qipan.geometry import Point

Seats: TypeAlias = "tuple[int, ...] | None"  # who; None: everyone; always sorted
Data: TypeAlias = "int | str | None | tuple[Data, ...]"
Options: TypeAlias = Mapping[str, str | int | bool]

NOBODY = -1  # an onlooker; the owner of a neutral piece or of one whose colour is hidden
CHANCE = -2  # the dice; never in `Ruleset.seats`
HIDDEN = "hidden"  # the kind of a piece whose kind a viewer doesn't know


class Seat(NamedTuple):
    """One side of the board: its id in texts, its team, and the direction (degrees) that is its own bottom."""

    name: str
    team: int
    facing: float = 0.0
    letters: str = ""  # those that mean this seat in the game's texts, where its name doesn't begin so


class Piece(NamedTuple):
    """What stands on a point or lies in a hand. ``known``: all who know the kind, the owner too (None: everyone)."""

    kind: str
    seat: int
    known: Seats = None
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which no piece needs


Cells: TypeAlias = "tuple[Piece | None, ...]"


class Position(NamedTuple):
    """A whole situation of any game. ``tally`` holds counters and history: part of it, but not of its identity."""

    cells: Cells
    turn: int = 0  # the seat to move, CHANCE, or NOBODY where several act at once
    hands: tuple[tuple[Piece, ...], ...] = ()  # one tuple a seat; equal pieces are one entry with a count
    phase: str = ""
    data: Data = None
    tally: Data = ()

    @property
    def key(self) -> Position:
        """What repetition compares: the position without its tally."""
        return self._replace(tally=())


class Move(NamedTuple):
    """A seat's touched points in order, and the word that tells moves of one path apart ("=queen", "pass", "@soldier").

    A word that starts with "@" puts that kind from the hand on the path's first point.
    """

    seat: int
    path: tuple[Point, ...] = ()
    word: str = ""


class Note(NamedTuple):
    """A sentence: a key in words.toml, what fills its places, and the points it is about.

    An argument that is itself a key (``"kind.horse"``, ``"seat.red"``) is replaced by its sentence.
    """

    word: str
    args: tuple[str | int, ...] = ()
    points: tuple[Point, ...] = ()
    seat: int = NOBODY


# Events: what a step did, told to the seats in `to` (None: everyone); nobody else learns anything from them.
class Moved(NamedTuple):
    """``count`` (0: all) of the pieces on ``src`` went to the empty or like-filled ``dst``, over ``via``."""

    src: Point
    dst: Point
    via: tuple[Point, ...] = ()
    count: int = 0  # type: ignore[assignment]
    to: Seats = None


class Removed(NamedTuple):
    """The piece on ``point`` left the board; ``cause`` is a word ("captured", "fell")."""

    point: Point
    cause: str = "captured"
    to: Seats = None


class Placed(NamedTuple):
    """``piece`` now is what stands on ``point``, whatever stood there before."""

    point: Point
    piece: Piece
    to: Seats = None


class Revealed(NamedTuple):
    """The piece on ``point`` is now known to be ``piece``."""

    point: Point
    piece: Piece
    to: Seats = None


class Said(NamedTuple):
    """A sentence told with the step ("check")."""

    note: Note
    to: Seats = None


Event: TypeAlias = "Moved | Removed | Placed | Revealed | Said"


class Step(NamedTuple):
    """What a move led to. ``told``: who may know the move; ``final``: someone has learnt something by it, so no
    take-back crosses it.
    """

    position: Position
    events: tuple[Event, ...] = ()
    told: Seats = None
    final: bool = False


class Outcome(NamedTuple):
    """How a game ended: the winning seats (none: a draw) and why."""

    winners: tuple[int, ...]
    reason: Note
    scores: tuple[float, ...] = ()


class Claim(NamedTuple):
    """An outcome that a seat may claim (``by``: who; None: everyone) and that else changes nothing."""

    outcome: Outcome
    by: Seats = None


class Ply(NamedTuple):
    """One place of a played line: a position, and the move that led to it (None: the start)."""

    move: Move | None
    position: Position


class Seen(NamedTuple):
    """What one seat saw of one step: its view after it, the move where it was told, the events it was told."""

    view: Position
    move: Move | None
    events: tuple[Event, ...]


_LONGEST = 500  # characters of a sentence: what was given may be quoted in it, and may be of any length
_PLACE = re.compile(r"\{(\d)\}")  # what str.format does besides is no matter of a data file


class Fault(ValueError):
    """Bad input, in one sentence that names the place. ``line`` counts from 1; 0: no line.

    The sentence is English, its places {0} to {9} are filled with the parts, and a part may be a fault of its own. In
    a words.toml file the English sentence is the key of its Chinese; where a note says the same, ``note`` is.
    """

    def __init__(self, sentence: str, *parts: str | int | Fault, line: int = 0, note: Note | None = None) -> None:
        super().__init__(shortened(filled(sentence, parts)))
        self.word: str = sentence if note is None else note.word
        self.parts: tuple[str | int | Fault, ...] = parts if note is None else note.args
        self.line = line


@runtime_checkable
class Searcher(Protocol):
    """The fast path of a game on ints: moves are codes, `pop` takes back the last `push`."""

    def moves(self) -> list[int]:
        """The legal move codes."""

    def push(self, code: int) -> None:
        """Plays a code."""

    def pop(self) -> None:
        """Takes the last code back."""

    def code(self, move: Move) -> int:
        """The code of a move."""

    def move(self, code: int) -> Move:
        """The move of a code."""

    def key(self) -> int:
        """A number equal for equal positions."""

    def over(self) -> bool:
        """True where the game is over by `Ruleset.outcome`."""

    def score(self) -> int:
        """A static estimate for the side to move (centi-units of the game's own)."""


def filled(sentence: str, parts: Iterable[object]) -> str:
    """A sentence with its places, {0} to {9}, filled as far as there are parts."""
    texts = {str(place): str(part) for place, part in enumerate(parts)}
    return _PLACE.sub(lambda place: texts.get(place[1], place[0]), sentence)


def shortened(sentence: str) -> str:
    """A sentence as long as one may be shown."""
    return sentence if len(sentence) <= _LONGEST else f"{sentence[:_LONGEST]}…"


def conceal(piece: Piece | None, viewer: int) -> Piece | None:
    """The piece as a viewer sees it: itself where known, else kind `hidden` with its seat."""
    if piece is None or piece.known is None or viewer in piece.known:
        return piece
    return Piece(HIDDEN, piece.seat, piece.known, piece.count)


def told(to: Seats, viewer: int) -> bool:
    """True when a viewer is among those told."""
    return to is None or viewer in to


def events_for(events: Iterable[Event], viewer: int) -> tuple[Event, ...]:
    """The events that a viewer is told."""
    return tuple(event for event in events if told(event.to, viewer))


def fold(cells: Cells, events: Iterable[Event]) -> Cells:
    """The cells after the events: what animation shows and what a law compares with the drawn view."""
    now = list(cells)
    for event in events:
        match event:
            case Moved(src, dst, _, count):
                piece = now[src]
                if piece is None:
                    continue
                taken = count or piece.count
                under = now[dst] if dst != src else None  # a ring of jumps ends where it began
                below = under.count if under and (under.kind, under.seat) == (piece.kind, piece.seat) else 0
                now[src] = piece._replace(count=piece.count - taken) if taken < piece.count else None
                now[dst] = piece._replace(count=below + taken)
            case Removed(point):
                now[point] = None
            case Placed(point, piece) | Revealed(point, piece):
                now[point] = piece
    return tuple(now)


def next_points(moves: Iterable[Move], path: Sequence[Point], word: str = "") -> tuple[Point, ...]:
    """The points that continue ``path`` toward a legal move of that hand word ("@K" or ""), sorted."""
    at, so_far = len(path), tuple(path)
    return tuple(
        sorted(
            {
                move.path[at]
                for move in moves
                if len(move.path) > at and move.path[:at] == so_far and hand_word(move) == word
            }
        )
    )


def hand_word(move: Move) -> str:
    """The hand pick of a move: its word where it starts with "@", else ""."""
    return move.word if move.word.startswith("@") else ""
