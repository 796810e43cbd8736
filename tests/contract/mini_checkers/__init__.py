"""Chinese checkers on a star of 37 points for two, three or six: a chain of hops is one path."""

from functools import lru_cache
from math import atan2, degrees, hypot

from qipan.api import Game, Move, Moved, Note, Outcome, Piece, Position, Ruleset, Seat, Sketch, Step, hookimpl

ROWS = (1, 2, 7, 6, 5, 6, 7, 2, 1)
NAMES = ("red", "green", "blue", "white", "yellow", "black")
WAYS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
ROUNDS = 40


class MiniCheckers(Ruleset):
    """Arms are numbered clockwise from the bottom one; the tally counts plies."""

    kinds = ("marble",)

    def __init__(self, options):
        count, sketch = int(options["players"]), Sketch()
        sketch.hex([[f"{row}{n + 1}" for n in range(length)] for row, length in zip("abcdefghi", ROWS, strict=True)])
        self.board = sketch.board()
        middle = self.board.sites[18]
        arms = [[] for _ in range(6)]
        for n, site in enumerate(self.board.sites):
            if hypot(site.x, site.y - middle.y) > 2.1:
                arms[round((degrees(atan2(site.y - middle.y, site.x)) - 90) / 60) % 6].append(n)
        taken = [6 // count * n for n in range(count)]
        self.seats = tuple(Seat(NAMES[n], n, 60.0 * arm) for n, arm in enumerate(taken))
        self.homes = [arms[arm] for arm in taken]
        self.goals = [arms[(arm + 3) % 6] for arm in taken]
        rows = sorted({site.y for site in self.board.sites})
        self.place = [(round(2 * site.x), rows.index(site.y)) for site in self.board.sites]
        self.at = {place: n for n, place in enumerate(self.place)}
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def initial(self, rng):
        cells = [None] * 37
        for seat, home in enumerate(self.homes):
            for point in home:
                cells[point] = Piece("marble", seat)
        return Position(tuple(cells), 0, tally=0)

    def hops(self, cells, path):
        """Every chain that goes on from a path, each point touched once."""
        x, y = self.place[path[-1]]
        for dx, dy in WAYS:
            over, to = self.at.get((x + dx, y + dy)), self.at.get((x + 2 * dx, y + 2 * dy))
            if over is not None and cells[over] and to is not None and cells[to] is None and to not in path:
                yield (*path, to)
                yield from self.hops(cells, (*path, to))

    def legal_moves(self, position):
        turn, found = position.turn, []
        for src, piece in enumerate(position.cells):
            if piece and piece.seat == turn:
                cells = (*position.cells[:src], None, *position.cells[src + 1 :])
                steps = [(src, to) for to in self.board.steps()[src] if cells[to] is None]
                found += [Move(turn, path) for path in (*steps, *self.hops(cells, (src,)))]
        return found or [Move(turn, (), "pass")]

    def apply(self, position, move):
        after = position._replace(turn=(move.seat + 1) % len(self.seats), tally=position.tally + 1)
        if not move.path:
            return Step(after)
        src, *via, dst = move.path
        cells = list(position.cells)
        cells[src], cells[dst] = None, cells[src]
        return Step(after._replace(cells=tuple(cells)), (Moved(src, dst, tuple(via)),))

    def outcome(self, position):
        for seat, goal in enumerate(self.goals):
            there = [position.cells[point] for point in goal]
            if all(there) and any(piece.seat == seat for piece in there):
                return Outcome((seat,), Note("arrived", (f"seat.{self.seats[seat].name}",)))
        return Outcome((), Note("rounds-over")) if position.tally >= ROUNDS * len(self.seats) else None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_checkers", MiniCheckers),)
