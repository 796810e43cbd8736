"""What `bench` measures of the windows, each in a process and on a display of its own.

Started as ``bench_windows.py WHAT [NUMBER...]`` it is that process, and prints one JSON value.
"""

from __future__ import annotations

import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

START = 30.0  # seconds that an X server may take
DRAWN = 0.7  # the goals: CPU seconds to the whole launcher, seconds a frame may hold the loop
FRAME = 0.016
QUIET = 0.25  # seconds without a picture to make, after which the launcher is whole

Row = tuple[str, float, str]


# -- the side that measures ------------------------------------------------------------------------------------------
@contextmanager
def display() -> Iterator[dict[str, str]]:
    """An X server of one's own, as the environment of those who use it. Raises OSError where it does not start."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "2600x1700x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], START)
        number = os.read(reading, 32).decode().strip() if ready else ""
        if not number:
            raise OSError("Xvfb did not start")
        yield {**os.environ, "DISPLAY": f":{number}"}
    finally:
        os.close(reading)
        server.terminate()
        server.wait(START)


def measured(what: str, *numbers: int, environment: Mapping[str, str]) -> Any:
    """What a fresh process of that kind prints. Raises SystemExit where it failed; it has then said why."""
    command = [sys.executable, "-P", __file__, what, *map(str, numbers)]
    done = subprocess.run(command, env=dict(environment), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"bench: measuring {what} failed (exit {done.returncode})")
    return json.loads(done.stdout.splitlines()[-1])


def launcher_figures(rounds: int) -> list[Row]:
    """CPU seconds from the interpreter's start: a bare window, the launcher without and with kept pictures."""
    best = dict.fromkeys(("bare Tk window with one label", "launcher, first start", "launcher, later starts"), 1e9)
    bare, first, later = best
    with display() as environment, tempfile.TemporaryDirectory(prefix="qipan-bench-") as cache:
        compiled = {**environment, "PYTHONPYCACHEPREFIX": cache, "QIPAN_SCALE": "1"}  # as an installed program is
        compiled.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(rounds + 1):
            with tempfile.TemporaryDirectory(prefix="qipan-bench-") as home:
                plain = {**compiled, "QIPAN_HOME": home}
                for name, what in ((bare, "bare"), (first, "launcher"), (later, "launcher")):
                    seconds = measured(what, environment=plain)
                    if number:  # the first round compiles
                        best[name] = min(best[name], seconds)
    notes = {name: f"{best[name] / best[bare]:.1f} x the bare window, {_goal(best[name], DRAWN)}" for name in best}
    return [(name, seconds, "" if name == bare else notes[name]) for name, seconds in best.items()]


def frame_figures(rounds: int, beats: int = 60, moves: int = 16) -> list[Row]:
    """The CPU seconds that a frame holds the loop (p50, p99), of a pulse and of moves, at 1x and 2x."""
    runs: dict[str, list[list[float]]] = {}
    with display() as environment, tempfile.TemporaryDirectory(prefix="qipan-bench-") as home:
        for _ in range(rounds):
            for scale in (1, 2):
                plain = {**environment, "QIPAN_HOME": home, "QIPAN_SCALE": str(scale)}
                found = measured("frames", beats, moves, environment=plain)
                for kind, frames in found.items():
                    runs.setdefault(f"{kind} at {scale}x", []).append(sorted(frames))
    rows = []
    for name, measured_runs in runs.items():
        frames = min(measured_runs, key=lambda run: part(run, 0.99))
        p99 = part(frames, 0.99)
        rows.append((f"{name}, p50", part(frames, 0.5), f"of {len(frames)} frames"))
        rows.append((f"{name}, p99", p99, _goal(p99, FRAME)))
    return rows


def part(ordered: Sequence[float], share: float) -> float:
    """The value that a share of the ordered values does not pass."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _goal(seconds: float, goal: float) -> str:
    unit = f"{goal:g} s" if goal >= 0.1 else f"{goal * 1e3:g} ms"
    return f"goal {unit}: {'reached' if seconds < goal else 'MISSED'}"


# -- the side that is measured ---------------------------------------------------------------------------------------
def spent() -> float:
    """CPU seconds of this process since it began, its children included."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _bare() -> float:
    import tkinter as tk
    from tkinter import ttk

    root = tk.Tk()
    ttk.Label(root, text="Qipan").pack()
    root.update()
    return spent()


def _launcher() -> float:
    """The program as its command starts it, until every picture is there."""
    from qipan import cli
    from qipan.tk.app import App

    found: list[float] = []

    def run(app: App) -> int:
        app.open_first()
        whole, end = 0.0, time.monotonic() + START
        while time.monotonic() < end:
            app.root.update()
            if app.pictures.waiting:
                whole = 0.0
            elif not whole:
                whole, seconds = time.monotonic(), spent()
            elif time.monotonic() - whole > QUIET:
                found.append(seconds)
                break
            time.sleep(0.01)
        app.close()
        return int(bool(app.faults))

    App.run = run  # type: ignore[assignment, method-assign]  # the same start, but it ends once all is drawn
    if cli.main([]) or not found:
        raise SystemExit("the launcher was not drawn")
    return found[0]


class _Frames:
    """Takes the time of every callback of a board's canvas, with the drawing that Tk then does."""

    def __init__(self, app: Any) -> None:
        self.app, self.board = app, app.page.board
        self.kept: list[float] | None = None
        self._after = self.board.after
        self.board.after = self._timed

    def _timed(self, wait: int, callback: Callable[..., object], *words: object) -> str:
        def frame() -> None:
            kept, began = self.kept, time.process_time()
            callback(*words)
            self.app.root.update_idletasks()
            if kept is not None:
                kept.append(time.process_time() - began)

        return str(self._after(wait, frame))

    def click(self, point: int) -> None:
        """Clicks a point of the board."""
        x, y = map(round, self.board.layout.xy(point))
        for event in ("<Motion>", "<Button-1>", "<ButtonRelease-1>"):
            self.board.event_generate(event, x=x, y=y)
        self.app.root.update()

    def pump(self, until: Callable[[], bool]) -> None:
        """Lets the window live until something holds."""
        end = time.monotonic() + START
        while not until():
            if time.monotonic() > end:
                raise SystemExit("the window stood still")
            self.app.root.update()
            time.sleep(0.001)


def _frames(beats: int, moves: int) -> dict[str, list[float]]:
    """The times of so many beats of a lifted piece's pulse, and of the frames of so many moves."""
    from qipan.tk.app import App, Start

    app = App(Start(game="xiangqi"), rng=Random(1))
    app.open_first()
    app.root.update()
    app.root.focus_force()
    frames, rng = _Frames(app), Random(1)
    session = app.page.session  # type: ignore[union-attr]
    pulse: list[float] = []
    glide: list[float] = []
    frames.pump(lambda: frames.board.layout is not None)
    for _ in range(moves):
        move = rng.choice(session.legal())
        frames.click(move.path[0])
        frames.kept, beaten = pulse, len(pulse) + beats / moves
        frames.pump(lambda beaten=beaten: len(pulse) >= beaten)  # type: ignore[misc]
        frames.kept = glide
        frames.click(move.path[1])
        frames.pump(lambda: not frames.board.motion.running)
        frames.kept = None
        if session.outcome is not None:
            break
    if app.faults or not session.root.children:
        raise SystemExit(f"no move was made: {app.faults}")
    app.root.destroy()
    return {"pulse": pulse, "move": glide}


def main(words: Sequence[str]) -> int:
    """Measures in this process and prints what was found."""
    works: dict[str, Callable[..., object]] = {"bare": _bare, "launcher": _launcher, "frames": _frames}
    print(json.dumps(works[words[0]](*map(int, words[1:]))))
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main(sys.argv[1:]))
