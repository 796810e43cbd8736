"""Xiangqi (象棋), Chinese chess, as a plugin."""

from __future__ import annotations

from collections.abc import Iterable

from qipan.api import Game, hookimpl

from .rules import Xiangqi


@hookimpl
def games() -> Iterable[Game]:
    """Xiangqi."""
    return (Game("xiangqi", Xiangqi),)
