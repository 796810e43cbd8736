"""What happens in a game besides its moves (acts), what is told to who watches (changes), and how a session refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from qipan.values import Fault, Note, Outcome

if TYPE_CHECKING:
    from qipan.tree import Node


class Resign(NamedTuple):
    """A seat gave up."""

    seat: int


class Away(NamedTuple):
    """A seat left the table and did not come back."""

    seat: int


class Flag(NamedTuple):
    """A seat ran out of time."""

    seat: int


class OfferDraw(NamedTuple):
    """A seat offered a draw."""

    seat: int


class AnswerDraw(NamedTuple):
    """A seat answered the offer that stood."""

    seat: int
    yes: bool


class ClaimDraw(NamedTuple):
    """A seat claimed what the judge allowed it to claim."""

    seat: int


class AskBack(NamedTuple):
    """A seat asked the others to let the game stand at node ``to`` again."""

    seat: int
    to: int


class AnswerBack(NamedTuple):
    """A seat answered that request."""

    seat: int
    yes: bool


class TakeBack(NamedTuple):
    """The game went back to node ``to``; where that is the node itself, an ending was taken back."""

    seat: int
    to: int


class Redo(NamedTuple):
    """The game went forward again to node ``to``."""

    seat: int
    to: int


class Pause(NamedTuple):
    """The clocks were stopped."""

    seat: int


class Resume(NamedTuple):
    """The clocks run again."""

    seat: int


Act: TypeAlias = (
    "Resign | Away | Flag | OfferDraw | AnswerDraw | ClaimDraw | AskBack | AnswerBack"
    " | TakeBack | Redo | Pause | Resume"
)


# -- changes: what subscribers are told, after the journal has it ----------------------------------------------------
class Played(NamedTuple):
    """The tip went on to this node by a move, a draw of CHANCE or a concession the game survives."""

    node: Node


class TakenBack(NamedTuple):
    """The tip was moved to this node by a take-back or a redo."""

    node: Node


class Acted(NamedTuple):
    """An act was entered at the tip."""

    act: Act


class Edited(NamedTuple):
    """This node's variations, comment or marks are others than before."""

    node: Node


class Ended(NamedTuple):
    """The game is over."""

    outcome: Outcome


class Unsaved(NamedTuple):
    """The journal could not be written; the game goes on without one."""

    fault: Fault


Change: TypeAlias = "Played | TakenBack | Acted | Edited | Ended | Unsaved"


class Asked(NamedTuple):
    """A request to move the tip that waits for the others: who asked, to which node, who has agreed so far."""

    seat: int
    node: Node
    agreed: tuple[int, ...] = ()


class Refused(Exception):
    """Something a session does not do, and why in words."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.word)
        self.note = note


class PluginFault(Exception):
    """A game's rules raised or answered nonsense: which game, which method, and the traceback's text."""

    def __init__(self, game: str, method: str, traceback: str) -> None:
        last = traceback.strip().splitlines()[-1] if traceback.strip() else "no details"
        self.told = Fault("{0}: {1} failed: {2}", game, method, last)
        super().__init__(str(self.told))
        self.game, self.method, self.traceback = game, method, traceback
