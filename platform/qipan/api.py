"""All that a plugin may use, on one page: ``from qipan.api import ...`` and nothing else of the platform."""

from qipan.catalogue import Command, Format, Game, MoveText, Transcript
from qipan.geometry import Board, Decoration, Line, Point, Region, Site, Sketch
from qipan.hookspecs import hookimpl
from qipan.rules import Ruleset
from qipan.values import (
    CHANCE,
    HIDDEN,
    NOBODY,
    Cells,
    Claim,
    Data,
    Event,
    Fault,
    Move,
    Moved,
    Note,
    Options,
    Outcome,
    Piece,
    Placed,
    Ply,
    Position,
    Removed,
    Revealed,
    Said,
    Searcher,
    Seat,
    Seats,
    Seen,
    Step,
    conceal,
    events_for,
    fold,
)

__all__ = [
    "CHANCE", "HIDDEN", "NOBODY", "Board", "Cells", "Claim", "Command", "Data", "Decoration", "Event", "Fault",
    "Format", "Game", "Line", "Move", "MoveText", "Moved", "Note", "Options", "Outcome", "Piece", "Placed",
    "Ply", "Point", "Position", "Region", "Removed", "Revealed", "Ruleset", "Said", "Searcher", "Seat", "Seats",
    "Seen", "Site", "Sketch", "Step", "Transcript", "conceal", "events_for", "fold", "hookimpl",
]  # fmt: skip
