"""The saved game, a `.qipan` file: JSON with one move a line, read strictly, written whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Literal, cast

import msgspec

from qipan.acts import Asked, Refused
from qipan.atomic import write_whole
from qipan.catalogue import GameInfo
from qipan.clock import NONE
from qipan.fence import Fence
from qipan.journal import Journal
from qipan.misread import misread
from qipan.rules import Ruleset
from qipan.saved import FORMAT, Record, SavedNode, State, checked, most, record_of
from qipan.session import Session
from qipan.tree import Node
from qipan.values import Fault, Move, Note
from qipan.words import Words

SUFFIX = ".qipan"
LIMIT = 16 << 20  # bytes of a file
_MOVES = re.compile(rb'^"moves": \[\r?\n', re.MULTILINE)


class _Probe(msgspec.Struct):
    """What any version of the file begins with."""

    qipan: int


# -- bytes -----------------------------------------------------------------------------------------------------------
def encode(game: Session | Record) -> bytes:
    """A game as the bytes of a file."""
    record = game if isinstance(game, Record) else record_of(game)
    usual = {"moves", "state"} | ({"control"} if record.control == NONE else set())
    head = msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(record, moves=())))
    lines = [f"{_json(key)}: {_json(value)}," for key, value in head.items() if key not in usual]
    moves = []
    before = None
    for node in record.moves:
        shown = msgspec.structs.replace(node, after=None) if node.after == before else node
        moves.append(_json(shown))
        before = node.id
    state = _json(record.state)
    text = "{\n" + "\n".join(lines) + '\n"moves": [\n' + ",\n".join(moves) + f'\n],\n"state": {state}\n}}\n'
    return text.encode("utf-8")


def decode(data: bytes, name: str = "the file") -> Record:
    """The game of a file's bytes. Raises Fault naming the place: foreign, newer, cut short, damaged, or impossible."""
    if len(data) > LIMIT:
        raise Fault("{0} is larger than {1} MB", name, LIMIT >> 20)
    try:
        version = _version(data)
        if version is None:
            raise Fault("{0} is no game of Qipan", name)
        if version > FORMAT:
            raise Fault("{0} was made by a newer Qipan (format {1}; this one reads {2})", name, version, FORMAT)
        return checked(msgspec.json.decode(data, type=Record))
    except msgspec.ValidationError as error:
        raise _placed(name, _line_of(data, str(error)), misread(error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        line = _line_of(data, str(error)) or data.count(b"\n") + 1
        end = not data.rstrip().endswith(b"}") and line >= data.rstrip().count(b"\n") + 1
        said = "{0} is cut short at line {1}" if end else "{0} is damaged at line {1}"
        raise Fault(said, name, line, line=line) from None
    except Fault as fault:
        if name in str(fault):
            raise
        raise _placed(name, _line_of(data, f"$.{fault}"), fault) from None


def _placed(name: str, line: int, fault: Fault) -> Fault:
    """The fault with the file's name in front, and the line where it is known."""
    if not line:
        return Fault("{0}: {1}", name, fault)
    return Fault("{0}, line {1}: {2}", name, line, fault, line=line)


def salvage(data: bytes, name: str = "the file") -> tuple[Record, Fault | None]:
    """The game of a file's bytes, or what stands above the damage and what was wrong. Raises Fault: nothing does."""
    try:
        return decode(data, name), None
    except Fault as error:
        fault, start = error, _MOVES.search(data[:LIMIT])
        if not fault.line or start is None:
            raise
    try:
        record = msgspec.json.decode(data[: start.end()] + b"]}", type=Record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise fault from None
    nodes: list[SavedNode] = []
    for line in data[start.end() : LIMIT].split(b"\n"):
        try:
            nodes.append(msgspec.json.decode(line.strip().removesuffix(b","), type=SavedNode))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            break

    def upper(count: int) -> Record:
        return checked(msgspec.structs.replace(record, moves=tuple(nodes[:count])))

    if (count := most(len(nodes), upper)) == 0:
        raise fault
    kept = "{0}. The move before it is kept." if count == 2 else "{0}. The {1} moves before it are kept."
    return _standing_last(upper(count)), Fault(kept, fault, count - 1, line=fault.line)


def save(path: Path, game: Session | Record) -> None:
    """Writes a game's file whole: beside it first, then in its place. Raises Fault; the old file then still stands."""
    data = encode(game)
    if len(data) > LIMIT:
        raise Fault("{0} would be larger than {1} MB", path.name, LIMIT >> 20)
    try:
        write_whole(path, data)
    except OSError as error:
        raise Fault("{0} can't be written: {1}", path.name, str(error.strerror)) from error


def read(path: Path) -> bytes:
    """A file's bytes, not more than a game may have. Raises Fault."""
    try:
        with path.open("rb") as file:
            return file.read(LIMIT + 1)
    except OSError as error:
        raise Fault("{0}: {1}", path.name, str(error.strerror)) from error


def load(path: Path) -> Record:
    """The game of a file. Raises Fault naming the file and the place."""
    return decode(read(path), path.name)


# -- sessions --------------------------------------------------------------------------------------------------------
def open_session(
    record: Record,
    info: GameInfo,
    rules: Ruleset,
    *,
    rng: Random,
    now: Callable[[], float],
    journal: Journal | None = None,
    words: Words | None = None,
) -> Session:
    """The session of a saved game, every move judged by the rules, the clocks paused where there are any.

    Raises Fault: another game, seats or option, a bad start, an illegal move by its number and why (in English where
    ``words`` has the sentence). Raises PluginFault where the rules break.
    """
    if record.game != info.id:
        raise Fault("this is a game of {0}, not of {1}", record.game, info.id)
    if record.seats != (known := tuple(seat.name for seat in rules.seats)):
        raise Fault("the seats are {0}, not {1}", ", ".join(record.seats), ", ".join(known))
    if record.policy not in ("free", "agreed"):
        raise Fault("{0} is no policy", repr(record.policy))
    fence = Fence(info.id, rules)
    try:
        usual = record.start is None
        start = fence.position(rules.initial, Random(0)) if usual else fence.position(rules.read, record.start)
    except Fault as fault:
        raise Fault("the start position: {0}", fault) from None
    session = Session(
        info,
        rules,
        info.settle(record.options),
        rng=rng,
        now=now,
        names=record.names,
        control=record.control.checked(),
        policy=cast(Literal["free", "agreed"], record.policy),
        start=start,
        created=record.created,
        tags=record.tags,
        begin=False,
    )
    nodes = _grown(session, record, words)
    state, naming = record.state, session.naming
    session.stand(nodes[state.tip])
    session.outcome = None if state.outcome is None else naming.outcome(state.outcome)
    session.offer = None if state.offer is None else naming.players((state.offer,))[0]
    session.agreed = naming.players(state.agreed)
    if state.asked is not None:
        asked = state.asked
        session.asked = Asked(naming.players((asked.seat,))[0], nodes[asked.to], naming.players(asked.agreed))
    clocked = session.clock.control.kind != "none"
    if clocked and len(state.clock) not in (0, len(rules.seats)):
        raise Fault("there are {0} clocks, not {1}", len(rules.seats), len(state.clock))
    session.paused = state.paused or (clocked and session.outcome is None and len(nodes) > 1)
    session.begin(journal, state.clock if clocked else ())
    return session


def _grown(session: Session, record: Record, words: Words | None) -> dict[int, Node]:
    """The nodes of a record, by id, planted in a session."""
    naming, nodes = session.naming, {0: session.root}
    for saved in record.moves:
        place = Fault("the start") if saved.after is None else Fault("move {0}", nodes[saved.after].ply + 1)
        try:
            if saved.after is None:
                node = session.root
            else:
                move = Move(naming.number(saved.seat), naming.points(saved.path), saved.word)
                node = session.plant(nodes[saved.after], move, saved.why, number=saved.id, played=not saved.tried)
            node.comment, node.marks = saved.comment, naming.marks(saved.marks)
            node.acts = [naming.act(act) for act in saved.acts]
        except Refused as refused:
            text = f"{'-'.join(saved.path)}{saved.word}"
            who, why = Fault(saved.seat, note=Note(f"seat.{saved.seat}")), told(refused.note, words)
            raise Fault("{0}: {1} {2} is illegal: {3}", place, who, text, why) from None
        except Fault as fault:
            raise Fault("{0}: {1}", place, fault) from None
        node.spent = saved.spent
        node.clock = saved.clock if len(saved.clock) == len(record.seats) else ()
        nodes[saved.id] = node
    return nodes


def told(note: Note, words: Words | None) -> Fault:
    """A note as a fault: in English, or its key and arguments where no words are at hand."""
    if words is not None and note.word in words:
        return Fault(words.say(note, "en"), note=note)
    return Fault(" ".join([note.word, *map(str, note.args)]), note=note)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode("utf-8")


def _version(data: bytes) -> int | None:
    """The number that says it is a game's file; None for a file of something else."""
    try:
        return msgspec.json.decode(data, type=_Probe).qipan
    except msgspec.ValidationError:
        return None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        if re.match(rb'\s*\{\s*"qipan"\s*:', data):
            raise
        return None


def _line_of(data: bytes, text: str) -> int:
    """The line, from 1, that a message of the decoder is about; 0 where it names none."""
    if found := re.search(r"\(byte (\d+)\)", text):
        return data[: int(found[1])].count(b"\n") + 1
    start = _MOVES.search(data)
    if (found := re.search(r"\$\.moves\[(\d+)\]", text)) and start is not None:
        return data[: start.end()].count(b"\n") + 1 + int(found[1])
    if found := re.search(r"\$\.(\w+)", text):
        key = re.search(rb'^"%b":' % found[1].encode(), data, re.MULTILINE)
        return data[: key.start()].count(b"\n") + 1 if key else 0
    return 0


def _standing_last(record: Record) -> Record:
    """The record with the tip at the end of its played line, as far as that is there."""
    tip = record.moves[0]
    for node in record.moves[1:]:
        if node.after == tip.id and not node.tried:
            tip = node
    return msgspec.structs.replace(record, state=State(tip=tip.id, clock=tip.clock))
