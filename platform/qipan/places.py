"""Where plugins are found (the program's folders, the user's, installed packages) and how each is imported."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Literal, NamedTuple

from qipan.values import Fault

GROUP = "qipan.plugins"
_FILES = 4096  # a plugin of more files, or of more bytes, isn't read
_BYTES = 256 << 20

Origin = Literal["built-in", "user", "installed"]


class Place(NamedTuple):
    """One plugin found. ``package`` is what is imported ("" for the user's: that follows from its hash)."""

    name: str  # what the place calls it: the folder, the entry point
    origin: Origin
    folder: Path
    package: str
    remove: str  # how to be rid of it, in a sentence
    fault: Fault | None = None  # why the place can't be used


def built_in() -> Iterator[Place]:
    """The plugins that come with the program."""
    from qipan import plugins

    for base in plugins.__path__:
        for folder in _folders(Path(base)):
            yield Place(folder.name, "built-in", folder, f"qipan.plugins.{folder.name}", f"Delete the folder {folder}")


def user(base: Path) -> Iterator[Place]:
    """The plugins that lie in a folder of the user's."""
    for folder in _folders(base):
        yield Place(folder.name, "user", folder, "", f"Delete the folder {folder}")


def installed() -> Iterator[Place]:
    """The plugins of installed packages: looked up by name, not imported."""
    if not any(map(_may_have_plugins, sys.path)):
        return
    from importlib.metadata import entry_points  # dear to import, and most have no such packages

    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        distribution = point.dist.name if point.dist else point.module
        folder, fault = _locate(point.module)
        yield Place(point.name, "installed", folder, point.module, f"pip uninstall {distribution}", fault)


def _may_have_plugins(entry: str) -> bool:
    """False where no package in a folder of the import path names our group; what is no folder may have one."""
    base = Path(entry or ".")
    if not base.is_dir():
        return base.exists()
    return any(GROUP.encode() in file.read_bytes() for file in base.glob("*-info/entry_points.txt"))


def _folders(base: Path) -> list[Path]:
    """The folders that could be plugins, sorted; a base that isn't there or can't be read has none."""
    try:
        return sorted(f for f in base.iterdir() if f.is_dir() and not f.name.startswith((".", "__")))
    except OSError:
        return []


def _locate(module: str) -> tuple[Path, Fault | None]:
    """The folder of a package, or why there is none. Imports nothing: a parent's code would run for a child."""
    top, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError) as fault:
        return Path(), Fault("The package {0} can't be found: {1}", top, str(fault))
    if spec is None or not spec.submodule_search_locations:
        return Path(), Fault("The package {0} isn't there, or is no folder", top)
    bases = [Path(base).joinpath(*rest) for base in spec.submodule_search_locations]
    return next((base for base in bases if (base / "plugin.toml").is_file()), bases[0]), None


def fingerprint(folder: Path) -> str:
    """The sha256 over every file of a folder, hidden and compiled ones left out (they are never imported).

    Raises Fault for links, which could bring in what wasn't hashed, and for a folder out of all proportion.
    """
    import hashlib  # only here: few have plugins of their own, and listing games is to be quick

    digest, files, size = hashlib.sha256(), 0, 0
    for base, names, leaves in os.walk(folder.resolve()):
        names[:] = sorted(name for name in names if not name.startswith(".") and name != "__pycache__")
        for name in [*names, *sorted(leaf for leaf in leaves if not leaf.startswith("."))]:
            file = Path(base, name)
            if file.is_symlink():
                said = "{0} is a link; a plugin holds plain files alone"
                raise Fault(said, str(file.relative_to(folder.resolve())))
            if name in names:
                continue
            if not file.is_file():
                raise Fault("{0} is no plain file", str(file.relative_to(folder.resolve())))
            files, size = files + 1, size + file.stat().st_size
            if files > _FILES or size > _BYTES:
                raise Fault("more than {0} files or {1} MB", _FILES, _BYTES >> 20)
            data = file.read_bytes()
            where = file.relative_to(folder.resolve()).as_posix()
            digest.update(f"{len(where)}:{where}:{len(data)}:".encode())
            digest.update(data)
    return digest.hexdigest()


class _Source(SourceFileLoader):
    """Imports from source alone: a compiled file beside it wasn't hashed, so it is neither read nor made."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _UserFinder:
    """Finds the modules of the user's plugins, by the packages that their hashes name."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of such a package or of a module in it; None for every other name."""
        top = fullname.partition(".")[0]
        if top not in self.folders:
            return None
        if fullname == top:
            folder = self.folders[top]
            loader = _Source(fullname, str(folder / "__init__.py"))
            return importlib.util.spec_from_file_location(
                fullname, loader.path, loader=loader, submodule_search_locations=[str(folder)]
            )
        for base in path or ():
            spec = FileFinder(base, (_Source, [".py"])).find_spec(fullname)
            if spec is not None:
                return spec
        return None


_user_finder = _UserFinder()


def user_package(folder: Path, sha256: str) -> str:
    """The package name under which a user's plugin of that hash is imported from now on; other code, another name."""
    if _user_finder not in sys.meta_path:
        sys.meta_path.insert(0, _user_finder)
    name = f"qipan_user_{sha256[:20]}"
    _user_finder.folders[name] = folder
    return name


def forget(package: str) -> None:
    """Drops a package and its modules, so that the next import runs its code anew."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    importlib.invalidate_caches()
