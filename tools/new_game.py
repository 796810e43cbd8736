"""Writes the folder of a new game that works at once: ``python tools/new_game.py ID [--folder DIR]``.

Three in a row, to be changed step by step into one's own game: manifest, rules, sentences, and a test of all laws.
The folder comes whole or not at all; a bad id, a taken one or a folder that is there is one line and exit 2.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qipan.host import Host
from qipan.paths import user_paths
from qipan.values import Fault

_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")

MANIFEST = """\
api = 1
id = "@ID@"
version = "0.1.0"
licence = "MIT"
name = { en = "@NAME@", zh = "@NAME@" }
blurb = { en = "Three in a row win.", zh = "三子连成一线者胜。" }

[[games]]
id = "@ID@"
name = { en = "@NAME@", zh = "@NAME@" }
blurb = { en = "Three in a row win.", zh = "三子连成一线者胜。" }
seats = ["red", "black"]
length = 9  # plies: no game is longer

[games.pieces]
stone = { letter = "O", shape = "stone" }
"""

RULES = '''\
"""@NAME@: in turn a stone on a free point; three on one line of the board win."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from qipan.api import Game, Move, Note, Options, Outcome, Piece, Placed, Position, Ruleset, Seat, Sketch, Step, hookimpl


class Rules(Ruleset):
    """The rules are pure functions of a position; a move is the path of points a player touches, here one point."""

    seats = (Seat("red", team=0), Seat("black", team=1, facing=180))
    kinds = ("stone",)

    def __init__(self, options: Options) -> None:
        sketch = Sketch()
        sketch.grid(3, 3, ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"])
        sketch.line("a3", "b2", "c1")
        sketch.line("c3", "b2", "a1")
        self.board = sketch.board()

    def initial(self, rng: Random) -> Position:
        return Position(cells=(None,) * 9)

    def legal_moves(self, position: Position) -> Iterable[Move]:
        if self.outcome(position) is not None:
            return []
        return [Move(position.turn, (point,)) for point, piece in enumerate(position.cells) if piece is None]

    def refusal(self, position: Position, move: Move) -> Note | None:
        if len(move.path) == 1 and move.path[0] in range(9) and position.cells[move.path[0]] is not None:
            return Note("occupied", points=move.path)
        return super().refusal(position, move)

    def apply(self, position: Position, move: Move) -> Step:
        stone, cells = Piece("stone", move.seat), list(position.cells)
        cells[move.path[0]] = stone
        after = position._replace(cells=tuple(cells), turn=1 - move.seat)
        return Step(after, events=(Placed(move.path[0], stone),))

    def outcome(self, position: Position) -> Outcome | None:
        for line in self.board.lines:
            owners = {piece.seat if piece else None for piece in (position.cells[point] for point in line.points)}
            if len(owners) == 1 and (winner := owners.pop()) is not None:
                return Outcome((winner,), Note("three", (f"seat.{self.seats[winner].name}",)))
        return Outcome((), Note("full")) if None not in position.cells else None


@hookimpl
def games() -> Iterable[Game]:
    """What this plugin offers: the ids of plugin.toml and how the rules of each are made."""
    return [Game("@ID@", Rules)]
'''

WORDS = """\
"seat.red" = { en = "Red", zh = "红方" }
"seat.black" = { en = "Black", zh = "黑方" }
"kind.stone" = { en = "stone", zh = "棋子" }
"occupied" = { en = "There is a stone on that point", zh = "该点已有棋子" }
"three" = { en = "{0} has three in a row", zh = "{0}三子连线" }
"full" = { en = "The board is full", zh = "棋盘已满" }
"""

TEST = '''\
"""The game keeps every law; run it with ``python -m pytest`` in this folder."""

from random import Random

from qipan.host import Opened
from qipan.testing import check

pytest_plugins = ["qipan.testing"]


def test_laws(opened: Opened) -> None:
    assert check(opened).games >= 12


def test_three_in_a_row_win(opened: Opened) -> None:
    rules = opened.rules()
    position = rules.initial(Random(1))
    for text in ["b2", "a1", "b3", "a2", "b1"]:
        assert rules.outcome(position) is None
        position = rules.apply(position, rules.parse(position, text)).position
    outcome = rules.outcome(position)
    assert outcome is not None
    assert outcome.winners == (0,)
'''


def files(game: str) -> dict[str, str]:
    """The files of a new plugin by their names."""
    templates = {"plugin.toml": MANIFEST, "__init__.py": RULES, "words.toml": WORDS, f"test_{game}.py": TEST}
    name = game.replace("_", " ").strip().capitalize()
    return {file: text.replace("@ID@", game).replace("@NAME@", name) for file, text in templates.items()}


def write(game: str, base: Path, taken: Sequence[str]) -> Path:
    """Writes the plugin's folder below ``base``, whole or not at all, and gives it. Raises Fault."""
    if not _ID.fullmatch(game):
        raise Fault(f"{game!r} can't be a game's id: small letters, digits and _, a letter first, at most 40")
    folder = base / game
    if os.path.lexists(folder):
        raise Fault(f"{folder} is there already")
    if game in taken:
        raise Fault(f"there is a game {game!r} already")
    try:
        base.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".new-", dir=base))
        try:
            for name, text in files(game).items():
                (beside / name).write_text(text, "utf-8", newline="\n")
            beside.chmod(0o755)
            beside.rename(folder)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
    except OSError as fault:
        raise Fault(f"{folder} can't be written: {fault.strerror}") from fault
    return folder


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the folder and says what to do next; 2 for what can't be."""
    parser = argparse.ArgumentParser(prog="new_game.py", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("id", help="the game's id, also its folder: small letters, digits and _")
    parser.add_argument("--folder", type=Path, help="where to put the folder (default: your own plugins)")
    words = parser.parse_args(argv)
    own = user_paths().plugins
    try:
        folder = write(words.id, words.folder or own, list(Host.scan(own).games))
    except Fault as fault:
        print(f"new_game: {fault}", file=sys.stderr)
        return 2
    print(f"{folder} is ready: change __init__.py, then")
    if folder.parent == own:
        print(f"  qipan plugins trust {words.id}   (after each change: code of your own runs only as you allowed it)")
        print(f"  qipan plugins check {words.id}   every law of the platform, over random games")
        print(f"  qipan play {words.id}")
    else:
        print(f"  python -m pytest {folder}   every law of the platform, over random games")
    return 0


if __name__ == "__main__":
    sys.exit(main())
