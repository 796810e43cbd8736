"""What can be done at the table besides touching the board: every command, whether it can be done now, and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from qipan.acts import PluginFault, Refused
from qipan.tk.rules_page import has_rules, show_rules
from qipan.tk.table import files as table_files
from qipan.tk.table.actions import MOST
from qipan.tk.table.panels import Question, SettingsPanel
from qipan.tk.table.state import Heard
from qipan.tk.table.status import Answer
from qipan.tree import Node
from qipan.values import NOBODY, Move, Note

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_BEFORE_CURTAIN = ("save", "save-as", "open", "mute", "settings", "rules")  # what shows nothing of the game
_AUTOPLAY = 900  # ms between two moves that play by themselves


class Deeds:
    """The commands of one table, by the names that keys and buttons use."""

    def __init__(self, table: Table) -> None:
        self.table, self.app, self.session, self.sitting = table, table.app, table.session, table.sitting
        self.files = files = table_files.Files(table)
        self.commands: dict[str, Callable[[], object]] = {
            "put-back": self._put_back,
            "take-back": lambda: self.attempt(lambda: self.session.take_back(self._taker())),
            "redo": lambda: self.attempt(lambda: self.session.redo(self._taker())),
            "look-back": lambda: self._look_back(not self.app.settings.look_back),
            "look-more": lambda: self.set_look_back(self.app.settings.look_back_count + 1),
            "look-less": lambda: self.set_look_back(self.app.settings.look_back_count - 1),
            "flip": self._flip,
            "type": self._type,
            "first": lambda: self._browse(self.sitting.cursor.first),
            "back": lambda: self._browse(self.sitting.cursor.back),
            "forward": self._forward,
            "last": lambda: self._browse(self.sitting.cursor.last),
            "autoplay": lambda: self._autoplay(not self.table.autoplaying),
            "mark": lambda: self.table.hand.marker.mark(),
            "arrow": lambda: self.table.hand.marker.arrow(),
            "comment": lambda: self.table.record.comment.edit(),
            "copy": files.copy_position,
            "copy-game": files.copy_game,
            "paste": files.paste,
            "save": files.save,
            "save-as": files.save_as,
            "open": files.open,
            "draw": self._draw,
            "resign": self._resign,
            "restart": self._restart,
            "pause": lambda: self.attempt(lambda: self.session.pause(not self.session.paused)),
            "mute": self._mute,
            "settings": self._settings,
        }
        if has_rules(table.opened.info):
            self.commands["rules"] = lambda: show_rules(self.app, table.opened.info)

    def do(self, command: str) -> None:
        """Does a command, where it can be done; a running animation is over at once."""
        self.table.board.motion.finish()
        if self.table.curtain is not None and command not in _BEFORE_CURTAIN:
            return
        if self.can(command):
            self.sitting.fault = None
            self.commands[command]()

    def can(self, command: str) -> bool:
        """Whether an action can be taken now."""
        return not self.why_not(command)

    def why_not(self, command: str) -> str:
        """The key of the sentence that says why an action can't be taken now; "" where it can."""
        session, cursor = self.session, self.sitting.cursor
        tip, over = session.tip, session.outcome is not None
        elsewhere = "" if cursor.at_tip else "table.elsewhere"  # what is looked at is what these change
        ended = "game-over" if over else ""
        match command:
            case "take-back":
                return elsewhere or ("" if tip.parent is not None or (over and tip.acts) else "no-take-back")
            case "redo":
                return elsewhere or ended or ("" if any(child.played for child in tip.children) else "no-redo")
            case "pause":
                runs = session.policy == "free" and session.clock.readings(self.app.now())
                return ended or ("" if runs else "no-pause")
            case "draw":
                return ended or ("draw-offered" if session.offer is not None else "")
            case "resign":
                return ended
            case "restart":
                return "" if tip.parent is not None else "table.at-start"
            case "first" | "back":
                return "" if cursor.node.parent is not None else "table.at-start"
            case "forward" | "autoplay":
                return "" if cursor.ahead() is not None else "table.at-end"
            case "last":
                return "" if elsewhere or cursor.ahead() is not None else "table.at-end"
        return ""

    def attempt(self, deed: Callable[[], object]) -> None:
        """Does something with the session; a refusal or a fault of the rules is shown, an earlier one no more."""
        self.sitting.refused = None
        try:
            deed()
        except Refused as refused:
            self.sitting.refused = refused.note
        except PluginFault as fault:
            self.sitting.fault = fault
        else:
            return
        self.table.refresh()

    def actor(self, among: Sequence[int] | None = None) -> int:
        """The seat that acts now (one of ``among`` where given); NOBODY: none."""
        waiting = self.session.fence.waiting(self.session.tip.position)
        fitting = [seat for seat in waiting if among is None or seat in among] or list(among or ())
        return fitting[0] if fitting else NOBODY

    def _taker(self) -> int:
        """Who takes back: where that must be agreed to, the seat that moved last."""
        move = self.session.tip.move
        return move.seat if self.session.policy == "agreed" and move is not None else NOBODY

    # -- moves ---------------------------------------------------------------------------------------------------
    def heard(self, heard: Heard) -> bool:
        """Shows and sounds what a touch or a typed move did; True where it was taken."""
        table, sitting = self.table, self.sitting
        if heard in ("select", "illegal"):
            table.cue(heard)
        if heard == "illegal" and isinstance(sitting.refused, Note):
            table.hand.flash(sitting.refused.points)
        if heard == "move" and not sitting.cursor.at_tip:
            table.motion(sitting.node)
        elif not (heard == "move" and table.board.motion.running):
            table.refresh()
        return heard != "illegal"

    def play(self, move: Move) -> None:
        """Plays a move that was chosen by its word."""
        self.heard(self.sitting.play(move))

    def take(self, hand: str) -> None:
        """Takes up a piece of the hand, or puts it back."""
        self.table.board.motion.finish()
        self.heard(self.sitting.take(hand))
        self.table.board.focus_set()

    def type_move(self, text: str) -> bool:
        """Plays a typed move; False where it was refused or not understood."""
        self.table.board.motion.finish()
        return self.heard(self.sitting.read(text))

    def sit(self, seat: int) -> None:
        """Shows the board to a seat, from its side."""
        self.sitting.sit(seat)
        self._turn(seat)

    def _put_back(self) -> None:
        self.sitting.put_back()
        self.table.hand.marker.drop()
        self.table.board.settle()
        self._autoplay(False)
        self.table.refresh()

    # -- the ends of games ---------------------------------------------------------------------------------------
    def answers(self) -> tuple[Answer, ...]:
        """The buttons under the sentence."""
        session, sitting = self.session, self.sitting
        if not sitting.cursor.at_tip:
            return (("table.return", lambda: self.do("last")),)
        if session.outcome is not None:
            return ()
        answers: list[Answer] = []
        if sitting.arranging is not None:
            answers.append(("table.arrange-done", lambda: self.heard(sitting.arranged())))
        if session.paused:
            answers.append(("table.resume", lambda: self.attempt(lambda: session.pause(False))))
        if session.asked is not None or session.offer is not None:
            answers += [("table.accept", lambda: self._reply(True)), ("table.decline", lambda: self._reply(False))]
        if session.claim is not None and (seat := self.actor(session.claim.by)) >= 0:
            answers.append(("table.claim", lambda: self.attempt(lambda: session.claim_draw(seat))))
        return tuple(answers)

    def _reply(self, yes: bool) -> None:
        session = self.session
        living = session.fence.living(session.tip.position)
        if session.asked is not None:
            asker, agreed, answer = session.asked.seat, session.asked.agreed, session.answer_back
        else:
            asker, agreed, answer = session.offer or 0, session.agreed, session.answer_draw
        seat = next((seat for seat in living if seat != asker and seat not in agreed), NOBODY)
        self.attempt(lambda: answer(seat, yes))

    def _draw(self) -> None:
        self.attempt(lambda: self.session.offer_draw(self.actor()))

    def _resign(self) -> None:
        speaker, seat = self.table.speaker, self.actor()
        self.ask(
            speaker.text("table.ask-resign", speaker.seat(seat)), speaker.text("table.ask-resign-text"), "table.resign",
            lambda: self.attempt(lambda: self.session.resign(seat)),
        )  # fmt: skip

    def _restart(self) -> None:
        speaker = self.table.speaker
        self.ask(
            speaker.text("table.ask-restart"), speaker.text("table.ask-restart-text"), "table.restart",
            lambda: self.attempt(lambda: self.session.reset(self._taker())),
        )  # fmt: skip

    def ask(self, title: str, text: str, yes: str, command: Callable[[], object]) -> None:
        """Asks before a deed."""
        if self.table.panel is not None:
            self.table.panel.close()
        self.table.panel = Question(self.table, title, text, yes, command)

    # -- looking -------------------------------------------------------------------------------------------------
    def look_at(self, node: Node, along: bool = False) -> None:
        """Looks at a node; ``along``: by the slider, so that the line ahead is kept."""
        self.table.board.motion.finish()
        cursor = self.sitting.cursor
        self.sitting.put_back()
        if along:
            while cursor.node.ply > node.ply:
                cursor.back()
            while cursor.node.ply < node.ply and cursor.ahead() is not None:
                cursor.forward()
        else:
            cursor.go(node)
        self.table.refresh()

    def _browse(self, go: Callable[[], object]) -> None:
        self.sitting.put_back()
        go()
        self.table.refresh()

    def _forward(self) -> None:
        before = self.sitting.node
        self.sitting.put_back()
        node = self.sitting.cursor.forward()
        if node is not before:
            self.table.motion(node)

    def _autoplay(self, on: bool) -> None:
        table = self.table
        table.autoplaying = on and self.sitting.cursor.ahead() is not None
        if table.autoplaying:
            table.later("autoplay", _AUTOPLAY, self._play_on)
        else:
            table.stop("autoplay")
        table.record.transport.refresh()

    def _play_on(self) -> None:
        self._forward()
        self._autoplay(True)

    def _look_back(self, on: bool) -> None:
        self.app.settings.look_back = on
        self.app.save_soon()
        self.table.refresh()

    def set_look_back(self, count: int) -> None:
        """How many moves are looked back at; it is switched on."""
        self.app.settings.look_back_count = max(1, min(MOST, count))
        self._look_back(True)

    def set_notation(self, style: str) -> None:
        """The notation of the move list, remembered for the game."""
        self.app.settings.game(self.table.opened.info.id).notation = style
        self.app.save_soon()
        self.table.refresh()

    def set_board_scale(self, share: float) -> None:
        """How much of the canvas the board fills."""
        self.app.settings.board_scale = round(share, 2)
        self.app.save_soon()
        self.table.later("scale", 80, self.table.board.renew)

    def _flip(self) -> None:
        self._turn((self.table.bottom + 1) % len(self.session.rules.seats))

    def _turn(self, seat: int) -> None:
        self.table.turn(seat)

    def _type(self) -> None:
        self.table.show_typed()

    def _mute(self) -> None:
        self.app.set_muted(not self.app.settings.muted)
        self.table.bar.refresh()

    def _settings(self) -> None:
        panel = self.table.panel
        if panel is not None:
            panel.close()
        if not isinstance(panel, SettingsPanel):
            self.table.panel = SettingsPanel(self.table)

    # -- the record ----------------------------------------------------------------------------------------------
    def comment(self, node: Node, text: str) -> None:
        """Writes a comment in the record."""
        self.attempt(lambda: self.session.comment(node, text))

    def promote(self, node: Node) -> None:
        """Moves a variation up."""
        self.attempt(lambda: self.session.promote(node))

    def remove(self, node: Node) -> None:
        """Deletes a variation; who looks into it looks at where it began."""
        if self.sitting.node.under(node) and node.parent is not None:
            self.sitting.cursor.go(node.parent)
        self.attempt(lambda: self.session.delete(node))
