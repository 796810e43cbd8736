"""Moves as text."""
from qipan.api import Fault, Move, Position

from .board import NAMES
STYLES = ("uci",)
def say(position, move, style=""):
    return NAMES[move.path[0]] + NAMES[move.path[1]]
def parse(rules, position, text):
    for m in rules.legal_moves(position):
        if say(position, m) == text:
            return m
    raise Fault(f"{text!r} is no legal move here")
