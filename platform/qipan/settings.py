"""What is remembered between two starts: one strict JSON file; a damaged one is set aside, never fatal."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from qipan.atomic import read_small, write_whole
from qipan.misread import misread, unread
from qipan.values import Fault

_LIMIT = 1 << 20  # bytes
_RECENT = 12  # files kept in the list

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Scale = Annotated[float, msgspec.Meta(ge=0.5, le=4)]
Pixels = Annotated[int, msgspec.Meta(ge=1, le=20_000)]
Value = str | int | bool
_V = TypeVar("_V")


class GameSettings(msgspec.Struct, kw_only=True):
    """What is remembered of one game: the seats' names, its options, clock ("": none) and notation ("": its first)."""

    seats: list[str] = []
    options: dict[str, Value] = {}
    clock: str = ""
    notation: str = ""


class Settings(msgspec.Struct, kw_only=True):
    """Every choice of the player. Empty texts mean: as the system, the first, or the default."""

    language: Literal["", "en", "zh"] = ""
    mode: Literal["system", "light", "dark"] = "system"
    theme: str = "classic"
    volume: Share = 0.8
    muted: bool = False
    width: Pixels = 1280
    height: Pixels = 800
    maximised: bool = False
    board_scale: Scale = 1.0
    text_scale: Scale = 1.0
    reduce_motion: bool = False
    animate: bool = True
    pulse: bool = True
    show_targets: bool = True
    look_back: bool = False
    look_back_count: Annotated[int, msgspec.Meta(ge=1, le=999)] = 1
    announce_check: bool = True
    show_last: bool = True
    coordinates: bool = True
    pictograms: bool = False
    games: dict[str, GameSettings] = {}
    recent: list[str] = []
    trusted: dict[str, str] = {}  # plugin id -> sha256 of the code the player allowed

    def game(self, game_id: str) -> GameSettings:
        """What is remembered of a game, made empty where nothing is; changes to it are kept by the next `save`."""
        return self.games.setdefault(game_id, GameSettings())

    def opened(self, file: Path) -> None:
        """Puts a file first among the recent ones; one whose name is no Unicode can't be written down."""
        name = str(file)
        if any("\ud800" <= character <= "\udfff" for character in name):
            return
        self.recent = [name, *(other for other in self.recent if other != name)][:_RECENT]

    def copy(self) -> Settings:
        """The same choices, untouched by later ones."""
        return deepcopy(self)

    def trusts(self, plugin_id: str, sha256: str) -> bool:
        """True where the player allowed exactly this code of the plugin."""
        return self.trusted.get(plugin_id) == sha256


def load(path: Path) -> tuple[Settings, Fault | None]:
    """The settings of a file and None; the defaults and a warning where it can't be read or is damaged.

    A damaged file is renamed beside itself (``settings.json.damaged-1``), so that nothing is lost. Keys that this
    version doesn't know are passed over.
    """
    try:
        return msgspec.json.decode(read_small(path, _LIMIT), type=Settings), None
    except FileNotFoundError:
        return Settings(), None
    except OSError as fault:
        return Settings(), _unreadable(fault)
    except (ValueError, RecursionError) as fault:  # msgspec's own faults are ValueErrors
        return Settings(), _set_aside(path, misread(fault))


def _unreadable(fault: OSError) -> Fault:
    return Fault("The settings can't be read: {0}", unread(fault))


def _set_aside(path: Path, why: Fault) -> Fault:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        path.rename(aside)
    except OSError as fault:
        return _unreadable(fault)
    said = "The settings file was damaged and is kept as {0}; everything is as at first. ({1})"
    return Fault(said, str(aside), why)


def save(path: Path, settings: Settings) -> None:
    """Writes the settings: beside the old file, then renamed over it. Raises OSError and leaves the old file whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")


def save_changes(path: Path, mine: Settings, base: Settings) -> Settings:
    """Writes what changed from ``base`` to ``mine`` into the file as it now is, so that two programs can share it.

    Gives the ``base`` of the next save. Where the file is gone or can't be understood all of ``mine`` is written.
    Raises OSError as `save` does.
    """
    try:
        disk = msgspec.json.decode(read_small(path, _LIMIT), type=Settings)
    except (OSError, ValueError, RecursionError):
        disk = base
    save(path, merged(mine, base, disk))
    return mine.copy()


def merged(mine: Settings, base: Settings, disk: Settings) -> Settings:
    """Each choice as in ``mine`` where that is not as in ``base``, else as in ``disk``; games and trust one by one."""
    choices = {}
    for name in Settings.__struct_fields__:
        ours, old, theirs = (getattr(settings, name) for settings in (mine, base, disk))
        choices[name] = theirs if ours == old else ours
    asked = {game: GameSettings() for game in mine.games}  # `game` makes an entry also where nothing is chosen
    choices["games"] = _by_key(mine.games, asked | base.games, disk.games)
    choices["trusted"] = _by_key(mine.trusted, base.trusted, disk.trusted)
    return Settings(**choices)


def _by_key(mine: Mapping[str, _V], base: Mapping[str, _V], disk: Mapping[str, _V]) -> dict[str, _V]:
    chosen = {key: disk if mine.get(key) == base.get(key) else mine for key in {**disk, **mine}}
    return {key: source[key] for key, source in chosen.items() if key in source}
