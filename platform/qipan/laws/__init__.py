"""The laws every game keeps, each a pure function of a moment of play; `check` plays seeded games and judges them."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from qipan.catalogue import GameInfo
from qipan.laws import of_moves, of_record, of_secrets, of_speed, of_table, of_texts
from qipan.laws.trial import Moment, Trial, play, schedule
from qipan.rules import Ruleset
from qipan.values import Options
from qipan.words import Words

Law = Callable[[Moment], str | None]  # what is wrong, or None; the docstring is the law's sentence

MOMENT_LAWS: dict[str, Law] = {
    "unique-moves": of_moves.unique_moves,
    "paths": of_moves.paths,
    "has-move": of_moves.has_move,
    "repeatable": of_moves.repeatable,
    "same-start": of_moves.same_start,
    "refusal-agrees": of_moves.refusal_agrees,
    "refusal-refuses": of_moves.refusal_refuses,
    "odds": of_moves.odds_add_up,
    "conceding": of_moves.conceding,
    "judged": of_moves.judged,
    "events-tell": of_secrets.events_tell,
    "view-of-view": of_secrets.view_of_view,
    "own-moves": of_secrets.own_moves,
    "worlds-fit": of_secrets.worlds_fit,
    "worlds-alike": of_secrets.worlds_alike,
    "events-hide": of_secrets.move_is_secret,
    "position-text": of_texts.position_text,
    "position-sound": of_texts.position_sound,
    "move-text": of_texts.move_text,
    "nonsense": of_texts.nonsense_texts,
    "sentences": of_texts.sentences,
    "notes": of_texts.notes_on_board,
    "declared": of_texts.declared,
    "searcher": of_speed.searcher_agrees,
    "mouse": of_table.reachable_by_mouse,
    "keys": of_table.reachable_by_keys,
    "drawable": of_table.drawable,
}
GAME_LAWS: dict[str, Callable[[Trial], str | None]] = {
    "ends": of_record.ends,
    "hides": of_record.hides,
    "record": of_record.record_round_trip,
}
PLAYS = "plays"  # the law that nothing raises while a game is played


class Broken(NamedTuple):
    """How a law was broken: what is wrong, and the shortest game found that shows it."""

    message: str
    seed: int
    options: Options
    moves: tuple[str, ...]
    trace: str = ""


class Row(NamedTuple):
    """One law's result: how many moments or games it looked at, and how it was broken."""

    law: str
    says: str
    checked: int
    broken: Broken | None


class Report(NamedTuple):
    """What `check` found, a row a law."""

    game: str
    games: int
    plies: int
    rows: tuple[Row, ...]

    @property
    def ok(self) -> bool:
        """True when every law held."""
        return all(row.broken is None for row in self.rows)

    def lines(self) -> list[str]:
        """The report as text, one line a law; a broken law's seed, options and game follow its line."""
        lines = []
        for row in self.rows:
            if row.broken is None:
                lines.append(f"{'ok' if row.checked else 'untried':7} {row.law:16} {row.says} ({row.checked})")
                continue
            lines.append(f"BROKEN  {row.law:16} {row.says}: {row.broken.message}")
            options = " ".join(f"{key}={value}" for key, value in row.broken.options.items()) or "defaults"
            game = " ".join(row.broken.moves) or "(the start)"
            plies = len(row.broken.moves)
            lines.append(f"        seed {row.broken.seed}, options {options}, after {plies} plies: {game}")
            lines.extend("        " + line for line in row.broken.trace.rstrip().splitlines()[-3:])
        return lines


class _Tally:
    """Counts what each law has looked at and keeps its shortest failing game."""

    def __init__(self) -> None:
        self.checked: dict[str, int] = dict.fromkeys((PLAYS, *MOMENT_LAWS, *GAME_LAWS), 0)
        self.broken: dict[str, Broken] = {}
        self.plies = 0

    def note(self, law: str, trial: Trial, message: str, trace: str = "") -> None:
        old = self.broken.get(law)
        if old is None or len(trial.line) - 1 < len(old.moves):
            self.broken[law] = Broken(message, trial.seed, trial.options, moves_of(trial), trace)

    def look(self, moment: Moment) -> None:
        self.plies += 1
        for law, holds in MOMENT_LAWS.items():
            self.ask(law, moment.trial, partial(holds, moment))

    def ask(self, law: str, trial: Trial, holds: Callable[[], str | None]) -> None:
        self.checked[law] += 1
        try:
            fault = holds()
        except Exception as error:  # a plugin may raise anything; it is the finding
            self.note(law, trial, f"raised {type(error).__name__}: {error}", traceback.format_exc())
        else:
            if fault:
                self.note(law, trial, fault)


def moves_of(trial: Trial) -> tuple[str, ...]:
    """The trial's moves so far as texts; as values where the game can't say them."""
    texts = []
    for before, after in zip(trial.line, trial.line[1:], strict=False):
        assert after.move is not None
        try:
            texts.append(trial.rules.say(before.position, after.move))
        except Exception:  # `say` is on trial too
            texts.append(repr(after.move))
    return tuple(texts)


def check(
    make: Callable[[Options], Ruleset],
    info: GameInfo,
    words: Words,
    *,
    seed: int = 1,
    games: int = 12,
    seconds: float = 45.0,
    clock: Callable[[], float] = time.monotonic,
) -> Report:
    """Plays ``games`` random games (at least one an option set) over every declared option set, and reports each law.

    Stops starting new games after ``seconds``. Every game is played from a seed of its own, which the report names.
    """
    tally = _Tally()
    began, played = clock(), 0
    built: dict[tuple[tuple[str, object], ...], Ruleset] = {}
    for game_seed, options in schedule(info, seed, games):
        if played and clock() - began > seconds:
            break
        played += 1
        try:
            key = tuple(options.items())
            rules = built[key] if key in built else built.setdefault(key, make(options))
        except Exception as error:
            message = f"making the rules raised {type(error).__name__}: {error}"
            tally.broken[PLAYS] = Broken(message, game_seed, options, (), traceback.format_exc())
            continue
        _play_one(tally, Trial(rules, info, words, options, game_seed, Random(game_seed)))
    return Report(info.id, played, tally.plies, _rows(tally))


def _play_one(tally: _Tally, trial: Trial) -> None:
    def whole() -> None:
        play(trial, tally.look)

    tally.ask(PLAYS, trial, whole)
    if PLAYS in tally.broken and tally.broken[PLAYS].seed == trial.seed:
        return  # a game cut short says nothing of whole games
    for law, holds in GAME_LAWS.items():
        tally.ask(law, trial, partial(holds, trial))


def _rows(tally: _Tally) -> tuple[Row, ...]:
    laws = [(PLAYS, "a game is played to its end without an exception")]
    laws += [(law, holds.__doc__ or "") for law, holds in MOMENT_LAWS.items()]
    laws += [(law, holds.__doc__ or "") for law, holds in GAME_LAWS.items()]
    return tuple(Row(law, says, tally.checked[law], tally.broken.get(law)) for law, says in laws)
