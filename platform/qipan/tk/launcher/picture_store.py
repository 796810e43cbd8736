"""Pictures kept between two starts: PNG files in the user's folder, each named by a hash of all it was made from."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from qipan.atomic import write_whole

_MOST = 300  # files; the oldest go


class PictureStore:
    """A folder that may be deleted at any time. A disk that refuses is no fault: pictures are then made each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str, size: tuple[int, int]) -> Image.Image | None:
        """The picture of that key, where there is a whole one of that size."""
        try:
            with Image.open(self._file(key), formats=["PNG"]) as image:
                return image.convert("RGB") if image.size == size else None
        except (OSError, ValueError, SyntaxError):  # missing or damaged: it is made again
            return None

    def put(self, key: str, image: Image.Image) -> None:
        """Keeps a picture, written beside and renamed."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            data = io.BytesIO()
            image.save(data, "PNG", compress_level=1)
            write_whole(self._file(key), data.getvalue())
            files = sorted(self.folder.iterdir(), key=lambda file: file.stat().st_mtime)
            for old in files[:-_MOST]:
                old.unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.png"


def newest(folders: Iterable[Path]) -> int:
    """When a file right inside one of the folders last changed (ns): a stamp for what is made from them."""
    times = [0]
    for folder in folders:
        with contextlib.suppress(OSError):  # a folder that is gone has no files
            times += [entry.stat().st_mtime_ns for entry in os.scandir(folder) if entry.is_file()]
    return max(times)
