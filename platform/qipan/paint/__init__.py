"""Pictures of boards and pieces, painted with Pillow from a theme's data; no display is needed."""

from qipan.paint.of_game import game_painter
from qipan.paint.painter import Drawn, Painter

__all__ = ["Drawn", "Painter", "game_painter"]
