"""Programs that only pretend, for tests of set-up."""

from pathlib import Path


def script(path: Path, text: str) -> Path:
    """Writes an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text, "utf-8")
    path.chmod(0o755)
    return path
