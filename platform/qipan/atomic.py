"""Files read within bounds, and written so that they are whole: beside the old one, flushed, then renamed over it."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path


def read_small(path: Path, most: int) -> bytes:
    """The bytes of a plain file. Raises OSError, also for a pipe or a device, which may give bytes without end or none
    ever; ValueError for more than ``most``.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "no plain file", str(path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"larger than {most} bytes")
    return data


def write_whole(path: Path, data: bytes) -> None:
    """Puts ``data`` into a file, or into what a link of that name leads to.

    Raises OSError naming the file, and then leaves what was there as it was.
    """
    place = Path(os.path.realpath(path))
    _write(place, path, data, os.replace)


def write_new(path: Path, data: bytes) -> None:
    """As `write_whole`, over no other file: raises FileExistsError where there is something of that name."""
    _write(path, path, data, _put_new)


def _put_new(beside: Path, place: Path) -> None:
    try:
        os.link(beside, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place)) from None
        os.rename(beside, place)
    else:
        beside.unlink()


def _write(place: Path, path: Path, data: bytes, put: Callable[[Path, Path], None]) -> None:
    """Writes beside ``place`` and puts it there; faults name ``path``."""
    beside = place.with_name(f".{place.name[:40]}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        put(beside, place)
    except BaseException as fault:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise OSError(fault.errno, fault.strerror, str(path)) from fault
        raise
