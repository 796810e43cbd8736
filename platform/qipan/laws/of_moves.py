"""The laws of moves: what `legal_moves`, `refusal`, `apply`, `waiting` and `odds` must agree on."""

from __future__ import annotations

from random import Random

from qipan.laws.trial import Moment
from qipan.picker import ARRANGE
from qipan.values import CHANCE, Claim, Move, Note, Outcome, Position, Step


def unique_moves(moment: Moment) -> str | None:
    """no move is listed twice"""
    if len(set(moment.moves)) == len(moment.moves):
        return None
    twice = next(move for move in moment.moves if moment.moves.count(move) > 1)
    return f"{moment.rules.say(moment.position, twice)} is listed twice"


def paths(moment: Moment) -> str | None:
    """a move's path lies on the board and touches no point twice running"""
    points = range(len(moment.rules.board.sites))
    for move in moment.moves:
        if not all(point in points for point in move.path):
            return f"{move} leaves the board"
        if any(a == b for a, b in zip(move.path, move.path[1:], strict=False)):
            return f"{moment.rules.say(moment.position, move)} touches a point twice running"
        if move.seat != CHANCE and not 0 <= move.seat < len(moment.rules.seats):
            return f"{move} is of no seat"
        if not move.path and not move.word:
            return "a move has neither points nor a word"
    return None


def has_move(moment: Moment) -> str | None:
    """a game that is not over has a move, of a seat that is waited for"""
    rules, position = moment.rules, moment.position
    if moment.outcome is not None or isinstance(moment.verdict, Outcome):
        return None
    waiting = (CHANCE,) if position.turn == CHANCE else rules.waiting(position)
    if not set(waiting) <= {CHANCE, *rules.living(position)}:
        return f"seats {waiting} are waited for, but only {rules.living(position)} are in the game"
    if not any(move.seat in waiting for move in moment.moves):
        return f"not over, yet no move of {waiting}"
    early = next((move for move in moment.moves if move.seat not in waiting), None)
    return f"{early} is of a seat that isn't waited for" if early else None


def repeatable(moment: Moment) -> str | None:
    """apply gives the same step each time and a whole position"""
    rules, position = moment.rules, moment.position
    for move in moment.sample(3):
        before = hash(position)
        one, two = rules.apply(position, move), rules.apply(position, move)
        if one != two:
            return f"{rules.say(position, move)} led to two different steps"
        if not _is(one, Step) or not _is(one.position, Position):
            return f"{rules.say(position, move)} led to {type(one).__name__}, not a Step of a Position"
        if len(one.position.cells) != len(rules.board.sites) or hash(position) != before:
            return f"{rules.say(position, move)} led to a position with {len(one.position.cells)} cells"
    return None


def same_start(moment: Moment) -> str | None:
    """the same seed gives the same start"""
    rules, trial = moment.rules, moment.trial
    if len(trial.line) > 1 or rules.initial(Random(trial.seed)) == rules.initial(Random(trial.seed)):
        return None
    return "two starts from one seed differ"


def refusal_agrees(moment: Moment) -> str | None:
    """refusal accepts every legal move"""
    for move in moment.sample(8):
        note = moment.rules.refusal(moment.position, move)
        if note is not None:
            return f"{moment.rules.say(moment.position, move)} is listed as legal but refused: {note.word}"
    return None


def refusal_refuses(moment: Moment) -> str | None:
    """refusal says why of random moves that are not legal"""
    legal = set(moment.moves)
    for move in strays(moment):
        if move in legal:
            continue
        note = moment.rules.refusal(moment.position, move)
        if note is None and not move.word.startswith(ARRANGE):
            return f"{move} is not listed as legal, yet nothing refuses it"
        if note is not None and not (_is(note, Note) and note.word):
            return f"{move} is refused by {note!r}, which is no sentence"
        if note is not None:
            moment.trial.met.add(note.word)
            moment.trial.met.update(arg for arg in note.args if isinstance(arg, str) and "." in arg)
    return None


def strays(moment: Moment, count: int = 10) -> list[Move]:
    """Moves nearly legal: random points and seats, legal moves cut, stretched, with another seat or word."""
    rng, rules = moment.rng, moment.rules
    points = range(len(rules.board.sites))
    found = [
        Move(rng.randrange(len(rules.seats)), tuple(rng.choice(points) for _ in range(rng.randint(1, 3))))
        for _ in range(count // 2)
    ]
    for move in moment.sample(count // 2):
        other = (move.seat + 1) % len(rules.seats)
        found.append(
            rng.choice(
                (
                    move._replace(seat=other),
                    move._replace(word=move.word + "?"),
                    move._replace(path=move.path[:-1]),
                    move._replace(path=(*move.path, rng.choice(points))),
                    move._replace(path=move.path[::-1]),
                )
            )
        )
    return found


def odds_add_up(moment: Moment) -> str | None:
    """chance draws among its legal moves, by positive whole weights"""
    if moment.position.turn != CHANCE or moment.outcome is not None:
        return None
    odds = list(moment.rules.odds(moment.position))
    if {move for move, _ in odds} != set(moment.moves):
        return "the odds name other moves than legal_moves"
    bad = next((weight for _, weight in odds if not _is(weight, int) or weight < 1), None)
    return None if bad is None else f"a weight is {bad!r}"


def conceding(moment: Moment) -> str | None:
    """every living seat can resign, overstep or leave, and is answered"""
    if moment.outcome is not None:
        return None
    for seat in moment.rules.living(moment.position):
        for why in ("resign", "time", "away"):
            answer = moment.rules.concede(moment.position, seat, why)
            if not _is(answer, Step, Outcome, Note):
                return f"seat {seat} conceding ({why}) is answered by {type(answer).__name__}"
            if isinstance(answer, Outcome) and seat in answer.winners:
                return f"seat {seat} wins by conceding ({why})"
    return None


def judged(moment: Moment) -> str | None:
    """outcome and adjudicate answer with their own types, and winners are seats"""
    if not _is(moment.verdict, Outcome, Claim, Note, type(None)):
        return f"adjudicate answered {type(moment.verdict).__name__}"
    verdict = moment.verdict.outcome if isinstance(moment.verdict, Claim) else moment.verdict
    for outcome in (moment.outcome, verdict):
        if isinstance(outcome, Outcome) and not set(outcome.winners) <= set(range(len(moment.rules.seats))):
            return f"{outcome.winners} are not all seats"
        if not _is(outcome, Outcome, Note, type(None)):
            return f"outcome answered {type(outcome).__name__}"
    return None


def _is(answer: object, *types: type) -> bool:
    """isinstance, for answers whose annotation a plugin need not have kept."""
    return isinstance(answer, types)
