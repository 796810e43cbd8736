"""``qipan render``: a position as a picture file, drawn as the table draws it, without a display."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qipan.acts import PluginFault
from qipan.atomic import write_whole
from qipan.cli.common import Parser, find_theme, first_game, make_host, seat_number, start, tell_of_others
from qipan.fence import Fence
from qipan.host import Host, Opened
from qipan.rules import Ruleset
from qipan.tree import Node
from qipan.values import NOBODY, Fault, Note

if TYPE_CHECKING:
    import argparse

    from qipan.paint import Painter
    from qipan.scene import Shape

_SMALLEST, _LARGEST = 64, 8192  # pixels of the longer side
_LINES = 999


class _Scene(NamedTuple):
    """What is drawn: a game and its line up to the wanted ply."""

    opened: Opened
    rules: Ruleset
    line: Sequence[Node]


def run(argv: Sequence[str]) -> int:
    """Draws the picture and says where it is."""
    parser = Parser("render", "Draw a position of a game or a game file to a PNG or SVG file.")
    parser.add_argument("what", metavar="GAME_OR_FILE")
    parser.add_argument("--out", required=True, metavar="X.png|X.svg", help="the file to write")
    parser.add_argument("--ply", type=int, metavar="N", help="after that many moves of the file (left out: all)")
    parser.add_argument("--theme", default="classic", metavar="ID", help="the look (classic)")
    parser.add_argument("--size", type=int, default=0, metavar="PX", help="the longer side (natural: 50 pixels a cell)")
    parser.add_argument("--seat", default="", metavar="NAME", help="seen by that seat, at the bottom")
    parser.add_argument("--look-back", type=int, default=0, metavar="N", help="draw the last N moves as lines")
    parser.with_start()
    words = parser.parse_args(argv)
    out = Path(words.out)
    if out.suffix.lower() not in (".png", ".svg"):
        raise Fault(f"render: --out {words.out!r} is neither .png nor .svg")
    if words.size and not _SMALLEST <= words.size <= _LARGEST:
        raise Fault(f"render: --size is {_SMALLEST} to {_LARGEST} pixels, not {words.size}")
    if not 0 <= words.look_back <= _LINES:
        raise Fault(f"render: --look-back is 0 to {_LINES}, not {words.look_back}")
    painter, shapes = _drawn(_scene(make_host(), words), words)
    if out.suffix.lower() == ".svg":
        from qipan.svg import to_svg

        data = to_svg(painter, shapes).encode("utf-8")
    else:
        picture = io.BytesIO()
        painter.picture(shapes).save(picture, "PNG")
        data = picture.getvalue()
    write_whole(out, data)
    return 0


def _scene(host: Host, words: argparse.Namespace) -> _Scene:
    if words.what in host.games:
        begun = start(host, words.what, words.option, words.position)
        if words.ply:
            raise Fault("render: --ply goes with a file: a game has no moves yet")
        return _Scene(begun.opened, begun.rules, [Node(0, None, None, begun.position)])
    if words.option or words.position is not None:
        raise Fault("render: --option and --position go with a GAME: a file has its own")
    session = first_game(host, words.what)
    line = session.path
    last = len(line) - 1
    if words.ply is not None and not 0 <= words.ply <= last:
        raise Fault(f"render: --ply is 0 to {last} in {words.what}, not {words.ply}")
    tell_of_others(host, words.what)
    shown = line[: (last if words.ply is None else words.ply) + 1]
    return _Scene(host.open(session.info.id), session.rules, shown)


def _drawn(scene: _Scene, words: argparse.Namespace) -> tuple[Painter, tuple[Shape, ...]]:
    from qipan.layout import Layout
    from qipan.paint import game_painter
    from qipan.scene import Marks, draw, trace, traces

    opened, rules, line = scene
    theme = find_theme(words.theme)
    seat = seat_number(rules, words.seat) if words.seat else NOBODY
    facing = rules.seats[seat].facing if seat != NOBODY else 0.0
    layout = Layout.natural(rules.board, facing=facing)
    if words.size:
        share = words.size / max(layout.size)
        layout = Layout.fit(rules.board, *(max(1, round(side * share)) for side in layout.size), facing=facing)
    with opened.fence("view", PluginFault):
        view = Fence(opened.info.id, rules).position(rules.view, line[-1].position, seat)
    with opened.fence("notes"):
        notes = tuple(rules.notes(view, seat))
        if not all(isinstance(note, Note) for note in notes):
            raise TypeError(f"it gives {notes!r:.80}")
    shapes = draw(
        rules.board, view, seats=rules.seats, pieces=opened.info.pieces, facing=facing, notes=notes,
        marks=Marks(last=trace(line[-1], seat), look_back=traces(line, seat, words.look_back)),
    )  # fmt: skip
    return game_painter(theme, layout, opened.info, rules), shapes
