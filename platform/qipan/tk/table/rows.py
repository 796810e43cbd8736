"""The move list as data: the rows of a tree of moves, with variations below the move they replace. No window here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from qipan.session import Node


class Cell(NamedTuple):
    """One move in the list: its node, its text, and the column it stands in."""

    node: Node
    text: str
    column: int


class Row(NamedTuple):
    """One line of the list. ``depth``: 0 for the game, 1 and up for variations; ``head``: a variation begins above."""

    number: str
    cells: tuple[Cell, ...]
    depth: int = 0
    head: bool = False

    @property
    def spent(self) -> float | None:
        """The seconds the last move of the row took, where they are known."""
        return self.cells[-1].node.spent if self.cells else None


class _Place(NamedTuple):
    """Where a move is written: the number of its round and its column."""

    number: int
    column: int


def table_rows(root: Node, seats: int, say: Callable[[Node], str]) -> list[Row]:
    """All rows of a tree. Two seats share a row, as rounds are written; more seats have a row a move."""
    if not root.children:
        return []
    opener = root.children[0].move
    first = opener.seat if opener is not None else 0

    def place(before: _Place, node: Node) -> _Place:
        column = int(seats == 2 and node.move is not None and node.move.seat != first)
        return _Place(before.number + (column <= before.column), column)

    return list(_line(root.children[0], _Place(0, 1), 0, place, say))


def _line(
    opening: Node, before: _Place, depth: int, place: Callable[[_Place, Node], _Place], say: Callable[[Node], str]
) -> Iterator[Row]:
    """The rows of a line from ``opening`` on along first children, each followed by the variations to its moves."""
    cells: list[Cell] = []
    asides: list[tuple[Node, _Place]] = []
    head = depth > 0
    at = before
    node: Node | None = opening
    while node is not None:
        before, at = at, place(at, node)
        cells.append(Cell(node, say(node), at.column))
        if node.parent is not None and node is node.parent.children[0]:
            asides.extend((other, before) for other in node.parent.children[1:])
        node = node.children[0] if node.children else None
        if node is None or asides or place(at, node).number != at.number:
            yield Row(str(at.number), tuple(cells), depth, head)
            for other, start in asides:
                yield from _line(other, start, depth + 1, place, say)
            cells, asides, head = [], [], False
