"""The law of two speeds: the fast searcher and the clear rules agree move for move."""

from __future__ import annotations

from qipan.laws.trial import Moment


def searcher_agrees(moment: Moment) -> str | None:
    """a searcher and the rules agree on moves, ends and equal positions, and pop restores"""
    rules, position = moment.rules, moment.position
    searcher = rules.searcher(position)
    if searcher is None:
        return None
    if searcher.over() != (moment.outcome is not None):
        return f"the searcher says {'over' if searcher.over() else 'not over'}, the rules do not"
    if moment.outcome is not None:
        return None
    codes = searcher.moves()
    fast = [searcher.move(code) for code in codes]
    if set(fast) != set(moment.moves) or len(fast) != len(moment.moves):
        odd = next(iter(set(fast) ^ set(moment.moves)), fast[0])
        return f"the searcher and the rules differ on {rules.say(position, odd)}"
    before = searcher.key(), sorted(codes), searcher.score()
    if moment.trial.keys.setdefault(position.key, before[0]) != before[0]:
        return "one position has two keys"
    for move in moment.sample(3):
        searcher.push(searcher.code(move))
        after = rules.apply(position, move).position
        fresh = rules.searcher(after)
        if fresh is None or fresh.key() != searcher.key() or fresh.score() != searcher.score():
            return f"pushing {rules.say(position, move)} leads elsewhere than applying it"
        if not searcher.over() and {searcher.move(code) for code in searcher.moves()} != set(rules.legal_moves(after)):
            return f"after pushing {rules.say(position, move)} other moves are legal than after applying it"
        searcher.pop()
        if (searcher.key(), sorted(searcher.moves()), searcher.score()) != before:
            return f"popping {rules.say(position, move)} doesn't restore"
    return None
