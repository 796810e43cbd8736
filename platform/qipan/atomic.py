"""Files read within bounds, and written so that they are whole: beside the old one, flushed, then renamed over it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def read_small(path: Path, most: int) -> bytes:
    """The bytes of a plain file. Raises OSError; ValueError for more than ``most``, and for a pipe or a device, which
    may give bytes without end or none ever.
    """
    if path.exists() and not path.is_file():
        raise ValueError("no plain file")
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
    beside = place.with_name(f".{place.name[:40]}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException as fault:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise OSError(fault.errno, fault.strerror, str(path)) from fault
        raise
