"""The one command: which interpreter it takes, what it asks of which package manager, when it sets up again."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import bootstrap  # noqa: E402
import setup_system  # noqa: E402

AWKWARD = "象棋 and more"  # a folder with Chinese characters and spaces


def script(path: Path, text: str) -> Path:
    """Writes an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text, "utf-8")
    path.chmod(0o755)
    return path


def interpreter(folder: Path, name: str, score: int | None) -> None:
    """A program that poses as Python: answers the probe with `score` (None: dies like a shim), else says its name."""
    answer = f"echo {score}" if score is not None else "echo 'no such version' >&2; exit 127"
    script(folder / name, f'case " $* " in *" -c "*) {answer} ;; *) echo "{folder.name}/{name}: $*" ;; esac\n')


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """An unpacked archive's tools in an awkward folder, and beside it a folder `base` with what the stub runs."""
    tools = tmp_path / AWKWARD / "tools"
    tools.mkdir(parents=True)
    for name in ("run", "bootstrap.py", "setup_system.py"):
        shutil.copy(ROOT / "tools" / name, tools / name)
    base = tmp_path / "base"
    base.mkdir()
    for name in ("dirname", "env", "rm", "sh", "cp", "chmod"):
        (base / name).symlink_to(str(shutil.which(name)))
    script(base / "id", "echo 0\n")
    return tools.parent


def start(checkout: Path, *words: str, path: list[Path], **more: str) -> subprocess.CompletedProcess[str]:
    """Runs tools/run of `checkout` with these words, from "/", with only `path` and `base` to find programs in."""
    folders = [*path, checkout.parent / "base"]
    environment = {"PATH": ":".join(map(str, folders)), "HOME": str(checkout.parent), **more}
    return subprocess.run(
        ["/bin/sh", str(checkout / "tools/run"), *words], env=environment, cwd="/", capture_output=True, text=True
    )


def test_run_prefers_tkinter_and_venv_over_the_first_on_the_path(checkout: Path) -> None:
    shims, plain, whole = (checkout.parent / name for name in ("shims", "plain", "whole"))
    for name in ("python3", "python3.12"):
        interpreter(shims, name, None)
    interpreter(plain, "python3", 1)
    interpreter(whole, "python3", 2)
    interpreter(whole, "python3.12", 3)
    done = start(checkout, "qipan", "two words", path=[shims, plain, whole])
    assert done.stdout == f"whole/python3.12: -sE {checkout}/tools/bootstrap.py qipan two words\n"
    assert done.stderr == ""


def test_run_prefers_a_python_that_packages_can_complete(checkout: Path) -> None:
    plain, packaged = checkout.parent / "plain", checkout.parent / "packaged"
    interpreter(plain, "python3", 1)
    interpreter(packaged, "python3", 2)
    assert start(checkout, "play", path=[plain, packaged]).stdout.startswith("packaged/python3:")
    assert start(checkout, "play", path=[plain]).stdout.startswith("plain/python3:")


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("apt-get", "install -y --no-install-recommends python3 python3-tk python3-venv"),
        ("dnf", "install -y python3 python3-tkinter"),
        ("pacman", "-Sy --needed --noconfirm python tk"),
    ],
)
def test_run_installs_a_python_where_there_is_none(checkout: Path, program: str, line: str) -> None:
    fetched = checkout.parent / "fetched"
    interpreter(fetched, "python3", 3)
    bin_ = checkout.parent / "bin"
    log = checkout.parent / "log"
    script(bin_ / program, f'echo "$*" >> "{log}"; case $* in *python*) cp {fetched}/python3 {bin_}/ ;; esac\n')
    done = start(checkout, "play", path=[bin_])
    assert done.stdout.startswith("fetched/python3: -sE")
    assert log.read_text().splitlines()[-1] == line


def test_run_names_the_command_where_it_may_not_install(checkout: Path) -> None:
    bin_ = checkout.parent / "bin"
    script(bin_ / "apt-get", "echo must not run >&2\n")
    script(bin_ / "id", "echo 1000\n")
    script(bin_ / "sudo", "exit 1\n")
    done = start(checkout, "play", path=[bin_])
    assert (done.returncode, done.stdout) == (1, "")
    assert "sudo apt-get install -y --no-install-recommends python3 python3-tk python3-venv" in done.stderr
    assert "must not run" not in done.stderr


def test_run_says_when_the_system_has_only_an_old_python(checkout: Path) -> None:
    bin_ = checkout.parent / "bin"
    interpreter(bin_, "python3", None)
    script(bin_ / "dnf", "exit 0\n")
    done = start(checkout, "play", path=[bin_])
    assert done.returncode == 1
    assert "3.11 or newer" in done.stderr


# --- packages ---------------------------------------------------------------------------------------------------------


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


# --- the environment --------------------------------------------------------------------------------------------------


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
    """What would be done to ``.venv``: `new`, `mended`, with ` dev` where it is for tests; all system needs are met."""
    done: list[str] = []

    def make(old: bootstrap.Stamp, wanted: bootstrap.Stamp, *, dev: bool) -> bootstrap.Stamp:
        done.append(("mended" if old.place == wanted.place else "new") + " dev" * dev)
        return wanted._replace(extras=("dev",) if dev else ())

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
    assert made[4:] == ["mended dev", SOUND]


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
        assert line.startswith("qipan: No sound: sound headers missing. Run:  ")
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
    assert capsys.readouterr().err.splitlines()[-1] == "qipan: No sound: simpleaudio would not build"
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
        bootstrap.make_environment(bootstrap.Stamp(), bootstrap.Stamp.now(), dev=False)
    assert ran[0][1:] == ["-m", "venv", str(own / ".venv")]
    assert not leftover.exists()
    assert bootstrap.Stamp.read() == bootstrap.Stamp()


# --- the command ------------------------------------------------------------------------------------------------------


def finished(checkout: Path) -> None:
    """Gives `checkout` a finished ``.venv`` as the bootstrap makes it, and a program that prints its words as JSON."""
    package = checkout / "platform/qipan"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text("import json, os, sys\nprint(json.dumps([os.getcwd(), *sys.argv[1:]]))\n")
    shutil.copy(ROOT / "pyproject.toml", checkout)
    own = checkout / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(own)], check=True)
    (site,) = own.glob("lib/*/site-packages")
    (site / "_qipan.pth").write_text(str(checkout / "platform"), "utf-8")
    prepared = (
        "import bootstrap as b; b.point_home();"
        "b.Stamp.now()._replace(extras=('sound',), needs=b.VERBS['play'].needs).write()"
    )
    subprocess.run([str(own / "bin/python"), "-c", prepared], cwd=checkout / "tools", check=True)


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_the_second_start_is_quick_in_any_folder_and_locale(checkout: Path, tmp_path: Path, locale: str) -> None:
    finished(checkout)
    begun = time.monotonic()
    done = start(checkout, "qipan", "render", "a b", "炮", path=[], LC_ALL=locale)
    spent = time.monotonic() - begun
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == ["/", "render", "a b", "炮"]
    assert spent < 2
    done = start(checkout, "play", "some game", path=[], LC_ALL=locale, DISPLAY=":0")
    assert json.loads(done.stdout) == ["/", "play", "some game"]
    assert json.loads(start(checkout, "play", path=[], DISPLAY=":0").stdout) == ["/"]


def test_a_moved_checkout_looks_for_an_interpreter_again(checkout: Path) -> None:
    finished(checkout)
    moved = checkout.rename(checkout.parent / "moved 棋")
    interpreter(checkout.parent / "bin", "python3", 3)
    done = start(moved, "qipan", "games", path=[checkout.parent / "bin"])
    assert done.stdout == f"bin/python3: -sE {moved}/tools/bootstrap.py qipan games\n"


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


def test_ci_runs_what_everybody_runs(checkout: Path) -> None:
    (checkout / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", checkout / ".ci/run")
    interpreter(checkout.parent / "bin", "python3", 3)
    environment = {"PATH": f"{checkout.parent / 'bin'}:{checkout.parent / 'base'}"}
    line = ["/bin/sh", str(checkout / ".ci/run")]
    done = subprocess.run(line, env=environment, cwd="/", capture_output=True, text=True)
    assert done.stdout == f"bin/python3: -sE {checkout}/tools/bootstrap.py test\n"
