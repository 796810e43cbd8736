"""Where a game stands: its tree, tip, clocks and journal, what may be asked of them, and the one way they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal, TypeAlias

from qipan.acts import (
    Act,
    Acted,
    Asked,
    Change,
    Ended,
    Played,
    PluginFault,
    Redo,
    Refused,
    TakeBack,
    TakenBack,
    Unsaved,
)
from qipan.catalogue import GameInfo
from qipan.clock import NONE, Clock, Control, Reading
from qipan.fence import Fence
from qipan.journal import Journal
from qipan.rules import Ruleset
from qipan.saved import Naming, Patch, record_of
from qipan.tree import Node
from qipan.values import (
    CHANCE,
    Claim,
    Event,
    Fault,
    Move,
    Note,
    Options,
    Outcome,
    Ply,
    Position,
    Seen,
    Step,
    events_for,
    told,
)

Policy: TypeAlias = Literal["free", "agreed"]
_DRAWS = 1000  # draws of CHANCE in a row before the rules are taken to be broken


class Standing:
    """The state of one game and how it is read. `Session` is what changes it; every change goes through `_commit`."""

    def __init__(
        self,
        info: GameInfo,
        rules: Ruleset,
        options: Options,
        *,
        rng: Random,
        now: Callable[[], float],
        names: Sequence[str] = (),
        control: Control = NONE,
        policy: Policy = "free",
        start: Position | None = None,
        journal: Journal | None = None,
        created: str = "",
        tags: Mapping[str, str] | None = None,
        begin: bool = True,
    ) -> None:
        self.info, self.rules, self.options = info, rules, options
        self.policy: Policy = policy
        self.created, self.tags = created, dict(tags or {})
        self.names = [*names, *[""] * (len(rules.seats) - len(names))][: len(rules.seats)]
        self.now = now
        self.naming = Naming(rules)
        self.fence = Fence(info.id, rules)
        self.ask: Callable[..., Any] = self.fence.ask
        position = start if start is not None else self.fence.position(rules.initial, rng)
        self.root = self.tip = Node(0, None, None, position)
        self.root.played = True
        self.outcome: Outcome | None = None
        self.offer: int | None = None
        self.agreed: tuple[int, ...] = ()
        self.asked: Asked | None = None
        self.paused = False
        self.unsaved: Fault | None = None
        self.clock = Clock(control, len(rules.seats), now())
        self.next_id = 1
        self._rng = rng
        self._journal: Journal | None = None
        self._path: list[Node] = [self.root]
        self._line: list[Ply] = [Ply(None, position)]
        self._legal: dict[Node, tuple[Move, ...]] = {}
        self._seen: dict[int, list[tuple[Node, Seen]]] = {}
        self._watchers: list[Callable[[Change], None]] = []
        self._news: list[Change] = []
        self._noted = now()
        if begin:
            self.begin(journal)

    def begin(self, journal: Journal | None, readings: Sequence[Reading] = ()) -> None:
        """Starts the clocks (from readings, where they ran before) and the journal where the tip stands; draws for
        CHANCE if it is to move.
        """
        verdict = self.verdict(self.tip)
        if self.outcome is None and isinstance(verdict, Outcome):
            self.outcome = verdict
        self.clock.waiting(self.fence.waiting(self.tip.position), self.now())
        if readings:
            self.clock.restore(readings, self.now())
        self._halt()
        if not self.tip.clock:
            self.tip.clock = self.clock.readings(self.now())
        self._journal = journal
        if journal is not None:
            try:
                journal.start(record_of(self))
            except OSError as fault:
                self._unkept(journal, fault)
        self._draw()

    def plant(self, parent: Node, move: Move, why: str = "", *, number: int = 0, played: bool = True) -> Node:
        """Adds a node that was played or tried before (``why``: by a concession); nobody is told. Raises Refused."""
        if self.over(parent) is not None:
            raise Refused(Note("game-over"))
        step: Step | Outcome | Note
        if why:
            step = self.fence.concede(parent.position, move.seat, why)
        else:
            note = self.fence.refusal(parent.position, move)
            step = note if note is not None else self.fence.apply(parent.position, move)
        if not isinstance(step, Step):
            raise Refused(step if isinstance(step, Note) else step.reason)
        node = self._node(parent, move, step, why)
        node.id, node.played = number or self.next_id, played
        self.next_id = max(self.next_id, node.id + 1)
        parent.children.append(node)
        return node

    def stand(self, tip: Node) -> None:
        """Puts the tip of a game being rebuilt; `begin` lets it go on."""
        self.tip, self._path, self._line = tip, tip.path(), tip.line()

    # -- reading -----------------------------------------------------------------------------------------------------
    @property
    def claim(self) -> Claim | None:
        """What may be claimed at the tip."""
        return self.tip.verdict if self.outcome is None and isinstance(self.tip.verdict, Claim) else None

    @property
    def advice(self) -> Note | None:
        """What the judge tells at the tip."""
        return self.tip.verdict if isinstance(self.tip.verdict, Note) else None

    @property
    def path(self) -> Sequence[Node]:
        """The nodes from the root to the tip."""
        return self._path

    @property
    def line(self) -> Sequence[Ply]:
        """The plies from the start to the tip."""
        return self._line

    def waiting(self) -> tuple[int, ...]:
        """The seats the game waits for; none when it is over."""
        return () if self.outcome is not None else self.fence.waiting(self.tip.position)

    def legal(self, node: Node | None = None) -> tuple[Move, ...]:
        """The legal moves at a node (the tip), none where the position is an end; kept for the nodes last asked of."""
        node = node or self.tip
        moves = self._legal.get(node)
        if moves is None:
            moves = () if self.over(node) else self.fence.legal(node.position)
            if len(self._legal) >= 64:
                del self._legal[next(iter(self._legal))]
            self._legal[node] = moves
        return moves

    def refusal(self, move: Move, node: Node | None = None) -> Note | None:
        """Why a move is illegal at a node (the tip); None: it is legal."""
        node = node or self.tip
        if self.over(node):
            return Note("game-over")
        note = self.fence.refusal(node.position, move)
        if note == Note("illegal") and move.seat not in (*self.fence.waiting(node.position), CHANCE):
            return Note("not-your-turn")
        return note

    def over(self, node: Node) -> Outcome | None:
        """How the game is over in this node's position; an end by the judge counts where the node was played."""
        if node.judged == 0:
            node.verdict, node.judged = self.fence.outcome(node.position), 1
        return node.verdict if isinstance(node.verdict, Outcome) else None

    def verdict(self, node: Node) -> Outcome | Claim | Note | None:
        """What the rules say of the line to a node: its end, a claim, an advice."""
        if node.judged < 2:
            if self.over(node) is None:
                node.verdict = self.fence.judge(self._line if node is self.tip else node.line())
            node.judged = 2
        return node.verdict

    def view(self, node: Node, viewer: int) -> Position:
        """A node's position as a viewer (a seat or NOBODY) sees it."""
        return self.fence.position(self.rules.view, node.position, viewer)

    def events(self, node: Node, viewer: int) -> tuple[Event, ...]:
        """The events of the step to a node that a viewer is told."""
        return events_for(node.events, viewer)

    def seen(self, seat: int) -> list[Seen]:
        """What a seat saw of the game so far, the start first; each step is worked out once."""
        kept = self._seen.setdefault(seat, [])
        while kept and (len(kept) > len(self._path) or kept[-1][0] is not self._path[len(kept) - 1]):
            kept.pop()
        for node in self._path[len(kept) :]:
            move = node.move if told(node.told, seat) else None
            kept.append((node, Seen(self.view(node, seat), move, self.events(node, seat))))
        return [seen for _, seen in kept]

    def start_text(self) -> str | None:
        """The start position as text; None for the usual one."""
        if self.root.position == self.ask(self.rules.initial, Random(0)):
            return None
        text = self.ask(self.rules.write, self.root.position)
        return str(text)

    def subscribe(self, watcher: Callable[[Change], None]) -> Callable[[], None]:
        """Tells a function every change from now on, in order; gives the function that ends it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    # -- changing (for `Session`) ------------------------------------------------------------------------------------
    def _node(self, parent: Node, move: Move, step: Step, why: str = "") -> Node:
        node = Node(self.next_id, parent, move, step.position)
        node.events, node.told, node.final, node.why = step.events, step.told, step.final, why
        return node

    def _enter(self, move: Move, step: Step | None = None, act: Act | None = None, why: str = "") -> Node:
        """Goes on from the tip by a move, or by the step of a concession (`act`, `why`). The rules are asked first."""
        before = self.tip
        node = None if why else before.child(move)
        if node is None:
            node = self._node(before, move, step or self.fence.apply(before.position, move), why)
        self._line.append(Ply(move, node.position))
        try:
            verdict = node.verdict if node.judged == 2 else self._judged(node.position)
            waits = self.fence.waiting(node.position)
        except PluginFault:
            self._line.pop()
            raise
        now = self.now()
        node.verdict, node.judged, node.played = verdict, 2, True
        self._attach(node)
        if move.seat != CHANCE:
            node.spent = round(self.clock.moved(move.seat, now), 3)
            if why or move.seat != self.offer:
                self.offer, self.agreed = None, ()
        self.asked = None
        self._path.append(node)
        self._front(node, before)
        self.tip = node
        self.outcome = verdict if isinstance(verdict, Outcome) else None
        if node.position.turn != CHANCE or self.outcome:
            self.clock.waiting(waits, now)  # while CHANCE draws, nobody's turn has ended yet
        self._halt()
        node.clock = self.clock.readings(now)
        news: list[Change] = []
        if act is not None:
            before.acts.append(act)
            news.append(Acted(act))
        news.append(Played(node))
        if self.outcome is not None:
            news.append(Ended(self.outcome))
        self._commit([node], news, acts=[(before, act)] if act else [])
        return node

    def _judged(self, position: Position) -> Outcome | Claim | Note | None:
        return self.fence.outcome(position) or self.fence.judge(self._line)

    def _attach(self, node: Node) -> None:
        if node.parent is not None and node.id == self.next_id:
            node.parent.children.append(node)
            self.next_id += 1

    def _draw(self) -> None:
        """Draws for CHANCE until a seat is to move. What was drawn here before is drawn again after a take-back."""
        for _ in range(_DRAWS):
            if self.tip.position.turn != CHANCE or self.outcome is not None:
                return
            drawn = next((node.move for node in self.tip.children if node.played), None)
            self._enter(drawn or self.fence.draw(self.tip.position, self._rng))
        raise PluginFault(self.info.id, "odds", f"CHANCE drew {_DRAWS} times in a row")

    def _jump(self, seat: int, target: Node) -> None:
        """Moves the tip to a node above or below it; to itself: only the end is taken back."""
        verdict = self.verdict(target)
        waits = self.fence.waiting(target.position)
        now, left = self.now(), self.tip
        act = TakeBack(seat, target.id) if left.under(target) else Redo(seat, target.id)
        left.acts.append(act)
        self.tip, self._path, self._line = target, target.path(), target.line()
        self._front(target, left)
        self.offer, self.agreed, self.asked = None, (), None
        self.outcome = verdict if isinstance(verdict, Outcome) else None
        self._halt()
        self.clock.waiting(waits, now, grant=False)
        if self.policy == "free" and target.clock:
            self.clock.restore(target.clock, now)
        ended: list[Change] = [Ended(self.outcome)] if self.outcome else []
        self._commit([], [Acted(act), TakenBack(target), *ended], acts=[(left, act)])

    def _front(self, node: Node, known: Node) -> None:
        # The played line comes first among the children all along it; up to ``known`` it does already.
        while node is not known and node.parent is not None:
            siblings = node.parent.children
            if siblings[0] is not node:
                siblings.remove(node)
                siblings.insert(0, node)
            node = node.parent

    def _halt(self) -> None:
        """Lets the clocks run only while the game does."""
        if self.paused or self.outcome is not None:
            self.clock.pause(self.now())
        else:
            self.clock.resume(self.now())

    def _commit(
        self,
        nodes: Sequence[Node],
        news: Iterable[Change],
        *,
        acts: Iterable[tuple[Node, Act]] = (),
        delete: int | None = None,
        order: Iterable[int] = (),
    ) -> None:
        """Writes one change to the journal, then tells it; the nodes are those that are new or changed."""
        told_now = list(news)
        self._noted = self.now()
        if self._journal is not None:
            saved = tuple(self.naming.save_node(node, with_acts=False) for node in nodes)
            acted = tuple((node.id, self.naming.save_act(act)) for node, act in acts)
            patch = Patch(self.naming.save_state(self), saved, acted, delete, tuple(order))
            try:
                self._journal.append(patch, self._noted)
            except OSError as fault:
                told_now.append(Unsaved(self._unkept(self._journal, fault)))
        telling = bool(self._news)
        self._news.extend(told_now)
        if not telling:
            self._tell()

    def _unkept(self, journal: Journal, fault: OSError) -> Fault:
        """Goes on without the journal, which stays as far as it goes; gives what is to be told."""
        self.unsaved = Fault("the game can't be kept in {0}: {1}", journal.path.name, str(fault.strerror))
        journal.close(keep=True)
        self._journal = None
        return self.unsaved

    def _tell(self) -> None:
        # What a watcher changes in turn is told after what it was told, to all in the same order.
        errors: list[Exception] = []
        try:
            while self._news:
                for watcher in tuple(self._watchers):
                    try:
                        watcher(self._news[0])
                    except Exception as error:
                        errors.append(error)
                self._news.pop(0)
        finally:
            self._news.clear()
        if errors:
            raise errors[0]
