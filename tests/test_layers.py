"""The rings: which module may import which, who may say tkinter, and how large a module and a function may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLATFORM = ROOT / "platform" / "qipan"
LONGEST_MODULE, LONGEST_FUNCTION = 400, 60

RINGS = {
    0: "geometry atomic",
    1: "values misread toml_file texts rules catalogue words picker pages",
    2: "acts tree clock saved fence standing session record journal replay archive",
    3: "layout scene theme pictures fonts paint svg laws",
    4: "api hookspecs testing paths places host files settings audio",
    5: "tk cli __main__",
}
RING = {name: ring for ring, names in RINGS.items() for name in names.split()}
CARRIERS = {"plugins", "themes", "tools"}  # packages that only carry folders


def unit(file: Path) -> str:
    """The module or package of the platform that a file belongs to."""
    return file.relative_to(PLATFORM).parts[0].removesuffix(".py")


def platform_files() -> list[Path]:
    return [file for file in sorted(PLATFORM.rglob("*.py")) if unit(file) not in {"__init__", *CARRIERS}]


def all_files() -> list[Path]:
    return [file for top in ("platform/qipan", "plugins", "tools") for file in sorted((ROOT / top).rglob("*.py"))]


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Every module a file names in an import, wherever it stands, with its line; relative ones made whole."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level and file.is_relative_to(PLATFORM):
                package = ["qipan", *file.relative_to(PLATFORM).parts[:-1]]
                base = ".".join([*package[: len(package) - node.level + 1], *([base] if base else [])])
            if node.level and not file.is_relative_to(PLATFORM):
                continue  # a plugin's or tool's own modules
            yield node.lineno, base
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def upward(file: Path, ring: int) -> list[str]:
    """The imports of a file that point to a higher ring, to the plugins' page, or to a plugin by name."""
    found = []
    for line, name in imported(file):
        head, _, rest = name.partition(".")
        if head != "qipan" or not rest:
            continue
        target = rest.split(".")[0]
        if target == "api":
            found.append(f"{file.name}:{line} imports the plugins' page {name}")
        if target in CARRIERS and "." in rest and rest.split(".")[1] != "__path__":
            found.append(f"{file.name}:{line} names {name}")
        if RING.get(target, -1) > ring:
            found.append(f"{file.name}:{line} (ring {ring}) imports {name} (ring {RING[target]})")
    return found


def test_every_module_has_a_ring() -> None:
    assert {unit(file) for file in platform_files()} - set(RING) == set()


def test_imports_point_to_the_same_ring_or_a_lower_one() -> None:
    assert [fault for file in platform_files() if unit(file) != "api" for fault in upward(file, RING[unit(file)])] == []


def test_a_planted_upward_import_is_found(tmp_path: Path) -> None:
    file = tmp_path / "scene.py"
    file.write_text("def f():\n    from qipan.host import Host\n    from qipan import api\n", "utf-8")
    assert upward(file, 3) == [
        "scene.py:2 (ring 3) imports qipan.host (ring 4)",
        "scene.py:2 (ring 3) imports qipan.host.Host (ring 4)",
        "scene.py:3 imports the plugins' page qipan.api",
        "scene.py:3 (ring 3) imports qipan.api (ring 4)",
    ]


def test_only_windows_say_tkinter() -> None:
    def windowed(file: Path) -> bool:
        return file.is_relative_to(PLATFORM / "tk") or file.is_relative_to(ROOT / "tools")

    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in all_files()
        if not windowed(file)
        for line, name in imported(file)
        if name.partition(".")[0] in ("tkinter", "_tkinter")
        or (name == "PIL.ImageTk")
    ]
    assert found == []


def test_commands_reach_windows_only_through_the_application() -> None:
    found = {
        name for file in sorted((PLATFORM / "cli").glob("*.py")) for _, name in imported(file)
        if name.startswith("qipan.tk.")
    }  # fmt: skip
    assert found <= {"qipan.tk.app", "qipan.tk.app.run", "qipan.tk.app.Start"}


def test_plugins_import_only_the_plugins_page() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in sorted((ROOT / "plugins").rglob("*.py"))
        for line, name in imported(file)
        if name.partition(".")[0] == "qipan" and name != "qipan.api" and not name.startswith("qipan.api.")
    ]
    assert found == []


def test_platform_is_no_package() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists(), "it would shadow the standard module"
    assert not (ROOT / "platform" / "conftest.py").exists()


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("file", all_files(), ids=lambda file: str(file.relative_to(ROOT)))
def test_modules_and_functions_fit(file: Path) -> None:
    text = file.read_text("utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    long = [f.name for f in functions(ast.parse(text)) if (f.end_lineno or 0) - f.lineno >= LONGEST_FUNCTION]
    assert long == []


def is_public(name: str) -> bool:
    return not name.startswith("_")


def undocumented(tree: ast.Module) -> list[str]:
    """The public classes, functions and methods of public classes without a docstring."""
    found = [] if ast.get_docstring(tree) else ["the module"]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and is_public(node.name) and not ast.get_docstring(node):
            found.append(node.name)
        if isinstance(node, ast.ClassDef) and is_public(node.name):
            if not ast.get_docstring(node):
                found.append(node.name)
            found += [
                f"{node.name}.{method.name}" for method in node.body
                if isinstance(method, ast.FunctionDef) and is_public(method.name) and not ast.get_docstring(method)
            ]  # fmt: skip
    return found


@pytest.mark.parametrize("file", all_files(), ids=lambda file: str(file.relative_to(ROOT)))
def test_public_names_say_what_they_give(file: Path) -> None:
    assert undocumented(ast.parse(file.read_text("utf-8"))) == []
