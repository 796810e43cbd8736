"""Shows what is promised, with full numbers: ``tools/run proof [NAME...]``. Each proof is seeded and can go on.

A proof that was stopped or killed goes on where it was when it is started again with the same seed and commit. Each
ends with a line of its figures; ``--write`` puts them into docs/author/proofs.md. Exit 1 if one is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from proofs import fuzz, machine, play, xiangqi
from proofs.run import Shown, carry_out, commit
from proofs.steps import ROOT, Proof

from qipan.atomic import write_whole

PROOFS = {proof.name: proof for module in (xiangqi, play, fuzz, machine) for proof in module.PROOFS}
PAGE = ROOT / "docs" / "author" / "proofs.md"
HEAD = "| proof | what it shows | figures | seed | duration | commit | date |"


def row(proof: Proof, shown: Shown, day: date) -> str:
    """The proof's row of the table."""
    state = shown.state
    cells = (
        f"`{proof.name}`", proof.says, shown.figures, state.seed, duration(state.seconds), f"`{state.commit}`", day,
    )  # fmt: skip
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def duration(seconds: float) -> str:
    """A time as one reads it: "12.3 s", "4 min 05 s"."""
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds) // 60} min {int(seconds) % 60:02} s"


def put(page: str, name: str, line: str) -> str:
    """The page with a proof's row replaced, or added below the table. Raises ValueError where it has no table."""
    lines = page.splitlines()
    if HEAD not in lines:
        raise ValueError("the page has no table of proofs")
    start = lines.index(HEAD)
    end = next((n for n in range(start, len(lines)) if not lines[n].startswith("|")), len(lines))
    old = [n for n in range(start, end) if lines[n].startswith(f"| `{name}` |")]
    lines[old[0] if old else end : old[0] + 1 if old else end] = [line]
    return "\n".join(lines) + "\n"


def write(proof: Proof, shown: Shown) -> None:
    """Puts the proof's row into the page of proofs."""
    page = put(PAGE.read_text("utf-8"), proof.name, row(proof, shown, date.today()))
    write_whole(PAGE, page.encode("utf-8"))


def show(proof: Proof, words: argparse.Namespace) -> bool:
    """Carries one proof out and prints what it showed; False where something contradicts it."""
    terminal = sys.stderr.isatty()

    def progress(done: int, of: int) -> None:
        if terminal:
            print(f"\r{proof.name} {done}/{of} ", end="", file=sys.stderr, flush=True)

    shown = carry_out(
        proof, small=words.small, seed=words.seed, folder=words.folder, made_at=commit(), progress=progress
    )
    if terminal:
        print("\r\x1b[K", end="", file=sys.stderr)
    state = shown.state
    verdict = "ok" if shown.ok else "BROKEN"
    print(
        f"{proof.name:8} {verdict:6} {shown.figures}; seed {state.seed}, {duration(state.seconds)}, "
        f"commit {state.commit}", flush=True,
    )  # fmt: skip
    for fault in state.faults:
        print(f"         {fault}")
    if words.write:
        write(proof, shown)
    return shown.ok


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out the named proofs (all, without names); 1 if one is broken."""
    parser = argparse.ArgumentParser(prog="tools/run proof", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(PROOFS)} (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="what chance begins with (1)")
    parser.add_argument("--small", action="store_true", help="small numbers, as the tests have them")
    parser.add_argument("--write", action="store_true", help=f"put the rows into {PAGE.relative_to(ROOT)}")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "proofs", help="where a running proof is kept")
    words = parser.parse_args(argv)
    unknown = [name for name in words.names if name not in PROOFS]
    if unknown:
        parser.error(f"there is no proof {unknown[0]!r} (there is: {', '.join(PROOFS)})")
    results = [show(PROOFS[name], words) for name in words.names or PROOFS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
