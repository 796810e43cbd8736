"""Journals: each unfinished game is a file that has its every change before it is shown, one line each."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from qipan.saved import Patch, Record


class Journal:
    """The journal of one game in play."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)

    def start(self, record: Record) -> None:
        """Writes the game as it stands."""
        os.write(self._file, msgspec.json.encode(record) + b"\n")

    def append(self, patch: Patch, now: float) -> None:
        """Writes one change."""
        os.write(self._file, msgspec.json.encode(patch) + b"\n")

    def close(self, *, keep: bool) -> None:
        """Closes the file, and removes it unless it is kept."""
        os.close(self._file)
        if not keep:
            self.path.unlink(missing_ok=True)
