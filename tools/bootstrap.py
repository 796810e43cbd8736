"""Sets Qipan up and starts it: looks at the machine, installs what is missing or names the command, makes ``.venv``.

Standard library alone; ``tools/run`` starts it (on Windows ``py tools\\bootstrap.py play``). The second start reads one
stamp and goes straight on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from setup_system import NEEDS, PACKAGED, SOUND, WINDOWS, advice, install, last_words, say

ROOT = Path(__file__).resolve().parents[1]
OWN = ROOT / ".venv"
STAMP = OWN / "qipan-stamp.json"
WHEELS = OWN / "wheels"  # the run-time dependencies, for the clean venv that tools/stages.py makes
OWN_PYTHON = OWN / ("Scripts/python.exe" if WINDOWS else "bin/python")
SEARCHES = "QIPAN_SEARCHES"  # why tools/run was told to look beyond .venv: for each reason once, so that it ends

HELP = """\
usage: tools/run play [WORDS...]    open the launcher, or play GAME or FILE
       tools/run test [PYTEST...]   lint, types, tests and the wheel; with words only pytest with them
       tools/run qipan WORDS...     the program's command line (try: tools/run qipan --help)
       tools/run proof [NAME...]    play and show what is promised
       tools/run shots [WORDS...]   pictures of every window
       tools/run bench [WORDS...]   measure speed
"""


class Stop(Exception):
    """Set-up cannot go on; the text says what to do."""


class Verb(NamedTuple):
    """A word of the command: what it starts, the system's things it wants, the extras of pyproject, all or nothing."""

    start: tuple[str, ...]
    needs: tuple[str, ...]
    extras: tuple[str, ...]
    strict: bool = False  # nothing may be missing, so that no test is left out unseen


HEARD = () if WINDOWS else ("sound",)  # Windows has a player of its own, and no compiler
WINDOW = ("tkinter", "venv", *(() if WINDOWS else SOUND), "a Chinese font")


def tool(name: str, *extras: str) -> Verb:
    """A word of those who work on Qipan: runs ``tools/NAME.py`` with all there is."""
    return Verb((str(ROOT / f"tools/{name}.py"),), (*WINDOW, "Xvfb"), (*HEARD, "dev", *extras), strict=True)


VERBS = {
    "play": Verb(("-P", "-m", "qipan"), WINDOW, HEARD),
    "qipan": Verb(("-P", "-m", "qipan"), ("venv",), HEARD),
    "test": tool("stages"),
    "proof": tool("proof"),
    "shots": tool("shots"),
    "bench": tool("bench", "bench"),
}


def provide(verb: Verb) -> None:
    """Sees that the machine has what `verb` needs, and says how play goes on without what it can do without.

    Raises Stop, with the command to run, when something is missing that it cannot do without.
    """
    missing = [name for name in verb.needs if not NEEDS[name].found()]
    if missing:
        install(missing)
        missing = [name for name in missing if not NEEDS[name].found()]
    fatal = [name for name in missing if verb.strict or not NEEDS[name].without]
    if fatal:
        if not PACKAGED:
            search_again("installed")  # what was installed belongs to the system's own Python
        raise Stop(f"Missing: {' and '.join(fatal)} (for {sys.executable}). Run:  {advice(missing)}")
    fonts = [name for name in missing if name not in SOUND]  # sound has its own line, at each start
    for name in fonts:
        say(f"Without {name} {NEEDS[name].without}. Run:  {advice([name])}")


def search_again(reason: str) -> None:
    """Hands over to tools/run, which looks for a better interpreter; does nothing if it already did for this reason."""
    reasons = os.environ.get(SEARCHES, "").split()
    if reason not in reasons and not WINDOWS:
        os.environ[SEARCHES] = " ".join((*reasons, reason))
        os.execv("/bin/sh", ["sh", str(ROOT / "tools/run"), *sys.argv[1:]])


class Stamp(NamedTuple):
    """What a finished ``.venv`` was made from (place and interpreter, pyproject's hash) and what was done for it."""

    place: str = ""
    project: str = ""
    extras: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @classmethod
    def now(cls) -> Stamp:
        """The stamp that this checkout and this interpreter ask for, with no extras yet."""
        place = "\n".join((str(ROOT), str(sys.implementation.cache_tag), sys.base_prefix))
        return cls(place, hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest())

    @classmethod
    def read(cls) -> Stamp:
        """The stamp in ``.venv``; the empty one if there is none that can be understood."""
        try:
            data = json.loads(STAMP.read_text("utf-8"))
            return cls(str(data["place"]), str(data["project"]), tuple(data["extras"]), tuple(data["needs"]))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def looked_after(self, verb: Verb, wanted: Stamp) -> bool:
        """Whether the system was already asked for all that `verb` needs."""
        return self.place == wanted.place and set(verb.needs) <= set(self.needs)

    def serves(self, verb: Verb, wanted: Stamp) -> bool:
        """Whether nothing at all is to be done before `verb`."""
        return self[:2] == wanted[:2] and set(verb.extras) <= set(self.extras) and self.looked_after(verb, wanted)

    def write(self) -> None:
        """Puts the stamp into ``.venv`` as the last thing, whole or not at all."""
        beside = STAMP.with_suffix(".new")
        beside.write_text(json.dumps(self._asdict(), indent=1), "utf-8")
        os.replace(beside, STAMP)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Lets one set-up run at a time: a second start waits for the first instead of sweeping its work away."""
    if WINDOWS:
        yield
        return
    import fcntl

    with open(ROOT / ".venv.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def project() -> dict[str, Any]:
    """The table ``project`` of pyproject.toml."""
    import tomllib

    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def pip(*words: str) -> str:
    """Runs pip of ``.venv``; gives what went wrong, empty if nothing did."""
    done = subprocess.run(
        [str(OWN_PYTHON), "-m", "pip", "--disable-pip-version-check", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return last_words(done.stderr or done.stdout) if done.returncode else ""


def make_environment(old: Stamp, wanted: Stamp, extras: Set[str]) -> Stamp:
    """Makes ``.venv``, or mends it in place if only pyproject or `extras` changed; gives its stamp. Raises Stop."""
    STAMP.unlink(missing_ok=True)
    if old.place != wanted.place or not OWN_PYTHON.exists():
        say("Setting up .venv (once, about a minute)...")
        shutil.rmtree(OWN, ignore_errors=True)
        base = getattr(sys, "_base_executable", "") or sys.executable
        made = subprocess.run([base, "-m", "venv", str(OWN)], capture_output=True, text=True)
        if made.returncode:
            raise Stop(f"Cannot make {OWN}: {last_words(made.stdout + made.stderr)}")
    else:
        say("Bringing .venv up to date...")
    names = sorted(extras)
    fault = pip("install", "-q", "-e", f".[{','.join(names)}]" if names else ".")
    if not fault:
        point_home()
    if "dev" in extras and not fault:
        shutil.rmtree(WHEELS, ignore_errors=True)
        fault = pip("download", "-q", "--dest", str(WHEELS), *project()["dependencies"])
    if fault:
        raise Stop(f"Cannot install the Python packages (is the network there?): {fault}")
    return wanted._replace(extras=tuple(names), needs=())


def point_home() -> None:
    """Makes the editable install find the checkout by a relative path.

    Python reads an absolute one in the locale's encoding: under ``LC_ALL=C`` it would not start in a Chinese folder.
    """
    for file in OWN.glob("**/site-packages/_qipan.pth"):
        file.write_text(os.path.relpath(ROOT / "platform", file.parent) + "\n", "ascii")


def add_sound(stamp: Stamp) -> Stamp:
    """Tries simpleaudio once for a ``.venv``, as soon as it can be compiled; gives the stamp of what came of it."""
    if "sound" in stamp.extras or "simpleaudio" in stamp.needs or not all(NEEDS[name].found() for name in SOUND):
        return stamp
    fault = pip("install", "-q", *project()["optional-dependencies"]["sound"])
    if fault:
        say(f"simpleaudio cannot be installed: {fault}")
        return stamp._replace(needs=(*stamp.needs, "simpleaudio"))
    return stamp._replace(extras=(*stamp.extras, "sound"))


def prepare(verb: Verb) -> None:
    """Makes machine and ``.venv`` fit for `verb`; returns at once if the stamp says they are. Raises Stop."""
    wanted, old = Stamp.now(), Stamp.read()
    if old.serves(verb, wanted) and not verb.strict:
        return
    inside = sys.prefix != sys.base_prefix
    if inside and (old.place != wanted.place or ("tkinter" in verb.needs and not NEEDS["tkinter"].found())):
        search_again("unfit")
    with locked():
        old = Stamp.read()
        if verb.strict or not old.looked_after(verb, wanted):
            provide(verb)
        stamp = old
        has = set(old.extras) - {"sound"} if old.place == wanted.place else set()
        lacks = set(verb.extras) - {"sound"} - has
        if old[:2] != wanted[:2] or lacks:
            stamp = make_environment(old, wanted, has | lacks)
        if "sound" in verb.extras:
            stamp = add_sound(stamp)
        stamp = stamp._replace(needs=tuple(sorted({*stamp.needs, *verb.needs})))
        if stamp != old:
            stamp.write()
    if "tkinter" in verb.needs and not set(verb.extras) <= set(stamp.extras):
        lacking = [name for name in SOUND if not NEEDS[name].found()]
        reason = f"{' and '.join(lacking)} missing" if lacking else "it would not build"
        cure = f" Run:  {advice(lacking)}" if lacking else ""
        if verb.strict:
            raise Stop(f"No simpleaudio, and no test may be left out: {reason}.{cure}")
        say(f"No simpleaudio ({reason}): the system's player is heard, or nothing.{cure}")


def has_display() -> bool:
    """Whether a window can be shown: on Linux and the BSDs somebody must have named a display."""
    if WINDOWS or sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def start(words: Sequence[str]) -> int:
    """Becomes the Python of ``.venv`` where the person stands; on Windows runs it and gives its exit code."""
    os.environ.pop(SEARCHES, None)
    line = [str(OWN_PYTHON), *words]
    if WINDOWS:
        return subprocess.run(line).returncode
    os.execv(line[0], line)


def main(words: Sequence[str]) -> int:
    """Does what `words` ask; gives the exit code: 1 if set-up stopped, 2 if the words are not understood."""
    if sys.version_info < (3, 11):
        say(f"Qipan needs Python 3.11 or newer; this is {sys.version.split()[0]} ({sys.executable}).")
        return 1
    name, rest = (words[0], list(words[1:])) if words else ("", [])
    verb = VERBS.get(name)
    if verb is None:
        asked = name in ("-h", "--help", "help")
        print(HELP, end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    if name == "play" and not has_display():
        say("No display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it from a desktop session.")
        return 1
    if name == "play" and rest:
        rest.insert(0, "play")
    try:
        prepare(verb)
    except Stop as stop:
        say(str(stop))
        return 1
    except OSError as fault:
        say(f"Cannot set up: {fault}")
        return 1
    except KeyboardInterrupt:
        say("Stopped; the next start begins set-up afresh.")
        return 130
    return start([*verb.start, *rest])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
