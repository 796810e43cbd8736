"""Makes the cues: struck wood by resonating modes, plucked strings by a looped delay line; the same bytes every time.

``python tools/make_sounds.py`` writes the WAV files (44.1 kHz, 16 bits, one channel); with ``--check`` it writes
nothing and exits 1 when a committed file differs from what it would make. Standard library only.
"""

from __future__ import annotations

import argparse
import array
import io
import math
import random
import sys
import wave
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

RATE = 44100
ROOT = Path(__file__).resolve().parents[1]
DEFAULT = "platform/qipan/audio/cues"
XIANGQI = "plugins/xiangqi/sounds"

Wave = list[float]


class Mode(NamedTuple):
    """One way a body rings: its pitch in Hz, the seconds until it is 60 dB down, its share of the sound."""

    pitch: float
    decay: float
    share: float


# A bar, disc or board rings in stretched partials; the higher ones, being rubbed more by the wood, die sooner.
BOARD = (Mode(226, 0.15, 0.45), Mode(391, 0.13, 0.8), Mode(577, 0.10, 0.8), Mode(842, 0.07, 0.5))
DISC = (
    Mode(905, 0.075, 0.9),
    Mode(1384, 0.055, 0.8),
    Mode(1790, 0.042, 0.6),
    Mode(2630, 0.020, 0.4),
    Mode(3890, 0.012, 0.25),
)
PEBBLE = (Mode(1240, 0.060, 0.8), Mode(1985, 0.042, 0.7), Mode(3110, 0.020, 0.4), Mode(4630, 0.012, 0.2))
LID = (Mode(297, 0.12, 0.4), Mode(512, 0.10, 0.7), Mode(765, 0.08, 0.7))
FELT = (Mode(183, 0.11, 0.8), Mode(276, 0.10, 1.0), Mode(418, 0.07, 0.7))
BLOCK = (Mode(1.0, 0.30, 1.0), Mode(2.03, 0.14, 0.34), Mode(2.71, 0.09, 0.2), Mode(4.19, 0.04, 0.1))  # of its pitch
SOUNDBOARD = (Mode(214, 0.14, 0.5), Mode(389, 0.11, 0.6), Mode(611, 0.08, 0.35))


def silence(seconds: float) -> Wave:
    """That many seconds of nothing."""
    return [0.0] * round(seconds * RATE)


def blow(width: float, noise: float, seed: int) -> Wave:
    """The force of a contact: half a sine, ``width`` seconds long (shorter is harder and brighter), with grit on it."""
    dice = random.Random(seed)
    count = max(3, round(width * RATE))
    return [math.sin(math.pi * (i + 0.5) / count) * (1 + noise * dice.uniform(-1, 1)) for i in range(count)]


def ring(force: Sequence[float], modes: Sequence[Mode], seconds: float, scale: float = 1.0) -> Wave:
    """What a body with these modes sounds when the force strikes it: a two-pole resonator for each mode."""
    out = silence(seconds)
    push = list(force) + [0.0] * (len(out) - len(force))
    for mode in modes:
        angle = 2 * math.pi * mode.pitch * scale / RATE
        radius = 10 ** (-3 / (mode.decay * RATE))
        turn, damp = 2 * radius * math.cos(angle), radius * radius
        gain = mode.share * math.sin(angle)
        one = two = 0.0
        for i, drive in enumerate(push):
            one, two = gain * drive + turn * one - damp * two, one
            out[i] += one
    return out


def click(seconds: float, low: float, high: float, seed: int) -> Wave:
    """A burst of noise between two pitches that dies within ``seconds``: two surfaces meeting."""
    dice = random.Random(seed)
    smooth, rough = math.exp(-2 * math.pi * high / RATE), math.exp(-2 * math.pi * low / RATE)
    out, fast, slow = [], 0.0, 0.0
    for i in range(round(seconds * RATE)):
        value = dice.uniform(-1, 1)
        fast += (1 - smooth) * (value - fast)
        slow += (1 - rough) * (fast - slow)
        out.append((fast - slow) * math.exp(-6.9 * i / (seconds * RATE)))
    return out


def pluck(pitch: float, seconds: float, bright: float, sustain: float, seed: int) -> Wave:
    """A plucked string (Karplus and Strong, tuned by an all-pass as Jaffe and Smith), a fifth from its bridge.

    ``bright`` is 0..1; ``sustain`` the seconds until the note is 60 dB down.
    """
    period = RATE / pitch - 0.5  # the loop's two-point mean holds half a sample
    length = int(period - 0.3)
    rest = period - length
    tune = (1 - rest) / (1 + rest)
    dice = random.Random(seed)
    dull, raw = 0.0, []
    for i in range(length):
        # The nail lifts the string to a corner and lets it go; a little noise is the nail itself.
        shape = i / (0.2 * length) if i < 0.2 * length else (length - i) / (0.8 * length)
        dull += (0.15 + 0.85 * bright) * (shape - 0.5 + 0.5 * dice.uniform(-1, 1) - dull)
        raw.append(dull)
    mean = sum(raw) / length
    line = [value - mean for value in raw]
    loss = 10 ** (-3 / (sustain * pitch))
    out, before, x_old, y_old = [], 0.0, 0.0, 0.0
    for i in range(round(seconds * RATE)):
        value = line[i % length]
        out.append(value)
        mixed = loss * 0.5 * (value + before)
        before = value
        y_old = tune * mixed + x_old - tune * y_old
        x_old = mixed
        line[i % length] = y_old
    return out


def mix(*parts: tuple[float, float, Sequence[float]]) -> Wave:
    """The sum of parts, each (start in seconds, gain, wave)."""
    out = [0.0] * max(round(start * RATE) + len(part) for start, _, part in parts)
    for start, gain, part in parts:
        for i, value in enumerate(part, round(start * RATE)):
            out[i] += gain * value
    return out


def level(part: Sequence[float]) -> Wave:
    """The part with its loudest sample at 1."""
    peak = max(abs(value) for value in part)
    return [value / peak for value in part]


def room(part: Sequence[float], amount: float) -> Wave:
    """The part with a few early reflections of a small quiet room, each duller than the last."""
    out = list(part) + silence(0.045)
    dull = list(part)
    for delay, gain in ((0.0071, 0.55), (0.0127, 0.42), (0.0193, 0.33), (0.0281, 0.24), (0.0403, 0.15)):
        kept = 0.0
        for i, value in enumerate(dull):
            kept += 0.45 * (value - kept)
            dull[i] = kept
            out[i + round(delay * RATE)] += amount * gain * kept
    return out


def finish(part: Sequence[float], decibels: float, fade: float) -> bytes:
    """A WAV file: peak at ``decibels`` below full scale, no offset, eased in over 0.3 ms and out over ``fade`` s."""
    low, x_old, out = 0.0, 0.0, []
    keep = 1 - 2 * math.pi * 30 / RATE  # nothing below 30 Hz: it moves a loudspeaker and is not heard
    for value in part:
        low = value - x_old + keep * low
        x_old = value
        out.append(low)
    out = level(out)
    while abs(out[-1]) < 2e-4:  # 74 dB down is over
        out.pop()
    ease, leave = round(0.0003 * RATE), round(fade * RATE)
    for i in range(ease):
        out[i] *= i / ease
    for i in range(leave):
        out[-1 - i] *= 0.5 - 0.5 * math.cos(math.pi * i / leave)
    peak = 32767 * 10 ** (decibels / 20)
    samples = array.array("h", (round(peak * value) for value in level(out)))
    if sys.byteorder == "big":
        samples.byteswap()
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 2, RATE, len(samples), "NONE", ""))
        writer.writeframes(samples.tobytes())
    return file.getvalue()


def knock(
    body: Sequence[Mode], piece: Sequence[Mode], width: float, seconds: float, seed: int, deep: float = 1.0
) -> Wave:
    """A piece set down on a board: the board, the piece, the contact; an edge lands a moment after the other."""
    first, second = blow(width, 0.35, seed), blow(width * 0.8, 0.35, seed + 1)
    hit = mix((0, 1, first), (0.0016, 0.4, second), (0.0135, 0.16, second))
    return mix(
        (0, 0.65, level(ring(hit, body, seconds, deep))),
        (0, 0.90, level(ring(hit, piece, seconds, deep))),
        (0, 0.24, level(click(0.007, 900, 7000, seed + 2))),
        (0.0135, 0.06, level(click(0.005, 1200, 7000, seed + 3))),
    )


def block(pitch: float, seconds: float, seed: int) -> Wave:
    """A hollow wooden fish struck with a mallet: one clear pitch, a knock of the mallet before it."""
    hit = blow(0.0012, 0.2, seed)
    mallet = level(click(0.010, 500, 3500, seed + 1))
    return mix((0, 1, level(ring(hit, BLOCK, seconds, pitch))), (0, 0.22, mallet))


def string(pitch: float, seconds: float, bright: float, seed: int) -> Wave:
    """A note of a zither: the string, and its soundboard answering the nail."""
    tone = pluck(pitch, seconds, bright, min(2.6, 900 / pitch), seed)
    wood = ring(blow(0.002, 0.3, seed + 1), SOUNDBOARD, 0.2)
    return mix((0, 1, level(tone)), (0, 0.16, level(wood)))


def select() -> bytes:
    """A piece touched: a soft light tick."""
    tick = mix((0, 1, ring(blow(0.0005, 0.2, 11), PEBBLE, 0.07)), (0, 0.05, click(0.004, 1500, 6000, 12)))
    return finish(tick, -14, 0.02)


def move() -> bytes:
    """A small piece set down on a wooden lid."""
    return finish(room(knock(LID, PEBBLE, 0.0007, 0.16, 21), 0.30), -6, 0.05)


def capture() -> bytes:
    """Two pieces meet, then one stands: a double knock, the second the heavier."""
    meet, land = knock(LID, PEBBLE, 0.0006, 0.15, 31, 1.12), knock(LID, PEBBLE, 0.0010, 0.20, 35, 0.78)
    return finish(room(mix((0, 0.55, meet), (0.062, 1, land)), 0.30), -3, 0.06)


def check() -> bytes:
    """A warning that stays polite: two strokes of a wooden bell, a fourth up."""
    return finish(room(mix((0, 0.8, block(587.3, 0.40, 41)), (0.14, 1, block(784.0, 0.40, 44))), 0.35), -7, 0.10)


def illegal() -> bytes:
    """No: a dull tap on felt."""
    hit = mix((0, 1, blow(0.0026, 0.15, 51)), (0.075, 0.6, blow(0.0032, 0.15, 52)))
    return finish(mix((0, 1, level(ring(hit, FELT, 0.22))), (0, 0.15, level(click(0.012, 200, 1200, 53)))), -8, 0.05)


def begin() -> bytes:
    """Three rising strings: d, a, d."""
    notes = mix((0, 0.8, string(293.66, 1.15, 0.55, 61)), (0.13, 0.85, string(440.0, 1.02, 0.6, 63)))
    return finish(room(mix((0, 1, notes), (0.26, 1, string(587.33, 0.89, 0.65, 65))), 0.35), -8, 0.45)


def end() -> bytes:
    """A falling pentatonic cadence that rests on an open fifth: b, a, f sharp, e, then d with a and a low d."""
    falling = [(0.0, 0.70, 493.88), (0.12, 0.70, 440.0), (0.24, 0.72, 369.99), (0.38, 0.75, 329.63)]
    chord = [(0.58, 0.9, 293.66), (0.595, 0.55, 440.0), (0.61, 0.8, 146.83)]
    notes = [
        (at, gain, string(pitch, 1.60 - at, 0.5, 71 + 3 * i)) for i, (at, gain, pitch) in enumerate(falling + chord)
    ]
    return finish(room(mix(*notes), 0.35), -8, 0.60)


def disc_move() -> bytes:
    """A thick wooden disc set down on a heavy board."""
    return finish(room(knock(BOARD, DISC, 0.0008, 0.22, 81), 0.35), -6, 0.07)


def disc_capture() -> bytes:
    """Disc on disc, then the winner stamped on the board."""
    meet, land = knock(LID, DISC, 0.0006, 0.18, 91, 1.15), knock(BOARD, DISC, 0.0012, 0.30, 95, 0.80)
    return finish(room(mix((0, 0.55, meet), (0.070, 1, land)), 0.40), -3, 0.09)


def disc_check() -> bytes:
    """The general is called: two low strokes of a temple block and a high one."""
    low = block(392.0, 0.30, 101)
    strokes = mix((0, 0.7, low), (0.105, 0.75, low), (0.21, 1, block(587.3, 0.42, 104)))
    return finish(room(strokes, 0.40), -6, 0.10)


FILES: Mapping[str, Callable[[], bytes]] = {
    **{f"{DEFAULT}/{make.__name__}.wav": make for make in (select, move, capture, check, begin, end, illegal)},
    f"{XIANGQI}/move.wav": disc_move,
    f"{XIANGQI}/capture.wav": disc_capture,
    f"{XIANGQI}/check.wav": disc_check,
}


def main(argv: Sequence[str] | None = None, *, root: Path = ROOT) -> int:
    """Writes the files below ``root``, or compares them; the exit code."""
    parser = argparse.ArgumentParser(prog="make_sounds.py", description="Make the cues of the platform and its games.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file differs")
    check_only = parser.parse_args(argv).check
    differ = []
    for name, make in FILES.items():
        file, data = root / name, make()
        if file.is_file() and file.read_bytes() == data:
            continue
        differ.append(name)
        if not check_only:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    for name in differ:
        print(f"{name}: {'differs' if check_only else 'written'}")
    return 1 if check_only and differ else 0


if __name__ == "__main__":
    sys.exit(main())
