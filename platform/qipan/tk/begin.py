"""How a table comes about: a new game, an unfinished one from its journal, a file of any format a plugin reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import localtime, strftime
from typing import TYPE_CHECKING

from qipan import files, journal, record
from qipan.acts import PluginFault
from qipan.clock import Control
from qipan.host import Opened
from qipan.journal import Journal
from qipan.replay import session_of
from qipan.saved import record_of
from qipan.session import Session
from qipan.tk.chooser import Chooser
from qipan.tk.file_box import FileBox
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.catalogue import Transcript
    from qipan.journal import Unfinished
    from qipan.saved import Record
    from qipan.tk.app import App

_MOST = 2000  # games of one file that are offered


def start_game(
    app: App, opened: Opened, *, options: Mapping[str, object] | None = None, names: Sequence[str] = (),
    clock: str = "", position: str = "",
) -> None:  # fmt: skip
    """A table with a new game. Raises Fault for a bad option, clock or position, PluginBroken for bad rules."""
    settled = opened.info.settle(options or {})
    rules = opened.rules(settled)
    control = Control.parse(clock or "none")
    start = None
    if position:
        start = opened.position(rules, position)
    kept, fault = _journal(app, opened.info.id)
    session = Session(
        opened.info, rules, settled, names=names, control=control, rng=app.rng, now=app.now, start=start,
        journal=kept, created=strftime("%Y-%m-%dT%H:%M:%S", localtime()),
    )  # fmt: skip
    session.unsaved = session.unsaved or fault
    app.open_table(session, opened)
    _tell_unkept(app, session)


def _journal(app: App, game: str) -> tuple[Journal | None, Fault | None]:
    """A new journal; or None and why there can be none."""
    try:
        return Journal.create(app.paths.journals, f"{game}-{strftime('%Y%m%d-%H%M%S', localtime())}"), None
    except Fault as fault:
        return None, fault


def _tell_unkept(app: App, session: Session) -> None:
    if session.unsaved is not None:
        app.tell(app.t("begin.unkept", session.unsaved))


def resume(app: App, game: Unfinished) -> None:
    """The table of an unfinished game, exactly as it stood; what fails is told in the window."""
    with app.telling(game.game):
        found = journal.recover(game.path)
        try:
            opened = app.host.open(found.record.game)
            with opened.fence("rules", Fault, PluginFault):
                session = _session(app, opened, found.record, found.journal)
        except BaseException:
            found.journal.close(keep=True)
            raise
        app.open_table(session, opened)
        if found.fault is not None:
            app.tell(app.say(found.fault))


def _session(app: App, opened: Opened, saved: Record, kept: Journal | None) -> Session:
    rules = opened.rules(saved.options)
    return record.open_session(
        saved, opened.info, rules, rng=app.rng, now=app.now, journal=kept, words=opened.words
    )


def ask_file(app: App) -> None:
    """Asks for a file and opens it."""
    FileBox(app, app.t("open.title"), files.suffixes(app.host), lambda file: open_file(app, file))


def open_file(app: App, file: Path) -> None:
    """The table of a saved game or of a game in a file that a plugin reads; what fails is told in the window.

    A damaged file of Qipan's own is offered as far as it can be read.
    """
    with app.telling():
        if file.suffix.lower() != record.SUFFIX:
            _open_other(app, file)
            return
        saved, fault = record.salvage(record.read(file), file.name)
        if fault is None:
            with app.telling(saved.game):
                open_record(app, file, saved)
        else:
            app.tell(app.say(fault), actions=[("open.kept", lambda: _open_kept(app, file, saved))])


def _open_kept(app: App, file: Path, saved: Record) -> None:
    app.clear_banner()
    with app.telling(saved.game):
        open_record(app, None, saved)


def open_record(app: App, file: Path | None, saved: Record) -> None:
    """The table of a game as it is saved, kept from now on. Raises Fault, PluginBroken."""
    opened = app.host.open(saved.game)
    kept, fault = _journal(app, saved.game)
    try:
        with opened.fence("rules", Fault, PluginFault):
            session = _session(app, opened, saved, kept)
    except BaseException:
        if kept is not None:
            kept.close(keep=False)
        raise
    session.unsaved = session.unsaved or fault
    if file is not None:
        app.settings.opened(file.absolute())
        app.save_soon()
    app.open_table(session, opened, filed=file is not None)
    _tell_unkept(app, session)


def _open_other(app: App, file: Path) -> None:
    """Opens the game of a file that a plugin reads; of several the player chooses one."""
    found = list(islice(files.transcripts(app.host, file), _MOST))
    if len(found) == 1:
        _open_transcript(app, file, found[0])
    else:
        titles = [f"{number}.  {_title(app, told)}" for number, told in enumerate(found, 1)]
        Chooser(app, app.t("open.which", file.name), titles, lambda number: _open_transcript(app, file, found[number]))


def _title(app: App, told: Transcript) -> str:
    people = " – ".join(name for name in told.names.values() if name)
    name = people or app.host.games[told.game].name.text(app.language)
    return f"{name}   {told.result}".rstrip()


def _open_transcript(app: App, file: Path, told: Transcript) -> None:
    with app.telling(told.game):
        opened, rules = files.made(app.host, told)
        with opened.fence("rules", Fault, PluginFault):
            session = session_of(told, opened.info, rules, rng=app.rng, now=app.now, words=opened.words)
        open_record(app, file, record_of(session))
