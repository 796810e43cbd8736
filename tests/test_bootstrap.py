"""Set-up: what is asked of which package manager, when ``.venv`` is made again, what a person is told."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Set
from pathlib import Path

import bootstrap
import pytest
import setup_system
from pretended import script

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes a machine with one package manager: gives the file that its calls are written to."""

    def make(program: str, *, root: bool, answer: str = "exit 0") -> Path:
        log = tmp_path / "log"
        script(tmp_path / "bin" / program, f'echo "{program} $*" >> "{log}"\n{answer}\n')
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        monkeypatch.setattr(setup_system, "ROOT_USER", root)
        for module in (setup_system, bootstrap):
            monkeypatch.setattr(module, "PACKAGED", True)
        monkeypatch.setattr(setup_system, "NEEDS", needs(setup_system.needs_of_system()))
        return log

    def needs(all_: Mapping[str, setup_system.Need]) -> dict[str, setup_system.Need]:
        gone = {name: need._replace(found=lambda: False) for name, need in all_.items()}
        monkeypatch.setattr(bootstrap, "NEEDS", gone)
        return gone

    return make


PLAY, TEST, QIPAN = (bootstrap.VERBS[name] for name in ("play", "test", "qipan"))
FOR_PLAY = {
    "apt-get": "install -y --no-install-recommends {0}-tk {0}-venv gcc libc6-dev {0}-dev libasound2-dev fonts-noto-cjk",
    "dnf": "install -y python3-tkinter python3-pip gcc python3-devel alsa-lib-devel"
    " google-noto-serif-cjk-fonts google-noto-sans-cjk-fonts",
    "pacman": "-Sy --needed --noconfirm tk python gcc alsa-lib noto-fonts-cjk",
    "brew": "install python-tk@{1} python@{1} font-noto-serif-cjk",
}


def expected(program: str) -> str:
    """The command for all that play wants, with the names that fit the interpreter of the test run."""
    version = f"3.{sys.version_info[1]}"
    usual = setup_system.python_packages()["apt-get"][0].removesuffix("-tk")
    return f"{program} {FOR_PLAY[program].format(usual, version)}"


@pytest.mark.parametrize("program", FOR_PLAY)
def test_each_manager_is_asked_for_its_own_packages(
    program: str, machine: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    log = machine(program, root=program != "brew")
    with pytest.raises(bootstrap.Stop, match="Missing: tkinter and venv"):
        bootstrap.provide(PLAY)
    calls = log.read_text().splitlines()
    assert expected(program) in calls
    assert (f"{program} update -qq" in calls) == (program == "apt-get")
    assert f"Installing {', '.join(PLAY.needs)}" in capsys.readouterr().err


@pytest.mark.parametrize("program", FOR_PLAY)
def test_without_the_right_to_install_the_exact_command_is_named(program: str, machine: Callable[..., Path]) -> None:
    root = program == "brew"  # brew refuses to run as root, the others as anybody else
    log = machine(program, root=root)
    with pytest.raises(bootstrap.Stop) as stop:
        bootstrap.provide(PLAY)
    assert str(stop.value).endswith(f"Run:  {'' if root else 'sudo '}{expected(program)}")
    assert not log.exists()


def test_sudo_is_used_where_it_asks_for_no_password(machine: Callable[..., Path], tmp_path: Path) -> None:
    log = machine("dnf", root=False)
    script(tmp_path / "bin" / "sudo", f'echo "sudo $*" >> "{log}"\n')
    with pytest.raises(bootstrap.Stop):
        bootstrap.provide(QIPAN)
    assert log.read_text().splitlines() == [
        "sudo -n true",
        "sudo -n env DEBIAN_FRONTEND=noninteractive dnf install -y python3-pip",
    ]


def test_one_bad_package_does_not_keep_the_others_out(machine: Callable[..., Path]) -> None:
    log = machine("apt-get", root=True, answer="case $* in *fonts*) echo 'E: no fonts' >&2; exit 100 ;; esac")
    setup_system.install(["Xvfb", "a Chinese font"])
    asked = [line.partition("recommends ")[2] for line in log.read_text().splitlines()[1:]]
    assert asked == ["xvfb fonts-noto-cjk", "xvfb", "fonts-noto-cjk"]


def test_play_goes_on_without_font_and_sound_but_tests_do_not(
    machine: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("apt-get", root=False)
    for name in ("tkinter", "venv", "Xvfb"):
        monkeypatch.setitem(bootstrap.NEEDS, name, bootstrap.NEEDS[name]._replace(found=lambda: True))
    bootstrap.provide(PLAY)
    said = capsys.readouterr().err.splitlines()
    command = "sudo apt-get install -y --no-install-recommends fonts-noto-cjk"
    assert said == [f"qipan: Without a Chinese font pieces are shown as pictograms. Run:  {command}"]
    with pytest.raises(bootstrap.Stop, match="a C compiler and sound headers and a Chinese font"):
        bootstrap.provide(TEST)


def test_a_python_that_no_package_brought_asks_for_the_systems_own(
    machine: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine("apt-get", root=False)
    monkeypatch.setattr(setup_system, "PACKAGED", False)
    assert setup_system.needs_of_system()["tkinter"].packages["apt-get"][0] == "python3"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an empty ``.venv`` and a pyproject, which bootstrap takes for its own; gives its folder."""
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "OWN", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "STAMP", tmp_path / ".venv/stamp.json")
    monkeypatch.setattr(bootstrap, "OWN_PYTHON", tmp_path / ".venv/bin/python")
    (tmp_path / ".venv").mkdir()
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, own: Path) -> list[str]:
    """What would be done to ``.venv``: `new` or `mended`, and with which extras; all system needs are met."""
    done: list[str] = []

    def make(old: bootstrap.Stamp, wanted: bootstrap.Stamp, extras: Set[str]) -> bootstrap.Stamp:
        done.append(" ".join(("mended" if old.place == wanted.place else "new", *sorted(extras))))
        return wanted._replace(extras=tuple(extras))

    def pip(*words: str) -> str:
        done.append(words[-1])
        return ""

    met = {name: need._replace(found=lambda: True) for name, need in bootstrap.NEEDS.items()}
    monkeypatch.setattr(bootstrap, "NEEDS", met)
    monkeypatch.setattr(bootstrap, "make_environment", make)
    monkeypatch.setattr(bootstrap, "pip", pip)
    monkeypatch.setattr(bootstrap, "search_again", lambda reason: None)
    return done


SOUND = "simpleaudio>=1.0.4"


def test_a_second_start_does_nothing(made: list[str]) -> None:
    bootstrap.prepare(PLAY)
    assert made == ["new", SOUND]
    bootstrap.prepare(PLAY)
    bootstrap.prepare(QIPAN)
    assert made == ["new", SOUND]


def test_what_tests_need_is_added_and_stays(made: list[str], own: Path) -> None:
    bootstrap.prepare(PLAY)
    bootstrap.prepare(TEST)
    assert made == ["new", SOUND, "mended dev", SOUND]
    (own / "pyproject.toml").write_text((own / "pyproject.toml").read_text("utf-8") + "\n# more\n", "utf-8")
    bootstrap.prepare(PLAY)
    bootstrap.prepare(bootstrap.VERBS["bench"])
    assert made[4:] == ["mended dev", SOUND, "mended bench dev", SOUND]


def test_a_moved_or_half_made_environment_is_made_anew(
    made: list[str], own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.prepare(PLAY)
    moved = bootstrap.Stamp.read()._replace(place="/elsewhere")
    moved.write()
    bootstrap.prepare(PLAY)
    assert made == ["new", SOUND] * 2
    for damage in ("", "{}", '{"place": 1', "[]"):
        bootstrap.STAMP.write_text(damage)
        bootstrap.prepare(PLAY)
    assert made == ["new", SOUND] * 6


def test_without_sound_headers_play_says_so_in_one_line_and_tests_stop(
    made: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    headers = bootstrap.NEEDS["sound headers"]
    monkeypatch.setitem(bootstrap.NEEDS, "sound headers", headers._replace(found=lambda: False))
    monkeypatch.setattr(bootstrap, "install", lambda names: None)
    for _ in range(2):
        bootstrap.prepare(PLAY)
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(
            "qipan: No simpleaudio (sound headers missing): the system's player is heard, or nothing."
        )
    with pytest.raises(bootstrap.Stop, match="sound headers"):
        bootstrap.prepare(TEST)
    monkeypatch.setitem(bootstrap.NEEDS, "sound headers", headers._replace(found=lambda: True))
    bootstrap.prepare(PLAY)
    assert made == ["new", SOUND]
    assert capsys.readouterr().err == ""


def test_a_failed_simpleaudio_is_not_tried_at_each_start(
    made: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tries: list[str] = []
    monkeypatch.setattr(bootstrap, "pip", lambda *words: tries.append(words[-1]) or "ERROR: it broke")
    bootstrap.prepare(PLAY)
    bootstrap.prepare(PLAY)
    assert tries == [SOUND]
    assert capsys.readouterr().err.splitlines()[-1].startswith("qipan: No simpleaudio (it would not build):")
    with pytest.raises(bootstrap.Stop, match="would not build"):
        bootstrap.prepare(TEST)


def test_a_half_made_environment_is_swept_away_and_a_failure_leaves_no_stamp(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leftover = own / ".venv/lib/half-written"
    leftover.mkdir(parents=True)
    ran: list[list[str]] = []

    def venv(words: list[str], **more: object) -> subprocess.CompletedProcess[str]:
        ran.append(words)
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(bootstrap.subprocess, "run", venv)
    monkeypatch.setattr(bootstrap, "pip", lambda *words: "ERROR: no network")
    with pytest.raises(bootstrap.Stop, match=r"is the network there\?\): ERROR: no network"):
        bootstrap.make_environment(bootstrap.Stamp(), bootstrap.Stamp.now(), set())
    assert ran[0][1:] == ["-m", "venv", str(own / ".venv")]
    assert not leftover.exists()
    assert bootstrap.Stamp.read() == bootstrap.Stamp()


@pytest.mark.parametrize("platform", ["linux", "freebsd14"])
def test_play_without_a_display_says_so(
    platform: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(bootstrap, "WINDOWS", False)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert bootstrap.main(["play"]) == 1
    assert capsys.readouterr().err.startswith("qipan: No display: neither DISPLAY nor WAYLAND_DISPLAY is set.")
    assert not bootstrap.has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert bootstrap.has_display()


def test_no_word_or_an_unknown_one_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["paly"]):
        assert bootstrap.main(words) == 2
        assert capsys.readouterr() == ("", bootstrap.HELP)
    assert bootstrap.main(["--help"]) == 0
    assert capsys.readouterr() == (bootstrap.HELP, "")
