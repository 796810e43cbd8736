"""What Qipan wants of the system: whether it is there, which packages bring it, how a person or the machine gets them.

Standard library alone, for it runs before anything is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

WINDOWS = os.name == "nt"
ROOT_USER = not WINDOWS and os.getuid() == 0
PACKAGED = sys.base_prefix == "/usr" or "/Cellar/" in sys.base_prefix or "/homebrew/" in sys.base_prefix


def say(text: str) -> None:
    """Tells the person at the terminal; standard output belongs to the program."""
    print(f"qipan: {text}", file=sys.stderr, flush=True)


def last_words(output: str) -> str:
    """The line of a program's output that says best why it failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no output"]
    errors = [line for line in lines if line.startswith(("E:", "ERROR:"))]
    return (errors or lines)[-1][:300]


class Manager(NamedTuple):
    """A package manager: its program, the words that install, those that refresh its lists, whether root runs it."""

    program: str
    install: tuple[str, ...]
    refresh: tuple[str, ...] = ()
    root: bool = True


MANAGERS = (
    Manager("apt-get", ("install", "-y", "--no-install-recommends"), ("update", "-qq")),
    Manager("dnf", ("install", "-y")),
    Manager("pacman", ("-Sy", "--needed", "--noconfirm")),
    Manager("brew", ("install",), root=False),
)


class Need(NamedTuple):
    """Something of the system: whether it is there, its packages by manager, and how play goes on without it."""

    found: Callable[[], bool]
    packages: Mapping[str, tuple[str, ...]]
    without: str = ""  # empty: play does not go on


def importable(module: str) -> bool:
    """Whether a fresh interpreter of this kind can import `module`: this one would not see what was just installed."""
    return subprocess.run([sys.executable, "-I", "-c", f"import {module}"], capture_output=True).returncode == 0


def can_compile() -> bool:
    """Whether a C compiler and Python's own headers are there."""
    compiler = any(shutil.which(name) for name in ("cc", "gcc", "clang", "cl"))
    return compiler and Path(sysconfig.get_path("include"), "Python.h").is_file()


def has_sound_headers() -> bool:
    """Whether simpleaudio can be compiled: on Linux it needs ALSA's headers, elsewhere the system's own."""
    return not sys.platform.startswith("linux") or any(
        Path(prefix, "include/alsa/asoundlib.h").is_file() for prefix in ("/usr", "/usr/local")
    )


def has_cjk_font() -> bool:
    """Whether a font file that is known to hold Chinese characters lies in one of the usual folders."""
    home = Path.home()
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts", home / ".local/share/fonts"]
    folders += [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts", Path("C:/Windows/Fonts")]
    known = re.compile(r"cjk|source-?han|songti|stsong|simsun|msyh|uming|ukai|wqy|pingfang|fandol", re.IGNORECASE)
    return any(known.search(name) for folder in folders for _, _, names in os.walk(folder) for name in names)


def python_packages() -> dict[str, tuple[str, str, str]]:
    """The packages of tkinter, venv and the headers for this interpreter, by manager.

    An interpreter that no package brought (pyenv, a build of one's own) cannot be mended by packages: the system's own
    Python is asked for instead, and tools/run finds it in its next search.
    """
    minor = sys.version_info[1]
    usual = os.path.realpath("/usr/bin/python3").endswith(f"python3.{minor}") or sys.base_prefix != "/usr"
    apt = "python3" if usual else f"python3.{minor}"
    return {
        "apt-get": (f"{apt}-tk", f"{apt}-venv", f"{apt}-dev"),
        "dnf": ("python3-tkinter", "python3-pip", "python3-devel"),
        "pacman": ("tk", "python", "python"),
        "brew": (f"python-tk@3.{minor}", f"python@3.{minor}", f"python@3.{minor}"),
    }


def needs_of_system() -> dict[str, Need]:
    """All that Qipan may want of the system, by name."""
    python = python_packages()
    tk, venv, headers = ({by: (names[at],) for by, names in python.items()} for at in range(3))
    if not PACKAGED:
        tk = {by: (*(("python3",) if by in ("apt-get", "dnf") else ()), *tk[by], *venv[by]) for by in tk}
    linux = sys.platform.startswith("linux")
    compiler = {"apt-get": ("gcc", "libc6-dev"), "dnf": ("gcc",), "pacman": ("gcc",)}
    alsa = {"apt-get": ("libasound2-dev",), "dnf": ("alsa-lib-devel",), "pacman": ("alsa-lib",)}
    fonts = {
        "apt-get": ("fonts-noto-cjk",),
        "dnf": ("google-noto-serif-cjk-fonts", "google-noto-sans-cjk-fonts"),
        "pacman": ("noto-fonts-cjk",),
        "brew": ("font-noto-serif-cjk",),
    }
    xvfb = {"apt-get": ("xvfb",), "dnf": ("xorg-x11-server-Xvfb",), "pacman": ("xorg-server-xvfb",)}
    return {
        "tkinter": Need(lambda: importable("_tkinter"), tk),
        "venv": Need(lambda: importable("venv, ensurepip"), venv),
        "a C compiler": Need(can_compile, {by: (*names, *headers[by]) for by, names in compiler.items()}, "no sound"),
        "sound headers": Need(has_sound_headers, alsa, "no sound"),
        "a Chinese font": Need(has_cjk_font, fonts, "pieces are shown as pictograms"),
        "Xvfb": Need(lambda: not linux or shutil.which("Xvfb") is not None, xvfb),
    }


NEEDS = needs_of_system()
SOUND = ("a C compiler", "sound headers")


def manager() -> Manager | None:
    """The first package manager on the path."""
    return next((each for each in MANAGERS if shutil.which(each.program)), None)


def command(by: Manager, names: Sequence[str]) -> tuple[str, ...]:
    """The words that install the needs of these names, without sudo; empty when `by` has no package for them."""
    packages = [package for name in names for package in NEEDS[name].packages.get(by.program, ())]
    return (by.program, *by.install, *dict.fromkeys(packages)) if packages else ()


def elevated(by: Manager) -> tuple[str, ...] | None:
    """What stands before a command of `by` so that it may run unasked: nothing, sudo, or None when it may not."""
    if by.root == ROOT_USER:
        return ()
    if ROOT_USER or not shutil.which("sudo"):
        return None
    allowed = subprocess.run(["sudo", "-n", "true"], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0
    return ("sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive") if allowed else None


def advice(names: Sequence[str]) -> str:
    """The exact command a person runs to get the needs of these names."""
    by = manager()
    words = command(by, names) if by else ()
    if by and words:
        return " ".join(("sudo", *words) if by.root and not ROOT_USER else words)
    if sys.platform == "darwin" and set(names) <= set(SOUND):
        return "xcode-select --install"
    return f"your system's package manager, for {' and '.join(names)}"


def install(names: Sequence[str]) -> None:
    """Asks the package manager for these needs where it may run unasked: all together, then singly if that failed."""
    by = manager()
    before = elevated(by) if by else None
    if by is None or before is None or not command(by, names):
        return

    def run(words: Sequence[str]) -> bool:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            [*before, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            say(f"{' '.join(words)} failed: {last_words(done.stderr or done.stdout)}")
        return done.returncode == 0

    say(f"Installing {', '.join(names)}: {' '.join(command(by, names))}")
    if by.refresh:
        run((by.program, *by.refresh))
    if not run(command(by, names)) and len(names) > 1:
        for name in names:
            if words := command(by, [name]):
                run(words)
