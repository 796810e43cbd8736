"""The host: three places, every way a plugin can be broken, and that nothing else goes down with it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from random import Random

import pytest
from sample import nim

from qipan import places
from qipan.host import Host, PluginBroken, Status
from qipan.values import Fault

MANIFEST = """api = 1
id = "{id}"
version = "1"
licence = "MIT"
name = {{ en = "A", zh = "甲" }}
blurb = {{ en = "a", zh = "甲" }}
[[games]]
id = "{game}"
name = {{ en = "A", zh = "甲" }}
blurb = {{ en = "a", zh = "甲" }}
seats = ["red", "black"]
"""


def plugin(base: Path, name: str, code: str, game: str = "") -> Path:
    """A plugin of one game with this code."""
    folder = base / name
    folder.mkdir()
    (folder / "plugin.toml").write_text(MANIFEST.format(id=name, game=game or name), "utf-8")
    (folder / "words.toml").write_text("", "utf-8")
    (folder / "__init__.py").write_text(code, "utf-8")
    return folder


def trusting(base: Path) -> Host:
    """A host of one user folder, all of it trusted."""
    return Host(places.user(base), trusted=lambda plugin_id, sha256: True)


def test_a_sound_plugin_is_listed_without_an_import_and_opened_with_one(tmp_path: Path) -> None:
    nim(tmp_path, **{"A row of stones": "Only this test has opened a row of stones"})
    host = trusting(tmp_path)
    package = places.user_package(tmp_path / "nim", host.plugins[0].sha256)
    assert host.plugins[0].status is Status.OK
    assert list(host.games) == ["nim"]
    assert host.commands() == {"nimsum": "nim"}
    assert host.words("nim").text("kind.stone", "zh") == "子"
    assert package not in sys.modules

    opened = host.open("nim")
    rules = opened.rules({"size": "3"})
    assert package in sys.modules
    assert [site.name for site in rules.board.sites] == ["s1", "s2", "s3"]
    assert [fmt.id for fmt in host.formats()] == ["nim"]
    assert host.command("nimsum").help
    with pytest.raises(Fault, match="size: '99' is not a whole number from 2 to 9"):
        opened.rules({"size": "99"})
    with pytest.raises(Fault, match=r"no game 'chess' \(there is: nim\)"):
        host.open("chess")


def test_untrusted_code_is_not_imported_until_its_hash_is_allowed(tmp_path: Path) -> None:
    plugin(tmp_path, "sneaky", "import sys\nsys.sneaked = True\n")
    asked: list[tuple[str, str]] = []
    allowed: set[str] = set()

    def trusted(plugin_id: str, sha256: str) -> bool:
        asked.append((plugin_id, sha256))
        return sha256 in allowed

    host = Host(places.user(tmp_path), trusted)
    found = host.plugins[0]
    assert found.status is Status.UNTRUSTED
    assert asked == [("sneaky", found.sha256)]
    with pytest.raises(PluginBroken, match="not allowed yet"):
        host.open("sneaky")
    assert host.formats() == []
    assert not hasattr(sys, "sneaked")

    allowed.add(found.sha256)
    assert host.retry(found).status is Status.OK
    (tmp_path / "sneaky" / "more.py").write_text("", "utf-8")
    assert host.retry(found).status is Status.UNTRUSTED, "changed code is other code"


def test_the_hash_covers_what_is_imported_and_compiled_files_are_not(tmp_path: Path) -> None:
    folder = nim(tmp_path)
    before = places.fingerprint(folder)
    host = trusting(tmp_path)
    host.open("nim")
    assert not (folder / "__pycache__").exists()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"bad")
    assert places.fingerprint(folder) == before
    (folder / "sub").mkdir()
    (folder / "sub" / "a.py").write_text("1", "utf-8")
    assert places.fingerprint(folder) != before
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(Fault, match="link is a link"):
        places.fingerprint(folder)
    assert trusting(tmp_path).plugins[0].status is Status.BROKEN_MANIFEST


HOOK = """from qipan.api import *
@hookimpl
def games(): return [Game("bad", len)]
@hookimpl
def {}(): return [{}]
"""


@pytest.mark.parametrize(
    ("code", "status", "says"),
    [
        ("raise ValueError('boom\\nbang')", Status.BROKEN_IMPORT, "failed in import: ValueError: boom bang"),
        ("import sys\nsys.exit(3)", Status.BROKEN_IMPORT, "failed in import: SystemExit: 3"),
        ("def f(:", Status.BROKEN_IMPORT, "SyntaxError"),
        ("from qipan.api import nothing_such", Status.BROKEN_IMPORT, "nothing_such"),
        ("from qipan.api import hookimpl\n@hookimpl\ndef gaems(): return []", Status.BROKEN_HOOK, "gaems"),
        ("from qipan.api import hookimpl\n@hookimpl\ndef games(what): return []", Status.BROKEN_HOOK, "what"),
        ("from qipan.api import hookimpl\n@hookimpl\ndef games():\n yield 1/0", Status.BROKEN_HOOK, "ZeroDivision"),
        ("from qipan.api import hookimpl\n@hookimpl\ndef games(): return 3", Status.BROKEN_HOOK, "TypeError"),
        (HOOK.format("games", "3"), Status.BROKEN_HOOK, "gives 3, no good Game"),
        (HOOK.format("games", 'Game("bad", 5)'), Status.BROKEN_HOOK, "no good Game"),
        (HOOK.format("games", 'Game("bad", len, {"left": 5})'), Status.BROKEN_HOOK, "no good Game"),
        (HOOK.format("formats", 'Format("x", ("bad",), 5, len)'), Status.BROKEN_HOOK, "no good Format"),
        (HOOK.format("formats", 'Format("x", ("bad",), (5,), len)'), Status.BROKEN_HOOK, "no good Format"),
        (HOOK.format("commands", 'Command("x", "", 5)'), Status.BROKEN_HOOK, "no good Command"),
        (HOOK.format("games", 'type("", (), {"__repr__": lambda odd: exit(3)})()'), Status.BROKEN_HOOK, "SystemExit"),
        ("", Status.BROKEN_HOOK, "declares"),
    ],
)
def test_a_plugin_broken_in_its_code_is_marked_and_the_others_work(
    tmp_path: Path, code: str, status: Status, says: str
) -> None:
    nim(tmp_path)
    plugin(tmp_path, "bad", code)
    host = trusting(tmp_path)
    with pytest.raises(PluginBroken, match="plugin bad") as caught:
        host.open("bad")
    broken = host.plugin("bad")
    assert broken.status is status
    assert says in str(broken.fault)
    assert "\n" not in str(broken.fault)
    assert "Delete the folder" in broken.place.remove
    assert caught.value.trace == broken.trace
    assert "Traceback" in broken.trace or status is Status.BROKEN_HOOK
    with pytest.raises(PluginBroken):
        host.open("bad")
    assert host.open("nim").rules()
    assert [fmt.id for fmt in host.formats()] == ["nim"]


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        (None, Status.BROKEN_MANIFEST, "plugin.toml: No such file"),
        ("api = ", Status.BROKEN_MANIFEST, "plugin.toml"),
        ("api = 2", Status.WRONG_API, "Made for api 2, this is 1"),
        ("api = 1\nid = 3", Status.BROKEN_MANIFEST, "plugin.toml"),
        (MANIFEST.format(id="../up", game="a"), Status.BROKEN_MANIFEST, "'../up' is no id"),
        (MANIFEST.format(id="a", game="a b"), Status.BROKEN_MANIFEST, "'a b' is no id"),
        (MANIFEST.format(id="a", game="a").replace('"black"', '"red"'), Status.BROKEN_MANIFEST, "the seats of a"),
        (
            MANIFEST.format(id="a", game="a") + '[[games.options]]\nid = "x"\nkind = "flag"\ndefault = "no"\n',
            Status.BROKEN_MANIFEST, "option x: the default 'no' is a text",
        ),
        (MANIFEST.format(id="a", game="a") + "surprise = 1\n", Status.BROKEN_MANIFEST, "surprise"),
    ],
)
def test_a_bad_manifest_is_one_line_and_stops_nothing(
    tmp_path: Path, text: str | None, status: Status, says: str
) -> None:
    nim(tmp_path)
    (tmp_path / "bad").mkdir()
    if text is not None:
        (tmp_path / "bad" / "plugin.toml").write_text(text, "utf-8")
    host = trusting(tmp_path)
    bad = next(found for found in host.plugins if found.folder.name == "bad")
    assert bad.status is status
    assert says in str(bad.fault)
    assert "\n" not in str(bad.fault)
    assert list(host.games) == ["nim"]


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    nim(tmp_path)
    for name in ("zero", "pipe", "words"):
        nim(tmp_path, name)
    (tmp_path / "zero" / "plugin.toml").unlink()
    (tmp_path / "zero" / "plugin.toml").symlink_to("/dev/zero")
    (tmp_path / "pipe" / "plugin.toml").unlink()
    os.mkfifo(tmp_path / "pipe" / "plugin.toml")
    os.mkfifo(tmp_path / "words" / "pipe")
    host = trusting(tmp_path)
    assert host.open("nim").rules()
    assert {found.id: str(found.fault) for found in host.plugins if found.fault} == {
        "zero": "plugin.toml: no plain file", "pipe": "plugin.toml: no plain file", "words": "pipe is no plain file",
    }  # fmt: skip


def test_the_first_place_wins_an_id_and_a_game(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    nim(first)
    nim(second)
    plugin(second, "other", "", game="nim")
    shutil.rmtree(second / "other" / "__pycache__", ignore_errors=True)
    host = Host([*places.user(first), *places.user(second)], lambda plugin_id, sha256: True)
    assert [found.status for found in host.plugins] == [Status.OK, Status.DUPLICATE, Status.DUPLICATE]
    assert str(first) in str(host.plugins[1].fault)
    assert "offers the game nim already" in str(host.plugins[2].fault)
    assert host.open("nim").info.folder == first / "nim"
    assert host.plugin("nim").folder == first / "nim"


def test_a_broken_plugin_does_not_shadow_a_sound_one_of_its_name(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "nim").mkdir(parents=True)
    second.mkdir()
    nim(second)
    host = Host([*places.user(first), *places.user(second)], lambda plugin_id, sha256: True)
    assert host.plugin("nim").folder == second / "nim"
    assert host.open("nim").rules()


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_opening_changes_nothing(tmp_path: Path, seed: int) -> None:
    for name in ("ant", "bee", "cow"):
        nim(tmp_path, name)
    plugin(tmp_path, "bad", "raise OSError('no')")
    found = list(places.user(tmp_path))
    Random(seed).shuffle(found)
    host = Host(found, lambda plugin_id, sha256: True)
    order = sorted(host.games)
    Random(seed + 100).shuffle(order)
    opened, broken = set(), []
    for game in order:
        try:
            opened.add(host.open(game).rules().board.sites[0].name + game)
        except PluginBroken as fault:
            broken.append(fault.plugin_id)
    assert opened == {"s1ant", "s1bee", "s1cow"}
    assert broken == ["bad"]


def test_try_again_runs_mended_code(tmp_path: Path) -> None:
    folder = nim(tmp_path)
    code = folder / "__init__.py"
    good = code.read_text("utf-8")
    code.write_text("1/0", "utf-8")
    host = trusting(tmp_path)
    with pytest.raises(PluginBroken, match="ZeroDivisionError"):
        host.open("nim")
    code.write_text(good, "utf-8")
    assert host.retry(host.plugin("nim")).status is Status.OK
    assert host.open("nim").rules()


@pytest.mark.parametrize(
    ("swaps", "says"),
    [
        ({"return Row(": "return 3 #"}, "3 is no Ruleset"),
        ({"return Row(": "1/0 #"}, "failed in rules: ZeroDivisionError"),
        ({'Seat("red", 0)': 'Seat("green", 0)'}, "its seats are green, black"),
        ({'kinds = ("stone",)': 'kinds = ("stone", "ghost")'}, "the kinds ghost have no look and no word"),
        ({"self.board, self.misere": "_, self.misere"}, "it has no board"),
        ({'Seat("red", 0)': '"red"'}, "its seats are .'red', Seat"),
        ({'Seat("red", 0)': 'Seat("red", 0, "left")'}, "its seats are .*facing='left'"),
        ({'kinds = (': 'hidden = property(lambda row: 1 / 0)\n    kinds = ('}, "failed in rules: ZeroDivisionError"),
        ({'kinds = ("stone",)': "kinds = ([],)"}, "failed in rules: TypeError"),
    ],
)
def test_bad_rules_are_told_of(tmp_path: Path, swaps: dict[str, str], says: str) -> None:
    nim(tmp_path, **swaps)
    opened = trusting(tmp_path).open("nim")
    with pytest.raises(PluginBroken, match=says):
        opened.rules()


def test_bad_words_break_the_one_plugin(tmp_path: Path) -> None:
    (nim(tmp_path) / "words.toml").write_text("x = 3", "utf-8")
    host = trusting(tmp_path)
    with pytest.raises(PluginBroken, match="has bad words"):
        host.words("nim")
    assert host.plugin("nim").status is Status.BROKEN_WORDS


def test_installed_packages_are_found_by_their_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "row_games"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('the parent must not run for a list')", "utf-8")
    nim(package)
    info = tmp_path / "row_games-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: row-games\nVersion: 1\n", "utf-8")
    (info / "entry_points.txt").write_text(
        "[qipan.plugins]\nnim = row_games.nim\ngone = nowhere_at_all.x\n", "utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    host = Host(places.installed())
    gone, found = host.plugins
    assert gone.status is Status.BROKEN_MANIFEST
    assert "nowhere_at_all" in str(gone.fault)
    assert found.status is Status.OK
    assert found.place.remove == "pip uninstall row-games"
    assert "row_games" not in sys.modules
    with pytest.raises(PluginBroken, match="the parent must not run"):
        host.open("nim")
    (package / "__init__.py").write_text("", "utf-8")
    assert host.retry(found).status is Status.OK
    assert host.open("nim").rules()


def test_built_in_plugins_are_sound() -> None:
    host = Host(places.built_in())
    assert host.plugins
    assert {found.id: found.fault for found in host.plugins if found.status is not Status.OK} == {}
    for game in host.games:
        assert host.open(game).rules()


def test_printing_plugins_do_not_print_among_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = nim(tmp_path)
    code = folder / "__init__.py"
    code.write_text(code.read_text("utf-8") + "\nprint('hello')\n", "utf-8")
    trusting(tmp_path).open("nim")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "hello\n")
