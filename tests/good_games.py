"""Two tiny games that keep every law, one open and one hidden: what the planted faults are planted in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random

from qipan.api import (
    Event,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Position,
    Removed,
    Revealed,
    Ruleset,
    Seat,
    Seen,
    Sketch,
    Step,
)
from qipan.catalogue import GameInfo, Names, OptionSpec, PieceLook
from qipan.words import Words

NAMES = Names("Game", "游戏")


def words(*keys: str) -> Words:
    """A sentence in two languages for each key."""
    return Words({key: {"en": f"{key} {{0}}", "zh": f"{key}。{{0}}"} for key in keys})


class Crossing(Ruleset):
    """Each seat walks one stone over a 3 x 3 grid; who reaches the other's corner wins; 12 plies are a draw."""

    seats = (Seat("red", 0), Seat("black", 1, 180.0))
    kinds = ("stone",)
    goals = (0, 8)

    def __init__(self, options: object = None) -> None:
        sketch = Sketch()
        sketch.grid(3, 3, [f"{column}{row}" for row in "321" for column in "abc"])
        self.board = sketch.board()
        self.near = self.board.steps()

    def initial(self, rng: Random) -> Position:
        cells: list[Piece | None] = [None] * 9
        cells[8], cells[0] = Piece("stone", 0), Piece("stone", 1)
        return Position(tuple(cells), 0, data=None, tally=0)

    def legal_moves(self, position: Position) -> Iterable[Move]:
        if self.outcome(position):
            return []
        here = next(n for n, piece in enumerate(position.cells) if piece and piece.seat == position.turn)
        return [Move(position.turn, (here, to)) for to in self.near[here] if position.cells[to] is None]

    def apply(self, position: Position, move: Move) -> Step:
        src, dst = move.path
        cells = list(position.cells)
        cells[src], cells[dst] = None, cells[src]
        count = position.tally if isinstance(position.tally, int) else 0
        after = Position(tuple(cells), 1 - position.turn, data=None, tally=count + 1)
        return Step(after, (Moved(src, dst),))

    def outcome(self, position: Position) -> Outcome | None:
        for seat, goal in enumerate(self.goals):
            if (piece := position.cells[goal]) and piece.seat == seat:
                return Outcome((seat,), Note("crossed", (f"seat.{self.seats[seat].name}",)))
        return Outcome((), Note("spent", ("kind.stone",))) if position.tally == 12 else None


class FastCrossing(Crossing):
    """The same with a searcher."""

    def searcher(self, position: Position) -> CrossingSearcher:
        return CrossingSearcher(self, position)


class CrossingSearcher:
    """Codes are from * 9 + to."""

    def __init__(self, rules: Crossing, position: Position) -> None:
        self.rules, self.line = rules, [position]

    def moves(self) -> list[int]:
        return [self.code(move) for move in self.rules.legal_moves(self.line[-1])]

    def push(self, code: int) -> None:
        self.line.append(self.rules.apply(self.line[-1], self.move(code)).position)

    def pop(self) -> None:
        self.line.pop()

    def code(self, move: Move) -> int:
        return move.path[0] * 9 + move.path[1]

    def move(self, code: int) -> Move:
        return Move(self.line[-1].turn, divmod(code, 9))

    def key(self) -> int:
        return hash((self.line[-1].cells, self.line[-1].turn))

    def over(self) -> bool:
        return self.rules.outcome(self.line[-1]) is not None

    def score(self) -> int:
        return 0


class Veil(Ruleset):
    """Two pieces a side on a row of six, their ranks secret: step or strike, the higher stands, both are shown."""

    seats = (Seat("red", 0), Seat("black", 1, 180.0))
    kinds = ("one", "two")
    hidden = True

    def __init__(self, options: object = None) -> None:
        sketch = Sketch()
        sketch.grid(6, 1, "abcdef")
        self.board = sketch.board()
        self.near = self.board.steps()

    def initial(self, rng: Random) -> Position:
        ranks = [rng.sample(self.kinds, 2) for _ in self.seats]
        cells: list[Piece | None] = [None] * 6
        for seat, points in enumerate(((0, 1), (4, 5))):
            for point, kind in zip(points, ranks[seat], strict=True):
                cells[point] = Piece(kind, seat, (seat,))
        return Position(tuple(cells), 0, data=(), tally=0)

    def legal_moves(self, position: Position) -> Iterable[Move]:
        if self.outcome(position):
            return []
        turn, cells = position.turn, position.cells
        steps = [
            Move(turn, (src, dst))
            for src, piece in enumerate(cells)
            if piece and piece.seat == turn
            for dst in self.near[src]
            if (there := cells[dst]) is None or there.seat != turn
        ]
        return [*steps, Move(turn, (), "pass")]

    def apply(self, position: Position, move: Move) -> Step:
        tally = position.tally if isinstance(position.tally, int) else 0
        after = position._replace(turn=1 - position.turn, tally=tally + 1)
        if not move.path:
            return Step(after)
        src, dst = move.path
        cells = list(position.cells)
        mine, theirs = cells[src], cells[dst]
        assert mine is not None
        cells[src] = None
        if theirs is None:
            cells[dst] = mine
            return Step(after._replace(cells=tuple(cells)), (Moved(src, dst),))
        return self._clash(after, cells, src, dst, mine, theirs)

    def _clash(
        self, after: Position, cells: list[Piece | None], src: int, dst: int, mine: Piece, theirs: Piece
    ) -> Step:
        open_mine, open_theirs = mine._replace(known=None), theirs._replace(known=None)
        events: list[Event] = [Revealed(src, open_mine), Revealed(dst, open_theirs)]
        dead = [piece for piece, other in ((mine, theirs), (theirs, mine)) if piece.kind <= other.kind]
        if theirs in dead:
            events.append(Removed(dst))
        if mine in dead:
            events.append(Removed(src))
        else:
            events.append(Moved(src, dst))
        cells[dst] = open_theirs if theirs not in dead else open_mine if mine not in dead else None
        assert isinstance(after.data, tuple)
        gone = tuple(sorted((*after.data, *((piece.seat, piece.kind) for piece in dead))))  # type: ignore[type-var]
        return Step(after._replace(cells=tuple(cells), data=gone), tuple(events), final=True)

    def outcome(self, position: Position) -> Outcome | None:
        alive = {piece.seat for piece in position.cells if piece}
        if len(alive) < 2:
            return Outcome(tuple(alive), Note("crossed", ("seat.red",)))
        return Outcome((), Note("spent", ("kind.one",))) if position.tally == 30 else None

    def worlds(self, seen: Sequence[Seen], seat: int, rng: Random) -> Position:
        view = seen[-1].view
        cells = list(view.cells)
        for other in range(2):
            points = [n for n, piece in enumerate(cells) if piece and piece.seat == other and piece.kind == "hidden"]
            shown = {piece.kind for piece in cells if piece and piece.seat == other}
            assert isinstance(view.data, tuple)
            shown |= {entry[1] for entry in view.data if isinstance(entry, tuple) and entry[0] == other}  # type: ignore
            left = [kind for kind in self.kinds if kind not in shown]
            for point, kind in zip(points, rng.choice(list(permutations(left))), strict=False):
                cells[point] = Piece(kind, other, (other,))
        return view._replace(cells=tuple(cells))


def info(rules: type[Ruleset], **changes: object) -> GameInfo:
    """A manifest entry that is true of a tiny game."""
    fields: dict[str, object] = {
        "id": rules.__name__.lower(),
        "name": NAMES,
        "blurb": NAMES,
        "seats": ("red", "black"),
        "length": 40,
        "options": (OptionSpec("speed", "choice", "slow", ("slow", "fast")),),
        "pieces": {kind: PieceLook(glyph="子", letter="S") for kind in rules.kinds},
    }
    return GameInfo(**{**fields, **changes})  # type: ignore[arg-type]


SENTENCES = words(
    "seat.red", "seat.black", "kind.stone", "kind.one", "kind.two", "crossed", "spent", "illegal", "resign", "time",
    "away", "word.pass", "option.speed", "option.speed.slow", "option.speed.fast", "cue.move", "cue.capture",
    "cue.check", "cue.end",
)  # fmt: skip
