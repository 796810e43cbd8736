"""How a game is painted at the table: the painter of the chosen theme, and the layout of a size."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from qipan.geometry import Board
from qipan.layout import Layout
from qipan.paint import Painter, game_painter
from qipan.rules import Ruleset

if TYPE_CHECKING:
    from qipan.host import Opened
    from qipan.tk.app import App


def make_painter(app: App, opened: Opened, rules: Ruleset, layout: Layout) -> Painter:
    """The painter of a game in the chosen theme. Raises Fault where no theme or a bad pictogram file is found."""
    return game_painter(
        app.pictures.theme(), layout, opened.info, rules,
        pictograms=app.settings.pictograms, numerals=app.settings.coordinates,
    )  # fmt: skip


def fit(board: Board, width: int, height: int, facing: float, unit: float, share: float) -> Layout:
    """The largest layout for a canvas; ``share``: the player's board scale, of which 1 fills the canvas."""
    layout = Layout.fit(board, width, height, facing=facing, unit=unit)
    return dataclasses.replace(layout, cell=max(4, int(layout.cell * min(1.0, share))))
