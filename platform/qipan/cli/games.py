"""``qipan games``: the installed games, from their manifests alone."""

from __future__ import annotations

from collections.abc import Sequence

from qipan.catalogue import GameInfo, OptionSpec
from qipan.cli.common import Parser, make_host, print_json, print_table
from qipan.host import Host


def run(argv: Sequence[str]) -> int:
    """Lists every game that could be opened."""
    parser = Parser("games", "List the installed games.")
    parser.with_json()
    words = parser.parse_args(argv)
    host = make_host()
    games = sorted(host.games.values(), key=lambda info: info.id)
    if words.json:
        print_json([_data(host, info) for info in games])
        return 0
    print_table((info.id, info.name.en, info.name.zh, ", ".join(info.seats), _note(host, info)) for info in games)
    return 0


def _note(host: Host, info: GameInfo) -> str:
    plugin = host.owner(info.id)
    return ", ".join(info.tags) if not plugin.fault else f"({plugin.status.value}: {plugin.fault})"


def _data(host: Host, info: GameInfo) -> dict[str, object]:
    plugin = host.owner(info.id)
    return {
        "id": info.id,
        "name": {"en": info.name.en, "zh": info.name.zh},
        "blurb": {"en": info.blurb.en, "zh": info.blurb.zh},
        "plugin": plugin.id,
        "version": plugin.manifest.version if plugin.manifest else "",
        "status": plugin.status.value,
        "seats": list(info.seats),
        "tags": list(info.tags),
        "options": [_option(spec) for spec in info.options],
    }


def _option(spec: OptionSpec) -> dict[str, object]:
    data: dict[str, object] = {"id": spec.id, "kind": spec.kind, "default": spec.default}
    if spec.kind == "choice":
        data["choices"] = list(spec.choices)
    elif spec.kind == "number":
        data |= {"min": spec.min, "max": spec.max}
    return data
