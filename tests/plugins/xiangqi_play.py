"""What the xiangqi tests share: the rules under options, moves by text, seeded random positions, optional data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from qipan.plugins.xiangqi.board import PIECES, may_stand
from qipan.plugins.xiangqi.rules import Xiangqi

from qipan.api import Fault, Piece, Ply, Position

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "xiangqi"  # read where it is there
RULES = Xiangqi({})


def at(fen: str, rules: Xiangqi = RULES) -> Position:
    """The position of a FEN."""
    return rules.read(fen)


def legal(position: Position, rules: Xiangqi = RULES) -> list[str]:
    """The legal moves as UCI texts, sorted."""
    return sorted(rules.say(position, move) for move in rules.legal_moves(position))


def line(start: Position, moves: str, rules: Xiangqi = RULES) -> list[Ply]:
    """The line that UCI moves play from a position."""
    found = [Ply(None, start)]
    for text in moves.split():
        move = rules.parse(found[-1].position, text)
        found.append(Ply(move, rules.apply(found[-1].position, move).position))
    return found


def wander(seed: int, count: int, rules: Xiangqi = RULES) -> Iterator[Position]:
    """Positions of random games that like captures and checks, the start first; new games until there are enough."""
    rng = Random(seed)
    while count > 0:
        position = rules.initial(rng)
        for _ in range(rng.randrange(20, 300)):
            if count <= 0:
                return
            count -= 1
            yield position
            if rules.outcome(position) is not None:
                break
            moves = rules.legal_moves(position)
            sharp = [move for move in moves if position.cells[move.path[1]] is not None]
            position = rules.apply(position, rng.choice(sharp if sharp and rng.random() < 0.4 else moves)).position


def scatter(seed: int, count: int) -> Iterator[Position]:
    """Possible positions of pieces thrown on the board, few for the side to move: rich in mates and stalemates."""
    rng = Random(seed)
    while count > 0:
        cells: list[Piece | None] = [None] * 90
        turn = rng.randrange(2)
        for seat in (0, 1):
            more = rng.randint(0, 2) if seat == turn else rng.randint(3, 8)
            kinds = ["general", *rng.choices(RULES.kinds[1:], k=more)]
            for kind in kinds:
                places = [point for point in range(90) if may_stand(kind, seat, point) and cells[point] is None]
                back = [point for point in places if point // 9 in (0, 9)]
                if kind == "general" and rng.random() < 0.8:
                    places = back or places
                if places:
                    cells[rng.choice(places)] = PIECES[kind, seat]
        position = Position(tuple(cells), turn, tally=(0, 1))
        if RULES.fault(position) is None:
            count -= 1
            yield position


def fault_of(text: str, rules: Xiangqi = RULES) -> str:
    """What reading a position complains about."""
    try:
        rules.read(text)
    except Fault as fault:
        return str(fault)
    raise AssertionError(f"{text} was read")
