"""What a table knows without a window: where it looks in the game, what is lifted, what was refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from qipan import picker, scene
from qipan.geometry import Point
from qipan.picker import Ask, Hold, Pick, Play, Wrong
from qipan.scene import Marks
from qipan.session import PluginFault, Refused, Session
from qipan.tree import Cursor, Node
from qipan.values import NOBODY, Claim, Event, Fault, Move, Note, Outcome, Piece, Position

_T = TypeVar("_T")
Heard = Literal["", "select", "illegal", "move"]


class Habits(NamedTuple):
    """What the player wants drawn: targets, the last move, and how many moves are looked back at (0: none)."""

    targets: bool = True
    last: bool = True
    look_back: int = 0
    check: bool = True


class Sitting:
    """A place at the table. Hot seat: all seats play here; where the rules hide something, ``viewer`` is who looks."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.cursor = Cursor(session)
        self.viewer = NOBODY
        self.pick = Pick()
        self.asked: tuple[Move, ...] = ()
        self.refused: Note | Fault | None = None
        self.fault: PluginFault | None = None
        self.point: Point | None = None  # where the keyboard stands
        self.lineup: tuple[Point, ...] = ()  # while arranging: whose piece each own point receives
        self._answers: dict[str, Any] = {}  # what the rules said of this place, asked once
        self._answered: tuple[Node, int] | None = None

    # -- what is so ----------------------------------------------------------------------------------------------
    @property
    def node(self) -> Node:
        """Where the table looks."""
        return self.cursor.node

    @property
    def view(self) -> Position:
        """What the viewer sees there; an empty board where the rules fail to say."""
        nothing = Position((None,) * len(self.session.rules.board.sites))
        return self._kept("view", lambda: self.session.view(self.node, self.viewer)) or nothing

    @property
    def shown(self) -> Position:
        """The view as it is drawn: while a seat arranges, with its pieces where it has put them."""
        view = self.view
        if not self.lineup:
            return view
        cells = list(view.cells)
        for point, source in zip(sorted(self.lineup), self.lineup, strict=True):
            cells[point] = view.cells[source]
        return view._replace(cells=tuple(cells))

    @property
    def arranging(self) -> int | None:
        """The seat that is to line up its pieces now."""
        if not self.live:
            return None
        seats = picker.arrangers(self.moves)
        return seats[0] if seats else None

    @property
    def live(self) -> bool:
        """True where the game itself stands and goes on."""
        return self.cursor.at_tip and self.session.outcome is None

    @property
    def ended(self) -> Outcome | None:
        """The end of the game, or of the line that is looked at."""
        if self.cursor.at_tip:
            return self.session.outcome
        return self.verdict if isinstance(self.verdict, Outcome) else None

    @property
    def verdict(self) -> Outcome | Claim | Note | None:
        """What the rules say of the line to where the table looks."""
        return self._fenced(lambda: self.session.verdict(self.node))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves that may be made here and now, by whoever sits at this table."""
        if self.ended is not None or (self.live and self.session.paused):
            return ()
        return self._kept("moves", self._legal) or ()

    def _legal(self) -> tuple[Move, ...]:
        legal = self.session.legal(self.node)
        if self.session.rules.hidden:
            legal = tuple(move for move in legal if move.seat == self.viewer)
        return legal

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that are to act where the table looks."""
        if self.ended is not None:
            return ()
        return self._kept("waiting", lambda: self.session.fence.waiting(self.node.position)) or ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the rules show beside the pieces."""
        return self._kept("notes", lambda: self.session.fence.notes(self.view, self.viewer)) or ()

    @property
    def curtain(self) -> int | None:
        """The seat that must sit down before anything is shown: the game hides something and another is to act."""
        if not self.session.rules.hidden or self.session.outcome is not None:
            return None
        waiting = self._fenced(self.session.waiting) or ()
        return waiting[0] if waiting and self.viewer not in waiting else None

    def _kept(self, name: str, ask: Callable[[], _T]) -> _T | None:
        """The answer of the rules about the present place and viewer, asked once; a fault is asked again."""
        place = (self.node, self.viewer)
        if place != self._answered:
            self._answered, self._answers = place, {}
        if name not in self._answers:
            answer = self._fenced(ask)
            if answer is None:
                return None
            self._answers[name] = answer
        kept: _T = self._answers[name]
        return kept

    def _fenced(self, ask: Callable[[], _T]) -> _T | None:
        """The answer of the rules; None where they fail, and the fault is kept to be shown."""
        try:
            return ask()
        except PluginFault as fault:
            self.fault = fault
            return None

    # -- what is drawn -------------------------------------------------------------------------------------------
    def marks(self, habits: Habits) -> Marks:
        """Everything marked on the board."""
        cells = self.view.cells
        ahead = picker.targets(self.moves, self.pick) if not self.pick.empty and not self.asked else ()
        free = tuple(point for point in ahead if cells[point] is None) if habits.targets else ()
        taken = tuple(point for point in ahead if cells[point] is not None) if habits.targets else ()
        lifted = self.pick.path[0] if self.pick.path and cells[self.pick.path[0]] is not None else None
        return Marks(
            last=self.trace(self.node) if habits.last else (),
            targets=(*free, *self.pick.path[1:]) if habits.targets else self.pick.path[1:],
            captures=taken,
            lifted=lifted,
            look_back=scene.traces(self.node.path(), self.viewer, habits.look_back),
            cursor=self.point,
            drawn=tuple(mark.path for mark in self.node.marks),
        )

    def trace(self, node: Node) -> tuple[Point, ...]:
        """Where the move that led to a node went, as far as the viewer was told: its piece's way, or one point."""
        return scene.trace(node, self.viewer)

    def _start(self) -> Position:
        first = self._kept("start", lambda: self.session.view(self.session.root, self.viewer))
        return first if first is not None else self.view

    def taken(self, seat: int) -> tuple[tuple[Piece, int], ...]:
        """The pieces missing since the start that a seat's plate shows, with their number.

        With two seats those it has taken, else those it has lost. Games whose pieces go to hands show none.
        """
        if self.view.hands:
            return ()
        count = Counter[tuple[str, int]]()
        for position, sign in ((self._start(), 1), (self.view, -1)):
            for piece in position.cells:
                if piece is not None:
                    count[piece.kind, piece.seat] += sign * piece.count
        shown = 1 - seat if len(self.session.rules.seats) == 2 else seat
        order = {kind: number for number, kind in enumerate(self.session.rules.kinds)}
        missing = [(Piece(kind, owner), number) for (kind, owner), number in count.items() if number > 0]
        return tuple(
            sorted(
                ((piece, number) for piece, number in missing if piece.seat == shown),
                key=lambda entry: order.get(entry[0].kind, len(order)),
            )
        )

    def ready_hands(self, seat: int) -> frozenset[str]:
        """The hand pieces a seat may take up now."""
        return frozenset(word for owner, word in picker.hands(self.moves) if owner == seat)

    def word_moves(self) -> tuple[Move, ...]:
        """The moves that are buttons now."""
        return picker.buttons(self.moves)

    def touchable(self, point: Point) -> bool:
        """True where a touch does something: for the pointer's shape."""
        moves = self.moves
        return point in picker.targets(moves, self.pick) or point in picker.liftable(moves, self.view.cells)

    def whole_line(self) -> list[Node]:
        """The line that is looked at, from the start to its end."""
        line = self.node.path()
        ahead = self.cursor.ahead()
        while ahead is not None:
            line.append(ahead)
            ahead = ahead.children[0] if ahead.children else None
        return line

    def cue(self, node: Node, events: tuple[Event, ...]) -> str:
        """The name of the sound of a step."""
        outcome = self.session.outcome if node is self.session.tip else None
        return self._fenced(lambda: self.session.ask(self.session.rules.cue, events, outcome)) or ""

    def said(self, node: Node, notation: str) -> str:
        """A node's move in a notation, as the viewer may read it."""
        if node.parent is None:
            return ""
        before = self._fenced(lambda: self.session.view(node.parent or node, self.viewer))
        ask = self.session.ask
        return self._fenced(lambda: str(ask(self.session.rules.say, before, node.move, notation))) or "?"

    # -- what is done --------------------------------------------------------------------------------------------
    def touch(self, point: Point) -> Heard:
        """Touches a point; gives the sound of it. A refused try leaves its reason in `refused`."""
        self.refused, self.asked = None, ()
        if (seat := self.arranging) is not None:
            return self._arrange(seat, point)
        moves = self.moves
        own = picker.liftable(moves, self.view.cells)
        if self.pick.empty and own and self.view.cells[point] is None:
            return ""
        return self._heed(picker.touch(moves, self.pick, point, own))

    def take(self, hand: str) -> Heard:
        """Takes up a hand piece ("@K"), or puts it back when it is taken already."""
        self.refused, self.asked = None, ()
        if self.pick == Pick((), hand):
            self.put_back()
            return ""
        return self._heed(picker.take(self.moves, hand))

    def finish(self) -> Heard:
        """Ends the path where it stands."""
        return self._heed(picker.finish(self.moves, self.pick))

    def put_back(self) -> None:
        """Puts back what is lifted and forgets what was refused."""
        self.pick, self.asked, self.refused = Pick(), (), None

    def _arrange(self, seat: int, point: Point) -> Heard:
        """Lifts one of the seat's pieces, then swaps it with another."""
        cells = self.view.cells
        own = tuple(at for at, piece in enumerate(cells) if piece is not None and piece.seat == seat)
        if point not in own:
            self.pick = Pick()
            self.refused = Note("table.arrange")
            return "illegal"
        if self.pick.empty:
            self.pick = Pick((point,))
            return "select"
        lifted, self.pick = self.pick.path[0], Pick()
        lineup = list(self.lineup or own)
        one, two = own.index(lifted), own.index(point)
        lineup[one], lineup[two] = lineup[two], lineup[one]
        note = self._fenced(lambda: self.session.refusal(self._line_up(seat, lineup), self.node))
        if note is not None:
            self.refused = note
            return "illegal"
        self.lineup = tuple(lineup)
        return "select"

    def _line_up(self, seat: int, lineup: Sequence[Point]) -> Move:
        names = (self.session.rules.board.sites[point].name for point in lineup)
        return Move(seat, (), picker.ARRANGE + ",".join(names))

    def arranged(self) -> Heard:
        """Hands in the line-up of the seat that arranges."""
        seat = self.arranging
        if seat is None:
            return ""
        cells = self.view.cells
        own = [at for at, piece in enumerate(cells) if piece is not None and piece.seat == seat]
        return self.play(self._line_up(seat, self.lineup or own))

    def _heed(self, reply: picker.Reply) -> Heard:
        match reply:
            case Hold(pick):
                self.pick = pick
                return "select" if not pick.empty else ""
            case Play(move):
                return self.play(move)
            case Ask(moves):
                self.asked = moves
                return "select"
            case Wrong(tried):
                return self._refuse(tried)

    def _refuse(self, tried: Pick) -> Heard:
        self.pick = Pick()
        if self.ended is not None:
            self.refused = Note("game-over")
            return "illegal"
        if self.live and self.session.paused:
            self.refused = Note("paused")
            return "illegal"
        moves = self.moves
        seats = {move.seat for move in moves} or set(self.waiting)
        if not seats:
            return ""
        piece = self.view.cells[tried.path[0]] if len(tried.path) == 1 else None
        if piece is not None and piece.seat >= 0 and piece.seat not in seats:
            self.refused = Note("table.theirs", (f"seat.{self.session.rules.seats[piece.seat].name}",), tried.path)
            return "illegal"
        move = Move(min(seats), tried.path, tried.hand)
        self.refused = self._fenced(lambda: self.session.refusal(move, self.node)) or Note("illegal")
        return "illegal"

    def play(self, move: Move) -> Heard:
        """Plays a move where the table looks: in the game, or as a variation of it."""
        self.put_back()
        self.lineup = ()
        try:
            self.cursor.play(move)
        except Refused as refused:
            self.refused = refused.note
            return "illegal"
        except PluginFault as fault:
            self.fault = fault
            return "illegal"
        return "move"

    def read(self, text: str) -> Heard:
        """Plays a typed move, in any notation of the game."""
        self.put_back()
        position = self.view
        try:
            move = self.session.ask(self.session.rules.parse, position, text)
        except Fault as fault:
            self.refused = fault
            return "illegal"
        except PluginFault as fault:
            self.fault = fault
            return "illegal"
        return self.play(move)

    def follow(self, node: Node) -> None:
        """Looks where the game has gone; what was lifted is put back."""
        self.put_back()
        self.lineup = ()
        self.cursor.go(node)

    def sit(self, seat: int) -> None:
        """Shows the board to a seat."""
        self.viewer = seat
        self.lineup = ()
        self.put_back()
