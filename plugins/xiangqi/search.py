"""The fast player of the rules: plain ints in flat lists, moves made and taken back, legality tested where it can fail.

After a move one's general can only be exposed along a line or by a horse's leg that the move touched. One pass over
the foe's six long-range pieces finds those points; every other move is legal as it stands.
"""

from __future__ import annotations

from typing import TypeAlias

from qipan.api import Cells, Fault, Move

from .board import PIECES
from .tables import (
    ADVISOR,
    ADVISORS,
    BETWEEN,
    BLACK_TO_MOVE,
    CANNON,
    CHARIOT,
    ELEPHANTS,
    EMPTY,
    FOE,
    FREE,
    GENERALS,
    HORSE,
    HORSES,
    KEYS,
    LEGS,
    OFF,
    RAYS,
    SLOTS,
    SOLDIER,
    SOLDIERS,
    SOLDIERS_FROM,
    VALUES,
    WALL,
)

Danger: TypeAlias = "tuple[bool, set[int], set[int]]"  # in check; points moves from which, to which, decide

_ORDER = {PIECES[kind, seat]: seat * 7 + n for seat in (0, 1) for n, (kind, _, _) in enumerate(SLOTS)}
_FIRST = [seat * 16 + first for seat in (0, 1) for _, first, _ in SLOTS]
_END = [seat * 16 + first + count for seat in (0, 1) for _, first, count in SLOTS]
_ATTACKERS = (*range(CHARIOT, ADVISOR), *range(16 + CHARIOT, 16 + ADVISOR))


class Kernel:
    """One position, played forwards and back. ``strict``: a general may not be left in check."""

    __slots__ = ("board", "loc", "mark", "side", "stack", "strict", "worth")

    def __init__(self, board: list[int], loc: list[int], side: int, mark: int, worth: int, strict: bool) -> None:
        self.board = board  # what slot stands on each of 90 points, and WALL on OFF
        self.loc = loc  # where each slot stands
        self.side = side
        self.mark = mark  # the Zobrist key of the pieces alone
        self.worth = worth  # in Red's eyes
        self.strict = strict
        self.stack: list[tuple[int, int, int, int]] = []

    @classmethod
    def load(cls, cells: Cells, side: int, strict: bool = True) -> Kernel:
        """The kernel of a position's cells. Raises Fault where a side has more of a kind than the game has."""
        board, loc, mark, worth = [EMPTY] * 90 + [WALL], [OFF] * 34, 0, 0
        following = _FIRST.copy()
        for point, piece in enumerate(cells):
            if piece is not None:
                order = _ORDER[piece]
                slot = following[order]
                if slot == _END[order]:
                    raise Fault("more than {0} pieces of the kind {1}", slot - _FIRST[order], piece.kind)
                following[order] = slot + 1
                board[point], loc[slot] = slot, point
                mark ^= KEYS[slot][point]
                worth += VALUES[slot][point]
        return cls(board, loc, side, mark, worth, strict)

    def after(self, code: int) -> Kernel:
        """A kernel of its own for the position after a move."""
        child = Kernel(self.board.copy(), self.loc.copy(), self.side, self.mark, self.worth, self.strict)
        child.push(code)
        child.stack.clear()
        return child

    # -- playing -------------------------------------------------------------------------------------------------
    def push(self, code: int) -> None:
        """Plays a code."""
        board, loc = self.board, self.loc
        src, dst = code >> 7, code & 127
        slot, taken = board[src], board[dst]
        self.stack.append((code, taken, self.mark, self.worth))
        board[src] = EMPTY
        board[dst] = slot
        loc[taken] = OFF  # loc[EMPTY] is nobody's place, so this needs no question
        loc[slot] = dst
        keys, values = KEYS[slot], VALUES[slot]
        self.mark ^= keys[src] ^ keys[dst] ^ KEYS[taken][dst]
        self.worth += values[dst] - values[src] - VALUES[taken][dst]
        self.side ^= 1

    def pop(self) -> None:
        """Takes the last code back."""
        code, taken, self.mark, self.worth = self.stack.pop()
        board, loc = self.board, self.loc
        src, dst = code >> 7, code & 127
        slot = board[dst]
        board[src] = slot
        board[dst] = taken
        loc[slot] = src
        loc[taken] = dst
        self.side ^= 1

    def code(self, move: Move) -> int:
        """The code of a move."""
        return move.path[0] << 7 | move.path[1]

    def move(self, code: int) -> Move:
        """The move of a code, made by the side to move."""
        return Move(self.side, (code >> 7, code & 127))

    def key(self) -> int:
        """60 bits, equal for equal positions."""
        return self.mark ^ BLACK_TO_MOVE if self.side else self.mark

    def score(self) -> int:
        """Material and places for the side to move, in hundredths of a soldier."""
        return -self.worth if self.side else self.worth

    def over(self) -> bool:
        """True without a legal move, or where neither side can attack any more."""
        return self.bare() or not self.moves()

    def bare(self) -> bool:
        """True where neither side has a chariot, horse, cannon or soldier left."""
        loc = self.loc
        return all(loc[slot] == OFF for slot in _ATTACKERS)

    def facing(self) -> bool:
        """True where the generals see each other along an open file."""
        way = BETWEEN[self.loc[0]][self.loc[16]]
        return way is not None and all(self.board[point] == EMPTY for point in way)

    # -- moves ---------------------------------------------------------------------------------------------------
    def moves(self) -> list[int]:
        """The legal codes, each once."""
        board, side = self.board, self.side
        king = self.loc[side << 4]
        free = FREE[side]
        if not self.strict:
            if OFF in (king, self.loc[16 - (side << 4)]) or self.facing():
                return []
            return self._others() + [code for to, code in GENERALS[king] if free[board[to]]]
        found = self._others()
        danger = self._danger(king)
        if danger is not None:
            found = self._proved(found, danger, king)
        for to, code in GENERALS[king]:
            if free[board[to]]:
                board[king] = EMPTY
                if not self.attacked(to, side):
                    found.append(code)
                board[king] = side << 4
        return found

    def _others(self) -> list[int]:
        """All moves of all pieces but the general, exposed or not."""
        board, side = self.board, self.side
        free, foe, base = FREE[side], FOE[side], side << 4
        (
            _, chariot_a, chariot_b, cannon_a, cannon_b, horse_a, horse_b, s1, s2, s3, s4, s5,
            advisor_a, advisor_b, elephant_a, elephant_b,
        ) = self.loc[base : base + 16]  # fmt: skip
        found: list[int] = []
        for point in (chariot_a, chariot_b):
            for ray in RAYS[point]:
                for to, code in ray:
                    slot = board[to]
                    if slot == EMPTY:
                        found.append(code)
                    else:
                        if foe[slot]:
                            found.append(code)
                        break
        for point in (cannon_a, cannon_b):
            for ray in RAYS[point]:
                along = iter(ray)
                for to, code in along:
                    if board[to] != EMPTY:
                        break
                    found.append(code)
                for to, code in along:  # past the screen
                    slot = board[to]
                    if slot != EMPTY:
                        if foe[slot]:
                            found.append(code)
                        break
        for point in (horse_a, horse_b):
            for leg, dests in HORSES[point]:
                if board[leg] == EMPTY:
                    for to, code in dests:
                        if free[board[to]]:
                            found.append(code)
        steps = SOLDIERS[side]
        for dests in (steps[s1], steps[s2], steps[s3], steps[s4], steps[s5], ADVISORS[advisor_a], ADVISORS[advisor_b]):
            for to, code in dests:
                if free[board[to]]:
                    found.append(code)
        for point in (elephant_a, elephant_b):
            for eye, to, code in ELEPHANTS[point]:
                if board[eye] == EMPTY and free[board[to]]:
                    found.append(code)
        return found

    def _danger(self, king: int) -> Danger | None:
        """What of the foe bears on the general; None: nothing, every move of another piece is legal.

        In check: a move helps only from or to the points given. Else: a move from the first may expose the general,
        and one to the second would be the screen that a cannon with an open line waits for.
        """
        board, own = self.board, FOE[self.side ^ 1]
        base = 16 - (self.side << 4)
        general, chariot_a, chariot_b, cannon_a, cannon_b, horse_a, horse_b = self.loc[base : base + 7]
        between, legs = BETWEEN[king], LEGS[king]
        pins: set[int] | None = None
        screens: set[int] | None = None
        for point in (general, chariot_a, chariot_b):
            way = between[point]
            if way is not None:
                blocks = [to for to in way if board[to] != EMPTY]
                if not blocks:
                    return True, set(), {point, *way}
                if len(blocks) == 1 and own[board[blocks[0]]]:
                    pins = pins or set()
                    pins.add(blocks[0])
        for point in (cannon_a, cannon_b):
            way = between[point]
            if way is not None:
                blocks = [to for to in way if board[to] != EMPTY]
                if len(blocks) == 1:
                    return True, {blocks[0]}, {point, *way}
                if not blocks:
                    screens = screens or set()
                    screens.update(way)
                elif len(blocks) == 2:
                    pins = pins or set()
                    pins.update(blocks)
        for point in (horse_a, horse_b):
            leg = legs[point]
            slot = board[leg]
            if slot == EMPTY:
                return True, set(), {point, leg}
            if own[slot]:
                pins = pins or set()
                pins.add(leg)
        soldiers = base + SOLDIER
        for point in SOLDIERS_FROM[self.side][king]:
            if soldiers <= board[point] < soldiers + 5:
                return True, set(), {point}
        return None if pins is screens is None else (False, pins or set(), screens or set())

    def _proved(self, codes: list[int], danger: Danger, king: int) -> list[int]:
        """The codes that don't leave the general exposed."""
        check, sources, targets = danger
        safe = self._safe
        if check:
            return [c for c in codes if (c & 127 in targets or c >> 7 in sources) and safe(c, king)]
        if not sources:
            return [c for c in codes if c & 127 not in targets]
        return [c for c in codes if c & 127 not in targets and (c >> 7 not in sources or safe(c, king))]

    def _safe(self, code: int, king: int) -> bool:
        """True when the general is not attacked after a move of another piece."""
        board, loc = self.board, self.loc
        src, dst = code >> 7, code & 127
        slot, taken = board[src], board[dst]
        board[src], board[dst], loc[taken] = EMPTY, slot, OFF
        exposed = self.attacked(king, self.side)
        board[src], board[dst], loc[taken] = slot, taken, dst
        return not exposed

    def attacked(self, point: int, side: int) -> bool:
        """True when a foe of ``side`` could capture its general on ``point`` (the other general along an open file)."""
        board = self.board
        base = 16 - (side << 4)
        general, chariot_a, chariot_b, cannon_a, cannon_b, horse_a, horse_b = self.loc[base : base + 7]
        between, legs = BETWEEN[point], LEGS[point]
        for foe in (general, chariot_a, chariot_b):
            way = between[foe]
            if way is not None:
                for to in way:
                    if board[to] != EMPTY:
                        break
                else:
                    return True
        for foe in (cannon_a, cannon_b):
            way = between[foe]
            if way is not None and sum([board[to] != EMPTY for to in way]) == 1:
                return True
        soldiers = base + SOLDIER
        for foe in SOLDIERS_FROM[side][point]:
            if soldiers <= board[foe] < soldiers + 5:
                return True
        return board[legs[horse_a]] == EMPTY or board[legs[horse_b]] == EMPTY

    def checkers(self, side: int) -> tuple[int, ...]:
        """The points of the foes that attack the general of ``side``."""
        king = self.loc[side << 4]
        if king == OFF or not self.attacked(king, side):
            return ()
        base, board = 16 - (side << 4), self.board
        found = [point for point in SOLDIERS_FROM[side][king] if SOLDIER <= board[point] - base < ADVISOR]
        for slot, point in enumerate(self.loc[base : base + SOLDIER]):
            way = BETWEEN[king][point]
            if slot >= HORSE:
                if board[LEGS[king][point]] == EMPTY:
                    found.append(point)
            elif way is not None and sum(board[to] != EMPTY for to in way) == (slot >= CANNON):
                found.append(point)
        return tuple(found)
