"""``qipan plugins``: list them, check their games by the laws, trust one of one's own."""

from __future__ import annotations

from collections.abc import Sequence

from qipan.cli.common import Parser, make_host, print_json, print_table
from qipan.host import Plugin, Status
from qipan.paths import user_paths
from qipan.settings import load, save
from qipan.values import Fault


def run(argv: Sequence[str]) -> int:
    """Runs list, check or trust."""
    actions = {"list": _list, "check": _check, "trust": _trust}
    if not argv or argv[0] not in actions:
        parser = Parser("plugins", "List the plugins, check the games by every law, or trust a plugin of your own.")
        parser.add_argument("action", choices=list(actions), help="each has a --help of its own")
        parser.parse_args(argv[:1])
    return actions[argv[0]](argv[1:])


def _list(argv: Sequence[str]) -> int:
    parser = Parser("plugins list", "List every plugin found, and what is wrong with the broken ones.")
    parser.with_json()
    words = parser.parse_args(argv)
    plugins = sorted(make_host().plugins, key=lambda plugin: plugin.id)
    if words.json:
        print_json([_data(plugin) for plugin in plugins])
        return 0
    print_table((p.id, p.manifest.version if p.manifest else "-", p.place.origin, p.status.value) for p in plugins)
    for plugin in plugins:
        if plugin.fault:
            advice = f"qipan plugins trust {plugin.id}" if plugin.status is Status.UNTRUSTED else plugin.place.remove
            print(f"{plugin.id}: {plugin.fault}. {advice}")
    return 0


def _data(plugin: Plugin) -> dict[str, object]:
    manifest = plugin.manifest
    return {
        "id": plugin.id,
        "status": plugin.status.value,
        "fault": plugin.fault or None,
        "origin": plugin.place.origin,
        "folder": str(plugin.folder),
        "remove": plugin.place.remove,
        "version": manifest.version if manifest else None,
        "licence": manifest.licence if manifest else None,
        "games": [game.id for game in manifest.games] if manifest else [],
        "commands": list(manifest.commands) if manifest else [],
    }


def _trust(argv: Sequence[str]) -> int:
    parser = Parser("plugins trust", "Allow the code of a plugin in your own folder, exactly as it now is.")
    parser.add_argument("plugin", metavar="PLUGIN")
    words = parser.parse_args(argv)
    plugin = make_host().plugin(words.plugin)
    if plugin.status is Status.OK:
        print(f"{plugin.id} is trusted already")
        return 0
    if plugin.status is not Status.UNTRUSTED:
        raise Fault(f"{plugin.id} can't be trusted: {plugin.fault}")
    paths = user_paths()
    settings, _ = load(paths.settings)
    settings.trusted[plugin.id] = plugin.sha256
    save(paths.settings, settings)
    print(f"{plugin.id} is trusted as it now is ({plugin.sha256[:12]})")
    return 0


def _check(argv: Sequence[str]) -> int:
    raise Fault("not built")
