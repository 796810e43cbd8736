"""Qipan (棋盘, "board"): a tabletop platform that loads games as plugins and plays them all from one launcher."""

__version__ = "0.1.0"
