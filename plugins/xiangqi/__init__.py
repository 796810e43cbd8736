"""Xiangqi (象棋), Chinese chess, as a plugin."""

from __future__ import annotations

from collections.abc import Iterable

from qipan.api import Format, Game, hookimpl

from . import pgn, pgn_writer
from .rules import Xiangqi


@hookimpl
def games() -> Iterable[Game]:
    """Xiangqi."""
    return (Game("xiangqi", Xiangqi),)


@hookimpl
def formats() -> Iterable[Format]:
    """PGN as xiangqi programs write it."""
    return (Format("pgn", ("xiangqi",), (".pgn",), pgn.read, pgn_writer.write),)
