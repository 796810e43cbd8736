"""A game in play: moves, acts and edits. A session is all that changes; whatever it accepts is journaled, then told."""

from __future__ import annotations

from collections.abc import Sequence

from qipan import acts
from qipan.acts import Act, Acted, Asked, Change, Edited, Ended, PluginFault, Refused
from qipan.saved import MOST_MARKS, MOST_NODES, MOST_TEXT
from qipan.standing import Policy, Standing
from qipan.tree import GONE, Cursor, Mark, Node
from qipan.values import CHANCE, NOBODY, Move, Note, Outcome, Step, told

__all__ = ["Cursor", "Mark", "Node", "PluginFault", "Policy", "Refused", "Session"]

_NOTED = 10.0  # seconds after which a running clock is journaled though nobody moved


class Session(Standing):
    """One game from its start to its end.

    ``tip``: where the game stands; ``outcome``: how it ended; ``offer``: the seat that offered a draw and ``agreed``
    those who accepted; ``asked``: a request to move the tip that waits for answers. Policy "free": anyone takes back at
    any time, and the clocks go back to what they showed; "agreed": the others are asked, and no time is given back.
    Raises PluginFault where the rules break, and is then as it was before; Refused for what isn't allowed.
    """

    # -- playing -----------------------------------------------------------------------------------------------------
    def play(self, move: Move) -> Node:
        """Plays a seat's move at the tip, then what CHANCE draws after it; gives the move's node."""
        self.tick()
        self._need_play()
        if move.seat == CHANCE:
            raise Refused(Note("not-your-turn"))
        if (note := self.refusal(move)) is not None:
            raise Refused(note)
        node = self._enter(move)
        self._draw()
        return node

    def _need_play(self, *, paused: bool = False) -> None:
        if self.outcome is not None:
            raise Refused(Note("game-over"))
        if self.paused and not paused:
            raise Refused(Note("paused"))
        if self.next_id >= MOST_NODES:
            raise Refused(Note("too-long"))

    def _need_living(self, seat: int) -> set[int]:
        """The other seats still in the game."""
        self._need_play(paused=True)
        living = set(self.fence.living(self.tip.position))
        if seat not in living:
            raise Refused(Note("not-in-game"))
        return living - {seat}

    def tick(self) -> int | None:
        """Ends the time of a seat whose flag fell, and gives that seat; to be called a few times a second."""
        now = self.now()
        seat = None if self.outcome is not None or self.paused else self.clock.flagged(now)
        if seat is not None:
            self._concede(seat, "time", acts.Flag(seat))
        elif self.clock.ticking and abs(now - self._noted) >= _NOTED:
            self._commit([], [])
        return seat

    def pause(self, on: bool = True, seat: int = NOBODY) -> None:
        """Stops all clocks and moves, or lets them go on."""
        self._need_play(paused=True)
        if on and self.policy == "agreed":
            raise Refused(Note("no-pause"))
        if on == self.paused:
            return
        self.paused = on
        act = acts.Pause(seat) if on else acts.Resume(seat)
        self._halt()
        self._act(act)

    def close(self, keep: bool | None = None) -> None:
        """Lets the journal go; it stays for another day where the game has begun and is not over (or by ``keep``)."""
        if self._journal is not None:
            begun = len(self.root.children) > 0
            self._journal.close(keep=self.outcome is None and begun if keep is None else keep)
            self._journal = None

    # -- acts --------------------------------------------------------------------------------------------------------
    def resign(self, seat: int) -> None:
        """Gives up; the rules say what that does."""
        self._need_living(seat)
        self._concede(seat, "resign", acts.Resign(seat))

    def leave(self, seat: int) -> None:
        """Takes a seat that is away out of the game; the rules say what that does."""
        self._need_living(seat)
        self._concede(seat, "away", acts.Away(seat))

    def offer_draw(self, seat: int) -> None:
        """Offers a draw, or accepts the one that stands. It lapses when another seat moves."""
        others = self._need_living(seat)
        if self.offer is not None and self.offer != seat:
            return self.answer_draw(seat, True)
        if self.offer == seat:
            raise Refused(Note("draw-offered"))
        self.offer, self.agreed = seat, ()
        outcome = None if others else Outcome((), Note("agreed"))
        return self._act(acts.OfferDraw(seat), outcome)

    def answer_draw(self, seat: int, yes: bool) -> None:
        """Answers the offer that stands; when all who live have agreed the game is a draw."""
        needed = {*self._need_living(seat), seat} - {self.offer}
        if self.offer is None or self.offer == seat:
            raise Refused(Note("no-offer"))
        self.agreed = tuple(sorted({*self.agreed, seat})) if yes else ()
        outcome = Outcome((), Note("agreed")) if yes and needed <= set(self.agreed) else None
        if not yes or outcome:
            self.offer, self.agreed = None, ()
        self._act(acts.AnswerDraw(seat, yes), outcome)

    def claim_draw(self, seat: int) -> None:
        """Claims what the judge allows; the game ends so."""
        self._need_living(seat)
        if self.claim is None or not told(self.claim.by, seat):
            raise Refused(Note("no-claim"))
        self._act(acts.ClaimDraw(seat), self.claim.outcome)

    def take_back(self, seat: int = NOBODY, to: Node | None = None) -> None:
        """Goes back: one move, or to a node. Under "agreed" asks the others, from before the seat's own last move.

        A game ended by an act (resigned, agreed, time) first takes back that end. What is taken back stays in the tree.
        """
        if self.policy == "free" and self.outcome and to is None and not isinstance(self.tip.verdict, Outcome):
            return self._jump(seat, self.tip)
        if to is None:
            to = self.tip
            while self.policy == "agreed" and to.parent is not None and to.move and to.move.seat != seat:
                to = to.parent
            to = to.parent
            while to is not None and to.position.turn == CHANCE:
                to = to.parent
        if to is None or to is self.tip or not self.tip.under(to) or to.position.turn == CHANCE:
            raise Refused(Note("no-take-back"))
        if any(node.final for node in self._path[to.ply + 1 :]):
            raise Refused(Note("take-back-final"))
        return self._move_tip(seat, to)

    def redo(self, seat: int = NOBODY) -> None:
        """Goes forward again along what was taken back. Under "agreed" asks the others."""
        to = next((node for node in self.tip.children if node.played), None)
        while to is not None and to.position.turn == CHANCE:
            to = next((node for node in to.children if node.played), None)
        if to is None or self.outcome is not None:
            raise Refused(Note("no-redo"))
        self._move_tip(seat, to)

    def reset(self, seat: int = NOBODY) -> None:
        """Goes back to where the first move was to be made, with full clocks. Under "agreed" asks the others."""
        self.take_back(seat, next((node for node in self.path if node.position.turn != CHANCE), self.root))

    def answer_back(self, seat: int, yes: bool) -> None:
        """Answers the request to move the tip; when all others agreed it is done."""
        living = {*self._need_living(seat), seat}
        if self.asked is None or self.asked.seat == seat:
            raise Refused(Note("no-request"))
        asked = self.asked
        agreed = tuple(sorted({*asked.agreed, seat}))
        needed = living - {asked.seat}
        self.asked = asked._replace(agreed=agreed) if yes and not needed <= set(agreed) else None
        self._act(acts.AnswerBack(seat, yes))
        if yes and self.asked is None:
            self._jump(asked.seat, asked.node)

    def _move_tip(self, seat: int, to: Node) -> None:
        if self.policy == "free":
            return self._jump(seat, to)
        others = self._need_living(seat)
        if not others:
            return self._jump(seat, to)
        self.asked = Asked(seat, to)
        return self._act(acts.AskBack(seat, to.id))

    def _concede(self, seat: int, why: str, act: Act) -> None:
        answer = self.fence.concede(self.tip.position, seat, why)
        if isinstance(answer, Step):
            self._enter(Move(seat, (), why), answer, act, why)
            self._draw()
        elif isinstance(answer, Outcome):
            self._act(act, answer)
        elif why == "time":
            self.clock.spare(seat)
            self._act(act)
        else:
            raise Refused(answer)

    def _act(self, act: Act, outcome: Outcome | None = None) -> None:
        """Enters an act at the tip, and the end it brings."""
        self.tip.acts.append(act)
        news: list[Change] = [Acted(act)]
        if outcome is not None:
            self.outcome, self.offer, self.agreed, self.asked = outcome, None, (), None
            self._halt()
            news.append(Ended(outcome))
        self._commit([], news, acts=[(self.tip, act)])

    def _need_there(self, node: Node) -> None:
        if node.id == GONE:
            raise Refused(Note("removed"))

    # -- edits -------------------------------------------------------------------------------------------------------
    def add(self, node: Node, move: Move) -> Node:
        """Tries a move at any node: a variation, not part of the game; the node where it is in the tree already.

        A game with secrets lets nobody try moves before it is over: the true position would answer.
        """
        self._need_there(node)
        if (known := node.child(move)) is not None:
            return known
        if self.rules.hidden and self.outcome is None:
            raise Refused(Note("no-variations"))
        if self.next_id >= MOST_NODES:
            raise Refused(Note("too-long"))
        if (note := self.refusal(move, node)) is not None:
            raise Refused(note)
        new = self._node(node, move, self.fence.apply(node.position, move))
        self._attach(new)
        self._commit([new], [Edited(node)])
        return new

    def comment(self, node: Node, text: str) -> None:
        """Writes a comment at a node ("" : none)."""
        self._need_there(node)
        if len(text) > MOST_TEXT:
            raise Refused(Note("comment-too-long", (MOST_TEXT,)))
        node.comment = text
        self._commit([node], [Edited(node)])

    def mark(self, node: Node, marks: Sequence[Mark]) -> None:
        """Draws marks at a node instead of those that were there."""
        self._need_there(node)
        if len(marks) > MOST_MARKS:
            raise Refused(Note("too-many-marks", (MOST_MARKS,)))
        node.marks = tuple(marks)
        self._commit([node], [Edited(node)])

    def promote(self, node: Node) -> None:
        """Moves a variation one place up among those beside it, never above the line that was played."""
        self._need_there(node)
        parent = node.parent
        at = parent.children.index(node) if parent is not None else 0
        if parent is None or at == 0 or (at == 1 and self.tip.under(parent.children[0])):
            raise Refused(Note("played-line"))
        parent.children[at - 1 : at + 1] = [node, parent.children[at - 1]]
        self._commit([], [Edited(parent)], order=[parent.id, *(child.id for child in parent.children)])

    def delete(self, node: Node) -> None:
        """Removes a variation with all below it; the line that was played up to the tip stays."""
        self._need_there(node)
        if node.parent is None or self.tip.under(node):
            raise Refused(Note("played-line"))
        if self.asked is not None and self.asked.node.under(node):
            self.asked = None
        node.parent.children.remove(node)
        number = node.id
        for below in node.walk():
            below.id = GONE
        self._commit([], [Edited(node.parent)], delete=number)
