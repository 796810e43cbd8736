"""A row of stones: each turn takes one or two from its end, or passes once; who takes the last one wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from qipan.api import (
    NOBODY,
    Claim,
    Command,
    Fault,
    Format,
    Game,
    Move,
    MoveText,
    Note,
    Options,
    Outcome,
    Piece,
    Ply,
    Position,
    Removed,
    Ruleset,
    Seat,
    Sketch,
    Step,
    Transcript,
    hookimpl,
)

STONE = Piece("stone", NOBODY)


class Row(Ruleset):
    """Stones on s1..sN; ``data`` is a 0/1 a seat: whether it has passed."""

    kinds = ("stone",)

    def __init__(self, size: int, misere: bool) -> None:
        sketch = Sketch()
        sketch.grid(size, 1, [f"s{n}" for n in range(1, size + 1)])
        self.board, self.misere = sketch.board(), misere
        self.seats = (Seat("red", 0), Seat("black", 1, 180.0))

    def initial(self, rng: Random) -> Position:
        """A full row, red to move."""
        return Position((STONE,) * len(self.board.sites), 0, ((), ()), "", (0, 0))

    def legal_moves(self, position: Position) -> Iterable[Move]:
        """One stone or two, or a pass."""
        left = sum(cell is not None for cell in position.cells)
        if not left:
            return
        yield Move(position.turn, (left - 1,))
        if left > 1:
            yield Move(position.turn, (left - 1, left - 2))
        if not position.data[position.turn]:
            yield Move(position.turn, (), "pass")

    def apply(self, position: Position, move: Move) -> Step:
        """The stones of the path are gone."""
        cells, passed = list(position.cells), list(position.data)
        for point in move.path:
            cells[point] = None
        passed[move.seat] |= move.word == "pass"
        after = position._replace(cells=tuple(cells), turn=1 - move.seat, data=tuple(passed))
        return Step(after, tuple(Removed(point) for point in move.path))

    def outcome(self, position: Position) -> Outcome | None:
        """Over when the row is empty."""
        if any(position.cells):
            return None
        return Outcome((position.turn if self.misere else 1 - position.turn,), Note("empty"))

    def adjudicate(self, line: Sequence[Ply]) -> Outcome | Claim | Note | None:
        """Two passes running: a draw may be claimed; a pass alone is told; a pass answered by one stone ends it."""
        words = [(ply.move.word or str(len(ply.move.path))) for ply in line[-2:] if ply.move]
        if words == ["pass", "pass"]:
            return Claim(Outcome((), Note("passed")))
        if words == ["pass", "1"]:
            return Outcome((line[-1].position.turn,), Note("passed"))
        return Note("passed") if words[-1:] == ["pass"] else None

    def fault(self, position: Position) -> Note | None:
        """More passes than stones can't be: a made-up rule for the tests."""
        return Note("too-few") if sum(position.data) > sum(map(bool, position.cells)) else None

    def refusal(self, position: Position, move: Move) -> Note | None:
        """A second pass is refused in words."""
        if move.word == "pass" and position.data[move.seat]:
            return Note("pass", (f"seat.{self.seats[move.seat].name}",))
        return super().refusal(position, move)

    def parse(self, position: Position, text: str) -> Move:
        """As the platform reads it, but a pass is always read."""
        return Move(position.turn, (), "pass") if text == "pass" else super().parse(position, text)


def _rules(options: Options) -> Row:
    return Row(int(options["size"]), bool(options["misere"]))


def _read(data: bytes) -> Iterable[Transcript]:
    for number, line in enumerate(data.decode().splitlines(), 1):
        if "?" in line:
            raise Fault("line {0}: a question mark", number, line=number)
        yield Transcript("nim", tuple(MoveText(word, line=number) for word in line.split()))


def _write(transcript: Transcript) -> bytes:
    return (" ".join(told.text for told in transcript.moves) + "\n").encode()


def _nimsum(argv: Sequence[str]) -> int:
    if not argv:
        raise Fault("nimsum needs a number")
    print(int(argv[0]) % 3)
    return 0


@hookimpl
def games() -> Iterable[Game]:
    """The one game."""
    left = {"left": lambda rules, position, seat: sum(map(bool, position.cells)), "bad": lambda *_: 1 / 0}
    return [Game("nim", _rules, left)]


@hookimpl
def formats() -> Iterable[Format]:
    """A line of moves a game."""
    return [Format("nim", ("nim",), (".nim",), _read, _write)]


@hookimpl
def commands() -> Iterable[Command]:
    """What is left over in threes."""
    return [Command("nimsum", "stones left over in threes", _nimsum)]
