"""``qipan plugins``: list them, check their games by the laws, trust one of one's own."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qipan.cli.common import Parser, make_host, print_json, print_table
from qipan.host import Host, Plugin, PluginBroken, Status
from qipan.paths import user_paths
from qipan.settings import load, save
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.laws import Row


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
            print(f"{plugin.id}: {plugin.fault}. {_advice(plugin) or plugin.place.remove}")
    return 0


def _advice(plugin: Plugin) -> str:
    """How a plugin's code is allowed, where that is what it lacks; else ""."""
    return f"qipan plugins trust {plugin.id}" if plugin.status is Status.UNTRUSTED else ""


def _data(plugin: Plugin) -> dict[str, object]:
    manifest = plugin.manifest
    return {
        "id": plugin.id,
        "status": plugin.status.value,
        "fault": plugin.fault and str(plugin.fault),
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
    parser = Parser("plugins check", "Play random games of the installed games and hold every law over them.")
    parser.add_argument("games", metavar="GAME", nargs="*", help="these games (left out: all)")
    parser.add_argument("--seed", type=int, default=1, help="the first game's seed (1)")
    parser.add_argument("--count", type=int, default=12, metavar="N", help="games, at least one an option set (12)")
    parser.add_argument("--seconds", type=float, default=45.0, help="begin no new game after this long (45)")
    parser.with_json()
    words = parser.parse_args(argv)
    if words.count < 1 or not 0 < words.seconds < 1e6:
        raise Fault("plugins check: --count and --seconds are more than nothing")
    host = make_host()
    for game in words.games:
        host.owner(game)
    reports = [_checked(host, game, words) for game in words.games or sorted(host.games)]
    others = [] if words.games else [plugin for plugin in host.plugins if plugin.fault]
    others = [plugin for plugin in others if not any(report["plugin"] == plugin.id for report in reports)]
    if words.json:
        print_json([*reports, *(_data(plugin) for plugin in others)])
    for plugin in others if not words.json else ():
        print(f"{plugin.status.value.upper()}  plugin {plugin.id}: {plugin.fault}")
    sound = all(report["ok"] for report in reports)
    return 0 if sound and all(plugin.status is Status.UNTRUSTED for plugin in others) else 1


def _checked(host: Host, game: str, words: argparse.Namespace) -> dict[str, object]:
    """One game's report as plain data, printed as it is found unless JSON is wanted."""
    from qipan import laws

    answer: dict[str, object] = {"game": game, "plugin": host.owner(game).id}
    try:
        opened = host.open(game)
        with opened.fence("a law"):
            report = laws.check(
                opened.rules, opened.info, opened.words, seed=words.seed, games=words.count, seconds=words.seconds
            )
    except PluginBroken as broken:
        if not words.json:
            print(". ".join(filter(None, (f"{game}: BROKEN {broken}", _advice(host.owner(game))))))
        return {**answer, "ok": False, "fault": str(broken)}
    if not words.json:
        print(f"{game}: {'sound' if report.ok else 'BROKEN'}, {report.games} games, {report.plies} plies")
        for line in report.lines():
            print(f"  {line}")
        sys.stdout.flush()
    return {
        **answer, "ok": report.ok, "games": report.games, "plies": report.plies,
        "laws": [_law(row) for row in report.rows],
    }  # fmt: skip


def _law(row: Row) -> dict[str, object]:
    data: dict[str, object] = {"law": row.law, "says": row.says, "checked": row.checked, "ok": row.broken is None}
    if row.broken is not None:
        broken = row.broken
        data |= {
            "message": broken.message, "seed": broken.seed, "options": dict(broken.options),
            "moves": list(broken.moves), "trace": broken.trace,
        }  # fmt: skip
    return data
