"""Go on a small board: captures, positional superko, two passes, dead stones marked by both sides, area counting."""

from functools import lru_cache

from qipan.api import (
    Game,
    Move,
    Note,
    Outcome,
    Piece,
    Placed,
    Position,
    Removed,
    Ruleset,
    Seat,
    Sketch,
    Step,
    hookimpl,
)

KOMI = 6  # and a half
MARKS = 8  # so many changes of dead stones, then only agreeing is left


class MiniGo(Ruleset):
    """Phases "play" and "mark"; data = (passes, dead points, seats that agree); tally = (plies, marks, boards met)."""

    seats = (Seat("black", 0), Seat("white", 1, 180))
    kinds = ("stone",)

    def __init__(self, options):
        self.size, sketch = int(options["size"]), Sketch()
        names = [f"{file}{rank}" for rank in range(self.size, 0, -1) for file in "abcdefghj"[: self.size]]
        sketch.grid(self.size, self.size, names)
        self.board = sketch.board()
        self.near = self.board.steps()
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def initial(self, rng):
        return Position((None,) * self.size**2, 0, (), "play", (0, (), ()), (0, 0, (0,)))

    def chain(self, cells, point):
        """The connected points alike to this one, and the points around them."""
        found, edge, rim = {point}, [point], set()
        while edge:
            for to in self.near[edge.pop()]:
                if cells[to] == cells[point] and to not in found:
                    found.add(to)
                    edge.append(to)
                elif cells[to] != cells[point]:
                    rim.add(to)
        return found, rim

    def played(self, position, seat, point):
        """The cells after a stone, the points it captures and the board as a number; or the Note that refuses it."""
        cells, taken = list(position.cells), set()
        if cells[point]:
            return Note("occupied")
        cells[point] = Piece("stone", seat)
        for to in self.near[point]:
            if cells[to] and cells[to].seat != seat and to not in taken:
                chain, rim = self.chain(cells, to)
                taken |= set() if any(cells[n] is None for n in rim) else chain
        for to in taken:
            cells[to] = None
        if not taken and not any(cells[n] is None for n in self.chain(cells, point)[1]):
            return Note("suicide")
        number = 0
        for piece in cells:
            number = 3 * number + (piece.seat + 1 if piece else 0)
        return Note("superko") if number in position.tally[2] else (tuple(cells), sorted(taken), number)

    def legal_moves(self, position):
        cells, turn = position.cells, position.turn
        if position.phase == "play":
            free = [n for n in range(len(cells)) if not isinstance(self.played(position, turn, n), Note)]
            return [*(Move(turn, (n,)) for n in free), Move(turn, (), "pass")]
        points = [n for n, piece in enumerate(cells) if piece] if position.tally[1] < MARKS else []
        return [*(Move(turn, (n,)) for n in points), Move(turn, (), "agree")]

    def refusal(self, position, move):
        if position.phase == "play" and move.seat == position.turn and len(move.path) == 1 and not move.word:
            found = self.played(position, move.seat, move.path[0])
            return found if isinstance(found, Note) else None
        return super().refusal(position, move)

    def apply(self, position, move):
        plies, marks, met = position.tally
        if position.phase == "mark":
            _, dead, agreed = position.data
            if not move.path:
                data = (2, dead, tuple(sorted((*agreed, move.seat))))
                return Step(position._replace(turn=1 - move.seat, data=data))
            data = (2, tuple(sorted(set(dead) ^ self.chain(position.cells, move.path[0])[0])), ())
            return Step(position._replace(data=data, tally=(plies, marks + 1, met)))
        passes, cells, events = position.data[0] + 1, position.cells, ()
        if move.path:
            passes, point = 0, move.path[0]
            cells, taken, number = self.played(position, move.seat, point)
            events = (Placed(point, cells[point]), *(Removed(n) for n in taken))
            met = (*met, number)
        over = passes == 2 or plies + 1 >= 2 * len(cells)
        phase, tally = "mark" if over else "play", (plies + 1, 0, met)
        return Step(Position(cells, 1 - move.seat, (), phase, (passes, (), ()), tally), events)

    def notes(self, view, viewer):
        return (Note("dead", points=view.data[1]),) if view.data[1] else ()

    def area(self, position):
        """Each side's stones and the empty regions that touch it alone, the dead ones taken off."""
        dead, area = position.data[1], [0, 0]
        cells = [None if n in dead else piece for n, piece in enumerate(position.cells)]
        for n, piece in enumerate(cells):
            owners = {piece.seat} if piece else {cells[to].seat for to in self.chain(cells, n)[1]}
            if len(owners) == 1:
                area[owners.pop()] += 1
        return area

    def outcome(self, position):
        if position.data[2] != (0, 1):
            return None
        black, white = self.area(position)
        lead = black - white - KOMI  # less half a point
        winner, by = (0, lead - 1) if lead > 0 else (1, -lead)
        reason = Note("area", (f"seat.{self.seats[winner].name}", by))
        return Outcome((winner,), reason, (float(black), white + KOMI + 0.5))


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_go", MiniGo),)
