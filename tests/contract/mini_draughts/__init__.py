"""International draughts: a capture is the whole path of its landings, the longest is forced, kings fly."""

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

QUIET = 30  # plies of kings without a capture that are a draw


class MiniDraughts(Ruleset):
    """Only the dark squares are sites, numbered from the top left; the tally counts plies of kings alone."""

    seats = (Seat("white", 0), Seat("black", 1, 180))
    kinds = ("man", "king")

    def __init__(self, options):
        self.size, sketch = int(options["size"]), Sketch()
        self.dark = [(x, y) for y in range(self.size) for x in range(self.size) if (x + y) % 2]
        for n, (x, y) in enumerate(self.dark):
            sketch.point(str(n + 1), x, y)
        self.board = sketch.board(cells=True)
        self.at = {place: n for n, place in enumerate(self.dark)}
        self.rays = [{(dx, dy): self._ray(x, y, dx, dy) for dx in (1, -1) for dy in (1, -1)} for x, y in self.dark]
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def _ray(self, x, y, dx, dy):
        found = []
        while (x := x + dx, y := y + dy) in self.at:
            found.append(self.at[x, y])
        return found

    def initial(self, rng):
        full = self.size * (self.size // 2 - 1) // 2
        row = (Piece("man", 1),) * full + (None,) * self.size + (Piece("man", 0),) * full
        return Position(row, 0, tally=0)

    def jumps(self, cells, piece, at, gone):
        """(prey, landing) of every single jump; prey already jumped stays in the way."""
        for ray in self.rays[at].values():
            ahead = next((n for n, to in enumerate(ray) if cells[to]), len(ray))
            if ahead >= len(ray) or (piece.kind == "man" and ahead) or ray[ahead] in gone:
                continue
            if cells[ray[ahead]].seat == piece.seat:
                continue
            for to in ray[ahead + 1 :][: 1 if piece.kind == "man" else None]:
                if cells[to]:
                    break
                yield ray[ahead], to

    def captures(self, cells, piece, path, gone=()):
        """(path, prey) of every capture that can't go on."""
        more = False
        for prey, to in self.jumps(cells, piece, path[-1], gone):
            more = True
            yield from self.captures(cells, piece, (*path, to), (*gone, prey))
        if gone and not more:
            yield path, gone

    def forced(self, position):
        """The longest captures: path -> prey."""
        found = {}
        for src, piece in enumerate(position.cells):
            if piece and piece.seat == position.turn:
                lifted = (*position.cells[:src], None, *position.cells[src + 1 :])
                found.update(self.captures(lifted, piece, (src,)))
        most = max(map(len, found.values()), default=0)
        return {path: prey for path, prey in found.items() if len(prey) == most}

    def legal_moves(self, position):
        return [Move(position.turn, path) for path in self.forced(position) or self.steps(position)]

    def steps(self, position):
        """The paths without a capture."""
        cells, ahead = position.cells, -1 if position.turn == 0 else 1
        for src, piece in enumerate(cells):
            if piece and piece.seat == position.turn:
                for (_, dy), ray in self.rays[src].items():
                    if piece.kind == "king" or dy == ahead:
                        for to in ray[: 1 if piece.kind == "man" else None]:
                            if cells[to]:
                                break
                            yield src, to

    def refusal(self, position, move):
        note = super().refusal(position, move)
        prey = self.forced(position) if note and move.path in self.steps(position) else {}
        return Note("must-capture", (len(next(iter(prey.values()))),)) if prey else note

    def apply(self, position, move):
        cells, (src, *via, dst) = list(position.cells), move.path
        prey = self.forced(position).get(move.path, ())
        for point in prey:
            cells[point] = None
        piece, cells[src] = cells[src], None
        events = [*(Removed(point) for point in prey), Moved(src, dst, tuple(via))]
        quiet = 0 if prey or piece.kind == "man" else position.tally + 1
        if piece.kind == "man" and self.dark[dst][1] == (0 if move.seat == 0 else self.size - 1):
            piece = piece._replace(kind="king")
            events.append(Placed(dst, piece))
        cells[dst] = piece
        return Step(Position(tuple(cells), 1 - move.seat, data=position.data, tally=quiet), tuple(events))

    def outcome(self, position):
        if not self.legal_moves(position):
            return Outcome((1 - position.turn,), Note("no-move", (f"seat.{self.seats[position.turn].name}",)))
        return Outcome((), Note("quiet")) if position.tally >= QUIET else None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_draughts", MiniDraughts),)
