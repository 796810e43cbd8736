"""Golden games: one recorded game of each, move by move, that the rules must play again byte for byte.

``python tests/test_playthroughs.py --write [GAME...]`` records them anew; read the difference before it is committed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from qipan import places
from qipan.host import Host, Opened
from qipan.laws.trial import draw
from qipan.rules import Ruleset
from qipan.values import (
    CHANCE,
    NOBODY,
    Claim,
    Event,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Placed,
    Ply,
    Position,
    Removed,
    Revealed,
    Said,
    Seats,
)

FOLDER = Path(__file__).with_name("playthroughs")
SEEDS = range(7, 207)  # recorded is the first game that ends within so many plies, or else the first of all
PLIES = 60
WHOLE = 15  # every so many plies positions and views are written in full, else as a short hash
HOST = Host(
    chain(places.built_in(), places.user(FOLDER.with_name("contract"))), trusted=lambda plugin_id, sha256: True
)  # fmt: skip


# -- a game as text --------------------------------------------------------------------------------------------------
def recorded(opened: Opened, seed: int) -> str:
    """One random game with the default options, to its end or for so many plies."""
    return "\n".join(_lines(opened, seed)) + "\n"


def _lines(opened: Opened, seed: int) -> Iterator[str]:
    rules, rng = opened.rules(), Random(seed)
    position = rules.initial(Random(seed))
    line = [Ply(None, position)]
    options = " ".join(f"{key}={value}" for key, value in opened.info.settle({}).items()) or "no options"
    yield f"{opened.info.id}, seed {seed}, {options}"
    yield from _standing(rules, position, True)
    while rules.outcome(position) is None and len(line) <= PLIES:
        move = draw(rules, position, tuple(rules.legal_moves(position)), rng)
        step = rules.apply(position, move)
        yield f"{len(line)}. {_who(rules, move.seat)}: {_said(rules, position, move)}{_seats(rules, step.told)}"
        for event in step.events:
            yield f"   {_event(rules, event)}"
        if step.final:
            yield "   final"
        position = step.position
        line.append(Ply(move, position))
        yield from _standing(rules, position, len(line) % WHOLE == 1)
        if (verdict := rules.adjudicate(line)) is not None:
            yield f"   judge: {_verdict(rules, verdict)}"
    yield from _standing(rules, position, True)
    outcome = rules.outcome(position)
    yield "the game goes on" if outcome is None else f"end: {_verdict(rules, outcome)}"


def _standing(rules: Ruleset, position: Position, whole: bool) -> Iterator[str]:
    """The position, who may do how much, and each view that differs from it."""
    text = rules.write(position)
    waiting = " ".join(_who(rules, seat) for seat in rules.waiting(position)) or "nobody"
    yield f"   position {text if whole else _short(text)}; {len(list(rules.legal_moves(position)))} moves, {waiting}"
    for viewer in (*range(len(rules.seats)), NOBODY):
        view = rules.view(position, viewer)
        notes = "; ".join(_note(rules, note) for note in rules.notes(view, viewer))
        if view != position or notes:
            seen = rules.write(view)
            yield f"   {_who(rules, viewer)} sees {seen if whole else _short(seen)}{notes and f' ({notes})'}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _said(rules: Ruleset, position: Position, move: Move) -> str:
    return " = ".join(dict.fromkeys(rules.say(position, move, style) for style in rules.styles))


def _who(rules: Ruleset, seat: int) -> str:
    return {NOBODY: "nobody", CHANCE: "chance"}.get(seat) or rules.seats[seat].name


def _seats(rules: Ruleset, seats: Seats) -> str:
    return "" if seats is None else f" [to {' '.join(_who(rules, seat) for seat in seats) or 'nobody'}]"


def _piece(rules: Ruleset, piece: Piece) -> str:
    known = "" if piece.known is None else f" known{_seats(rules, piece.known)}"
    return f"{_who(rules, piece.seat)} {piece.kind}{f' x{piece.count}' if piece.count > 1 else ''}{known}"


def _event(rules: Ruleset, event: Event) -> str:
    sites = rules.board.sites
    match event:
        case Moved(src, dst, via, count):
            over = "".join(f" over {sites[point].name}" for point in via)
            text = f"moved {sites[src].name} to {sites[dst].name}{over}{f', {count}' if count else ''}"
        case Removed(point, cause):
            text = f"{cause} {sites[point].name}"
        case Placed(point, piece):
            text = f"placed {_piece(rules, piece)} on {sites[point].name}"
        case Revealed(point, piece):
            text = f"revealed {_piece(rules, piece)} on {sites[point].name}"
        case Said(note):
            text = f"said {_note(rules, note)}"
    return text + _seats(rules, event.to)


def _note(rules: Ruleset, note: Note) -> str:
    places = " ".join(rules.board.sites[point].name for point in note.points)
    return " ".join(filter(None, (note.word, *map(str, note.args), places and f"at {places}")))


def _verdict(rules: Ruleset, verdict: Outcome | Claim | Note) -> str:
    match verdict:
        case Claim(outcome, by):
            return f"may be claimed{_seats(rules, by)}: {_verdict(rules, outcome)}"
        case Outcome(winners, reason, scores):
            names = " ".join(_who(rules, seat) for seat in winners)
            points = f", {' '.join(map(str, scores))}" if scores else ""
            return f"{f'{names} won' if names else 'a draw'}, {_note(rules, reason)}{points}"
        case Note():
            return _note(rules, verdict)


# -- the tests -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", HOST.games)
def test_the_golden_game_is_played_again(game: str) -> None:
    golden = _golden(game)
    seed = int(golden.split(",")[1].split()[1])
    again = recorded(HOST.open(game), seed)
    assert again.splitlines() == golden.splitlines()  # said line by line where they differ
    assert again == golden


@pytest.mark.parametrize("game", HOST.games)
def test_a_golden_game_says_something(game: str) -> None:
    lines = _golden(game).splitlines()
    moves = [line for line in lines if line.split(".")[0].isdigit()]
    assert len(moves) >= 5
    assert len([line for line in lines if line.startswith("   position ")]) == len(moves) + 2
    if HOST.open(game).rules().hidden:
        assert any(" sees " in line for line in lines)


def test_every_golden_game_is_of_a_game() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted(HOST.games)


def _golden(game: str) -> str:
    return (FOLDER / f"{game}.txt").read_bytes().decode("utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Records the named games (all, without names) anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", nargs="*", choices=[[], *HOST.games], metavar="GAME", required=True)
    words = parser.parse_args(argv)
    FOLDER.mkdir(exist_ok=True)
    for game in words.write or HOST.games:
        texts = (recorded(HOST.open(game), seed) for seed in SEEDS)
        first = next(texts)
        text = next((text for text in chain([first], texts) if "\nend: " in text), first)
        (FOLDER / f"{game}.txt").write_text(text, "utf-8", newline="\n")
        print(f"{game}: {text.count(chr(10))} lines, {text.splitlines()[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
