"""The command line: the words of ``qipan``, each in a module that is imported only when it is said."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from qipan import __version__
from qipan.values import Fault

# word: (module, what --help says)
COMMANDS = {
    "play": ("play", "open a game, or a file where it stood, in a window"),
    "games": ("games", "list the installed games"),
    "plugins": ("plugins", "list, check or trust the installed plugins"),
    "perft": ("perft", "count the lines of a game to a depth"),
    "replay": ("replay", "play recorded games through and say what is wrong with them"),
    "convert": ("convert", "write a game file in another format"),
    "render": ("render", "draw a position to a PNG or SVG file"),
    "rules": ("rules_service", "answer questions about a game, one JSON line each"),
}

_HELP = """usage: qipan                  the launcher
       qipan FILE             a game file, where it stood
       qipan COMMAND ...      one of:

{commands}

qipan COMMAND --help tells more; qipan --version says which qipan this is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code: 0 done, 1 it found or met a failure, 2 bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    _dress_streams()
    try:
        return _fenced(words)
    except BrokenPipeError:
        _drop_output()
        return 141  # as a shell counts a closed pipe
    except KeyboardInterrupt:
        return 130


def _dress_streams() -> None:
    """Makes the streams take every character, and be there where the caller closed them."""
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or io.TextIOWrapper(io.BytesIO())
    sys.stderr = sys.stderr or io.TextIOWrapper(io.BytesIO())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _fenced(words: list[str]) -> int:
    """The exit code of a command whose faults are each one line on stderr."""
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Fault as fault:
        return complain(str(fault), 2)
    except OSError as fault:
        where = f"{fault.filename}: " if fault.filename else ""
        return complain(f"{where}{fault.strerror or fault}", 2)
    except MemoryError:
        return complain("there is not enough memory for that", 1)
    except Exception as fault:
        from qipan.acts import PluginFault
        from qipan.host import PluginBroken

        if isinstance(fault, PluginBroken):
            return complain(str(fault), 1)
        if isinstance(fault, PluginFault):
            return complain(f"the rules of {fault}", 1)
        raise


def _run(words: list[str]) -> int:
    first = words[0] if words else "play"
    if first in ("-h", "--help"):
        print(_HELP.format(commands="\n".join(_command_lines())))
        return 0
    if first == "--version":
        print(f"qipan {__version__}")
        return 0
    if first.startswith("-"):
        raise Fault(f"{first} is no option here (see qipan --help)")
    if first and first not in COMMANDS and (Path(first).suffix or Path(first).exists()):
        first, words = "play", ["play", *words]
    if first in COMMANDS:
        module = importlib.import_module(f"qipan.cli.{COMMANDS[first][0]}")
        try:
            return int(module.run(words[1:]))
        except SystemExit as leave:  # argparse after --help
            return leave.code if isinstance(leave.code, int) else 0
    return _plugin_command(first, words[1:])


def _command_lines() -> list[str]:
    """A line for each command, those that plugins add after the program's own."""
    from qipan.cli.common import make_host

    lines = [f"  {word:<9}{text}" for word, (_, text) in COMMANDS.items()]
    return lines + [f"  {word:<9}(of the plugin {owner})" for word, owner in sorted(make_host().commands().items())]


def _plugin_command(name: str, rest: list[str]) -> int:
    """Runs a command that a plugin adds. Raises Fault where none does, with the nearest words there are."""
    from qipan.cli.common import make_host
    from qipan.host import fence

    host = make_host()
    added = host.commands()
    if name not in added:
        import difflib

        near = difflib.get_close_matches(name, [*COMMANDS, *added, *host.games], 1)
        hint = f"did you mean {near[0]}?" if near else "see qipan --help"
        raise Fault(f"{name!r} is no command, game file or plugin's command; {hint}")
    command, answers = host.command(name), sys.stdout
    with fence(added[name], name, (Fault, OSError, SystemExit)), contextlib.redirect_stdout(answers):
        return int(command.run(rest))


def complain(text: str, code: int) -> int:
    """Says on stderr, in one line, why there is nothing better; gives the exit code."""
    try:
        sys.stdout.flush()
    except OSError:  # a full disk, say, and that may be what there is to complain about
        _drop_output()
    print(f"qipan: {' '.join(text.split())}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Points stdout nowhere, so that the interpreter's last flush doesn't complain of the closed pipe."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = io.StringIO()
