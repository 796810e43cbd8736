"""The sample plugin of the tests, nim: copied to where a test wants it, words of its code replaced."""

from __future__ import annotations

import shutil
from pathlib import Path

SAMPLE = Path(__file__).parent / "samples" / "nim"


def nim(base: Path, name: str = "nim", **swaps: str) -> Path:
    """A copy of the sample in ``base``, its folder; under another name it has that id and offers that game."""
    folder = base / name
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    code, manifest = folder / "__init__.py", folder / "plugin.toml"
    text = code.read_text("utf-8")
    for old, new in swaps.items():
        assert old in text
        text = text.replace(old, new)
    if name != "nim":
        text = text.replace('"nim"', f'"{name}"')
        manifest.write_text(manifest.read_text("utf-8").replace('"nim"', f'"{name}"'), "utf-8")
    code.write_text(text, "utf-8")
    return folder
