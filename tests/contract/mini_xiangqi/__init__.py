"""Xiangqi, without haste: palaces, eyes, legs, screens, facing generals; who can't move has lost."""

from functools import lru_cache

from qipan.api import (
    Game,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Position,
    Removed,
    Ruleset,
    Said,
    Seat,
    Sketch,
    Step,
    hookimpl,
)

BACK = ["chariot", "horse", "elephant", "advisor", "general", "advisor", "elephant", "horse", "chariot"]
SIDES, CORNERS = ((1, 0), (0, 1), (-1, 0), (0, -1)), ((1, 1), (-1, 1), (-1, -1), (1, -1))
QUIET = 24  # plies without a capture that are a draw


class MiniXiangqi(Ruleset):
    """The tally counts plies without a capture."""

    seats = (Seat("red", 0), Seat("black", 1, 180))
    kinds = ("general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier")

    def __init__(self, options):
        sketch, files = Sketch(), "abcdefghi"
        for n in range(90):
            sketch.point(files[n % 9] + str(10 - n // 9), n % 9, n // 9)
        for rank in range(1, 11):
            sketch.line(*(f"{file}{rank}" for file in files))
        for file in files:
            for ranks in [range(1, 11)] if file in "ai" else [range(1, 6), range(6, 11)]:
                sketch.line(*(f"{file}{rank}" for rank in ranks))
        for low in (1, 8):
            for a, b in ("df", "fd"):
                sketch.line(f"{a}{low}", f"e{low + 1}", f"{b}{low + 2}", kind="palace")
        self.board = sketch.board()
        self.legal_moves = lru_cache(256)(self.legal_moves)

    def initial(self, rng):
        cells = [None] * 90
        for x in range(9):
            men = {0: BACK[x]} | ({2: "cannon"} if x in (1, 7) else {}) | ({3: "soldier"} if x % 2 == 0 else {})
            for row, kind in men.items():
                cells[9 * (9 - row) + x], cells[9 * row + x] = Piece(kind, 0), Piece(kind, 1)
        return Position(tuple(cells), 0, tally=0)

    def targets(self, cells, src):
        """Where a piece could go, its own general's safety apart."""
        piece, (y, x) = cells[src], divmod(src, 9)
        kind, own = piece.kind, range(5, 10) if piece.seat == 0 else range(5)

        def at(dx, dy):
            return 9 * (y + dy) + x + dx if 0 <= x + dx < 9 and 0 <= y + dy < 10 else None

        def free(step):
            return at(*step) is not None and cells[at(*step)] is None

        if kind in ("chariot", "cannon"):
            found = self.slides(cells, at, kind == "cannon")
        elif kind == "horse":
            found = [at(2 * dx + e * dy, 2 * dy + e * dx) for dx, dy in SIDES if free((dx, dy)) for e in (1, -1)]
        elif kind == "elephant":
            found = [to for dx, dy in CORNERS if free((dx, dy)) and (to := at(2 * dx, 2 * dy)) and to // 9 in own]
        elif kind == "soldier":
            found = [at(0, -1 if piece.seat == 0 else 1), *([] if y in own else [at(1, 0), at(-1, 0)])]
        else:
            found = [at(*step) for step in (SIDES if kind == "general" else CORNERS)]
            palace = own[-3:] if piece.seat == 0 else own[:3]
            found = [to for to in found if to is not None and to % 9 in (3, 4, 5) and to // 9 in palace]
        return [to for to in found if to is not None and (cells[to] is None or cells[to].seat != piece.seat)]

    def slides(self, cells, at, cannon):
        """The points a chariot or cannon reaches."""
        for dx, dy in SIDES:
            screens, n = 0, 1
            while (to := at(n * dx, n * dy)) is not None:
                if cells[to] is None and not screens:
                    yield to
                elif cells[to]:
                    if screens == cannon:
                        yield to
                        break
                    screens += 1
                n += 1

    def check(self, cells, seat):
        """True where that seat's general is attacked or faces the other."""
        king, other = (cells.index(Piece("general", s)) for s in (seat, 1 - seat))
        between = range(min(king, other) + 9, max(king, other), 9)
        if king % 9 == other % 9 and not any(cells[point] for point in between):
            return True
        return any(p and p.seat != seat and king in self.targets(cells, n) for n, p in enumerate(cells))

    def tries(self, position):
        """The paths of all pieces, whatever check refuses later."""
        for src, piece in enumerate(position.cells):
            if piece and piece.seat == position.turn:
                yield from ((src, dst) for dst in self.targets(position.cells, src))

    def after(self, cells, path):
        """The cells after a path."""
        now = list(cells)
        now[path[1]], now[path[0]] = now[path[0]], None
        return tuple(now)

    def legal_moves(self, position):
        cells, turn = position.cells, position.turn
        return [Move(turn, path) for path in self.tries(position) if not self.check(self.after(cells, path), turn)]

    def refusal(self, position, move):
        note = super().refusal(position, move)
        own = note and move.seat == position.turn and not move.word and move.path in self.tries(position)
        return Note("would-be-check") if own else note

    def apply(self, position, move):
        (src, dst), other = move.path, 1 - move.seat
        cells, taken = self.after(position.cells, move.path), position.cells[dst]
        events = [Removed(dst), Moved(src, dst)] if taken else [Moved(src, dst)]
        if self.check(cells, other):
            events.append(Said(Note("check", points=(cells.index(Piece("general", other)),))))
        quiet = 0 if taken else position.tally + 1
        return Step(Position(cells, other, data=position.data, tally=quiet), tuple(events))

    def outcome(self, position):
        if not self.legal_moves(position):
            return Outcome((1 - position.turn,), Note("mated", (f"seat.{self.seats[position.turn].name}",)))
        return Outcome((), Note("quiet")) if position.tally >= QUIET else None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_xiangqi", MiniXiangqi),)
