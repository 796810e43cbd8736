"""Seeded random games for the laws: every declared option set is played, and each ply is a moment the laws look at."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from qipan.catalogue import GameInfo
from qipan.rules import Ruleset
from qipan.values import (
    CHANCE,
    NOBODY,
    Claim,
    Move,
    Note,
    Options,
    Outcome,
    Ply,
    Position,
    Seen,
    Step,
    events_for,
    told,
)
from qipan.words import Words

_ALL_SETS = 24  # option sets played when the whole product is not larger; else each value once


@dataclass
class Trial:
    """One game with one option set, played from one seed: what every moment of it shares."""

    rules: Ruleset
    info: GameInfo
    words: Words
    options: Options
    seed: int
    rng: Random
    line: list[Ply] = field(default_factory=list)
    seen: dict[int, list[Seen]] = field(default_factory=dict)
    keys: dict[Position, int] = field(default_factory=dict)  # searcher keys met, by position
    met: set[str] = field(default_factory=set)  # the words that need a sentence
    hides: bool = False  # a view has differed from the truth
    ended: bool = False

    @property
    def viewers(self) -> range:
        """Every seat, and an onlooker."""
        return range(NOBODY, len(self.rules.seats))


@dataclass
class Moment:
    """One ply of a trial: the position, its legal moves, and the step of the chosen move (None: at the end)."""

    trial: Trial
    position: Position
    moves: tuple[Move, ...]
    outcome: Outcome | None
    verdict: Outcome | Claim | Note | None
    move: Move | None = None
    step: Step | None = None

    @property
    def rules(self) -> Ruleset:
        """The rules under trial."""
        return self.trial.rules

    @property
    def rng(self) -> Random:
        """The trial's source of chance."""
        return self.trial.rng

    def sample(self, most: int) -> list[Move]:
        """Up to ``most`` of the legal moves, drawn by chance."""
        return self.rng.sample(self.moves, min(most, len(self.moves)))


def option_sets(info: GameInfo) -> list[dict[str, str | int | bool]]:
    """The option sets to play: all of them where they are few, else the defaults and each other value once."""
    values: list[list[str | int | bool]] = []
    for spec in info.options:
        if spec.kind == "choice":
            values.append([spec.default, *(choice for choice in spec.choices if choice != spec.default)])
        elif spec.kind == "flag":
            values.append([spec.default, not spec.default])
        else:
            values.append(list(dict.fromkeys((spec.default, spec.min, spec.max))))
    names = [spec.id for spec in info.options]
    count = 1
    for some in values:
        count *= len(some)
    if count <= _ALL_SETS:
        return [dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*values)]
    default = {spec.id: spec.default for spec in info.options}
    others = [(name, value) for name, some in zip(names, values, strict=True) for value in some[1:]]
    return [default] + [{**default, name: value} for name, value in others]


def draw(rules: Ruleset, position: Position, moves: tuple[Move, ...], rng: Random) -> Move:
    """A random move; CHANCE's by its odds."""
    if position.turn != CHANCE:
        return rng.choice(moves)
    choices = list(rules.odds(position))
    return rng.choices([move for move, _ in choices], [weight for _, weight in choices])[0]


def play(trial: Trial, look: Callable[[Moment], None]) -> None:
    """Plays the trial to its end, or to one ply past the declared length, showing each moment to ``look``."""
    rules, rng = trial.rules, trial.rng
    position = rules.initial(Random(trial.seed))
    trial.line.append(Ply(None, position))
    for viewer in trial.viewers:
        trial.seen[viewer] = [Seen(rules.view(position, viewer), None, ())]
    for _ in range(trial.info.length + 1):
        moves = tuple(rules.legal_moves(position))
        moment = Moment(trial, position, moves, rules.outcome(position), rules.adjudicate(trial.line))
        trial.ended = _stops(moment)
        if not trial.ended and moves:
            moment.move = draw(rules, position, moves, rng)
            moment.step = rules.apply(position, moment.move)
        look(moment)
        if moment.move is None or moment.step is None:
            return
        position = _advance(trial, moment.move, moment.step)


def _stops(moment: Moment) -> bool:
    if moment.outcome is not None or isinstance(moment.verdict, Outcome):
        return True
    return isinstance(moment.verdict, Claim) and moment.rng.random() < 0.5


def _advance(trial: Trial, move: Move, step: Step) -> Position:
    trial.line.append(Ply(move, step.position))
    for viewer, seen in trial.seen.items():
        known = move if told(step.told, viewer) else None
        seen.append(Seen(trial.rules.view(step.position, viewer), known, events_for(step.events, viewer)))
    return step.position


def schedule(info: GameInfo, seed: int, games: int) -> Iterator[tuple[int, Options]]:
    """The seed and options of each game to play: the option sets in turn, every game repeatable alone by its seed."""
    sets = option_sets(info)
    for number in range(max(games, len(sets))):
        yield seed + number, sets[number % len(sets)]
