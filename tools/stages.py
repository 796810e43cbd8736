"""``tools/run test``: lint, types, tests, and a wheel that is built, installed into a clean place and started there.

Every stage runs and is timed, also after one has failed; the exit code says whether all of them passed. With words only
pytest runs, with those words. The last line is pytest's own closing line.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
WHEELS = ROOT / ".venv" / "wheels"  # laid in by tools/bootstrap.py
TYPED = ("platform/qipan", "plugins", "tools")
CLOSING = re.compile(r"^=* ?\d+ (passed|failed|error|skipped|deselected|warning).* in [\d.]+s.*$|^=* ?no tests ran .*$")


class Fault(Exception):
    """A stage that did not pass; the text says what went wrong."""


class Ran(NamedTuple):
    """A stage that is over: its name, its seconds, and what went wrong (nothing: it passed)."""

    name: str
    seconds: float
    fault: str


def run(*words: str | Path, cwd: Path = ROOT) -> str:
    """Runs a program quietly in `cwd` and gives its standard output. Raises Fault with all it said if it failed."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    line = [str(word) for word in words]
    done = subprocess.run(
        line, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if done.returncode:
        raise Fault(f"{' '.join(line)}: exit {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def lint() -> None:
    """Ruff over the whole repository."""
    print(run(sys.executable, "-m", "ruff", "check", "--quiet", "--output-format", "concise", "."), end="")


def types() -> None:
    """Mypy, strict, over everything that ships."""
    print(run(sys.executable, "-m", "mypy", "--strict", *TYPED), end="")


class Tests:
    """Runs pytest, shows its output as it comes, and keeps its closing line."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.words = words
        self.closing = "no closing line of pytest"

    def __call__(self) -> None:
        """Raises Fault unless pytest ran tests and all of them passed (its exit 5, no tests, is a failure)."""
        colour = ["--color=yes"] if sys.stdout.isatty() else []
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *colour, *self.words],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                print(line, end="", flush=True)
                plain = re.sub(r"\x1b\[[\d;]*m", "", line).rstrip()
                if CLOSING.match(plain):
                    self.closing = plain
        if process.returncode:
            raise Fault(f"pytest: exit {process.returncode}")


def wheel() -> None:
    """Builds the wheel, installs it into a clean environment far from the checkout, and starts what it brought."""
    with tempfile.TemporaryDirectory(prefix="qipan wheel ") as name:
        place = Path(name)
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place / "dist")
        (built,) = (place / "dist").glob("*.whl")
        run(sys.executable, "-m", "venv", place / "clean")
        programs = place / "clean" / ("Scripts" if os.name == "nt" else "bin")
        pip = (programs / "python", "-m", "pip", "install", "-q", "--no-index", "--find-links", WHEELS)
        run(*pip, built, cwd=place)
        where = run(programs / "python", "-c", "import qipan; print(qipan.__file__)", cwd=place).strip()
        if not Path(where).is_relative_to(place.resolve()):
            raise Fault(f"the clean environment uses {where}")
        qipan = programs / "qipan"
        games = json.loads(run(qipan, "games", "--json", cwd=place))
        if "xiangqi" not in json.dumps(games):
            raise Fault(f"the wheel carries no xiangqi: {games}")
        counted = json.loads(run(qipan, "perft", "xiangqi", "2", "--json", cwd=place))
        if counted["nodes"] != 1920:
            raise Fault(f"perft xiangqi 2 in the wheel: {counted}, not 1920")
        print(run(qipan, "plugins", "check", "xiangqi", cwd=place), end="")
        print(f"{built.name}, {built.stat().st_size // 1024} kB: installed and started; {len(games)} game(s)")


def attempt(name: str, stage: Callable[[], None]) -> Ran:
    """Runs one stage between two lines that name it."""
    print(f"\n--- {name}", flush=True)
    begun, fault = time.monotonic(), ""
    try:
        stage()
    except Fault as caught:
        fault = str(caught)
        print(fault)
    seconds = time.monotonic() - begun
    print(f"--- {name}: {'FAILED' if fault else 'ok'} in {seconds:.1f} s", flush=True)
    return Ran(name, seconds, fault)


def main(words: Sequence[str]) -> int:
    """Runs the stages, or pytest alone with `words`; gives 0 if all passed, else 1."""
    # Files are named from where the person stands, but the tests run at the top.
    tests = Tests([str(Path(word).absolute()) if Path(word).exists() else word for word in words])
    stages: dict[str, Callable[[], None]] = {"ruff": lint, "mypy": types, "pytest": tests, "wheel": wheel}
    chosen = {"pytest": tests} if words else stages
    os.chdir(ROOT)
    ran = [attempt(name, stage) for name, stage in chosen.items()]
    print()
    for each in ran:
        print(f"{each.name:8} {'FAILED' if each.fault else 'ok':8} {each.seconds:6.1f} s")
    print(tests.closing)
    return int(any(each.fault for each in ran))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
