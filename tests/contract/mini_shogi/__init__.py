"""Minishogi: hands with drops, promotion by words, two pawns on a file refused, a dropped pawn that mates refused."""

from collections import Counter
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
    Said,
    Seat,
    Sketch,
    Step,
    hookimpl,
)

SIDES, CORNERS = ((0, -1), (1, 0), (-1, 0), (0, 1)), ((1, -1), (-1, -1), (1, 1), (-1, 1))
GOLD = (*SIDES, *CORNERS[:2])
STEPS = {  # as the first seat, which plays up the board, steps
    "king": SIDES + CORNERS, "gold": GOLD, "silver": ((0, -1), *CORNERS), "pawn": ((0, -1),), "rook": (), "bishop": (),
    "promoted-silver": GOLD, "promoted-pawn": GOLD, "promoted-rook": CORNERS, "promoted-bishop": SIDES,
}  # fmt: skip
SLIDES = {"rook": SIDES, "promoted-rook": SIDES, "bishop": CORNERS, "promoted-bishop": CORNERS}
LIMIT = 200


class MiniShogi(Ruleset):
    """The tally counts plies."""

    seats = (Seat("black", 0), Seat("white", 1, 180))
    kinds = tuple(STEPS)

    def __init__(self, options):
        sketch = Sketch()
        sketch.grid(5, 5, [f"{file}{rank}" for rank in range(1, 6) for file in range(5, 0, -1)])
        self.board = sketch.board(cells=True)
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def initial(self, rng):
        cells = [None] * 25
        for n, kind in enumerate(("king", "gold", "silver", "bishop", "rook", "pawn")):
            cells[20 + n if n < 5 else 15] = Piece(kind, 0)
            cells[4 - n if n < 5 else 9] = Piece(kind, 1)
        return Position(tuple(cells), 0, ((), ()), tally=0)

    def targets(self, cells, src):
        """Where a piece could go, its own king's safety apart."""
        piece, (y, x) = cells[src], divmod(src, 5)
        way = 1 if piece.seat == 0 else -1
        runs = [(step, 1) for step in STEPS[piece.kind]] + [(step, 4) for step in SLIDES.get(piece.kind, ())]
        for (dx, dy), reach in runs:
            for n in range(1, reach + 1):
                col, row = x + way * dx * n, y + way * dy * n
                if not (0 <= col < 5 and 0 <= row < 5):
                    break
                to = 5 * row + col
                if cells[to] is None or cells[to].seat != piece.seat:
                    yield to
                if cells[to]:
                    break

    def check(self, cells, seat):
        """True where that seat's king is attacked."""
        king = cells.index(Piece("king", seat))
        return any(p and p.seat != seat and king in self.targets(cells, n) for n, p in enumerate(cells))

    def far(self, seat):
        """The points of the row where a seat promotes."""
        return range(5) if seat == 0 else range(20, 25)

    def legal_moves(self, position):
        return [move for move in self.tries(position) if not self.fault_of(position, move)]

    def tries(self, position):
        """All moves and drops, whatever refuses them later."""
        turn, cells = position.turn, position.cells
        for src, piece in enumerate(cells):
            if piece and piece.seat == turn:
                for dst in self.targets(cells, src):
                    zone = self.far(turn)
                    if f"promoted-{piece.kind}" not in STEPS or (src not in zone and dst not in zone):
                        yield Move(turn, (src, dst))
                    else:
                        yield Move(turn, (src, dst), "=promote")
                        if piece.kind != "pawn":
                            yield Move(turn, (src, dst), "=keep")
        for piece in position.hands[turn]:
            yield from (Move(turn, (dst,), f"@{piece.kind}") for dst in range(25) if cells[dst] is None)

    def fault_of(self, position, move):
        """What refuses a try."""
        cells, turn, dst = position.cells, move.seat, move.path[-1]
        if move.word == "@pawn":
            if any(cells[n] == Piece("pawn", turn) for n in range(dst % 5, 25, 5)):
                return Note("nifu")
            if dst in self.far(turn):
                return Note("no-way-on")
        after = self.apply(position, move).position
        if self.check(after.cells, turn):
            return Note("check")
        if move.word == "@pawn" and self.check(after.cells, 1 - turn) and not self.legal_moves(after):
            return Note("pawn-mate")
        return None

    def refusal(self, position, move):
        return self.fault_of(position, move) if move in self.tries(position) else Note("illegal")

    def apply(self, position, move):
        cells, turn, dst = list(position.cells), move.seat, move.path[-1]
        hand = Counter({piece.kind: piece.count for piece in position.hands[turn]})
        if move.word.startswith("@"):
            cells[dst] = Piece(move.word[1:], turn)
            hand[move.word[1:]] -= 1
            events = [Placed(dst, cells[dst])]
        else:
            (src, dst), events = move.path, [Moved(*move.path)]
            if cells[dst]:
                hand[cells[dst].kind.removeprefix("promoted-")] += 1
                events.insert(0, Removed(dst))
            cells[src], cells[dst] = None, cells[src]
            if move.word == "=promote":
                cells[dst] = Piece("promoted-" + cells[dst].kind, turn)
                events.append(Placed(dst, cells[dst]))
        mine = tuple(Piece(kind, turn, None, hand[kind]) for kind in STEPS if hand[kind])
        hands = (mine, position.hands[1]) if turn == 0 else (position.hands[0], mine)
        if Piece("king", 1 - turn) in cells and self.check(cells, 1 - turn):
            events.append(Said(Note("check", points=(cells.index(Piece("king", 1 - turn)),))))
        after = Position(tuple(cells), 1 - turn, hands, data=position.data, tally=position.tally + 1)
        return Step(after, tuple(events))

    def outcome(self, position):
        if not self.legal_moves(position):
            return Outcome((1 - position.turn,), Note("mated", (f"seat.{self.seats[position.turn].name}",)))
        return Outcome((), Note("move-limit")) if position.tally >= LIMIT else None

    def adjudicate(self, line):
        now = line[-1].position
        same = sum(ply.position.cells == now.cells and ply.position.key == now.key for ply in line)
        return Outcome((1,), Note("fourfold", ("seat.white",))) if same >= 4 else None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_shogi", MiniShogi),)
