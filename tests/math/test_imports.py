"""Imports run one way, and the mathematics knows no screen.

``main → page → views → {board, charts, state} → compute → scenario → transformer_math`` and
``charts, board → theme``. Read from the source, so nothing has to be run; a part that does not
exist yet is simply not there to break the rule.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APP, MATH = ROOT / "app", ROOT / "transformer_math"
SCREEN = {"panel", "bokeh", "param", "panel_material_ui", "app"}

# What each part of the app may import of its own kind, directly or by skipping layers.
LAYERS = [{"main"}, {"page"}, {"views"}, {"board", "charts", "state"}, {"compute"}, {"scenario"}]
BELOW = {
    unit: set().union(*LAYERS[depth + 1 :]) for depth, layer in enumerate(LAYERS) for unit in layer
}
PURE = {"scenario", "compute", "learning", "blas"}


def imports(path: Path) -> Iterator[str]:
    """Every absolute module name that a file imports, wherever in the file that stands."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            # `from app import board` imports the module app.board.
            yield from (f"{module}.{alias.name}" for alias in node.names)


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def unit(path: Path) -> str:
    """The part of the app a file belongs to: ``app/board/board.py`` -> ``board``."""
    return path.relative_to(APP).with_suffix("").parts[0]


def app_units(path: Path) -> set[str]:
    """The other parts of the app that a file imports."""
    parts = (name.split(".") for name in imports(path))
    names = {part[1] for part in parts if part[0] == "app" and len(part) > 1}
    existing = {unit(file) for file in files(APP)}
    return (names & existing) - {unit(path)}


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", files(MATH), ids=label)
def test_mathematics_imports_numpy_and_the_standard_library_only(path: Path) -> None:
    allowed = set(sys.stdlib_module_names) | {"numpy", "transformer_math"}
    assert {name.split(".")[0] for name in imports(path)} <= allowed


def test_importing_the_mathematics_loads_no_screen() -> None:
    code = f"import sys, transformer_math; print(sorted({SCREEN!r} & set(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_the_app_runs_one_way() -> None:
    back = {
        f"{label(path)} imports {other}"
        for path in files(APP)
        if unit(path) in BELOW
        for other in app_units(path)
        if other in BELOW and other not in BELOW[unit(path)]
    }
    assert not back


def test_views_never_import_each_other() -> None:
    views = files(APP / "views")
    names = {f"app.views.{path.stem}" for path in views if path.stem != "__init__"}
    for path in views:
        if path.stem != "__init__":
            assert not (set(imports(path)) & names - {f"app.views.{path.stem}"}), label(path)


def test_theme_is_the_bottom() -> None:
    for path in files(APP):
        if unit(path) == "theme":
            assert not app_units(path), label(path)


def test_no_two_parts_of_the_app_need_each_other() -> None:
    """Also those without a fixed layer: peel off what needs nothing until none is left."""
    needs: dict[str, set[str]] = {}
    for path in files(APP):
        needs.setdefault(unit(path), set()).update(app_units(path))
    needs.pop("__init__", None)
    while ready := {name for name, others in needs.items() if not others & needs.keys()}:
        for name in ready:
            del needs[name]
    assert not needs, "these import one another in a circle"


@pytest.mark.parametrize("name", sorted(PURE))
def test_scenario_and_compute_are_pure(name: str) -> None:
    for path in files(APP):
        if unit(path) == name:
            assert not {i.split(".")[0] for i in imports(path)} & (SCREEN - {"app"}), label(path)
