"""Games and positions as texts and files: copied, pasted, saved in the platform's own form or one a plugin writes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from qipan import record
from qipan.acts import PluginFault
from qipan.atomic import write_whole
from qipan.catalogue import Format, Transcript
from qipan.host import PluginBroken
from qipan.replay import session_of, transcript
from qipan.saved import record_of
from qipan.tk import begin
from qipan.tk.file_box import FileBox
from qipan.tk.teller import sentence
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_PASTE = 1 << 20  # characters of a pasted text; more is no game


class Files:
    """Copying, pasting, saving and opening for one table. What fails is told in the window."""

    def __init__(self, table: Table) -> None:
        self._table, self._app, self._session = table, table.app, table.session
        self._path: Path | None = None

    @property
    def _secret(self) -> bool:
        """True while the game holds what not everybody may know."""
        return self._session.rules.hidden and self._session.outcome is None

    # -- the clipboard -------------------------------------------------------------------------------------------
    def copy_position(self) -> None:
        """Puts the position that is looked at, as the viewer sees it, on the clipboard."""
        session, sitting = self._session, self._table.sitting
        self._table.deeds.attempt(lambda: self._copied(str(session.ask(session.rules.write, sitting.view))))

    def copy_game(self) -> None:
        """Puts the game on the clipboard: in the first form of text a plugin writes, else as its moves."""
        if self._secret:
            self._app.tell(self._table.speaker.text("table.copy-secret"))
            return
        with self._app.telling():
            self._table.deeds.attempt(lambda: self._copied(self._game_text()))

    def _game_text(self) -> str:
        game = transcript(self._session)
        for form in self._forms():
            if form.write is not None:
                return self._written(form, game).decode("utf-8")
        return " ".join(told.text for told in game.moves)

    def _copied(self, text: str) -> None:
        self._app.copy(text)
        self._table.bar.say("table.copied")

    def paste(self) -> None:
        """Goes on from what the clipboard holds: a position of this game, or a game. Asks where moves were made."""
        speaker = self._table.speaker
        try:
            text = str(self._app.root.clipboard_get()).strip()
        except tk.TclError:
            self._app.tell(speaker.text("table.not-text"))
            return
        try:
            go_on = self._read(text[:_PASTE])
        except (Fault, PluginFault, PluginBroken) as fault:
            self._app.tell(speaker.text("table.not-pasted", sentence(fault)))
            return
        if self._session.root.children:
            self._table.deeds.ask(
                speaker.text("table.ask-paste"), speaker.text("table.ask-paste-text"), "table.paste", go_on
            )
        else:
            go_on()

    def _read(self, text: str) -> Callable[[], None]:
        """What opens the pasted text. Raises Fault where it is neither a position nor a game."""
        opened, session = self._table.opened, self._session
        try:
            opened.position(session.rules, text)
        except Fault as fault:
            found = self._transcript(text)
            if found is None:
                raise fault
            return lambda: self._open_transcript(found)
        return lambda: self._start(text)

    def _start(self, text: str) -> None:
        session = self._session
        with self._app.telling():
            begin.start_game(
                self._app, self._table.opened, options=session.options, names=session.names,
                clock=session.clock.control.text(), position=text,
            )  # fmt: skip

    def _transcript(self, text: str) -> Transcript | None:
        for form in self._forms():
            try:
                with self._table.opened.fence("read", Fault):
                    games = [game for game in form.read(text.encode("utf-8")) if game.moves or game.position]
            except Fault:
                continue  # another form may read it
            if games:
                return games[0]
        return None

    def _open_transcript(self, game: Transcript) -> None:
        app, opened = self._app, self._table.opened
        with app.telling():
            rules = opened.rules(opened.info.settle(game.options))
            session = session_of(game, opened.info, rules, rng=app.rng, now=app.now, words=opened.words)
            begin.open_record(app, None, record_of(session))

    # -- files ---------------------------------------------------------------------------------------------------
    def _forms(self) -> list[Format]:
        return [form for form in self._app.host.formats() if self._session.info.id in form.games]

    def _written(self, form: Format, game: Transcript) -> bytes:
        assert form.write is not None
        with self._table.opened.fence("write", Fault):
            return form.write(game)

    def save(self) -> None:
        """Saves under the known name, or asks for one."""
        if self._path is None:
            self.save_as()
        else:
            self.save_to(self._path)

    def save_as(self) -> None:
        """Asks where to, and saves there."""
        app = self._app
        suffixes = [record.SUFFIX]
        if not self._secret:
            suffixes += [suffix for form in self._forms() if form.write for suffix in form.suffixes]
        name = self._path.name if self._path else self._session.info.id + record.SUFFIX
        folder = self._path.parent if self._path else None
        title = app.t("table.save-all" if self._secret else "table.save-as")
        FileBox(app, title, suffixes, self.save_to, folder=folder, name=name)

    def save_to(self, path: Path) -> None:
        """Saves to a file, in the form its suffix names: whole, or not at all.

        While secrets are to be kept, only the platform's own form: it stays on this machine and says what it holds.
        """
        form = next((form for form in self._forms() if form.write and path.suffix.lower() in form.suffixes), None)
        if form is not None and self._secret:
            self._app.tell(self._table.speaker.text("table.save-secret"))
            return
        try:
            if form is None:
                record.save(path, self._session)
            else:
                write_whole(path, self._written(form, transcript(self._session)))
        except (OSError, Fault, PluginFault, PluginBroken) as fault:
            self._app.tell(self._table.speaker.text("table.not-saved", sentence(fault)))
            return
        self._path = path
        if form is None:
            self._app.settings.opened(path.absolute())
            self._app.save_soon()
        self._table.bar.say("table.saved")

    def open(self) -> None:
        """Asks for a file and opens it."""
        begin.ask_file(self._app)
