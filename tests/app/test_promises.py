import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PAGE = TESTS.parent / "assets" / "docs" / "security.md"


def table(after: str) -> dict[str, str]:
    """Return the table below a heading, as first cell -> last cell."""
    text = PAGE.read_text(encoding="utf-8").partition(f"## {after}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[-1] for row in rows}


SHOWN = table("Tests of the limits")


def test_every_promise_has_tests():
    assert [*SHOWN] == [*table("What a visitor can try, and what limits it")]
    assert len(SHOWN) > 10


@pytest.mark.parametrize("what", SHOWN)
def test_the_tests_that_the_documentation_names_exist(what):
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", SHOWN[what])
    assert named
    assert len(named) == SHOWN[what].count("`") // 2
    for file, name in named:
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, FUNCTIONS)}, name
