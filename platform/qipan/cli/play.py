"""``qipan``, ``qipan play`` and ``qipan FILE``: the window. The only command that needs a display."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qipan.cli import complain
from qipan.cli.common import Parser, find_theme, first_game, make_host, pairs, start, tell_of_others
from qipan.values import Fault


def run(argv: Sequence[str]) -> int:
    """Checks the words, then opens the launcher, a game or a file; 1 where there is no display or no tkinter."""
    parser = Parser("play", "Open a game, or a file where it stood; without either the launcher.")
    parser.add_argument("what", metavar="GAME|FILE", nargs="?", default="")
    parser.with_start()
    parser.add_argument("--theme", default="", metavar="ID", help="the look of boards and pieces, from now on")
    words = parser.parse_args(argv)
    if words.theme:
        find_theme(words.theme)
    host = make_host()
    is_game = words.what in host.games
    if not is_game and (words.option or words.position is not None):
        raise Fault("play: --option and --position go with a GAME: a file has its own")
    if is_game:
        start(host, words.what, words.option, words.position)
    elif words.what:
        first_game(host, words.what)  # what is wrong in it is said here, before a window opens
        tell_of_others(host, words.what)
    return _open(
        words.what if is_game else "",
        Path(words.what) if words.what and not is_game else None,
        pairs(words.option), words.theme, words.position or "",
    )  # fmt: skip


def _open(game: str, file: Path | None, options: dict[str, str], theme: str, position: str) -> int:
    try:
        import qipan.tk.app as app
    except ImportError as fault:
        if "tkinter" not in str(fault):
            raise
        return complain("no tkinter: install python3-tk (Debian), python3-tkinter (Fedora) or tk (Arch)", 1)
    try:
        return app.run(app.Start(game, file, options, theme, position))
    except Exception as fault:
        if type(fault).__name__ != "TclError" or "display" not in str(fault):
            raise
        return complain(f"no display: {fault}", 1)
