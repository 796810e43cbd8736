"""The painter of a game: its pictograms, the fonts found on this system, and a theme brought together."""

from __future__ import annotations

from qipan.catalogue import GameInfo
from qipan.fonts import find_piece_font
from qipan.layout import Layout
from qipan.paint.painter import Painter
from qipan.pictures import read_pictures
from qipan.rules import Ruleset
from qipan.theme import Theme


def game_painter(
    theme: Theme, layout: Layout, info: GameInfo, rules: Ruleset, *, pictograms: bool = False, numerals: bool = True
) -> Painter:
    """The painter of a game on a layout. Raises Fault for a bad pictures.toml."""
    return Painter(
        theme,
        layout,
        seats=[seat.name for seat in rules.seats],
        pieces=info.pieces,
        pictures=read_pictures(info.folder / "pictures.toml"),
        font=find_piece_font(theme.font_file),
        sans=find_piece_font(serif=False),
        pictograms=pictograms,
        numerals=numerals,
    )
