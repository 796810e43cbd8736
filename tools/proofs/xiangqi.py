"""Proofs of xiangqi: published counts, another program's judgement, recorded tournament games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial

from proofs.steps import DATA, Found, Proof, Step, tested
from qipan.catalogue import MoveText, Transcript
from qipan.cli import perft
from qipan.files import transcripts
from qipan.host import Host, Opened
from qipan.replay import Replayed, replay
from qipan.rules import Ruleset
from qipan.values import Fault

# -- perft -----------------------------------------------------------------------------------------------------------
_OWN = (("start", 1, 44), ("start", 2, 1_920), ("start", 3, 79_666), ("start", 4, 3_290_240))


def _plan_perft(small: bool, seed: int) -> Sequence[Step]:
    moves = tested("plugins.test_xiangqi_moves")
    most = 50_000 if small else 1 << 40
    counts = {(fen, depth): (name, nodes) for name, fen, depth, nodes in moves.published(most)}
    counts |= {(moves.START, depth): (name, nodes) for name, depth, nodes in _OWN if nodes <= most}
    return [partial(_perft, name, fen, depth, nodes) for (fen, depth), (name, nodes) in counts.items()]


def _perft(name: str, fen: str, depth: int, nodes: int) -> Found:
    moves = tested("plugins.test_xiangqi_moves")
    position = moves.at(fen)
    counted = perft.fast(moves.Kernel.load(position.cells, position.turn), depth)
    faults = () if counted == nodes else (f"{name}: perft {depth} is {counted}, not {nodes}",)
    return Found({"counts": 1, "positions": depth == 1, "nodes": counted}, faults)


# -- pyffish ---------------------------------------------------------------------------------------------------------


def _plan_pyffish(small: bool, seed: int) -> Sequence[Step]:
    steps, each = (2, 100) if small else (60, 400)
    return [partial(_beside_pyffish, ("wander", "scatter")[n % 2], seed + n, each) for n in range(steps)]


def _beside_pyffish(source: str, seed: int, count: int) -> Found:
    moves, play = tested("plugins.test_xiangqi_moves"), tested("plugins.xiangqi_play")
    counts: Counter[str] = Counter({"positions": 0, "checks": 0, "mates": 0, "stalemates": 0})
    faults = []
    for position in getattr(play, source)(seed=seed, count=count):
        try:
            check, word = moves.beside_pyffish(position)
        except AssertionError:
            faults.append(f"pyffish judges {play.RULES.write(position)} otherwise")
            continue
        counts["positions"] += 1
        counts["checks"] += check
        counts["mates"] += word == "checkmate"
        counts["stalemates"] += word == "stalemate"
    return Found(counts, tuple(faults))


# -- replay ----------------------------------------------------------------------------------------------------------
_NO_DATA = ("h3e3 h10g8 h1g3 i10h10 i1h1 h8h4", "b1c3 b10c8 b3b7 h8h4 e4e5 a7a6")


def _plan_replay(small: bool, seed: int) -> Sequence[Step]:
    host = Host.scan(entry_points=False)
    opened = host.open("xiangqi")
    rules = opened.rules()
    files = sorted((DATA / "ccpd_sample").glob("*.pgn"))[: 30 if small else None]
    steps: list[Step] = [partial(_files, host, opened, rules, n) for n in range(0, len(files), 15)]
    lines = _recorded()[: 60 if small else None]
    steps += [partial(_lines, opened, rules, lines[n : n + 50]) for n in range(0, len(lines), 50)]
    return steps


def _recorded() -> list[str]:
    file = DATA / "games_2000.jsonl"
    if file.exists():
        return file.read_text("utf-8").splitlines()
    return [json.dumps({"fen": None, "uci": uci, "result": "*"}) for uci in _NO_DATA]


def _files(host: Host, opened: Opened, rules: Ruleset, first: int) -> Found:
    """Plays the games of published files; one that is refused is a fault until it is known why."""
    counts: Counter[str] = Counter()
    faults = []
    for file in sorted((DATA / "ccpd_sample").glob("*.pgn"))[first : first + 15]:
        try:
            for told in transcripts(host, file):
                replayed = replay(told, opened.info, rules, opened.words)
                counts.update({"files as published": 1, "games": 1, "plies": replayed.plies})
                if replayed.fault is not None:
                    faults.append(f"{file.name}: {replayed.fault}")
        except Fault as fault:
            faults.append(f"{file.name}: {fault}")
    return Found(counts, tuple(faults))


def _lines(opened: Opened, rules: Ruleset, lines: Sequence[str]) -> Found:
    counts: Counter[str] = Counter({"games": 0, "plies": 0})
    faults = []
    for line in lines:
        game = json.loads(line)
        told = tuple(MoveText(text) for text in game["uci"].split())
        if game["fen"] and not {"K", "k"} <= set(game["fen"].split()[0]):  # a fault of the data: no such start can be
            counts["refused, their start has no general"] += 1
            try:
                rules.read(game["fen"])
            except Fault:
                continue
            faults.append(f"{game['fen']}: read without a general")
            continue
        replayed = replay(Transcript("xiangqi", told, game["fen"]), opened.info, rules, opened.words)
        counts.update(_seen(replayed))
        if replayed.fault is not None:
            faults.append(f"{line[:60]}...: {replayed.fault}")
    return Found(counts, tuple(faults))


def _seen(replayed: Replayed) -> Counter[str]:
    """A game's share of the figures; a third repetition told before the last ply means that the players went on."""
    told = [ply for ply, note in replayed.notes if note.word == "repetition"]
    ended = replayed.outcome is not None and replayed.outcome.reason.word in ("checkmate", "stalemate")
    return Counter(
        {
            "games": 1,
            "plies": replayed.plies,
            "of the others end in mate": ended,
            "reach a third repetition": bool(told),
            "go on after it": bool(told) and told[0] < replayed.plies,
        }
    )


PROOFS = (
    Proof("perft", "Xiangqi's legal moves count as published, at every depth listed.", _plan_perft, "nodes"),
    Proof("pyffish", "Legal moves, checks, mates and stalemates are those of pyffish.", _plan_pyffish),
    Proof("replay", "Recorded tournament games replay to their ends.", _plan_replay, "games"),
)
