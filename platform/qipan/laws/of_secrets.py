"""The laws of secrets: what each viewer sees, is told, and must not be able to tell apart."""

from __future__ import annotations

from qipan.laws.of_moves import strays
from qipan.laws.trial import Moment
from qipan.values import HIDDEN, NOBODY, Move, Step, events_for, fold, told


def events_tell(moment: Moment) -> str | None:
    """for every viewer, the events it is told turn its old view into its new one"""
    if moment.step is None or moment.move is None:
        return None
    rules = moment.rules
    for viewer in moment.trial.viewers:
        before, after = rules.view(moment.position, viewer), rules.view(moment.step.position, viewer)
        shown = fold(before.cells, events_for(moment.step.events, viewer))
        if shown != after.cells:
            at = next(n for n, pair in enumerate(zip(shown, after.cells, strict=False)) if pair[0] != pair[1])
            return (
                f"{rules.say(moment.position, moment.move)}: {_name(moment, viewer)} is told {shown[at]} on "
                f"{rules.board.sites[at].name}, but its view has {after.cells[at]}"
            )
    return None


def view_of_view(moment: Moment) -> str | None:
    """a view of a view is that view"""
    for viewer in moment.trial.viewers:
        view = moment.rules.view(moment.position, viewer)
        if moment.rules.view(view, viewer) != view:
            return f"{_name(moment, viewer)}'s view of its own view is another"
        if view != moment.position:
            moment.trial.hides = True
            if not moment.rules.hidden:
                return f"{_name(moment, viewer)}'s view hides something in a game not declared hidden"
    return None


def own_moves(moment: Moment) -> str | None:
    """a seat finds its own legal moves in its own view"""
    if moment.outcome is not None:
        return None
    for seat in moment.rules.waiting(moment.position):
        view = moment.rules.view(moment.position, seat)
        mine = {move for move in moment.moves if move.seat == seat}
        seen = {move for move in moment.rules.legal_moves(view) if move.seat == seat}
        if mine != seen:
            odd = next(iter(mine ^ seen))
            return f"{_name(moment, seat)} {'misses' if odd in mine else 'finds'} {odd} in its view"
    return None


def worlds_fit(moment: Moment) -> str | None:
    """a world drawn from what a seat has seen looks to it as the truth does"""
    for seat in range(len(moment.rules.seats)):
        seen = moment.trial.seen[seat]
        world = moment.rules.worlds(seen, seat, moment.rng)
        if moment.rules.view(world, seat) != seen[-1].view:
            return f"a world drawn for {_name(moment, seat)} doesn't look like what it sees"
    return None


def worlds_alike(moment: Moment) -> str | None:
    """worlds alike to a viewer give it equal moves, refusals, events; a step that tells them apart is final"""
    rules = moment.rules
    if moment.move is None or moment.step is None or not rules.hidden:
        return None
    for seat in range(len(rules.seats)):
        world = rules.worlds(moment.trial.seen[seat], seat, moment.rng)
        for own in (move for move in strays(moment, 6) if move.seat == seat):
            if rules.refusal(world, own) != rules.refusal(moment.position, own):
                return f"{_name(moment, seat)} learns from how {own} is refused"
        if rules.refusal(world, moment.move) is not None:
            if moment.move.seat == seat:
                return f"{_name(moment, seat)} could tell two worlds apart by the legality of {moment.move}"
            continue
        other = rules.apply(world, moment.move)
        for viewer in moment.trial.viewers:  # one seat's world may look true to others and to an onlooker too
            if rules.view(world, viewer) == rules.view(moment.position, viewer):
                fault = _told_apart(moment, viewer, moment.step, other, moment.move)
                if fault:
                    return fault
    return None


def _told_apart(moment: Moment, viewer: int, truth: Step, other: Step, move: Move) -> str | None:
    rules = moment.rules
    same = rules.view(truth.position, viewer) == rules.view(other.position, viewer)
    if same and events_for(truth.events, viewer) != events_for(other.events, viewer):
        return f"{move} tells {_name(moment, viewer)} by its events what its view hides"
    if same and told(truth.told, viewer) != told(other.told, viewer):
        return f"{move} tells {_name(moment, viewer)} something by being told or not"
    if not same and not (truth.final and other.final):
        return f"after {move} {_name(moment, viewer)} has learnt something, yet the step isn't final"
    return None


def move_is_secret(moment: Moment) -> str | None:
    """a move that is not told to a viewer shows it nothing by its events but what its view shows"""
    if moment.step is None or moment.move is None:
        return None
    for viewer in moment.trial.viewers:
        if told(moment.step.told, viewer) or viewer == moment.move.seat:
            continue
        for event in events_for(moment.step.events, viewer):
            piece = getattr(event, "piece", None)
            if piece is not None and piece.known is not None and viewer not in piece.known and piece.kind != HIDDEN:
                return f"{event} shows {_name(moment, viewer)} a kind it may not know"
    return None


def _name(moment: Moment, viewer: int) -> str:
    return "an onlooker" if viewer == NOBODY else moment.rules.seats[viewer].name
