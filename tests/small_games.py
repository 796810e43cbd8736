"""Small games for the tests of sessions: heaps, dice, a secret, and rules that break on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from qipan.catalogue import GameInfo, Names, OptionSpec
from qipan.geometry import Board, Sketch
from qipan.rules import Ruleset
from qipan.values import (
    CHANCE,
    Claim,
    Fault,
    Move,
    Note,
    Outcome,
    Piece,
    Ply,
    Position,
    Removed,
    Revealed,
    Seat,
    Step,
)


def info(game: str, seats: Sequence[str] = ("red", "black"), **more: object) -> GameInfo:
    """A manifest entry without a manifest."""
    return GameInfo(game, Names(game, game), Names("", ""), tuple(seats), folder=Path(), **more)  # type: ignore[arg-type]


HEAP = info("heap", options=(OptionSpec("stones", "number", 21, min=1, max=100_000),))
LIVELY = info("lively", ("red", "black", "blue"))
DICE = info("dice")
SECRET = info("secret")


class Heap(Ruleset):
    """One heap, 1 to 3 stones a move; who can't move has lost. The count is data, the sites only say how many."""

    seats = (Seat("red", 0), Seat("black", 1, 180))
    kinds = ("stone",)

    def __init__(self, stones: int = 21) -> None:
        sketch = Sketch()
        sketch.grid(3, 1, ["one", "two", "three"])
        self.board: Board = sketch.board()
        self.stones = stones

    def initial(self, rng: Random) -> Position:
        return Position((None,) * 3, 0, data=self.stones)

    def left(self, position: Position) -> int:
        assert isinstance(position.data, int)
        return position.data

    def legal_moves(self, position: Position) -> Iterable[Move]:
        return [Move(position.turn, (n,)) for n in range(min(3, self.left(position)))]

    def apply(self, position: Position, move: Move) -> Step:
        left = self.left(position) - move.path[0] - 1
        return Step(position._replace(turn=(position.turn + 1) % len(self.seats), data=left), (Removed(move.path[0]),))

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome((1 - position.turn,), Note("no-stones")) if self.left(position) == 0 else None

    def refusal(self, position: Position, move: Move) -> Note | None:
        if move.seat == position.turn and len(move.path) == 1 and move.path[0] + 1 > self.left(position):
            return Note("too-few", (self.left(position),))
        return super().refusal(position, move)


class Judged(Heap):
    """A heap whose judge offers a draw after four plies, advises after two and ends the game after six."""

    def adjudicate(self, line: Sequence[Ply]) -> Outcome | Claim | Note | None:
        plies = len(line) - 1
        if plies >= 6:
            return Outcome((), Note("long"))
        if plies >= 4:
            return Claim(Outcome((), Note("repeats")), by=(0,))
        return Note("slow", (plies,)) if plies >= 2 else None


class Lively(Heap):
    """Three seats; who gives up drops out and the others play on, red may not give up."""

    seats = (Seat("red", 0), Seat("black", 1), Seat("blue", 2))

    def initial(self, rng: Random) -> Position:
        return super().initial(rng)._replace(tally=())

    def living(self, position: Position) -> tuple[int, ...]:
        return tuple(n for n in range(3) if n not in position.tally)  # type: ignore[operator]

    def outcome(self, position: Position) -> Outcome | None:
        living = self.living(position)
        return Outcome(living, Note("last")) if len(living) == 1 or self.left(position) == 0 else None

    def apply(self, position: Position, move: Move) -> Step:
        return Step(self._next(super().apply(position, move).position))

    def _next(self, position: Position) -> Position:
        while position.turn not in self.living(position):
            position = position._replace(turn=(position.turn + 1) % 3)
        return position

    def concede(self, position: Position, seat: int, why: str) -> Step | Outcome | Note:
        if seat == 0:
            return Note("king-stays")
        return Step(self._next(position._replace(tally=(*position.tally, seat))))  # type: ignore[misc]


class Dice(Heap):
    """The heap with a die: CHANCE first says how many stones must go, and each roll is final."""

    def initial(self, rng: Random) -> Position:
        return Position((None,) * 3, CHANCE, data=self.stones, phase="0")

    def legal_moves(self, position: Position) -> Iterable[Move]:
        if position.turn == CHANCE:
            return [Move(CHANCE, (n,)) for n in range(3)]
        return [Move(position.turn, (min(int(position.phase[1:]), self.left(position)) - 1,))]

    def refusal(self, position: Position, move: Move) -> Note | None:
        return None if move in self.legal_moves(position) else Note("illegal")

    def odds(self, position: Position) -> Iterable[tuple[Move, int]]:
        return [(Move(CHANCE, (n,)), n + 1) for n in range(3)]

    def apply(self, position: Position, move: Move) -> Step:
        seat = int(position.phase[0])
        if move.seat == CHANCE:
            return Step(position._replace(turn=seat, phase=f"{seat}{move.path[0] + 1}"), final=True)
        left = self.left(position) - move.path[0] - 1
        return Step(position._replace(turn=CHANCE if left else 1 - seat, phase=str(1 - seat), data=left))


class Secret(Heap):
    """Each site hides a stone that its finder alone may look at; the deal is by `rng`, looks are final."""

    hidden = True

    def initial(self, rng: Random) -> Position:
        return Position(tuple(Piece("stone", rng.randrange(2), ()) for _ in range(3)), 0, data=9)

    def apply(self, position: Position, move: Move) -> Step:
        point = move.path[0]
        piece = position.cells[point]
        assert piece is not None
        cells = list(position.cells)
        cells[point] = known = piece._replace(known=tuple(sorted({*(piece.known or ()), move.seat})))
        after = position._replace(cells=tuple(cells), turn=1 - move.seat, data=self.left(position) - 1)
        return Step(after, (Revealed(point, known, (move.seat,)),), told=(move.seat,), final=known != piece)


class Broken(Heap):
    """A heap whose method of the given name raises, or answers what it must not."""

    def __init__(self, method: str, answer: object = ValueError) -> None:
        super().__init__()
        self.armed = False
        fine = getattr(self, method)

        def broken(*args: object) -> object:
            if not self.armed:
                return fine(*args)
            if isinstance(answer, type) and issubclass(answer, BaseException):
                raise answer("planted")
            return answer

        broken.__name__ = method
        setattr(self, method, broken)


class Deep(Heap):
    """A heap that never stops asking itself."""

    def refusal(self, position: Position, move: Move) -> Note | None:
        return self.refusal(position, move)


class Speaks(Heap):
    """A heap that says why a text is no move."""

    def parse(self, position: Position, text: str) -> Move:
        if text == "four":
            raise Fault("four stones are never taken at once")
        return super().parse(position, text)
