"""Games as other files tell them: played through and judged, turned into sessions, and written as transcripts."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from qipan import record
from qipan.acts import PluginFault, Refused
from qipan.catalogue import GameInfo, MoveText, Transcript
from qipan.clock import NONE, Control
from qipan.fence import Fence
from qipan.rules import Ruleset
from qipan.saved import MOST_TEXT
from qipan.session import Policy, Session
from qipan.tree import Node
from qipan.values import Claim, Fault, Move, Note, Outcome, Ply, Position, Step
from qipan.words import Words

Verdict: TypeAlias = "Outcome | Claim | Note | None"

DEEPEST = 100  # variations within variations
_TOO_DEEP = "move {0}: variations within variations, more than {1} deep"
_CONCEDED = ("resign", "time", "away")


class Misplayed(NamedTuple):
    """The first move of a game that isn't legal: its number from 1, its text, why, its line in the file (0: none)."""

    ply: int
    text: str
    reason: str
    line: int = 0

    def __str__(self) -> str:
        return f"move {self.ply}, {self.text}: {self.reason}"


class Replayed(NamedTuple):
    """A game played through: its legal plies, how it then stands, what the judge told at which ply, the fault."""

    plies: int
    outcome: Outcome | None
    notes: tuple[tuple[int, Note], ...]
    fault: Misplayed | None
    position: Position


def replay(transcript: Transcript, info: GameInfo, rules: Ruleset, words: Words | None = None) -> Replayed:
    """Plays a transcript's main line through. What the judge says is noted and never makes a move illegal.

    Raises Fault for a bad start position, PluginFault where the rules break.
    """
    fence = Fence(info.id, rules)
    position = _start(fence, transcript)
    line = [Ply(None, position)]
    verdicts: list[Verdict] = [None]
    for number, told in enumerate(transcript.moves, 1):
        try:
            move, step = _read(fence, position, told.text, words)
        except Fault as fault:
            misplayed = Misplayed(number, told.text, str(_bare(fault, told.text)), told.line)
            return Replayed(number - 1, fence.outcome(position), notes(verdicts), misplayed, position)
        position = step.position
        line.append(Ply(move, position))
        verdicts.append(fence.judge(line))
    last = verdicts[-1]
    outcome = fence.outcome(position) or (last if isinstance(last, Outcome) else None)
    return Replayed(len(transcript.moves), outcome, notes(verdicts), None, position)


def notes(verdicts: Sequence[Verdict]) -> tuple[tuple[int, Note], ...]:
    """What a judge told, by ply: ``verdicts`` are its answers at each, from the start on. What goes on is told once."""
    said = [_told(verdict) for verdict in verdicts]
    words = ["", *("" if note is None else note.word for note in said)]
    return tuple((ply, note) for ply, note in enumerate(said) if note is not None and note.word != words[ply])


def session_of(
    transcript: Transcript,
    info: GameInfo,
    rules: Ruleset,
    *,
    rng: Random,
    now: Callable[[], float],
    words: Words | None = None,
    control: Control = NONE,
    policy: Policy = "free",
) -> Session:
    """The session of a transcript, variations and comments included, the tip at its end.

    A result that the moves alone don't give ("1-0" by resignation) ends it with the reason `recorded`. Raises Fault
    naming the illegal move, PluginFault where the rules break.
    """
    fence = Fence(info.id, rules)
    names = [transcript.names.get(seat.name, "") for seat in rules.seats]
    session = Session(
        info, rules, info.settle(transcript.options), rng=rng, now=now, names=names, control=control, policy=policy,
        start=_start(fence, transcript), tags=transcript.tags, begin=False,
    )  # fmt: skip
    session.root.comment = transcript.comment
    todo: list[tuple[Node, tuple[MoveText, ...], int]] = [(session.root, transcript.moves, 0)]
    while todo:
        node, moves, depth = todo.pop()
        if depth > DEEPEST:
            raise Fault(_TOO_DEEP, node.ply + 1, DEEPEST)
        for told in moves:
            todo.extend((node, other, depth + 1) for other in reversed(told.variations))
            node = _planted(session, node, told, words, played=depth == 0)
        if depth == 0:
            session.stand(node)
    session.begin(None)
    if session.outcome is None:
        session.outcome = _recorded(transcript.result, len(rules.seats))
        session.clock.pause(now())
    return session


def transcript(session: Session, style: str | None = None) -> Transcript:
    """A session's game as a transcript, in a notation of the rules (None: the exact one). Raises Fault: too deep."""
    rules = session.rules
    style = rules.styles[0] if style is None else style
    lines: dict[int, tuple[MoveText, ...]] = {}
    depths: dict[int, int] = {}
    heads = [node for node in session.root.walk() if node.parent is not None and node is not node.parent.children[0]]
    for head in [*reversed(heads), *session.root.children[:1]]:  # what hangs on a line is written before the line
        others: list[Node] = []
        moves = []
        node: Node | None = head
        while node is not None and node.parent is not None and node.move is not None:
            tried = node.parent.children[1:] if node is node.parent.children[0] else []
            others += tried
            say = f"{node.why}:{rules.seats[node.move.seat].name}" if node.why else _said(session, node, style)
            moves.append(MoveText(say, node.comment, tuple(lines[other.id] for other in tried)))
            node = node.children[0] if node.children else None
        lines[head.id] = tuple(moves)
        depths[head.id] = 1 + max((depths[other.id] for other in others), default=0)
        if depths[head.id] > DEEPEST:
            raise Fault(_TOO_DEEP, head.ply, DEEPEST)
    return Transcript(
        session.info.id,
        lines[session.root.children[0].id] if session.root.children else (),
        session.start_text(),
        dict(session.options),
        {seat.name: name for seat, name in zip(rules.seats, session.names, strict=True) if name},
        dict(session.tags),
        _result(session),
        session.root.comment,
    )


def _said(session: Session, node: Node, style: str) -> str:
    assert node.parent is not None
    return str(session.ask(session.rules.say, node.parent.position, node.move, style))


def _result(session: Session) -> str:
    if session.outcome is None or len(session.rules.seats) != 2:
        return "*"
    return {(0,): "1-0", (1,): "0-1", (): "1/2-1/2"}.get(session.outcome.winners, "*")


def _recorded(result: str, seats: int) -> Outcome | None:
    winners = {"1-0": (0,), "0-1": (1,), "1/2-1/2": ()}.get(result)
    return None if winners is None or seats != 2 else Outcome(winners, Note("recorded"))


def _told(verdict: Verdict) -> Note | None:
    match verdict:
        case Outcome(_, reason) | Claim(Outcome(_, reason)):
            return reason
        case Note():
            return verdict
    return None


def _start(fence: Fence, transcript: Transcript) -> Position:
    if transcript.position is None:
        return fence.position(fence.rules.initial, Random(0))
    try:
        return fence.position(fence.rules.read, transcript.position)
    except Fault as fault:
        raise Fault("the start position: {0}", fault) from None


def _conceded(fence: Fence, text: str) -> tuple[int, str] | None:
    """The seat and the word of a concession's text, which `transcript` writes as "resign:red"."""
    why, _, name = text.partition(":")
    seats = [number for number, seat in enumerate(fence.rules.seats) if seat.name == name]
    return (seats[0], why) if seats and why in _CONCEDED else None


def _move(fence: Fence, position: Position, text: str) -> Move:
    move: Move = fence.ask(fence.rules.parse, position, text)
    if not isinstance(move, Move):
        raise PluginFault(fence.game, "parse", f"parse answered {reprlib.repr(move)}")
    return move


def _read(fence: Fence, position: Position, text: str, words: Words | None) -> tuple[Move, Step]:
    """The move a text means and what it leads to. Raises Fault with the reason why it can't be played."""
    if (over := fence.outcome(position)) is not None:
        raise Fault("the game is over: {0}", record.told(over.reason, words))
    if (conceded := _conceded(fence, text)) is not None:
        seat, why = conceded
        step = fence.concede(position, seat, why)
        if not isinstance(step, Step):
            raise Fault("{0} is no move here", repr(text))
        return Move(seat, (), why), step
    move = _move(fence, position, text)
    if (note := fence.refusal(position, move)) is not None:
        raise record.told(note, words)
    return move, fence.apply(position, move)


def _bare(fault: Fault, text: str) -> Fault:
    """The fault of a move's text without that text in front, since the move is named anyway."""
    match fault.word, fault.parts:
        case "{0}: {1}", (front, Fault() as why) if front == text:
            return why
    return fault


def _planted(session: Session, node: Node, told: MoveText, words: Words | None, *, played: bool) -> Node:
    text = told.text
    try:
        conceded = _conceded(session.fence, text)
        seat, why = conceded or (0, "")
        move = Move(seat, (), why) if why else _move(session.fence, node.position, text)
        known = None if why or played else node.child(move)
        new = known or session.plant(node, move, why, played=played)
    except Refused as refused:
        reason = record.told(refused.note, words)
        raise Fault("move {0}, {1}: {2}", node.ply + 1, text, reason, line=told.line) from None
    except Fault as fault:
        raise Fault("move {0}, {1}: {2}", node.ply + 1, text, _bare(fault, text), line=told.line) from None
    new.comment = told.comment[:MOST_TEXT] or new.comment
    return new
