"""The themes that come with Qipan: the top-level ``themes`` of a checkout, in a wheel what lies beside this file."""

from pathlib import Path

_here = Path(__file__).resolve()
if _here.parents[2].name == "platform":  # a checkout: the wheel has no such folder
    __path__.append(str(_here.parents[3] / "themes"))
