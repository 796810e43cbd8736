"""What the system or a decoder of TOML or JSON says against a file, as a Fault: its English words, the place apart."""

from __future__ import annotations

import re

from qipan.values import Fault

_AT = re.compile(r"(.*) - at `\$\.(.*)`", re.DOTALL)  # msgspec's
_NO_COLOUR = re.compile(r"Expected `str` matching regex '\^#\[0-9A-Fa-f\]\{6\}\$' - at `\$\.(.*)`")  # `theme.Colour`'s
_LACKS = re.compile(r"Object missing required field `(\w+)`")
_STRANGE = re.compile(r"Object contains unknown field `(\w+)`")
_ON = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)  # tomllib's
_LARGE = re.compile(r"larger than (\d+) bytes")  # `atomic.read_small`'s


def unread(fault: OSError) -> Fault:
    """What the system says of a file."""
    return Fault("{0}: {1}", str(fault.filename or ""), str(fault.strerror or fault))


def misread(fault: Exception) -> Fault:
    """The decoder's exception as a Fault; other languages tell the place alone."""
    text = str(fault)
    if found := _NO_COLOUR.fullmatch(text):
        return Fault("{0}: a colour is written #RRGGBB", *found.groups())
    if found := _AT.fullmatch(text):
        return Fault("{0} - at `$.{1}`", *found.groups())
    if found := _LACKS.fullmatch(text):
        return Fault("Object missing required field `{0}`", *found.groups())
    if found := _STRANGE.fullmatch(text):
        return Fault("Object contains unknown field `{0}`", *found.groups())
    if found := _ON.fullmatch(text):
        return Fault("{0} (at line {1}, column {2})", *found.groups())
    if found := _LARGE.fullmatch(text):
        return Fault("larger than {0} bytes", *found.groups())
    return Fault("not well made ({0})", text)
