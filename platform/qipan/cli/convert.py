"""``qipan convert``: a game file in another format, its moves judged on the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qipan import files
from qipan.cli.common import Parser, make_host
from qipan.values import Fault


def run(argv: Sequence[str]) -> int:
    """Writes OUT; nothing is written where a move of IN can't be played."""
    parser = Parser("convert", "Write the games of a file in the format of another ending (.qipan, .pgn, ...).")
    parser.add_argument("source", metavar="IN")
    parser.add_argument("target", metavar="OUT")
    words = parser.parse_args(argv)
    source, target = Path(words.source), Path(words.target)
    host = make_host()
    if target.suffix.lower() not in files.suffixes(host):
        known = ", ".join(sorted(files.suffixes(host)))
        raise Fault(f"convert: no format ends in {target.suffix!r} (but {known})")
    files.save_file(host, target, list(files.sessions(host, source)))
    return 0
