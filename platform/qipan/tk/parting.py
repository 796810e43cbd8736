"""How a table is left: a game that is over becomes a file in the user's folder before its journal goes."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from qipan import archive, journal
from qipan.acts import PluginFault
from qipan.saved import Record, record_of
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.session import Session
    from qipan.tk.app import App

log = logging.getLogger("qipan.tk")


def leave(app: App, session: Session, *, filed: bool) -> None:
    """Lets a session go, and loses nothing of it; ``filed``: the player has it in a file, as it stands.

    A game that goes on stays in its journal; one that is over, or has no journal, is written into the games' folder.
    """
    kept = True
    if session.root.children and not filed and (session.outcome is not None or session.unsaved is not None):
        try:
            kept = _archived(app, record_of(session), journaled=session.unsaved is None)
        except PluginFault as fault:  # the rules can't write where the game began
            app.tell(app.say(fault.told, fault.game), fault.traceback)
            kept = False
    session.close(keep=None if kept else True)


def archive_left(app: App) -> None:
    """Keeps the games that were over when the program was killed; what can't be written stays in its journal."""
    for left in journal.unfinished(app.paths.journals):
        if not left.over or not left.ply or left.fault is not None:
            continue
        try:
            found = journal.recover(left.path)
        except Fault as fault:
            log.warning("%s", fault)  # it is among the unfinished games, and resuming it says what is wrong
            continue
        found.journal.close(keep=not _archived(app, found.record, journaled=True))


def _archived(app: App, game: Record, *, journaled: bool) -> bool:
    """Writes a game into the games' folder and lists it among the recent files; a disk that refuses is told."""
    info = app.host.games.get(game.game)
    title = info.name.text(app.language) if info is not None else game.game
    try:
        file = archive.keep(app.paths.games, game, title, map(Path, app.settings.recent))
    except OSError as fault:
        log.warning("a game is not archived: %s", fault)
        word = "parting.journaled" if journaled else "parting.lost"
        app.tell(app.t(word, str(app.paths.games), fault.strerror or str(fault)))
        return False
    app.settings.opened(file)
    app.save_soon()
    return True
