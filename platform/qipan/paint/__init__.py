"""Pictures of boards and pieces, painted with Pillow from a theme's data; no display is needed."""

from qipan.paint.painter import Drawn, Painter

__all__ = ["Drawn", "Painter"]
