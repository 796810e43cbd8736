"""Jieqi and banqi: face-down pieces that nobody knows, so CHANCE draws each from what is left when it turns up."""

from functools import lru_cache

from qipan.api import (
    CHANCE,
    HIDDEN,
    NOBODY,
    Game,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Position,
    Removed,
    Revealed,
    Ruleset,
    Said,
    Seat,
    Sketch,
    Step,
    hookimpl,
)

KINDS = ("general", "advisor", "elephant", "chariot", "horse", "cannon", "soldier")
COUNTS = (1, 2, 2, 2, 2, 2, 5)
BACK = ["chariot", "horse", "elephant", "advisor", "general", "advisor", "elephant", "horse", "chariot"]
QUIET = 24  # plies without a capture or a reveal that are a draw
STRAIGHT, DIAGONAL = ((1, 0), (0, 1), (-1, 0), (0, -1)), ((1, 1), (-1, 1), (-1, -1), (1, -1))


def turn_up(position, point, seat, kind):
    """The step that shows a piece and takes it from what is left; ``data`` = (point to turn up or -1, what is left)."""
    cells, pool = list(position.cells), [list(row) for row in position.data[1]]
    cells[point] = piece = Piece(kind, seat)
    pool[seat][KINDS.index(kind)] -= 1
    after = position._replace(cells=tuple(cells), data=(-1, tuple(map(tuple, pool))), tally=0)
    return Step(after, (Revealed(point, piece),), final=True)


def shift(position, src, dst):
    """The cells after a move or capture, and its events."""
    cells = list(position.cells)
    events = (Removed(dst), Moved(src, dst)) if cells[dst] else (Moved(src, dst),)
    cells[dst], cells[src] = cells[src], None
    return tuple(cells), events


class Jieqi(Ruleset):
    """Xiangqi whose pieces but the generals lie face down and move as their point says until they turn up."""

    seats = (Seat("red", 0), Seat("black", 1, 180))
    kinds = KINDS

    def __init__(self, options):
        sketch = Sketch()
        sketch.grid(9, 10, [f"{file}{rank}" for rank in range(10, 0, -1) for file in "abcdefghi"])
        for low in (1, 8):
            for a, b in (("d", "f"), ("f", "d")):
                sketch.line(f"{a}{low}", f"e{low + 1}", f"{b}{low + 2}", kind="palace")
        self.board = sketch.board()
        rows = {9: BACK, 7: {1: "cannon", 7: "cannon"}, 6: dict.fromkeys((0, 2, 4, 6, 8), "soldier")}
        red = {(x, y): row[x] for y, row in rows.items() for x in (range(9) if y == 9 else row)}
        self.start = {9 * y + x: (kind, 0) for (x, y), kind in red.items()}
        self.start |= {89 - point: (kind, 1) for point, (kind, _) in self.start.items()}
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def initial(self, rng):
        cells = [None] * 90
        for point, (kind, seat) in self.start.items():
            cells[point] = Piece(kind, seat) if kind == "general" else Piece(HIDDEN, seat, ())
        return Position(tuple(cells), 0, data=(-1, ((0, *COUNTS[1:]),) * 2), tally=0)

    def targets(self, cells, src):
        """Where a piece could go, its own general's safety apart."""
        piece, (y, x) = cells[src], divmod(src, 9)
        kind = self.start[src][0] if piece.kind == HIDDEN else piece.kind
        ahead = -1 if piece.seat == 0 else 1

        def at(dx, dy):
            return 9 * (y + dy) + x + dx if 0 <= x + dx < 9 and 0 <= y + dy < 10 else None

        def free(dx, dy):
            return at(dx, dy) is not None and cells[at(dx, dy)] is None

        if kind in ("chariot", "cannon"):
            return self.slides(cells, kind == "cannon", at)
        if kind == "horse":
            jumps = [(dx * 2 + e * dy, dy * 2 + e * dx) for dx, dy in STRAIGHT if free(dx, dy) for e in (1, -1)]
        elif kind == "elephant":
            jumps = [(2 * dx, 2 * dy) for dx, dy in DIAGONAL if free(dx, dy)]
        elif kind == "soldier":
            jumps = [(0, ahead), *([(1, 0), (-1, 0)] if (y < 5) == (piece.seat == 0) else [])]
        else:
            jumps = STRAIGHT if kind == "general" else DIAGONAL
        found = [to for to in (at(*jump) for jump in jumps) if to is not None]
        if kind == "general" or (kind == "advisor" and piece.kind == HIDDEN):
            found = [to for to in found if 3 <= to % 9 <= 5 and (to // 9 >= 7 if piece.seat == 0 else to // 9 <= 2)]
        return [to for to in found if cells[to] is None or cells[to].seat != piece.seat]

    def slides(self, cells, cannon, at):
        """The targets of a chariot or cannon that stands at at(0, 0)."""
        found, seat = [], cells[at(0, 0)].seat
        for dx, dy in STRAIGHT:
            met, n = 0, 1
            while (to := at(n * dx, n * dy)) is not None and met < 2:
                if cells[to] is None and not met:
                    found.append(to)
                elif cells[to]:
                    met += 1
                    if met == 1 + cannon:
                        found += [to] if cells[to].seat != seat else []
                        break
                n += 1
        return found

    def check(self, cells, seat):
        """True where that seat's general is attacked or faces the other."""
        king, other = (next(n for n, p in enumerate(cells) if p == Piece("general", s)) for s in (seat, 1 - seat))
        between = range(min(king, other) + 9, max(king, other), 9)
        if king % 9 == other % 9 and not any(cells[point] for point in between):
            return True
        return any(p and p.seat != seat and king in self.targets(cells, n) for n, p in enumerate(cells))

    def legal_moves(self, position):
        point, pool = position.data
        if position.turn == CHANCE:
            left = zip(KINDS, pool[position.cells[point].seat], strict=True)
            return [Move(CHANCE, (point,), f"reveal:{kind}") for kind, count in left if count]
        pairs = [(src, dst) for src, piece in enumerate(position.cells) if piece and piece.seat == position.turn
                 for dst in self.targets(position.cells, src)]  # fmt: skip
        return [Move(position.turn, path) for path in pairs if not self.check(shift(position, *path)[0], position.turn)]

    def odds(self, position):
        point, pool = position.data
        counts = dict(zip(KINDS, pool[position.cells[point].seat], strict=True))
        return [(move, counts[move.word[7:]]) for move in self.legal_moves(position)]

    def apply(self, position, move):
        if move.seat == CHANCE:
            seat = position.cells[move.path[0]].seat
            after, events, told, final = turn_up(position, move.path[0], seat, move.word[7:])
            after = after._replace(turn=1 - seat)
            return Step(after, events + self._said(after.cells, 1 - seat), told, final)
        (src, dst), seat = move.path, move.seat
        cells, events = shift(position, src, dst)
        quiet = position.tally + 1 if len(events) == 1 else 0
        if cells[dst].kind == HIDDEN:
            return Step(position._replace(cells=cells, turn=CHANCE, data=(dst, position.data[1]), tally=quiet), events)
        return Step(position._replace(cells=cells, turn=1 - seat, tally=quiet), events + self._said(cells, 1 - seat))

    def _said(self, cells, seat):
        return (Said(Note("check", points=tuple(n for n, p in enumerate(cells) if p == Piece("general", seat)))),) * (
            self.check(cells, seat)
        )

    def outcome(self, position):
        if position.turn >= 0 and not self.legal_moves(position):
            return Outcome((1 - position.turn,), Note("mated", (f"seat.{self.seats[position.turn].name}",)))
        return Outcome((), Note("quiet")) if position.tally >= QUIET and position.turn >= 0 else None


class Banqi(Ruleset):
    """Half a board of face-down pieces: turn one up or go one step. The first piece turned up is the first player's."""

    seats = (Seat("first", 0), Seat("second", 1, 180))
    kinds = KINDS

    def __init__(self, options):
        sketch = Sketch()
        sketch.grid(8, 4, [f"{file}{rank}" for rank in (4, 3, 2, 1) for file in "abcdefgh"])
        self.board = sketch.board(cells=True)
        self.near, self.rays = self.board.steps(), self.board.rays()

    def initial(self, rng):
        return Position((Piece(HIDDEN, NOBODY, ()),) * 32, 0, data=(-1, (COUNTS, COUNTS), 0), tally=0)

    def takes(self, kind, other):
        """True where a piece other than a cannon captures that kind."""
        if {kind, other} == {"general", "soldier"}:
            return kind == "soldier"
        return KINDS.index(kind) <= KINDS.index(other)

    def targets(self, cells, src):
        """Where an open piece may go."""
        piece = cells[src]
        near = [to for to in self.near[src] if cells[to] is None]
        if piece.kind == "cannon":
            runs = [[to for to in ray if cells[to]][1:2] for ray in self.rays[src]]
            return near + [to for run in runs for to in run if cells[to].seat == 1 - piece.seat]
        prey = [to for to in self.near[src] if cells[to] and cells[to].seat == 1 - piece.seat]
        return near + [to for to in prey if self.takes(piece.kind, cells[to].kind)]

    def legal_moves(self, position):
        (point, pool, _), cells, turn = position.data, position.cells, position.turn
        if turn == CHANCE:
            seats = (0,) if pool == (COUNTS, COUNTS) else (0, 1)
            return [Move(CHANCE, (point,), f"reveal:{kind}:{seat}") for seat in seats
                    for kind, count in zip(KINDS, pool[seat], strict=True) if count]  # fmt: skip
        flips = [Move(turn, (n,)) for n, piece in enumerate(cells) if piece and piece.kind == HIDDEN]
        mine = [src for src, piece in enumerate(cells) if piece and piece.seat == turn]
        return flips + [Move(turn, (src, dst)) for src in mine for dst in self.targets(cells, src)]

    def odds(self, position):
        for move in self.legal_moves(position):
            _, kind, seat = move.word.split(":")
            yield move, position.data[1][int(seat)][KINDS.index(kind)]

    def apply(self, position, move):
        if move.seat == CHANCE:
            _, kind, seat = move.word.split(":")
            step = turn_up(position, move.path[0], int(seat), kind)
            mover = position.data[2]
            after = step.position._replace(turn=1 - mover, data=(*step.position.data, 1 - mover))
            return step._replace(position=after)
        if len(move.path) == 1:
            return Step(position._replace(turn=CHANCE, data=(move.path[0], position.data[1], move.seat)))
        cells, events = shift(position, *move.path)
        quiet = position.tally + 1 if len(events) == 1 else 0
        data = (*position.data[:2], 1 - move.seat)
        return Step(position._replace(cells=cells, turn=1 - move.seat, data=data, tally=quiet), events)

    def outcome(self, position):
        if position.turn >= 0 and not self.legal_moves(position):
            return Outcome((1 - position.turn,), Note("beaten", (f"seat.{self.seats[position.turn].name}",)))
        return Outcome((), Note("quiet")) if position.tally >= QUIET else None


@hookimpl
def games():
    """Both games of this plugin."""
    return (Game("mini_jieqi", Jieqi), Game("mini_banqi", Banqi))
