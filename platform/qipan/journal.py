"""Journals: each game in play is a file that has its every change before it is shown, one line a change.

A line is handed to the system at once, so a killed program loses nothing that was accepted; it is also forced to the
disk (fsync), at most twice a second, so a power cut loses at most what rapid play wrote since. The first line is the
game as it stood when the journal began, each further one a `Patch`. Whoever has a journal open holds a lock on it.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import msgspec

from qipan.misread import misread
from qipan.saved import FORMAT, Patch, Record, checked, most, patched
from qipan.values import Fault

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

SUFFIX = ".journal"
_LIMIT = 64 << 20  # bytes read of one journal
_SYNC = 0.5  # seconds between two writes that are forced to the disk


class Unfinished(NamedTuple):
    """A game to go on with: who plays what, how far it is, when it was touched, and what is wrong with it."""

    path: Path
    game: str
    seats: tuple[str, ...]
    names: tuple[str, ...]
    ply: int
    modified: float
    over: bool = False
    fault: Fault | None = None


class Journal:
    """The open, locked journal of one game. Raises Fault where another window has it."""

    def __init__(self, path: Path, file: int, *, begun: bool) -> None:
        self.path = path
        self._file = file
        self._begun = begun
        self._synced = float("-inf")

    @classmethod
    def create(cls, folder: Path, name: str) -> Journal:
        """A new journal in a folder (made if missing), named after the game and its date. Raises Fault."""
        plain = re.sub(r"[^\w.-]+", "-", name)[:100].strip(".-") or "game"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for number in range(1, 10_000):
                path = folder / (f"{plain}{SUFFIX}" if number == 1 else f"{plain}-{number}{SUFFIX}")
                try:
                    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
                except FileExistsError:
                    continue
                _lock(file, path)
                return cls(path, file, begun=False)
        except OSError as fault:
            raise Fault("no journal can be kept in {0}: {1}", str(folder), str(fault.strerror)) from fault
        raise Fault("no journal can be kept in {0}: too many of the same name", str(folder))

    def start(self, record: Record) -> None:
        """Writes the game as it stands, where the journal is new."""
        if not self._begun:
            self._begun = True
            self._write(msgspec.json.encode(record) + b"\n")

    def append(self, patch: Patch, now: float) -> None:
        """Writes one change. Raises OSError."""
        self._write(msgspec.json.encode(patch) + b"\n")
        if not 0 <= now - self._synced < _SYNC:
            self._synced = now
            os.fsync(self._file)

    def close(self, *, keep: bool) -> None:
        """Closes the file, and removes it unless it is kept."""
        if not keep and sys.platform != "win32":  # before it is closed: nobody else may find it in between
            self.path.unlink(missing_ok=True)
        os.close(self._file)
        if not keep:
            self.path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]


class Recovered(NamedTuple):
    """A game read back from its journal, the journal it goes on in, and what was damaged, if anything was."""

    record: Record
    journal: Journal
    fault: Fault | None


def recover(path: Path) -> Recovered:
    """The game of a journal as it stood at its last whole change. Raises Fault: unreadable, or open in another window.

    A torn last line is dropped. Where a line before is damaged, the game stands as it was there, and the old file is
    set aside as ``NAME.damaged``.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY)
    except OSError as error:
        raise Fault("{0}: {1}", path.name, str(error.strerror)) from error
    try:
        _lock(file, path)
        record, fault, whole = _read(path)
        if fault is None:
            os.ftruncate(file, whole)
            return Recovered(record, Journal(path, file, begun=True), None)
    except OSError as error:
        os.close(file)
        raise Fault("{0}: {1}", path.name, str(error.strerror)) from error
    except Fault:
        os.close(file)
        raise
    os.close(file)  # an open file can't be renamed on Windows
    try:
        os.replace(path, path.with_name(path.name + ".damaged"))
    except OSError as error:
        raise Fault("{0}: {1}", path.name, str(error.strerror)) from error
    return Recovered(record, Journal.create(path.parent, path.name.removesuffix(SUFFIX)), fault)


def peek(path: Path) -> Record:
    """The game of a journal as it stands, without going on with it. Raises Fault, OSError."""
    return _read(path)[0]


def unfinished(folder: Path) -> list[Unfinished]:
    """The games in a folder of journals that no window has open, the last touched first; those without a move or act
    are left out.
    """
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            modified = path.stat().st_mtime
            if path.stat().st_size == 0 or _locked(path):
                continue
            record, fault, _ = _read(path)
        except Fault as unreadable:
            found.append(Unfinished(path, "", (), (), 0, modified, fault=unreadable))
            continue
        except OSError:  # gone since the folder was listed
            continue
        if len(record.moves) > 1 or record.moves[0].acts or fault:
            over = record.state.outcome is not None
            found.append(
                Unfinished(path, record.game, record.seats, record.names, _depth(record), modified, over, fault)
            )
    return sorted(found, key=lambda game: game.modified, reverse=True)


def _depth(record: Record) -> int:
    after = {node.id: node.after for node in record.moves}
    ply, number = 0, after[record.state.tip]
    while number is not None:
        ply, number = ply + 1, after[number]
    return ply


def _read(path: Path) -> tuple[Record, Fault | None, int]:
    """The game of a journal, the first fault in it, and how many bytes of it are whole lines."""
    with path.open("rb") as file:
        data = file.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise Fault("{0}: larger than {1} MB", path.name, _LIMIT >> 20)
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        raise Fault("{0}: not even its first line is whole", path.name)
    try:
        head = checked(msgspec.json.decode(lines[0], type=Record))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        why = error if isinstance(error, Fault) else misread(error)
        raise Fault("{0}: line 1 is no game (format {1}): {2}", path.name, FORMAT, why, line=1) from error
    patches = []
    fault = None
    for number, line in enumerate(lines[1:], 2):
        try:
            patches.append(msgspec.json.decode(line, type=Patch))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            fault = _damaged(path, number)
            break
    # A line may be well formed and yet not fit what is above it.
    fitting = most(len(patches), lambda count: checked(patched(head, patches[:count])))
    if fitting < len(patches):
        fault = _damaged(path, fitting + 2)
    return patched(head, patches[:fitting]), fault, whole


def _damaged(path: Path, line: int) -> Fault:
    return Fault("{0} is damaged at line {1}; the game stands as it was before it", path.name, line, line=line)


_BINARY: int = getattr(os, "O_BINARY", 0)
_FAR = 0x7FFF_0000  # on Windows the locked byte can't be read by others, so it is one that is never there


def _lock(file: int, path: Path) -> None:
    try:
        if sys.platform == "win32":
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError) as error:
        raise Fault("{0} is open in another window", path.name) from error


def _locked(path: Path) -> bool:
    file = os.open(path, os.O_RDWR | _BINARY)
    try:
        _lock(file, path)
    except Fault:
        return True
    finally:
        os.close(file)
    return False
