"""The table's side of sound: finds cue files and hands them to the helper process without ever waiting for it."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

CUES: tuple[str, ...] = ("select", "move", "capture", "check", "begin", "end", "illegal")
DEFAULT_CUES = Path(__file__).parent / "cues"
_HELPER = Path(__file__).with_name("helper.py")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_WAITING = 8  # cues that may wait for the helper; beyond them the oldest is dropped
_STALE = 0.5  # seconds; a cue that waited longer would sound at the wrong time
_LIVES = 3  # a helper that crashes is replaced until this many have died
_GRACE = 0.3  # seconds a helper gets to leave by itself


def cue_file(name: str, folders: Sequence[Path]) -> Path | None:
    """The WAV of a cue: of the first folder that has NAME.wav, else of the platform's own set, else None.

    A name with anything but a-z, 0-9, - and _ has no file, nor has a link that leads out of its folder.
    """
    if not _NAME.fullmatch(name):
        return None
    for folder in (*folders, DEFAULT_CUES):
        file = folder / f"{name}.wav"
        if file.is_file() and file.resolve().parent == folder.resolve():
            return file
    return None


class _Cue(NamedTuple):
    path: str
    volume: float
    asked: float  # time.monotonic()


class _DeathError(Exception):
    """The helper went away, or could not be started; the text says how."""


class Player:
    """Plays WAV files through a helper process, which starts at the first cue.

    Every call returns at once. What goes wrong with sound is told to ``log``, once, from the player's own thread;
    the game goes on in silence. ``command`` replaces the helper's command line.
    """

    def __init__(
        self,
        *,
        volume: float = 0.7,
        muted: bool = False,
        log: Callable[[str], None],
        command: Sequence[str] | None = None,
    ) -> None:
        self._command = tuple(command or (sys.executable, "-P", str(_HELPER)))
        self._log = log
        self._muted = muted
        self.set_volume(volume)
        self._cues: queue.Queue[_Cue | None] = queue.Queue(_WAITING)
        self._lock = threading.Lock()  # no helper starts once closed
        self._off = threading.Event()  # closed, or given up
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def play(self, path: Path) -> None:
        """Starts a sound beside those still playing; drops it when muted, closed, or when the helper is stuck."""
        if self._off.is_set() or self._muted or self._volume <= 0:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="qipan-audio", daemon=True)
            self._thread.start()
        self._post(_Cue(os.path.abspath(path), self._volume, time.monotonic()))

    def set_volume(self, volume: float) -> None:
        """The loudness of the cues from now on: 0 is silence, 1 is the file as it is; beyond is cut off."""
        self._volume = min(max(float(volume), 0.0), 1.0)

    def set_muted(self, muted: bool) -> None:
        """Whether cues are dropped from now on."""
        self._muted = muted

    def close(self) -> None:
        """Ends the helper and the thread within a second; later cues are dropped. May be called twice."""
        with self._lock:
            self._off.set()
        if self._thread is None:
            return
        self._post(None)
        self._thread.join(_GRACE)
        if self._thread.is_alive() and (process := self._process) is not None:
            process.kill()  # the thread waits for a stuck helper's answer, and gets its end instead
        self._thread.join(_GRACE)

    def _post(self, cue: _Cue | None) -> None:
        while True:
            try:
                return self._cues.put_nowait(cue)
            except queue.Full:  # the helper is stuck: the oldest cue goes
                with contextlib.suppress(queue.Empty):
                    self._cues.get_nowait()

    def _serve(self) -> None:
        """Sends cues one by one and waits for each answer: the only code that touches the helper's pipes."""
        deaths = 0
        while not self._off.is_set() and (cue := self._cues.get()) is not None:
            if time.monotonic() - cue.asked > _STALE:
                continue
            try:
                answer = self._ask(cue)
            except _DeathError as death:
                deaths += 1
                self._end_helper()
                if self._off.is_set():
                    return
                if deaths >= _LIVES:
                    self._off.set()
                self._log(
                    f"The sound helper {death}; {'it is started again' if deaths < _LIVES else 'sound stays off'}."
                )
                continue
            if answer.get("off"):
                self._off.set()
            if said := answer.get("say"):
                self._log(str(said))
        self._end_helper()

    def _ask(self, cue: _Cue) -> dict[str, object]:
        """The helper's answer to a cue. Raises _DeathError."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"play": cue.path, "volume": cue.volume}).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise _DeathError(f"ended with code {_ended(process)}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise _DeathError("said something else than an answer")
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        # simpleaudio frees Python memory without the interpreter's lock: only the system's malloc survives that.
        environment = {**os.environ, "PYTHONMALLOC": "malloc"}
        with self._lock:
            if self._off.is_set():
                raise _DeathError("was closed")
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,  # sound libraries chatter there
                    env=environment,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
            except (OSError, ValueError) as fault:
                raise _DeathError(f"does not start ({fault})") from fault
        return self._process

    def _end_helper(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with process:  # closes the pipes and waits
            assert process.stdin is not None
            try:
                process.stdin.close()
            except OSError:
                process.kill()  # an unsent line was left in the pipe of a dead helper
            _ended(process)


def _ended(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process that is about to leave, and is made to when it lingers."""
    try:
        return process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
