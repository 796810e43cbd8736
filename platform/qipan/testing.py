"""For a plugin's own tests: ``pytest_plugins = ["qipan.testing"]`` gives ``opened``, and ``check(opened)`` is the test.

A test that takes ``opened`` runs once for each game of the plugin it lies in: the nearest folder above it that has a
plugin.toml, or has one in a folder beside the test's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qipan import laws
from qipan.host import Host, Opened
from qipan.places import Place
from qipan.values import Fault


def check(opened: Opened, *, seed: int = 1, games: int = 12, seconds: float = 45.0) -> laws.Report:
    """Plays random games and holds every law over them. Raises AssertionError, a line a law, the broken ones told."""
    report = laws.check(opened.rules, opened.info, opened.words, seed=seed, games=games, seconds=seconds)
    if not report.ok:
        raise AssertionError("\n".join([f"{opened.info.id} breaks laws:", *report.lines()]))
    return report


def open_plugin(folder: Path) -> list[Opened]:
    """Every game of one plugin, its code trusted. Raises Fault for a bad manifest, PluginBroken for bad code."""
    host = Host([Place(folder.name, "user", folder, "", "")], trusted=lambda plugin_id, sha256: True)
    plugin = host.plugins[0]
    if plugin.fault:
        raise Fault(f"{folder.name}: {plugin.fault}")
    return [host.open(game_id) for game_id in host.games]


def plugin_folder(test: Path) -> Path:
    """The plugin that a test file belongs to. Raises Fault where there is none."""
    for folder in test.resolve().parents:
        if (folder / "plugin.toml").is_file():
            return folder
        beside = sorted(manifest.parent for manifest in folder.glob("*/plugin.toml"))
        if len(beside) == 1:
            return beside[0]
    raise Fault(f"no plugin.toml lies above {test}")


def pytest_generate_tests(metafunc: Any) -> None:
    """Runs a test that takes ``opened`` once a game."""
    if "opened" in metafunc.fixturenames:
        found = open_plugin(plugin_folder(metafunc.definition.path))
        metafunc.parametrize("opened", found, ids=[opened.info.id for opened in found])
