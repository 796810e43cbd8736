"""The sentences of the table: whose move it is, what was refused, how the game ended. Texts only, no window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from qipan import picker
from qipan.catalogue import GameInfo
from qipan.clock import Control
from qipan.tk.table.state import Sitting
from qipan.tk.times import control_text
from qipan.tree import Node
from qipan.values import Claim, Fault, Move, Note, Options, Outcome, Said, told
from qipan.words import Words

Tone = Literal["plain", "check", "wrong", "end", "aside"]


class Status(NamedTuple):
    """The sentence of the people column: how it is to be shown, its title and what is said below it."""

    tone: Tone
    title: str
    details: tuple[str, ...] = ()


class Speaker:
    """Says what a sitting has to say, in one language."""

    def __init__(self, words: Words, language: str, sitting: Sitting) -> None:
        self.words, self.language, self.sitting = words, language, sitting
        self.session = sitting.session

    def text(self, key: str, *args: str | int | Fault) -> str:
        """The sentence of a key."""
        return self.words.text(key, self.language, *args)

    def say(self, said: Note | Fault) -> str:
        """The sentence of a note or of a fault."""
        return self.words.say(said, self.language)

    def seat(self, seat: int) -> str:
        """The name of a seat ("Red")."""
        return self.text(f"seat.{self.session.rules.seats[seat].name}")

    def name(self, seat: int) -> str:
        """The name of the person on a seat, or of the seat where it has none."""
        names = self.session.names
        return names[seat] if seat < len(names) and names[seat] else self.seat(seat)

    def seats(self, seats: Sequence[int]) -> str:
        """The names of several seats."""
        return self.text("table.and").join(self.seat(seat) for seat in seats)

    def word(self, move: Move) -> str:
        """What a button for a move's word says: the plugin's word for it, or the kind it names, or the word itself."""
        word = move.word
        for key in (f"word.{word.partition(':')[0]}", f"kind.{word.lstrip('@=+')}"):
            if key in self.words:
                return self.text(key)
        return word or self.text("table.plainly")

    def move(self, node: Node, notation: str) -> str:
        """A node's move in a notation; what the viewer wasn't told isn't said."""
        sitting, move, parent = self.sitting, node.move, node.parent
        if move is None or parent is None:
            return ""
        if node.why:
            return self.text(f"table.left.{node.why}", self.seat(move.seat))
        if not told(node.told, sitting.viewer):
            return self.text("table.secret")
        if not move.path:
            return self.word(move)
        return sitting.said(node, notation)

    def end(self, outcome: Outcome) -> Status:
        """Who won, and why."""
        winners = self.seats(outcome.winners)
        title = self.text("table.won", winners) if winners else self.text("table.drawn")
        return Status("end", title, (self.say(outcome.reason),))

    def status(self) -> Status:
        """What the table says now."""
        sitting = self.sitting
        refused = (self.say(sitting.refused),) if sitting.refused else ()
        if sitting.ended is not None:
            end = self.end(sitting.ended)
            return end._replace(details=(*end.details, *refused))
        waiting = sitting.waiting
        title = self.text("table.to-move", self.seats(waiting)) if waiting else self.text("table.nobody")
        if len(waiting) > 1:
            title = self.text("table.at-once", self.seats(waiting))
        check = next((note for note in sitting.notes if note.word == "check"), None)
        if (seat := sitting.arranging) is not None:
            title = self.text("table.line-up", self.seat(seat))
            return Status("wrong" if refused else "plain", title, refused or (self.text("table.arrange"),))
        if refused:
            return Status("wrong", title, refused)
        told = self._told()
        told = (*told, *self._noted())
        if not sitting.cursor.at_tip:
            return Status("aside", title, (self._where(), *self._lifted(), *told))
        if sitting.session.paused:
            return Status("plain", self.text("table.paused"), told)
        if check is not None:
            return Status("check", self.text("table.check", self.seats(waiting)), (*self._lifted(), *told))
        return Status("plain", title, (*self._lifted(), *told))

    def _noted(self) -> tuple[str, ...]:
        """What was said with the last step, and the notes that belong to no point: dice, skips left."""
        sitting = self.sitting
        events = self.session.events(sitting.node, sitting.viewer)
        said = [event.note for event in events if isinstance(event, Said)]
        notes = [note for note in sitting.notes if not note.points]
        return tuple(dict.fromkeys(self.say(note) for note in (*said, *notes) if note.word != "check"))

    def _where(self) -> str:
        """Where the table looks when it doesn't look at the game as it stands."""
        session, node = self.session, self.sitting.node
        if session.tip.under(node) or node.under(session.tip):
            return self.text("table.looking", node.ply, self.sitting.whole_line()[-1].ply)
        return self.text("table.looking-aside", node.ply)

    def _lifted(self) -> tuple[str, ...]:
        pick, sitting = self.sitting.pick, self.sitting
        if sitting.asked:
            return (self.text("table.choose"),)
        if pick.empty:
            return ()
        count = len(picker.targets(sitting.moves, pick))
        if pick.hand:
            kind = pick.hand.lstrip("@")
        else:
            piece = sitting.view.cells[pick.path[0]]
            if piece is None:
                return ()
            kind = piece.kind
        key = "table.lifted.one" if count == 1 else "table.lifted"
        text = self.text(key, f"kind.{kind}", count)
        return (text[:1].upper() + text[1:],)

    def _told(self) -> tuple[str, ...]:
        """Draw offers, claims and advice, at the tip; elsewhere what the rules said of the place."""
        session = self.session
        if not self.sitting.cursor.at_tip:
            verdict = self.sitting.verdict
            if isinstance(verdict, Claim):
                return (self.say(verdict.outcome.reason),)
            return (self.say(verdict),) if isinstance(verdict, Note) else ()
        told: list[str] = []
        if session.asked is not None:
            told.append(self.text("table.asked-back", self.seat(session.asked.seat)))
        if session.offer is not None:
            told.append(self.text("table.offered", self.seat(session.offer)))
        if session.claim is not None:
            by = session.claim.by
            who = self.text("table.claimable") if by is None else self.text("table.claimable-by", self.seats(by))
            told += [self.say(session.claim.outcome.reason), who]
        if session.advice is not None:
            told.append(self.say(session.advice))
        return tuple(told)


def option_tags(speaker: Speaker, info: GameInfo, options: Options, control: Control) -> tuple[str, ...]:
    """The clock and every option that is not as usual, in words."""
    tags = [] if control.kind == "none" else [control_text(speaker.text, control)]
    for spec in info.options:
        value = options.get(spec.id, spec.default)
        if value == spec.default:
            continue
        if spec.kind == "choice":
            tags.append(speaker.text(f"option.{spec.id}.{value}"))
        elif spec.kind == "flag":
            tags.append(speaker.text(f"option.{spec.id}"))
        else:
            tags.append(f"{speaker.text(f'option.{spec.id}')} {value}")
    return tuple(tags)
