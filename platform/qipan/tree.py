"""The tree of a game: nodes that a session grows, and cursors with which windows read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from qipan.acts import Act
from qipan.clock import Reading
from qipan.geometry import Point
from qipan.values import Claim, Event, Move, Note, Outcome, Ply, Position, Seats

if TYPE_CHECKING:
    from qipan.session import Session


GONE = -1  # the id of a node that was deleted: a cursor may still stand on it


class Mark(NamedTuple):
    """A mark a person drew: one point, or an arrow along several; ``role`` is a word for the theme."""

    path: tuple[Point, ...]
    role: str = "note"


class Node:
    """One place of the tree. Everything about the position is fixed; comment, marks, acts and children may change.

    ``move`` is None at the root alone. ``why`` is "resign", "time" or "away" where a seat's concession led here (then
    ``move`` is that seat's, without points). ``played``: the tip has stood here; else it was only tried. ``verdict`` is
    what the rules said of the position (``judged`` 1) or of the line (2); 0: not asked yet. ``spent``: the mover's
    seconds. ``clock``: what the clocks showed when the tip came here.
    """

    __slots__ = (
        "acts", "children", "clock", "comment", "events", "final", "id", "judged", "marks", "move", "parent", "played",
        "ply", "position", "spent", "told", "verdict", "why",
    )  # fmt: skip

    def __init__(self, number: int, parent: Node | None, move: Move | None, position: Position) -> None:
        self.id = number
        self.parent = parent
        self.move = move
        self.position = position
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.children: list[Node] = []
        self.events: tuple[Event, ...] = ()
        self.told: Seats = None
        self.final = False
        self.played = False
        self.why = ""
        self.judged = 0
        self.verdict: Outcome | Claim | Note | None = None
        self.comment = ""
        self.marks: tuple[Mark, ...] = ()
        self.acts: list[Act] = []
        self.spent: float | None = None
        self.clock: tuple[Reading, ...] = ()

    def __repr__(self) -> str:
        return f"Node({self.id}, ply {self.ply}, {self.move})"

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def line(self) -> list[Ply]:
        """The plies from the start to here, as the judge reads them."""
        return [Ply(node.move, node.position) for node in self.path()]

    def moves(self) -> list[Move]:
        """The moves from the start to here."""
        return [node.move for node in self.path() if node.move is not None]

    def under(self, other: Node) -> bool:
        """True when ``other`` is this node or one it came from."""
        node: Node | None = self
        while node is not None and node.ply > other.ply:
            node = node.parent
        return node is other

    def child(self, move: Move) -> Node | None:
        """The child that this move leads to, if it is in the tree."""
        return next((child for child in self.children if child.move == move and not child.why), None)

    def walk(self) -> list[Node]:
        """This node and all below it: each main line first, then what was tried instead."""
        found, todo = [], [self]
        while todo:
            node = todo.pop()
            found.append(node)
            todo.extend(reversed(node.children))
        return found


class Cursor:
    """A window's place in the tree. It reads; what it plays goes through the session."""

    def __init__(self, session: Session, node: Node | None = None) -> None:
        self.session = session
        self.node = session.tip if node is None else node
        self._trail: list[Node] = []  # where `back` came from, so that `forward` retraces it

    @property
    def at_tip(self) -> bool:
        """True where the game itself stands."""
        return self.node is self.session.tip

    def go(self, node: Node) -> Node:
        """Jumps to a node."""
        self._trail.clear()
        self.node = node
        return node

    def first(self) -> Node:
        """Jumps to the start, remembering the line."""
        while self.node.parent is not None:
            self.back()
        return self.node

    def back(self) -> Node:
        """One ply back; at the start nothing happens."""
        if self.node.parent is not None:
            self._trail.append(self.node)
            self.node = self.node.parent
        return self.node

    def forward(self) -> Node:
        """One ply on: the line one came from, else the main line; at its end nothing happens."""
        ahead = self.ahead()
        if self._trail and self._trail[-1] is ahead:
            self._trail.pop()
        elif ahead is not None:
            self._trail.clear()
        self.node = ahead or self.node
        return self.node

    def ahead(self) -> Node | None:
        """Where `forward` would go; None at the end of the line."""
        if self._trail and self._trail[-1] in self.node.children:
            return self._trail[-1]
        return self.node.children[0] if self.node.children else None

    def last(self) -> Node:
        """Jumps to the tip."""
        return self.go(self.session.tip)

    def end(self) -> Node:
        """Goes forward to the end of the line one is on."""
        while self.ahead() is not None:
            self.forward()
        return self.node

    def play(self, move: Move) -> Node:
        """Plays at the tip of a game that goes on; elsewhere tries a variation. The cursor follows. Raises Refused."""
        if self.at_tip and self.session.outcome is None:
            self.session.play(move)
            return self.go(self.session.tip)
        return self.go(self.session.add(self.node, move))
