"""The click rule of every game: legal moves and the points touched so far say what a touch means. Plain data only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from qipan.geometry import Point
from qipan.values import Cells, Move, hand_word, next_points

ARRANGE = "arrange:"  # the word of a secret line-up: the table swaps pieces, only the finished line-up is a move


class Pick(NamedTuple):
    """What has been touched: a path of points, after a hand piece ("@K") where one was taken up first."""

    path: tuple[Point, ...] = ()
    hand: str = ""

    @property
    def empty(self) -> bool:
        """True while nothing is lifted."""
        return not self.path and not self.hand


class Hold(NamedTuple):
    """The touch was taken; the pick stands so (an empty one: everything was put back)."""

    pick: Pick


class Play(NamedTuple):
    """The touch finished a move."""

    move: Move


class Ask(NamedTuple):
    """The path is finished, but several moves walk it: a word must be chosen."""

    moves: tuple[Move, ...]


class Wrong(NamedTuple):
    """No legal move goes on so; the tried path, for `Ruleset.refusal` to say why."""

    tried: Pick


Reply: TypeAlias = "Hold | Play | Ask | Wrong"


def buttons(moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves that are buttons: without a path ("pass", "roll"), line-ups left out."""
    return tuple(move for move in moves if not move.path and not move.word.startswith(ARRANGE))


def arrangers(moves: Iterable[Move]) -> tuple[int, ...]:
    """The seats that still owe a secret line-up, sorted."""
    return tuple(sorted({move.seat for move in moves if not move.path and move.word.startswith(ARRANGE)}))


def hands(moves: Iterable[Move]) -> tuple[tuple[int, str], ...]:
    """The hand pieces that may be taken up now, as (seat, "@K"), sorted."""
    return tuple(sorted({(move.seat, hand_word(move)) for move in moves if move.path and hand_word(move)}))


def targets(moves: Iterable[Move], pick: Pick) -> tuple[Point, ...]:
    """The points that continue the pick toward a legal move, sorted; an empty pick: those that may come first."""
    return next_points(moves, pick.path, pick.hand)


def ended(moves: Iterable[Move], pick: Pick) -> tuple[Move, ...]:
    """The legal moves whose whole path is the pick."""
    return tuple(move for move in moves if move.path and move.path == pick.path and hand_word(move) == pick.hand)


def liftable(moves: Iterable[Move], cells: Cells) -> tuple[Point, ...]:
    """The points whose pieces can be lifted: where moves start on pieces, every piece of the seats that may act.

    A piece with no legal move can be lifted too, so that a try with it is answered in words.
    """
    starts = {move.path[0] for move in moves if move.path and not hand_word(move)}
    seats = {move.seat for move in moves}
    if not any((piece := cells[point]) is not None and piece.seat in seats for point in starts):
        return ()
    return tuple(point for point, piece in enumerate(cells) if piece is not None and piece.seat in seats)


def take(moves: Iterable[Move], hand: str) -> Reply:
    """Taking up a hand piece ("@K")."""
    pick = Pick((), hand)
    return Hold(pick) if targets(moves, pick) else Wrong(pick)


def touch(moves: Collection[Move], pick: Pick, point: Point, own: Collection[Point] = ()) -> Reply:
    """What touching a point means after ``pick``. ``own``: `liftable` points, which begin anew when touched.

    A path that is finished and cannot go on is played; one that can go on is played when its last point is touched
    again; a single lifted piece touched again is put back.
    """
    if pick.path and point == pick.path[-1]:
        return _over(ended(moves, pick)) or Hold(Pick())
    longer = Pick((*pick.path, point), pick.hand)
    if point in targets(moves, pick):
        return Hold(longer) if targets(moves, longer) else _over(ended(moves, longer)) or Wrong(longer)
    if not pick.empty and point in (*own, *targets(moves, Pick())) and not ended(moves, pick):
        return touch(moves, Pick(), point, own)
    if pick.empty and point in own:
        return Hold(longer)
    return Wrong(longer)


def finish(moves: Iterable[Move], pick: Pick) -> Reply:
    """Ending the path where it stands (Enter); a path that is no move yet just stays."""
    return _over(ended(moves, pick)) or Hold(pick)


def _over(found: tuple[Move, ...]) -> Reply | None:
    if not found:
        return None
    return Play(found[0]) if len(found) == 1 else Ask(found)
