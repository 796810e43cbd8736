"""The host: which plugins there are, how each fares, their games without an import; opening one behind a fence."""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from qipan import places
from qipan.catalogue import ApiFault, Command, Format, Game, GameInfo, Manifest, read_manifest
from qipan.geometry import Board
from qipan.places import Place
from qipan.rules import Ruleset
from qipan.values import Fault, Note, Position, Seat
from qipan.words import Words

Trusted = Callable[[str, str], bool]  # (plugin id, sha256 of its code) -> the player allowed it

_ID = re.compile(r"[a-z][a-z0-9_-]{0,63}")


class Status(Enum):
    """How a plugin fares; the value is what lists print."""

    OK = "ok"  # its manifest is good; if it was opened, that went well
    BROKEN_MANIFEST = "broken manifest"  # plugin.toml is missing or wrong
    WRONG_API = "wrong api"  # made for another version of the platform
    DUPLICATE = "duplicate"  # an earlier plugin has its id, or offers its game
    UNTRUSTED = "untrusted"  # the user's folder, and this code wasn't allowed yet: not imported
    BROKEN_IMPORT = "broken import"  # its Python raised when it was imported
    BROKEN_HOOK = "broken hook"  # a hook is misspelt, raised, or returned what its manifest doesn't say
    BROKEN_WORDS = "broken words"  # words.toml is wrong


class PluginBroken(Exception):
    """A plugin failed: the sentence says which and where; ``trace`` is Python's own account, "" where there is none."""

    def __init__(self, plugin_id: str, fault: Fault, trace: str = "") -> None:
        self.told = Fault("plugin {0} {1}", plugin_id, fault)
        super().__init__(str(self.told))
        self.plugin_id, self.fault, self.trace = plugin_id, fault, trace


class Plugin:
    """One plugin found, and how it fares. ``fault``: one line; ``sha256``: of the code, for user plugins alone."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.forget()

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.place.folder

    def forget(self) -> None:
        """Is again as when it was found."""
        self.id, self.status, self.trace, self.sha256 = self.place.name, Status.OK, "", ""
        self.fault: Fault | None = None
        self.manifest: Manifest | None = None
        self.opened: Hooked | None = None
        self.words: Words | None = None

    def fail(self, status: Status, fault: Fault, trace: str = "") -> PluginBroken:
        """Marks the plugin as broken and gives the exception to raise."""
        self.status, self.fault, self.trace, self.opened = status, fault, trace, None
        return PluginBroken(self.id, fault, trace)


class Hooked(NamedTuple):
    """What a plugin's hooks returned."""

    games: Mapping[str, Game]
    formats: tuple[Format, ...]
    commands: Mapping[str, Command]


@contextlib.contextmanager
def fence(plugin_id: str, where: str, passing: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
    """A plugin's code runs inside: whatever it raises, even its own exit, comes out as PluginBroken with ``where``.

    Only what is ``passing`` comes out so: a Fault about given input is no fault of the plugin. Prints go to stderr.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except BaseException as fault:
        if isinstance(fault, (KeyboardInterrupt, PluginBroken, *passing)):
            raise
        told = Fault("failed in {0}: {1}", where, _one_line(fault))
        raise PluginBroken(plugin_id, told, traceback.format_exc()) from fault


class Opened(NamedTuple):
    """A game whose plugin is imported: what it declares, how its rules are made, its sentences."""

    plugin: Plugin
    info: GameInfo
    game: Game
    words: Words

    def rules(self, options: Mapping[str, object] | None = None) -> Ruleset:
        """The rules with these options and the defaults. Raises Fault for a bad option, PluginBroken for bad rules."""
        settled = self.info.settle(options or {})
        with self.fence("rules"):
            rules = self.game.rules(settled)
            fault = _rules_fault(rules, self.info, self.words)
        if fault:
            raise PluginBroken(self.plugin.id, Fault("made bad rules of {0}: {1}", self.info.id, fault))
        return rules

    def fence(self, where: str, *passing: type[BaseException]) -> contextlib.AbstractContextManager[None]:
        """The fence of this game's plugin."""
        return fence(self.plugin.id, where, passing)

    def position(self, rules: Ruleset, text: str) -> Position:
        """The position of a text. Raises Fault where it can't be read or can't occur in the game."""
        with self.fence("read", Fault):
            position = rules.read(text)
        with self.fence("fault"):
            note = rules.fault(position)
        if note is not None:
            raise Fault(self.sentence(note), note=note)
        return position

    def sentence(self, note: Note, language: str = "en") -> str:
        """What a note says."""
        with self.fence("words"):
            return self.words.say(note, language)


class Host:
    """All plugins found, equal wherever they lie; on one id or one game the first of the places wins."""

    def __init__(self, found: Iterable[Place], trusted: Trusted = lambda plugin_id, sha256: False) -> None:
        self.plugins: list[Plugin] = []
        self.games: dict[str, GameInfo] = {}  # of the plugins that fare well, or broke when they were opened
        self._owners: dict[str, Plugin] = {}
        self._trusted = trusted
        for place in found:
            plugin = Plugin(place)
            self.plugins.append(plugin)
            self._admit(plugin)

    @classmethod
    def scan(cls, user: Path | None = None, *, entry_points: bool = True, trusted: Trusted | None = None) -> Host:
        """The plugins of the program, of the user's folder and of installed packages, in that order of precedence."""
        found = chain(
            places.built_in(), places.user(user) if user else (), places.installed() if entry_points else ()
        )
        return cls(found, trusted or (lambda plugin_id, sha256: False))

    def plugin(self, plugin_id: str) -> Plugin:
        """The plugin of that id: a sound one before a broken one. Raises Fault."""
        found = [plugin for plugin in self.plugins if plugin.id == plugin_id]
        if not found:
            raise Fault("there is no plugin {0}", repr(plugin_id))
        return next((plugin for plugin in found if plugin.status is Status.OK), found[0])

    def owner(self, game_id: str) -> Plugin:
        """The plugin that offers a game. Raises Fault naming the games there are, or what is wrong with that plugin."""
        plugin = self._owners.get(game_id)
        broken = next((other for other in self.plugins if other.id == game_id and other.fault), None)
        if plugin is None and broken is not None:
            raise Fault("plugin {0} {1}", game_id, Fault("can't be used: {0}", broken.fault or ""))
        if plugin is None:
            known = ", ".join(sorted(self.games)) or "none"
            raise Fault("there is no game {0} (there is: {1})", repr(game_id), known)
        return plugin

    def open(self, game_id: str) -> Opened:
        """The game, its plugin imported. Raises Fault: no such game; PluginBroken: its code or words are bad."""
        plugin = self.owner(game_id)
        return Opened(plugin, self.games[game_id], self._hooked(plugin).games[game_id], self.words(game_id))

    def readers(self) -> list[tuple[Plugin, Format]]:
        """Every format with its plugin; a plugin that can't be opened is marked so and left out."""
        found: list[tuple[Plugin, Format]] = []
        for plugin in self._sound():
            with contextlib.suppress(PluginBroken):  # it is marked: lists and cards say what is wrong
                found += [(plugin, fmt) for fmt in self._hooked(plugin).formats]
        return found

    def formats(self) -> list[Format]:
        """Every format of every plugin that can be opened."""
        return [fmt for _, fmt in self.readers()]

    def commands(self) -> dict[str, str]:
        """Each command that a sound plugin's manifest lists, and the plugin's id. Nothing is imported."""
        found: dict[str, str] = {}
        for plugin in self._sound():
            for name in plugin.manifest.commands if plugin.manifest else ():
                found.setdefault(name, plugin.id)
        return found

    def command(self, name: str) -> Command:
        """A plugin's command. Raises Fault where no plugin lists it, PluginBroken where its plugin can't be opened."""
        owner = self.commands().get(name)
        if owner is None:
            raise Fault("there is no command {0}", repr(name))
        return self._hooked(self.plugin(owner)).commands[name]

    @cached_property
    def platform_words(self) -> Words:
        """The platform's own sentences."""
        return Words.load(Path(__file__).with_name("words.toml"))

    def words(self, game_id: str) -> Words:
        """The sentences of a game, over the platform's own; nothing is imported. Raises PluginBroken for a bad file."""
        plugin, ours = self.owner(game_id), self.platform_words
        if plugin.words is None:
            try:
                plugin.words = ours.plus(Words.load(plugin.folder / "words.toml"))
            except Fault as fault:
                raise plugin.fail(Status.BROKEN_WORDS, Fault("has bad words: {0}", fault)) from fault
        return plugin.words

    def sounds(self, game_id: str) -> list[Path]:
        """The sound files of a game's plugin, sorted."""
        return sorted((self.owner(game_id).folder / "sounds").glob("*.wav"))

    def retry(self, plugin: Plugin) -> Plugin:
        """Looks at a plugin afresh, its manifest and code as they now are: for "Try again" and for given trust."""
        for game_id in [game_id for game_id, owner in self._owners.items() if owner is plugin]:
            del self._owners[game_id], self.games[game_id]
        if plugin.place.package:
            places.forget(plugin.place.package)
        plugin.forget()
        self._admit(plugin)
        return plugin

    # -- looking at one plugin, without its code -------------------------------------------------------------------
    def _admit(self, plugin: Plugin) -> None:
        """Reads the manifest and says how the plugin fares."""
        try:
            if plugin.place.fault:
                raise plugin.place.fault
            manifest = read_manifest(plugin.folder)
            _check_manifest(manifest)
        except Exception as fault:  # a manifest is data from anywhere: nothing in it may stop the host
            status = Status.WRONG_API if isinstance(fault, ApiFault) else Status.BROKEN_MANIFEST
            plugin.fail(status, _one_line(fault))
            return
        plugin.id, plugin.manifest = manifest.id, manifest
        twin = self._twin(plugin, manifest)
        if twin is not None:
            plugin.fail(Status.DUPLICATE, twin)
            return
        for game in manifest.games:
            self.games[game.id], self._owners[game.id] = game, plugin
        if plugin.place.origin == "user":
            self._weigh_trust(plugin)

    def _twin(self, plugin: Plugin, manifest: Manifest) -> Fault | None:
        for other in self.plugins:
            twin = other is not plugin and other.id == plugin.id and other.manifest is not None
            if twin and other.status is not Status.DUPLICATE:
                return Fault("the plugin {0} is there already, in {1}", other.id, str(other.folder))
        for game in manifest.games:
            if game.id in self._owners:
                return Fault("the plugin {0} offers the game {1} already", self._owners[game.id].id, game.id)
        return None

    def _weigh_trust(self, plugin: Plugin) -> None:
        try:
            plugin.sha256 = places.fingerprint(plugin.folder)
        except (Fault, OSError) as fault:
            plugin.fail(Status.BROKEN_MANIFEST, _one_line(fault))
            return
        if not self._trusted(plugin.id, plugin.sha256):
            plugin.fail(Status.UNTRUSTED, Fault("its code was not allowed yet"))

    # -- opening one plugin ----------------------------------------------------------------------------------------
    def _sound(self) -> list[Plugin]:
        return [plugin for plugin in self.plugins if plugin.status is Status.OK]

    def _hooked(self, plugin: Plugin) -> Hooked:
        if plugin.status is not Status.OK:
            raise PluginBroken(plugin.id, Fault("can't be used: {0}", plugin.fault or ""), plugin.trace)
        if plugin.opened is None:
            assert plugin.manifest is not None
            module = self._import(plugin)
            try:
                with fence(plugin.id, "a hook"):
                    plugin.opened = _call_hooks(plugin.manifest, module)
            except PluginBroken as broken:
                raise plugin.fail(Status.BROKEN_HOOK, broken.fault, broken.trace) from broken
        return plugin.opened

    def _import(self, plugin: Plugin) -> Any:
        package = plugin.place.package or places.user_package(plugin.folder, plugin.sha256)
        try:
            with fence(plugin.id, "import"):
                return importlib.import_module(package)
        except PluginBroken as broken:
            places.forget(package)
            raise plugin.fail(Status.BROKEN_IMPORT, broken.fault, broken.trace) from broken


def _one_line(fault: BaseException) -> Fault:
    """A sentence for a fault; Python's own are named by their class."""
    text = " ".join(str(fault).split())
    if isinstance(fault, Fault):
        return fault if text == str(fault) else Fault(text)
    return Fault("{0}: {1}", type(fault).__name__, text) if text else Fault(type(fault).__name__)


def _check_manifest(manifest: Manifest) -> None:
    """Raises Fault for what the manifest's types can't say."""
    names = [manifest.id, *(game.id for game in manifest.games), *manifest.commands]
    for name in names:
        if not _ID.fullmatch(name):
            raise Fault("plugin.toml: {0} is no id (small letters, digits, - and _)", repr(name))
    games = [game.id for game in manifest.games]
    if len(set(games)) < len(games):
        raise Fault("plugin.toml: two games have one id")
    for game in manifest.games:
        if not game.seats or len(set(game.seats)) < len(game.seats):
            raise Fault("plugin.toml: the seats of {0} are none, or not each its own", game.id)
        if len({spec.id for spec in game.options}) < len(game.options):
            raise Fault("plugin.toml: two options of {0} have one id", game.id)


def _call_hooks(manifest: Manifest, module: Any) -> Hooked:
    """What each hook of a module returned, called alone. Raises PluginBroken naming the hook."""
    import pluggy

    from qipan import hookspecs

    manager = pluggy.PluginManager("qipan")
    manager.add_hookspecs(hookspecs)
    try:
        manager.register(module)
        manager.check_pending()
    except Exception as fault:  # pluggy meets the plugin's own objects here
        text = str(_one_line(fault)).replace("PluginValidationError: ", "")
        raise PluginBroken(manifest.id, Fault("has a bad hook: {0}", text), traceback.format_exc()) from fault

    def returned(hook: str, kind: type) -> list[Any]:
        found: list[Any] = []
        for impl in getattr(manager.hook, hook).get_hookimpls():
            with fence(manifest.id, hook):
                found += list(impl.function())
        for item in found:
            if not isinstance(item, kind) or not _well_made(item):
                said = "has a bad hook: {0} gives {1}, no good {2}"
                raise PluginBroken(manifest.id, Fault(said, hook, f"{item!r:.80}", kind.__name__))
        return found

    def declared(hook: str, kind: type, ids: Sequence[str], key: Callable[[Any], str]) -> dict[str, Any]:
        found = {key(item): item for item in returned(hook, kind)}
        if sorted(found) != sorted(ids):
            said = "has a bad hook: {0} gives {1}, its manifest declares {2}"
            raise PluginBroken(manifest.id, Fault(said, hook, str(sorted(found)), str(sorted(ids))))
        return found

    return Hooked(
        declared("games", Game, [game.id for game in manifest.games], lambda game: str(game.id)),
        tuple(returned("formats", Format)),
        declared("commands", Command, manifest.commands, lambda command: str(command.name)),
    )


def _well_made(item: Any) -> bool:
    """True for a game, format or command whose parts are of their types: a tuple takes anything."""
    match [type(item).__name__, *item]:
        case ["Game", str(), rules, Mapping() as asks]:
            return callable(rules) and all(isinstance(word, str) and callable(ask) for word, ask in asks.items())
        case ["Format", str(), tuple() as games, tuple() as suffixes, read, write]:
            texts = all(isinstance(text, str) for text in (*games, *suffixes))
            return texts and callable(read) and (write is None or callable(write))
        case ["Command", str(), str(), run]:
            return callable(run)
    return False


def _rules_fault(rules: object, info: GameInfo, words: Words) -> str:
    """Why an object can't be the rules of a game, or ""."""
    if not isinstance(rules, Ruleset):
        return f"{rules!r:.80} is no Ruleset"
    for name, kind in (("board", Board), ("seats", tuple), ("kinds", tuple), ("hidden", bool)):
        if not isinstance(getattr(rules, name, None), kind):
            return f"it has no {name}"
    if any(type(seat) is not Seat or type(seat.facing) not in (int, float) for seat in rules.seats):
        return f"its seats are {rules.seats!r:.80}"
    seats = tuple(seat.name for seat in rules.seats)
    if len(seats) > len(info.seats) or any(seat not in info.seats for seat in seats):
        return f"its seats are {', '.join(seats)}, the manifest's {', '.join(info.seats)}"
    strange = [kind for kind in rules.kinds if kind not in info.pieces and f"kind.{kind}" not in words]
    return f"the kinds {', '.join(strange)} have no look and no word" if strange else ""
