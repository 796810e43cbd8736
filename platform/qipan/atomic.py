"""Writing a file so that it is whole: beside the old one, flushed, then renamed over it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Puts ``data`` into a file. Raises OSError naming the file, and then leaves what was there as it was."""
    beside = ""
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException as fault:
        if beside:
            Path(beside).unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise OSError(fault.errno, fault.strerror, str(path)) from fault
        raise


def _umask() -> int:
    """What a new file of this user may not have; asking means setting."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
