"""Proofs that reach beyond one process: a program killed in mid-game, and the sound that is heard."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from proofs.steps import Found, Proof, Step, tested

# -- kill ------------------------------------------------------------------------------------------------------------


def _plan_kill(small: bool, seed: int) -> Sequence[Step]:
    return [partial(_kill, seed + number) for number in range(2 if small else 50)]


def _kill(seed: int) -> Found:
    with tempfile.TemporaryDirectory(prefix="qipan-kill-") as folder:
        try:
            told, more = tested("test_journal").killed(Path(folder), seed)
        except (AssertionError, ValueError) as fault:
            return Found({"kills": 1}, (f"seed {seed}: {type(fault).__name__} {fault}",))
    return Found({"kills": 1, "accepted changes found again": told, "begun changes found too": more})


# -- audio -----------------------------------------------------------------------------------------------------------


def _plan_audio(small: bool, seed: int) -> Sequence[Step]:
    names: Sequence[str] = tested("test_audio").CUES
    rounds = 1 if small else 5
    return [partial(_heard, name, seed + number) for number in range(rounds) for name in names[: 2 if small else None]]


def _heard(name: str, seed: int) -> Found:
    """Plays the platform's and xiangqi's file of a cue by the real helper into a device that keeps every byte."""
    audio = tested("test_audio")
    files = dict.fromkeys(audio.cue_file(name, folders) for folders in ((), (audio.XIANGQI,)))
    said: list[str] = []
    size, faults = 0, []
    with tempfile.TemporaryDirectory(prefix="qipan-heard-") as folder, _device(Path(folder)) as heard:
        player = audio.Player(volume=1.0, log=said.append)
        try:
            for number, file in enumerate(files, 1):
                player.play(file)
                wanted = audio.samples_of(file)

                def whole(number: int = number, wanted: bytes = wanted) -> bool:
                    captured = _captured(heard)
                    return len(captured) >= number and len(captured[-1]) >= len(wanted)

                audio.until(whole)
                captured = _captured(heard)
                size += len(wanted)
                if len(captured) != number or captured[-1] != wanted:
                    faults.append(f"{file.name} of {file.parents[1].name} was heard as other bytes ({said})")
        finally:
            player.close()
    return Found({"cues": len(files), "bytes": size}, tuple(faults))


def _captured(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(folder.iterdir())]


@contextmanager
def _device(folder: Path) -> Iterator[Path]:
    """Makes ALSA write each play into a file of its own, in the folder that it gives."""
    heard, config = folder / "heard", folder / "asound.conf"
    heard.mkdir()
    config.write_text(
        "pcm.null { type null }\n"
        "pcm.!default { type file slave.pcm null format raw truncate false perm 0600 "
        f'file "{heard}/play" }}\n'
    )
    before = os.environ.get("ALSA_CONFIG_PATH")
    os.environ["ALSA_CONFIG_PATH"] = str(config)
    try:
        yield heard
    finally:
        if before is None:
            del os.environ["ALSA_CONFIG_PATH"]
        else:
            os.environ["ALSA_CONFIG_PATH"] = before


PROOFS = (
    Proof("kill", "A program killed (kill -9) in mid-game loses no accepted change.", _plan_kill),
    Proof("audio", "What is heard equals the cue files, byte for byte.", _plan_audio),
)
