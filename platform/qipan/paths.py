"""The user's own folders: where settings, games, journals, plugins and themes lie on this system."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

HOME = "QIPAN_HOME"  # one folder for everything: a portable copy, or a test


class Paths(NamedTuple):
    """The folders and the settings file; none of them need exist yet."""

    settings: Path
    games: Path
    journals: Path
    plugins: Path
    themes: Path
    log: Path


def user_paths() -> Paths:
    """The places of this user: below the folder that ``QIPAN_HOME`` names, else where the system keeps such things."""
    home = os.environ.get(HOME)
    if home:
        config = data = state = Path(home).absolute()
    else:
        from platformdirs import PlatformDirs  # only here: a portable copy doesn't ask the system

        dirs = PlatformDirs("qipan", appauthor=False)
        config, data, state = dirs.user_config_path, dirs.user_data_path, dirs.user_state_path
    return Paths(
        config / "settings.json", data / "games", state / "journals", data / "plugins", data / "themes",
        state / "qipan.log",
    )  # fmt: skip
