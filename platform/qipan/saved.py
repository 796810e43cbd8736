"""The saved form of a game as plain structures: a record is a whole game, a patch is one accepted change of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from qipan import acts
from qipan.clock import MOST_PERIODS, Control, Reading
from qipan.rules import Ruleset
from qipan.tree import Mark, Node
from qipan.values import CHANCE, NOBODY, Fault, Note, Outcome

if TYPE_CHECKING:
    from qipan.standing import Standing

FORMAT = 1
MOST_NODES = 100_000
MOST_TEXT = 20_000  # characters of one comment
MOST_MARKS = 200  # at one node
_MOST_ID = 1 << 40
_MOST_NAME = 200  # characters
_MOST_TIME = 1e12  # seconds
_WORDS: dict[type[acts.Act], str] = {
    acts.Resign: "resign", acts.Away: "away", acts.Flag: "time", acts.OfferDraw: "offer-draw",
    acts.AnswerDraw: "answer-draw", acts.ClaimDraw: "claim", acts.AskBack: "ask-back", acts.AnswerBack: "answer-back",
    acts.TakeBack: "take-back", acts.Redo: "redo", acts.Pause: "pause", acts.Resume: "resume",
}  # fmt: skip
_ACTS: dict[str, Callable[..., acts.Act]] = {word: kind for kind, word in _WORDS.items()}


class _Plain(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Strict, and silent about what is as usual."""


class SavedAct(_Plain):
    """An act: its word, its seat, and the node or the answer where it has one."""

    act: str
    seat: str
    to: int | None = None
    yes: bool | None = None


class SavedMark(_Plain):
    """A drawn mark: the sites it touches."""

    path: tuple[str, ...]
    role: str = "note"


class SavedNode(_Plain):
    """One node. ``after`` is its parent's id; in a file None stands for the node of the line before."""

    id: int
    seat: str = ""
    path: tuple[str, ...] = ()
    word: str = ""
    after: int | None = None
    why: str = ""
    tried: bool = False
    spent: float | None = None
    clock: tuple[Reading, ...] = ()
    comment: str = ""
    marks: tuple[SavedMark, ...] = ()
    acts: tuple[SavedAct, ...] = ()


class SavedOutcome(_Plain):
    """How a game ended: the winners by name and the reason with all a note has."""

    winners: tuple[str, ...]
    reason: str
    args: tuple[str | int, ...] = ()
    points: tuple[str, ...] = ()
    seat: str = "nobody"
    scores: tuple[float, ...] = ()


class SavedAsked(_Plain):
    """A request to move the tip that waits for answers."""

    seat: str
    to: int
    agreed: tuple[str, ...] = ()


class State(_Plain):
    """Where the game stands: the tip, what is on the table between the seats, the clocks, the end."""

    tip: int = 0
    outcome: SavedOutcome | None = None
    offer: str | None = None
    agreed: tuple[str, ...] = ()
    asked: SavedAsked | None = None
    paused: bool = False
    clock: tuple[Reading, ...] = ()


class Record(_Plain):
    """A whole game. ``moves``: the nodes, the start (id 0) first, each line before what was tried instead of it."""

    qipan: int
    game: str
    seats: tuple[str, ...]
    names: tuple[str, ...] = ()
    options: dict[str, str | int | bool] = {}
    policy: str = "free"
    control: Control = Control("none")
    created: str = ""
    tags: dict[str, str] = {}
    start: str | None = None
    moves: tuple[SavedNode, ...] = ()
    state: State = msgspec.field(default_factory=State)


class Patch(_Plain):
    """One accepted change: nodes that are new or other than before (without their acts), acts entered (the node, the
    act), one node removed with all below it, a new order of children (the parent first), and where the game stands.
    """

    state: State
    nodes: tuple[SavedNode, ...] = ()
    acts: tuple[tuple[int, SavedAct], ...] = ()
    delete: int | None = None
    order: tuple[int, ...] = ()


class Naming:
    """Names for the seats and sites of a game, and back; what has no such name is a Fault."""

    def __init__(self, rules: Ruleset) -> None:
        self._sites = [site.name for site in rules.board.sites]
        self._points = rules.board.index
        self._seats = {NOBODY: "nobody", CHANCE: "chance"} | {n: seat.name for n, seat in enumerate(rules.seats)}
        self._numbers = {name: seat for seat, name in self._seats.items()}

    def seat(self, seat: int) -> str:
        """A seat's name."""
        return self._seats[seat]

    def seats(self, seats: Iterable[int]) -> tuple[str, ...]:
        """The names of seats."""
        return tuple(self._seats[seat] for seat in seats)

    def sites(self, points: Iterable[int]) -> tuple[str, ...]:
        """The names of points."""
        return tuple(self._sites[point] for point in points)

    def number(self, name: str) -> int:
        """The seat of a name. Raises Fault."""
        if name not in self._numbers:
            raise Fault("the game has no seat {0}", repr(name))
        return self._numbers[name]

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        """The seats of names. Raises Fault."""
        return tuple(self.number(name) for name in names)

    def players(self, names: Iterable[str]) -> tuple[int, ...]:
        """The seats of players' names, each once: no onlooker wins, offers or agrees, nor do the dice. Raises Fault."""
        seats = self.numbers(names)
        if len(set(seats)) < len(seats) or any(seat < 0 for seat in seats):
            raise Fault("{0} are not players, each named once", ", ".join(names))
        return seats

    def points(self, names: Iterable[str]) -> tuple[int, ...]:
        """The points of site names. Raises Fault."""
        try:
            return tuple(self._points[name] for name in names)
        except KeyError as fault:
            raise Fault("the board has no site {0}", str(fault)) from None

    # -- whole things, both ways -------------------------------------------------------------------------------------
    def save_node(self, node: Node, *, with_acts: bool = True) -> SavedNode:
        """A node's saved form, its parent named."""
        move = node.move
        return SavedNode(
            id=node.id,
            seat=self.seat(move.seat) if move else "",
            path=self.sites(move.path) if move else (),
            word=move.word if move else "",
            after=node.parent.id if node.parent else None,
            why=node.why,
            tried=not node.played,
            spent=node.spent,
            clock=node.clock,
            comment=node.comment,
            marks=tuple(SavedMark(self.sites(mark.path), mark.role) for mark in node.marks),
            acts=tuple(self.save_act(act) for act in node.acts) if with_acts else (),
        )

    def save_act(self, act: acts.Act) -> SavedAct:
        """An act's saved form."""
        return SavedAct(_WORDS[type(act)], self.seat(act.seat), getattr(act, "to", None), getattr(act, "yes", None))

    def act(self, saved: SavedAct) -> acts.Act:
        """The act of a saved form. Raises Fault."""
        kind = _ACTS.get(saved.act)
        if kind is None:
            raise Fault("{0} is no act", repr(saved.act))
        given = {"seat": self.number(saved.seat), "to": saved.to, "yes": saved.yes}
        given = {key: value for key, value in given.items() if value is not None}
        try:
            return kind(**given)
        except TypeError:
            raise Fault("the act {0} can't have {1}", repr(saved.act), ", ".join(given)) from None

    def marks(self, saved: Iterable[SavedMark]) -> tuple[Mark, ...]:
        """The marks of saved forms. Raises Fault."""
        return tuple(Mark(self.points(mark.path), mark.role) for mark in saved)

    def save_outcome(self, outcome: Outcome) -> SavedOutcome:
        """An outcome's saved form."""
        word, args, points, seat = outcome.reason
        winners = self.seats(outcome.winners)
        return SavedOutcome(winners, word, args, self.sites(points), self.seat(seat), outcome.scores)

    def outcome(self, saved: SavedOutcome) -> Outcome:
        """The outcome of a saved form. Raises Fault."""
        reason = Note(saved.reason, saved.args, self.points(saved.points), self.number(saved.seat))
        return Outcome(self.players(saved.winners), reason, saved.scores)

    def save_state(self, session: Standing) -> State:
        """Where a session stands."""
        asked = session.asked
        return State(
            tip=session.tip.id,
            outcome=None if session.outcome is None else self.save_outcome(session.outcome),
            offer=None if session.offer is None else self.seat(session.offer),
            agreed=self.seats(session.agreed),
            asked=asked and SavedAsked(self.seat(asked.seat), asked.node.id, self.seats(asked.agreed)),
            paused=session.paused,
            clock=session.clock.readings(session.now()),
        )


def record_of(session: Standing) -> Record:
    """A session's whole saved form."""
    naming = session.naming
    return Record(
        qipan=FORMAT,
        game=session.info.id,
        seats=tuple(seat.name for seat in session.rules.seats),
        names=tuple(session.names),
        options=dict(session.options),
        policy=session.policy,
        control=session.clock.control,
        created=session.created,
        tags=dict(session.tags),
        start=session.start_text(),
        moves=tuple(naming.save_node(node) for node in session.root.walk()),
        state=naming.save_state(session),
    )


def checked(record: Record) -> Record:
    """The record with every node's parent named, where its tree holds together. Raises Fault naming the move."""
    if record.qipan != FORMAT:
        raise Fault("format {0} is not known here (this program reads {1})", record.qipan, FORMAT)
    if not record.moves or record.moves[0].id != 0 or record.moves[0].seat or record.moves[0].after is not None:
        raise Fault("moves[0]: they do not begin with the start of the game (id 0)")
    if any(len(text) > _MOST_NAME for text in (*record.names, *record.seats, record.created, record.game)):
        raise Fault("a name is longer than {0} characters", _MOST_NAME)
    if len(record.moves) > MOST_NODES:
        raise Fault("moves: more than {0}", MOST_NODES)
    nodes: dict[int, SavedNode] = {}
    before = 0
    for number, node in enumerate(record.moves):
        after = (before if number else None) if node.after is None else node.after
        if node.id in nodes or not 0 <= node.id < _MOST_ID:
            raise Fault("moves[{0}]: the id {1} is there twice or too large", number, node.id)
        if number and after not in nodes:
            raise Fault("moves[{0}]: comes after move {1}, which is not above it", number, str(after))
        if len(node.comment) > MOST_TEXT or len(node.path) + len(node.word) > MOST_TEXT or len(node.marks) > MOST_MARKS:
            raise Fault("moves[{0}]: too long a text", number)
        if not all(map(_shown, node.clock)):
            raise Fault("moves[{0}]: no clock shows that: {1}", number, str(node.clock))
        nodes[node.id] = msgspec.structs.replace(node, after=after)
        before = node.id
    _check_state(record.state, nodes)
    return msgspec.structs.replace(record, moves=tuple(nodes.values()))


def _shown(reading: Reading) -> bool:
    return 0 <= reading.main < _MOST_TIME and 0 <= reading.periods <= MOST_PERIODS


def _check_state(state: State, nodes: Mapping[int, SavedNode]) -> None:
    if not all(map(_shown, state.clock)):
        raise Fault("state: no clock shows that: {0}", str(state.clock))
    if state.outcome is not None and sum(len(str(part)) for part in (state.outcome.reason, *state.outcome.args)) > 2000:
        raise Fault("state: the reason of the end is too long a text")
    number: int | None = state.tip
    while number is not None:
        if number not in nodes or nodes[number].tried:
            raise Fault("state: the game stands at move {0}, which was not played", state.tip)
        number = nodes[number].after
    if state.asked is not None and state.asked.to not in nodes:
        raise Fault("state: move {0} is asked for and is not there", state.asked.to)


def patched(record: Record, patches: Iterable[Patch]) -> Record:
    """A checked record after the patches, its nodes in the order a session's own record has. Raises Fault on a patch
    that does not fit.
    """
    nodes = {node.id: node for node in record.moves}
    children: dict[int, list[int]] = {node.id: [] for node in record.moves}
    for node in record.moves[1:]:
        children[node.after or 0].append(node.id)
    state = record.state
    for patch in patches:
        for node in patch.nodes:
            known = nodes.get(node.id)
            if known is None:
                if node.after is None or node.after not in children:
                    raise Fault("move {0} comes after a move that is not there", node.id)
                children[node.after].append(node.id)
                children[node.id] = []
            kept = {} if known is None else {"acts": known.acts, "after": known.after}
            nodes[node.id] = msgspec.structs.replace(node, **kept)
        for number, act in patch.acts:
            if number not in nodes:
                raise Fault("an act at move {0}, which is not there", number)
            nodes[number] = msgspec.structs.replace(nodes[number], acts=(*nodes[number].acts, act))
        if patch.delete is not None:
            _remove(patch.delete, nodes, children)
        if patch.order:
            parent, *order = patch.order
            if parent not in children or sorted(order) != sorted(children[parent]):
                raise Fault("the moves after {0} are others than those put in order", parent)
            children[parent] = order
        if patch.state.tip not in nodes:
            raise Fault("the game stands at move {0}, which is not there", patch.state.tip)
        if patch.state.tip != state.tip:
            _to_front(patch.state.tip, state.tip, nodes, children)
        state = patch.state
    found, todo = [], [0]
    while todo:
        number = todo.pop()
        found.append(nodes[number])
        todo.extend(reversed(children[number]))
    return msgspec.structs.replace(record, moves=tuple(found), state=state)


def most(count: int, fits: Callable[[int], object]) -> int:
    """The greatest number up to ``count`` that fits, where all up to it do; ``fits`` raises Fault beyond."""
    low, high = 0, count
    middle = high  # most often all of it fits
    while low < high:
        try:
            fits(middle)
            low = middle
        except Fault:
            high = middle - 1
        middle = (low + high + 1) // 2
    return low


def _to_front(number: int, known: int, nodes: dict[int, SavedNode], children: dict[int, list[int]]) -> None:
    # The played line comes first among the children all along it, as in the session's tree; up to ``known`` it does.
    while number != known and (after := nodes[number].after) is not None:
        if children[after][0] != number:
            children[after].remove(number)
            children[after].insert(0, number)
        number = after


def _remove(number: int, nodes: dict[int, SavedNode], children: dict[int, list[int]]) -> None:
    if number not in nodes or (after := nodes[number].after) is None:
        raise Fault("move {0} is not there to be removed", number)
    children[after].remove(number)
    todo = [number]
    while todo:
        gone = todo.pop()
        todo.extend(children.pop(gone))
        del nodes[gone]
