"""``qipan perft``: how many lines of legal moves a position has to a depth, the proof of a move generator."""

from __future__ import annotations

from collections.abc import Sequence

from qipan.cli.common import Parser, Start, make_host, print_json, start
from qipan.rules import Ruleset
from qipan.values import CHANCE, Fault, Move, Position, Searcher

_DEEPEST = 100


def run(argv: Sequence[str]) -> int:
    """Counts and prints."""
    parser = Parser("perft", "Count the lines of legal moves from a position to a depth.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("depth", metavar="DEPTH", type=int)
    parser.with_start()
    parser.add_argument("--divide", action="store_true", help="the count of each first move too")
    parser.with_json()
    words = parser.parse_args(argv)
    if not 0 <= words.depth <= _DEEPEST:
        raise Fault(f"perft: the depth is 0 to {_DEEPEST}, not {words.depth}")
    if words.divide and words.depth == 0:
        raise Fault("perft: --divide needs a depth of 1 or more")
    begun = start(make_host(), words.game, words.option, words.position)
    if begun.rules.hidden:
        raise Fault(f"perft: {words.game} has hidden pieces: its lines can't be counted from one position")
    if words.divide:
        parts = _divided(begun, words.depth)
        if words.json:
            print_json({"nodes": sum(parts.values()), "divide": parts})
            return 0
        for text, nodes in parts.items():
            print(f"{text}: {nodes}")
        print(f"total: {sum(parts.values())}")
        return 0
    nodes = _counted(begun, begun.position, words.depth)
    print_json({"nodes": nodes}) if words.json else print(nodes)
    return 0


def _divided(begun: Start, depth: int) -> dict[str, int]:
    parts: dict[str, int] = {}
    with begun.opened.fence("legal_moves"):
        moves = _moves(begun.rules, begun.position)
    for move in moves:
        with begun.opened.fence("apply"):
            text = begun.rules.say(begun.position, move)
            after = begun.rules.apply(begun.position, move).position
        parts[text] = _counted(begun, after, depth - 1)
    return dict(sorted(parts.items()))


def _counted(begun: Start, position: Position, depth: int) -> int:
    """The count by the game's searcher where it has one, else by its rules."""
    with begun.opened.fence("searcher"):
        searcher = begun.rules.searcher(position)
        if searcher is not None:
            return fast(searcher, depth)
    with begun.opened.fence("legal_moves or apply", Fault):
        return clear(begun.rules, position, depth)


def fast(searcher: Searcher, depth: int) -> int:
    """The lines ``depth`` plies long by a searcher; the last ply is counted, not played."""
    if depth == 0:
        return 1
    codes = searcher.moves()
    if depth == 1:
        return len(codes)
    nodes = 0
    for code in codes:
        searcher.push(code)
        nodes += fast(searcher, depth - 1)
        searcher.pop()
    return nodes


def clear(rules: Ruleset, position: Position, depth: int) -> int:
    """The same by the rules themselves. Raises Fault where chance decides."""
    if depth == 0:
        return 1
    moves = _moves(rules, position)
    if depth == 1:
        return len(moves)
    return sum(clear(rules, rules.apply(position, move).position, depth - 1) for move in moves)


def _moves(rules: Ruleset, position: Position) -> list[Move]:
    if position.turn == CHANCE:
        raise Fault("perft: chance decides here: lines with dice or draws have no count")
    return list(rules.legal_moves(position))
