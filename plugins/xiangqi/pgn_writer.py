"""Writing xiangqi games as PGN: UTF-8, moves in Chinese notation; `pgn.read` gives the same game back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from qipan.api import Fault, MoveText, Position, Transcript

from .board import RED, counters
from .rules import DEFAULTS, START, Xiangqi

_NOT_IN_NAMES = re.compile(r"\W")
_OWN = {"Game", "Variant", "Red", "White", "Black", "Result", "FEN", "Format", "Options"}  # what the game itself says


def write(transcript: Transcript) -> bytes:
    """The game as a file. Raises Fault for a move that can't be played."""
    rules = Xiangqi(transcript.options)
    position = rules.read(transcript.position) if transcript.position else rules.initial(Random(0))
    tags = _tags(transcript, rules.write(position))
    lines = [f'[{_NOT_IN_NAMES.sub("_", name)} "{_quoted(value)}"]' for name, value in tags.items()]
    words = [_comment(transcript.comment)] if transcript.comment else []
    words += [*_words(rules, position, transcript.moves, "\n"), "\n" + transcript.result]
    return ("\n".join(lines) + "\n\n" + " ".join(words).replace(" \n", "\n").strip() + "\n").encode("utf-8", "replace")


def _tags(transcript: Transcript, start: str) -> dict[str, str]:
    tags = {"Game": "Chinese Chess", **dict.fromkeys(("Event", "Site", "Date", "Round"), "")}
    tags |= {"Red": transcript.names.get("red", ""), "Black": transcript.names.get("black", "")}
    tags |= {"Result": transcript.result}
    tags |= {name: value for name, value in transcript.tags.items() if name and name not in _OWN}
    if start != START:
        tags["FEN"] = start
    options = {key: value for key, value in transcript.options.items() if DEFAULTS.get(key) != value}
    if options:
        tags["Options"] = " ".join(f"{key}={value}" for key, value in options.items())
    return tags


def _words(rules: Xiangqi, position: Position, moves: Sequence[MoveText], margin: str = "") -> Iterator[str]:
    """The words of a line of moves; ``margin`` stands before the number of Red's."""
    interrupted = True
    for told in moves:
        number = counters(position)[1]
        if position.turn == RED:
            yield f"{margin}{number}."
        elif interrupted:
            yield f"{number}..."
        try:
            move = rules.parse(position, told.text)
        except Fault as fault:
            raise Fault("move {0}: {1}", number, fault, line=told.line) from fault
        yield rules.say(position, move, "chinese")
        if told.comment:
            yield _comment(told.comment)
        for variation in told.variations:
            yield from ("(", *_words(rules, position, variation), ")")
        interrupted = bool(told.comment or told.variations)
        position = rules.apply(position, move).position


def _comment(text: str) -> str:
    return "{" + " ".join(text.replace("}", "｝").split()) + "}"  # a PGN comment can't hold its own end


def _quoted(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
