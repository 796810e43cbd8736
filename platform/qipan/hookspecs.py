"""Every hook a plugin may implement, on one page. A hook returns values; it is called when its plugin is opened."""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from qipan.catalogue import Command, Format, Game

hookspec = pluggy.HookspecMarker("qipan")
hookimpl = pluggy.HookimplMarker("qipan")


@hookspec
def games() -> Iterable[Game]:
    """The games of this plugin, each with the id its manifest declares."""
    return ()


@hookspec
def formats() -> Iterable[Format]:
    """The file formats this plugin reads and writes."""
    return ()


@hookspec
def commands() -> Iterable[Command]:
    """The words this plugin adds to the command line, those that its manifest lists under ``commands``."""
    return ()
