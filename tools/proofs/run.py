"""Carries out a proof step by step; its state is a file, so that one that was killed goes on where it was."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from proofs.steps import ROOT, Found, Proof, Step
from qipan.atomic import write_whole

_SAVED = 1.0  # seconds of work that a kill may cost, besides the step it falls into
_TOLD = 20  # faults that are kept

Progress = Callable[[int, int], None]


class State(msgspec.Struct, forbid_unknown_fields=True):
    """How far a proof is. All but ``done`` and what follows says which proof it is."""

    proof: str
    seed: int
    steps: int
    commit: str
    done: int = 0
    counts: dict[str, int] = {}
    faults: list[str] = []
    broken: int = 0  # all faults, also those not kept
    seconds: float = 0.0
    cpu: float = 0.0


class Shown(NamedTuple):
    """What a finished proof has shown: its state, and its figures as a text."""

    state: State
    figures: str

    @property
    def ok(self) -> bool:
        """True when nothing contradicted the claim."""
        return not self.state.broken


def commit() -> str:
    """The commit of the checkout, with a plus sign where tracked files differ from it; "unknown" without git."""
    try:
        head = _git("rev-parse", "--short=9", "HEAD").strip()
        return f"{head}+" if _git("status", "--porcelain", "--untracked-files=no").strip() else head
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def carry_out(
    proof: Proof, *, small: bool = False, seed: int = 1, folder: Path, made_at: str, progress: Progress | None = None
) -> Shown:
    """Runs the steps that are left and gives what all of them showed. The state's file goes once all is done.

    Only a state of the same proof, size, seed and commit is gone on with. Raises OSError where it can't be kept.
    """
    steps = proof.plan(small, seed)
    if not steps:
        raise ValueError(f"proof {proof.name} has no steps")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{proof.name}.json"
    state = _begun(file, State(proof.name, seed, len(steps), made_at))
    _go_on(steps, state, file, progress or (lambda done, of: None))
    file.unlink(missing_ok=True)
    return Shown(state, figures(state, proof.rate))


def _begun(file: Path, fresh: State) -> State:
    """The state in the file where it is one of the same proof, else the fresh one."""
    try:
        old = msgspec.json.decode(file.read_bytes(), type=State)
    except (OSError, ValueError):  # none, or damaged: the proof begins afresh
        return fresh
    same = (old.proof, old.seed, old.steps, old.commit) == (fresh.proof, fresh.seed, fresh.steps, fresh.commit)
    return old if same and 0 <= old.done <= old.steps else fresh


def _go_on(steps: Sequence[Step], state: State, file: Path, progress: Progress) -> None:
    saved = time.monotonic()
    progress(state.done, state.steps)
    for step in steps[state.done :]:
        began, cpu = time.monotonic(), time.process_time()
        try:
            found = step()
        except Exception as error:  # whatever breaks is what the proof looks for
            found = Found({}, (f"step {state.done + 1} raised {type(error).__name__}: {error}",))
        for what, count in found.counts.items():
            state.counts[what] = state.counts.get(what, 0) + int(count)
        state.broken += len(found.faults)
        state.faults = [*state.faults, *found.faults][:_TOLD]
        state.done += 1
        state.seconds += time.monotonic() - began
        state.cpu += time.process_time() - cpu
        if time.monotonic() - saved >= _SAVED:
            write_whole(file, msgspec.json.encode(state))
            saved = time.monotonic()
        progress(state.done, state.steps)


def figures(state: State, rate: str = "") -> str:
    """The counts as a text, and how many of ``rate`` there were in a second of CPU."""
    words = [f"{count:,} {what}" for what, count in state.counts.items()]
    if rate and state.cpu:
        words.append(f"{state.counts.get(rate, 0) / state.cpu:,.0f} {rate} a second of CPU")
    if state.broken:
        words.append(f"{state.broken:,} FAULTS")
    return ", ".join(words)
