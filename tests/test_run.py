"""``tools/run``: which interpreter it takes, where it gets one from, and how fast it hands over."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pretended import script

ROOT = Path(__file__).resolve().parents[1]
AWKWARD = "象棋 and more"  # a folder with Chinese characters and spaces


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
def test_a_second_start_goes_straight_on_in_any_folder_and_locale(checkout: Path, tmp_path: Path, locale: str) -> None:
    finished(checkout)
    done = start(checkout, "qipan", "render", "a b", "炮", path=[], LC_ALL=locale)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == ["/", "render", "a b", "炮"]
    done = start(checkout, "play", "some game", path=[], LC_ALL=locale, DISPLAY=":0")
    assert json.loads(done.stdout) == ["/", "play", "some game"]
    assert json.loads(start(checkout, "play", path=[], DISPLAY=":0").stdout) == ["/"]


def test_a_moved_checkout_looks_for_an_interpreter_again(checkout: Path) -> None:
    finished(checkout)
    moved = checkout.rename(checkout.parent / "moved 棋")
    interpreter(checkout.parent / "bin", "python3", 3)
    done = start(moved, "qipan", "games", path=[checkout.parent / "bin"])
    assert done.stdout == f"bin/python3: -sE {moved}/tools/bootstrap.py qipan games\n"


def test_ci_runs_what_everybody_runs(checkout: Path) -> None:
    (checkout / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", checkout / ".ci/run")
    interpreter(checkout.parent / "bin", "python3", 3)
    environment = {"PATH": f"{checkout.parent / 'bin'}:{checkout.parent / 'base'}"}
    line = ["/bin/sh", str(checkout / ".ci/run")]
    done = subprocess.run(line, env=environment, cwd="/", capture_output=True, text=True)
    assert done.stdout == f"bin/python3: -sE {checkout}/tools/bootstrap.py test\n"
