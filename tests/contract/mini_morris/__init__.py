"""Nine men's morris: place, then move, then fly; a mill's path ends on the piece it takes. Mills are lines of three."""

from functools import lru_cache

from qipan.api import (
    Game,
    Move,
    Moved,
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

QUIET = 30  # plies without a mill that are a draw


class MiniMorris(Ruleset):
    """The tally counts plies since the last mill or placing."""

    seats = (Seat("white", 0), Seat("black", 1, 180))
    kinds = ("man",)

    def __init__(self, options):
        sketch = Sketch()
        for y in range(7):
            for x in range(7):
                if (x, y) != (3, 3) and (3 in (x, y) or abs(x - 3) == abs(y - 3)):
                    sketch.point("abcdefg"[x] + str(7 - y), x, y)
        for mill in ("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
                     "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1"):
            sketch.line(*mill.split())
        self.board = sketch.board()
        self.near = self.board.steps()
        self.mills = [[line.points for line in self.board.lines if n in line.points] for n in range(24)]
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def initial(self, rng):
        return Position((None,) * 24, 0, tuple((Piece("man", seat, None, 9),) for seat in (0, 1)), tally=0)

    def mill(self, cells, point):
        """True when the man on a point stands in a mill."""
        return any(all(cells[n] and cells[n].seat == cells[point].seat for n in line) for line in self.mills[point])

    def starts(self, position):
        """The paths without what they take: one point to place on, or from and to."""
        cells, turn = position.cells, position.turn
        free = [n for n, piece in enumerate(cells) if piece is None]
        if position.hands[turn]:
            return [(n,) for n in free]
        mine = [n for n, piece in enumerate(cells) if piece and piece.seat == turn]
        return [(src, dst) for src in mine for dst in (free if len(mine) == 3 else self.near[src]) if dst in free]

    def takes(self, position, path):
        """The men that a path's mill may take; None where it closes no mill."""
        cells, turn = list(position.cells), position.turn
        cells[path[0]], cells[path[-1]] = None, Piece("man", turn)
        if not self.mill(cells, path[-1]):
            return None
        prey = [n for n, piece in enumerate(cells) if piece and piece.seat != turn]
        return [n for n in prey if not self.mill(cells, n)] or prey

    def legal_moves(self, position):
        found = []
        for path in self.starts(position):
            prey = self.takes(position, path)
            found += [Move(position.turn, path)] if prey is None else [Move(position.turn, (*path, n)) for n in prey]
        return found

    def refusal(self, position, move):
        if move.seat == position.turn and move.path in self.starts(position) and self.takes(position, move.path):
            return Note("must-take")
        return super().refusal(position, move)

    def apply(self, position, move):
        cells, hands, turn = list(position.cells), list(position.hands), move.seat
        placing = bool(hands[turn])
        path, prey = (move.path, ()) if len(move.path) == 2 - placing else (move.path[:-1], move.path[-1:])
        if placing:
            cells[path[0]] = Piece("man", turn)
            left = hands[turn][0].count - 1
            hands[turn] = (Piece("man", turn, None, left),) if left else ()
            events = [Placed(path[0], cells[path[0]])]
        else:
            cells[path[1]], cells[path[0]] = cells[path[0]], None
            events = [Moved(*path)]
        for point in prey:
            cells[point] = None
            events.append(Removed(point))
        quiet = 0 if placing or prey else position.tally + 1
        return Step(Position(tuple(cells), 1 - turn, tuple(hands), data=position.data, tally=quiet), tuple(events))

    def outcome(self, position):
        turn, men = position.turn, sum(bool(p) and p.seat == position.turn for p in position.cells)
        few = not position.hands[turn] and men < 3
        if few or not self.legal_moves(position):
            reason = "too-few" if few else "no-move"
            return Outcome((1 - turn,), Note(reason, (f"seat.{self.seats[turn].name}",)))
        return Outcome((), Note("quiet")) if position.tally >= QUIET else None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_morris", MiniMorris),)
