"""Game files of every format: the platform's own records, and whatever the plugins read and write."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

from qipan import record
from qipan.acts import PluginFault
from qipan.atomic import write_whole
from qipan.catalogue import Format, MoveText, Transcript
from qipan.host import Host, Opened, Plugin, fence
from qipan.replay import session_of, transcript
from qipan.rules import Ruleset
from qipan.session import Session
from qipan.values import Fault

_LARGEST = 64 << 20  # bytes of a file that a plugin reads


def suffixes(host: Host) -> set[str]:
    """The endings, in small letters, of the files that can be read."""
    return {record.SUFFIX} | {suffix.lower() for fmt in host.formats() for suffix in fmt.suffixes}


def transcripts(host: Host, path: Path) -> Iterator[Transcript]:
    """The games of a file that some plugin reads, one after the other, not yet judged.

    Where several plugins read that ending, the first that gets a game out of the file has it. Raises Fault naming the
    file and the line, also after some games; OSError; PluginBroken where a reader fails.
    """
    with _named(path):
        data = _bytes(path)
        first: Fault | None = None
        for plugin, fmt in _formats(host, path):
            found = 0
            try:
                for told in _read(plugin, fmt, data):
                    found += 1
                    yield told
            except Fault as fault:
                if found:
                    raise
                first = first or fault
                continue
            if found:
                return
        raise first or Fault("there is no game in it")


def sessions(
    host: Host, path: Path, *, rng: Random | None = None, now: Callable[[], float] = time.monotonic
) -> Iterator[Session]:
    """The games of a file with their moves judged, each standing where the file says; clocks that run are paused.

    Raises Fault naming the file, the game and the move; OSError; PluginBroken, PluginFault.
    """
    rng = rng or Random()
    if path.suffix.lower() == record.SUFFIX:
        saved = record.load(path)
        with _named(path):
            opened = host.open(saved.game)
            rules = opened.rules(saved.options)
            with opened.fence("rules", Fault, PluginFault):
                session = record.open_session(saved, opened.info, rules, rng=rng, now=now, words=opened.words)
        yield session
        return
    for number, told in enumerate(transcripts(host, path), 1):
        with _named(path, number):
            opened, rules = made(host, told)
            with opened.fence("rules", Fault, PluginFault):
                session = session_of(told, opened.info, rules, rng=rng, now=now, words=opened.words)
        yield session


def made(host: Host, told: Transcript) -> tuple[Opened, Ruleset]:
    """The game of a transcript and its rules. Raises Fault, PluginBroken."""
    opened = host.open(told.game)
    return opened, opened.rules(told.options)


def save_file(host: Host, path: Path, sessions: list[Session]) -> None:
    """Writes games in the format of the file's ending, whole or not at all. Raises Fault, OSError, PluginBroken."""
    if path.suffix.lower() == record.SUFFIX:
        if len(sessions) != 1:
            raise Fault("{0}: a {1} file holds one game, not {2}", path.name, record.SUFFIX, len(sessions))
        record.save(path, sessions[0])
        return
    parts = []
    for session in sessions:
        with _named(path):
            plugin, fmt = _writer(host, path, session.info.id)
            with fence(plugin.id, f"format {fmt.id}", (Fault,)):
                assert fmt.write is not None
                parts.append(fmt.write(transcript(session)))
    write_whole(path, b"\n".join(parts))


def _formats(host: Host, path: Path) -> list[tuple[Plugin, Format]]:
    ending = path.suffix.lower()
    found = [(plugin, fmt) for plugin, fmt in host.readers() if ending in {s.lower() for s in fmt.suffixes}]
    if not found:
        raise Fault("no plugin reads files that end so (but {0})", ", ".join(sorted(suffixes(host))))
    return found


def _writer(host: Host, path: Path, game: str) -> tuple[Plugin, Format]:
    for plugin, fmt in _formats(host, path):
        if fmt.write is not None and game in fmt.games:
            return plugin, fmt
    raise Fault("no plugin writes {0} to files that end so", game)


def _read(plugin: Plugin, fmt: Format, data: bytes) -> Iterator[Transcript]:
    """The transcripts of a format, each taken inside the plugin's fence."""
    where = f"format {fmt.id}"
    with fence(plugin.id, where, (Fault,)):
        source = iter(fmt.read(data))
    while True:
        with fence(plugin.id, where, (Fault,)):
            told = next(source, None)
            if told is not None and not _well_made(told):
                raise TypeError(f"it gives {told!r:.80}, no well-made Transcript")
        if told is None:
            return
        yield told


def _well_made(told: object) -> bool:
    """True for a transcript whose parts are of their types: a tuple takes anything."""
    match told:
        case Transcript(str(), tuple() as moves, str() | None, Mapping() as options, names, tags, str(), str()):
            texts = (*options, *names, *names.values(), *tags, *tags.values())
        case _:
            return False
    todo = [moves]
    while todo:
        for move in todo.pop():
            match move:
                case MoveText(str(), str(), tuple() as variations, int()):
                    todo += variations
                case _:
                    return False
    return all(isinstance(text, str) for text in texts)


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise Fault("larger than {0} MB", _LARGEST >> 20)
    return data


@contextlib.contextmanager
def _named(path: Path, game: int = 1) -> Iterator[None]:
    """A Fault inside comes out with the file's name and the game's number in front, its line where it tells none."""
    try:
        yield
    except Fault as fault:
        if str(fault).startswith(path.name):
            raise
        told = fault
        if fault.line and "line " not in str(fault):
            told = Fault("line {0}: {1}", fault.line, told)
        if game > 1:
            told = Fault("game {0}: {1}", game, told)
        raise Fault("{0}: {1}", path.name, told, line=fault.line) from fault
