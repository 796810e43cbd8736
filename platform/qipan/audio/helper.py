"""The process that makes the sound: reads one JSON line a cue, plays it, answers one JSON line, ends with its input.

``{"play": FILE, "volume": 0..1}`` is answered by ``{"say": null or a line for the log, "off": true when given up}``.
It is run by its path and needs the standard library alone; it plays with simpleaudio where that is installed.
"""

from __future__ import annotations

import array
import importlib
import io
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

LIMIT = 2 << 20  # bytes of a WAV file
RATES = (8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 192000)
_PROOF = 0.3  # seconds after which a player that has not failed is believed
_CROWD = 8  # external players at once


class RefusedError(Exception):
    """A file that is not played; the text says why."""


class Sound(NamedTuple):
    """What is to be heard: 16-bit little-endian samples, already scaled by the volume."""

    path: Path
    volume: float
    channels: int
    rate: int
    samples: bytes


class Way(Protocol):
    """A way of playing; ``play`` returns while the sound goes on and raises anything when it cannot."""

    def play(self, sound: Sound) -> None:
        """Starts the sound."""

    def close(self) -> None:
        """Ends what still sounds, where it would outlive this process."""


def read(path: Path, volume: float) -> Sound:
    """The sound of a WAV file: 16-bit PCM, one or two channels, at most 2 MB. Raises RefusedError naming the file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise RefusedError(f"{path}: not a file")
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as fault:
        raise RefusedError(f"{path}: {fault.strerror}") from fault
    if len(data) > LIMIT:
        raise RefusedError(f"{path}: larger than {LIMIT} bytes")
    try:
        with wave.open(io.BytesIO(data)) as reader:
            form = reader.getparams()
            samples = reader.readframes(form.nframes)
    except (wave.Error, EOFError, RuntimeError, ValueError) as fault:
        raise RefusedError(f"{path}: not a PCM WAV file ({str(fault) or 'it ends too early'})") from fault
    if form.sampwidth != 2 or form.nchannels not in (1, 2) or form.framerate not in RATES:
        raise RefusedError(
            f"{path}: {8 * form.sampwidth} bits, {form.nchannels} channels, {form.framerate} Hz;"
            " wanted 16 bits, 1 or 2 channels, a usual rate"
        )
    if not samples or len(samples) != form.nframes * form.nchannels * 2:
        raise RefusedError(f"{path}: it ends too early")
    return Sound(path, volume, form.nchannels, form.framerate, scaled(samples, volume))


def scaled(samples: bytes, volume: float) -> bytes:
    """The 16-bit samples times a volume of 0 to 1; the very bytes at 1."""
    if volume >= 1:
        return samples
    values = array.array("h", samples)
    if sys.byteorder == "big":
        values.byteswap()
    values = array.array("h", (round(value * volume) for value in values))
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


class SimpleAudio:
    """Plays with the simpleaudio package. Raises ImportError where it is missing."""

    def __init__(self) -> None:
        self._library = importlib.import_module("simpleaudio")
        self._last: Any = None  # simpleaudio has no types

    def play(self, sound: Sound) -> None:
        """Starts the sound; a device that takes one sound at a time is freed for it."""
        try:
            self._last = self._start(sound)
        except Exception:
            if self._last is None or not self._last.is_playing():
                raise
            self._library.stop_all()
            self._last.wait_done()
            self._last = self._start(sound)

    def _start(self, sound: Sound) -> Any:
        return self._library.play_buffer(sound.samples, sound.channels, 2, sound.rate)

    def close(self) -> None:
        """Nothing: its sounds end with this process."""


class Programs:
    """Plays by starting a program of the system for every sound, the samples as its input."""

    def __init__(self, command: Callable[[Sound], list[str]]) -> None:
        self._command = command
        self._running: list[subprocess.Popen[bytes]] = []
        self._proved = False

    def play(self, sound: Sound) -> None:
        """Starts the sound. Raises OSError when this program, or an earlier one, has failed."""
        self._running = [process for process in self._running if not self._ended(process)]
        if len(self._running) >= _CROWD:
            return
        # A file, because a pipe would hold this process up until the sound is nearly over.
        with tempfile.TemporaryFile() as samples:
            samples.write(sound.samples)
            samples.seek(0)
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(self._command(sound), stdin=samples, stdout=quiet, stderr=quiet)
        self._running.append(process)
        if not self._proved:
            try:
                process.wait(_PROOF)
            except subprocess.TimeoutExpired:
                self._proved = True
            else:
                self._proved = self._ended(process)

    def _ended(self, process: subprocess.Popen[bytes]) -> bool:
        if process.poll():
            raise OSError(f"it ended with code {process.returncode}")
        return process.returncode is not None

    def close(self) -> None:
        """Ends the programs."""
        for process in self._running:
            process.kill()


class WinSound:
    """Plays with Windows' own function, one sound at a time. Raises ImportError elsewhere."""

    def __init__(self) -> None:
        self._library = importlib.import_module("winsound")
        self._faults: list[RuntimeError] = []
        self._proved = False

    def play(self, sound: Sound) -> None:
        """Starts the sound. Raises RuntimeError when this one, or an earlier one, has failed."""
        data = io.BytesIO()
        with wave.open(data, "wb") as writer:
            writer.setparams((sound.channels, 2, sound.rate, 0, "NONE", ""))
            writer.writeframes(sound.samples)
        # From memory the function only plays while its caller waits.
        thread = threading.Thread(target=self._wait, args=(data.getvalue(),), daemon=True)
        thread.start()
        if not self._proved:
            thread.join(_PROOF)
        if self._faults:
            raise self._faults[0]
        self._proved = True

    def _wait(self, data: bytes) -> None:
        try:
            self._library.PlaySound(data, self._library.SND_MEMORY | self._library.SND_NODEFAULT)
        except RuntimeError as fault:
            self._faults.append(fault)

    def close(self) -> None:
        """Nothing: its sounds end with this process."""


def _pacat(sound: Sound) -> list[str]:
    return ["pacat", "--playback", "--format=s16le", f"--rate={sound.rate}", f"--channels={sound.channels}"]


def _aplay(sound: Sound) -> list[str]:
    return ["aplay", "-q", "-t", "raw", "-f", "S16_LE", "-r", str(sound.rate), "-c", str(sound.channels)]


def _afplay(sound: Sound) -> list[str]:
    return ["afplay", "-v", f"{sound.volume:.3f}", str(sound.path)]


def ways() -> Iterator[tuple[str, Callable[[], Way]]]:
    """The ways of playing on this system, best first, each with its name."""
    yield "simpleaudio", SimpleAudio
    if sys.platform == "win32":
        yield "winsound", WinSound
    for command in (_afplay,) if sys.platform == "darwin" else (_pacat, _aplay):
        if shutil.which(name := command.__name__[1:]):
            yield name, lambda command=command: Programs(command)  # type: ignore[misc]


class Speaker:
    """Plays by the first way that works. A way that fails is not tried again; after the last there is silence."""

    def __init__(self, choices: Iterator[tuple[str, Callable[[], Way]]]) -> None:
        self._choices = choices
        self._way: Way | None = None
        self._name = ""
        self._faults: list[str] = []
        self._refused: set[Path] = set()

    def serve(self, path: Path, volume: float) -> dict[str, object]:
        """Plays a file; gives the answer to the request."""
        try:
            sound = read(path, volume)
        except RefusedError as fault:
            said = None if path in self._refused else f"A sound is not played: {fault}"
            self._refused.add(path)
            return {"say": said, "off": False}
        before = len(self._faults)
        if not self._play(sound):
            return {"say": f"No sound: {'; '.join(self._faults)}", "off": True}
        changed = len(self._faults) > before
        said = f"Sound is played by {self._name} ({'; '.join(self._faults)})" if changed else None
        return {"say": said, "off": False}

    def _play(self, sound: Sound) -> bool:
        while True:
            try:
                if self._way is None:
                    self._name, make = next(self._choices)
                    self._way = make()
                self._way.play(sound)
                return True
            except StopIteration:
                return False
            except Exception as fault:  # whatever a sound library raises, the next way may work
                self._faults.append(f"{self._name}: {' '.join(str(fault).split())}")
                self.close()

    def close(self) -> None:
        """Ends what still sounds."""
        if self._way is not None:
            self._way.close()
        self._way = None


def main() -> None:
    """Serves standard input until it ends, which it does when the parent dies, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is the parent's business
    with os.fdopen(os.dup(1), "w", encoding="ascii") as answers:
        os.dup2(2, 1)  # no library's chatter among the answers
        speaker = Speaker(ways())
        for line in sys.stdin.buffer:
            request = json.loads(line)
            print(json.dumps(speaker.serve(Path(request["play"]), request["volume"])), file=answers, flush=True)
        speaker.close()
    os._exit(0)  # simpleaudio's threads may still play: the interpreter's own end would pull memory from under them


if __name__ == "__main__":
    main()
