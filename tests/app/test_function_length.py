import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST = 60  # lines without the docstring and comments


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> int:
    own = lines[function.lineno - 1 : function.end_lineno]
    count = sum(not line.lstrip().startswith("#") for line in own)
    if ast.get_docstring(function) is not None:
        count -= _of(function.body[0])
    return count


def _of(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("folder", ["app", "transformer_math"])
def test_no_function_is_longer_than_60_lines(folder: str) -> None:
    long = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = lines_of(node, text.splitlines())
                if count > MOST:
                    long.append(f"{file.relative_to(ROOT)}: {node.name} has {count} lines")
    assert not long
