"""Chess, without haste: castling, en passant and promotion, mate and stalemate."""

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

SIDES, CORNERS = ((1, 0), (0, 1), (-1, 0), (0, -1)), ((1, 1), (-1, 1), (-1, -1), (1, -1))
JUMPS = tuple((dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx * dy) == 2)
WAYS = {"rook": SIDES, "bishop": CORNERS, "queen": SIDES + CORNERS, "king": SIDES + CORNERS, "knight": JUMPS}
BACK = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]
QUIET = 24  # plies without a capture or a pawn move that are a draw


class MiniChess(Ruleset):
    """data = (points of unmoved kings and rooks, the point a pawn has just passed or -1); tally = quiet plies."""

    seats = (Seat("white", 0), Seat("black", 1, 180))
    kinds = ("king", "queen", "rook", "bishop", "knight", "pawn")

    def __init__(self, options):
        sketch = Sketch()
        for n in range(64):
            sketch.point("abcdefgh"[n % 8] + str(8 - n // 8), n % 8, n // 8)
        self.board = sketch.board(cells=True)
        self.legal_moves = lru_cache(2048)(self.legal_moves)

    def initial(self, rng):
        black = [Piece(kind, 1) for kind in (*BACK, *["pawn"] * 8)]
        white = [Piece(kind, 0) for kind in (*["pawn"] * 8, *BACK)]
        return Position((*black, *[None] * 32, *white), 0, data=((0, 4, 7, 56, 60, 63), -1), tally=0)

    def targets(self, cells, src, passed=-1, strike=False):
        """Where a piece could go, its own king's safety apart; ``strike``: only what it attacks."""
        piece, (y, x) = cells[src], divmod(src, 8)

        def at(dx, dy):
            return 8 * (y + dy) + x + dx if 0 <= x + dx < 8 and 0 <= y + dy < 8 else None

        if piece.kind == "pawn":
            way = -1 if piece.seat == 0 else 1
            for dx in (-1, 1):
                to = at(dx, way)
                if to is not None and (strike or to == passed or (cells[to] and cells[to].seat != piece.seat)):
                    yield to
            for n in (1, 2) if y == (6 if piece.seat == 0 else 1) else (1,):
                if strike or at(0, n * way) is None or cells[at(0, n * way)]:
                    break
                yield at(0, n * way)
            return
        for dx, dy in WAYS[piece.kind]:
            for n in range(1, 2 if piece.kind in ("king", "knight") else 8):
                to = at(n * dx, n * dy)
                if to is None:
                    break
                if cells[to] is None or cells[to].seat != piece.seat:
                    yield to
                if cells[to]:
                    break

    def attacked(self, cells, point, seat):
        """True when the other side attacks a point of that seat."""
        return any(p and p.seat != seat and point in self.targets(cells, n, strike=True) for n, p in enumerate(cells))

    def check(self, cells, seat):
        """True where that seat's king is attacked."""
        return self.attacked(cells, cells.index(Piece("king", seat)), seat)

    def castlings(self, position):
        """(path, whether check forbids it) of each castling whose pieces stand ready."""
        cells, fresh, turn = position.cells, position.data[0], position.turn
        king = 60 if turn == 0 else 4
        for rook, way in ((king + 3, 1), (king - 4, -1)):
            between = range(min(king, rook) + 1, max(king, rook))
            if {king, rook} <= set(fresh) and not any(cells[n] for n in between):
                yield (king, king + 2 * way), any(self.attacked(cells, king + n * way, turn) for n in (0, 1, 2))

    def tries(self, position):
        """The paths of all pieces, whatever check refuses later."""
        for src, piece in enumerate(position.cells):
            if piece and piece.seat == position.turn:
                yield from ((src, dst) for dst in self.targets(position.cells, src, position.data[1]))

    def legal_moves(self, position):
        found, turn = [], position.turn
        for path in self.tries(position):
            if not self.check(self.after(position, path)[0], turn):
                last = position.cells[path[0]].kind == "pawn" and path[1] // 8 in (0, 7)
                words = ("=queen", "=rook", "=bishop", "=knight") if last else ("",)
                found += [Move(turn, path, word) for word in words]
        return found + [Move(turn, path) for path, bad in self.castlings(position) if not bad]

    def refusal(self, position, move):
        note = super().refusal(position, move)
        if note and move.seat == position.turn and not move.word:
            if (move.path, True) in self.castlings(position):
                return Note("castling-check")
            if move.path in self.tries(position) and self.check(self.after(position, move.path)[0], move.seat):
                return Note("would-be-check")
        return note

    def after(self, position, path):
        """The cells and events of a path."""
        cells, (src, dst) = list(position.cells), path
        piece, events = cells[src], [Moved(src, dst)]
        prey = dst if cells[dst] else None
        if piece.kind == "pawn" and dst == position.data[1]:
            prey = dst + (8 if piece.seat == 0 else -8)
        if prey is not None:
            cells[prey] = None
            events.insert(0, Removed(prey))
        cells[src], cells[dst] = None, piece
        if piece.kind == "king" and abs(dst - src) == 2:
            rook, to = (src + 3, src + 1) if dst > src else (src - 4, src - 1)
            cells[rook], cells[to] = None, cells[rook]
            events.append(Moved(rook, to))
        return tuple(cells), events

    def apply(self, position, move):
        cells, events = self.after(position, move.path)
        src, dst = move.path
        pawn = cells[dst].kind == "pawn"
        if move.word:
            cells = (*cells[:dst], Piece(move.word[1:], move.seat), *cells[dst + 1 :])
            events.append(Placed(dst, cells[dst]))
        other = 1 - move.seat
        if self.check(cells, other):
            events.append(Said(Note("check", points=(cells.index(Piece("king", other)),))))
        fresh = tuple(n for n in position.data[0] if n not in move.path)
        passed = (src + dst) // 2 if pawn and abs(dst - src) == 16 else -1
        quiet = 0 if pawn or isinstance(events[0], Removed) else position.tally + 1
        return Step(Position(cells, other, data=(fresh, passed), tally=quiet), tuple(events))

    def outcome(self, position):
        turn = position.turn
        if not self.legal_moves(position):
            if self.check(position.cells, turn):
                return Outcome((1 - turn,), Note("checkmate", (f"seat.{self.seats[1 - turn].name}",)))
            return Outcome((), Note("stalemate"))
        if sum(piece is not None for piece in position.cells) == 2:
            return Outcome((), Note("bare-kings"))
        return Outcome((), Note("quiet")) if position.tally >= QUIET else None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_chess", MiniChess),)
