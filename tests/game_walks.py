"""Random walks through sessions, and all of a session as comparable data, for the tests of records and journals."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import small_games as games

from qipan.acts import Asked, Change, Refused
from qipan.clock import Control
from qipan.journal import Journal
from qipan.saved import Record, record_of
from qipan.session import Mark, Session
from qipan.tree import Node
from qipan.values import NOBODY


class Time:
    """A hand-turned watch."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def whole(session: Session) -> object:
    """All that a player could find in a session, but for whether it is paused."""
    naming = session.naming
    tree = [
        (
            naming.save_node(node), node.position, node.events, node.told, node.final, node.played, node.ply,
            node.spent, node.clock, [child.id for child in node.children],
        )
        for node in session.root.walk()
    ]  # fmt: skip
    asked = session.asked
    talk = (session.offer, session.agreed, asked and Asked(asked.seat, asked.node.id, asked.agreed))  # type: ignore[arg-type]
    stand = (session.tip.id, session.outcome, session.claim, session.advice, [node.id for node in session.path])
    named = (session.names, session.options, session.policy, session.created, session.tags, session.clock.control)
    return tree, talk, stand, named, session.clock.readings(session.now())


def record_without_pause(session: Session) -> Record:
    """The session's record as if it was not paused."""
    record = record_of(session)
    record.state.paused = False
    return record


def step(session: Session, rng: Random) -> bool:
    """One random thing a player might do; False where it was refused or changed nothing."""
    heard: list[Change] = []
    stop = session.subscribe(heard.append)
    try:
        _try(session, rng)
    except (Refused, IndexError):  # IndexError: no legal move to choose
        assert not heard
    stop()
    return len(heard) > 0


def _try(session: Session, rng: Random) -> None:
    nodes = session.root.walk()
    node: Node = rng.choice(nodes)
    seat = rng.randrange(len(session.rules.seats))
    roll = rng.random()
    if roll < 0.45:
        session.play(rng.choice(session.legal()))
    elif roll < 0.55:
        session.take_back(seat)
    elif roll < 0.60:
        session.redo(seat)
    elif roll < 0.68:
        session.add(node, rng.choice(session.legal(node)))
    elif roll < 0.74:
        session.comment(node, rng.choice(["", "好棋", 'a "quoted"\nline', "\\", "x" * rng.randrange(40)]))
    elif roll < 0.79:
        points = len(session.rules.board.sites)
        session.mark(node, [Mark(tuple(rng.randrange(points) for _ in range(rng.randrange(1, 4))), rng.choice("ab"))])
    elif roll < 0.82:
        session.promote(node)
    elif roll < 0.85:
        session.delete(node)
    elif roll < 0.90:
        session.offer_draw(seat)
    elif roll < 0.93:
        session.answer_draw(seat, rng.random() < 0.2)
    elif roll < 0.95:
        session.answer_back(seat, rng.random() < 0.7)
    elif roll < 0.96:
        session.resign(seat)
    elif roll < 0.97:
        session.claim_draw(seat)
    elif roll < 0.98:
        session.pause(not session.paused, rng.choice([NOBODY, seat]))
    else:
        session.take_back(seat, rng.choice(nodes))


def digest(session: Session) -> str:
    """A short name for all that `whole` gives."""
    return hashlib.sha256(repr(whole(session)).encode()).hexdigest()[:16]


def walk(session: Session, seed: int, steps: int) -> Iterator[str]:
    """Takes random steps a second or so apart; gives the digest after each that was accepted."""
    rng = Random(seed)
    for _ in range(steps):
        session.now.now += rng.random()  # type: ignore[attr-defined]
        if step(session, rng):
            yield digest(session)


def start(seed: int, journal: Journal | None = None) -> Session:
    """A new game for a walk, on clocks."""
    return Session(
        games.HEAP, games.Judged(60), {"stones": 60}, rng=Random(seed), now=Time(), names=["甲", "Bob"], created="2026",
        policy="agreed" if seed % 3 == 0 else "free", control=Control.parse("100+5"), journal=journal,
    )  # fmt: skip


def main() -> None:
    """Walks in a journaled game, saying each accepted change, until it is killed: FOLDER SEED."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    session = start(seed, Journal.create(folder, "2026 heap"))
    for told in walk(session, seed, 100_000):
        os.write(1, told.encode() + b"\n")


if __name__ == "__main__":
    main()
