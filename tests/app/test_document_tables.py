import importlib.util
import re
from types import ModuleType

import pytest

from tests.documentation import SOURCES

FILES = sorted(SOURCES.rglob("*.md"))
HOLES = re.compile(r"^ *```\{(?!toctree|eval-rst|include|literalinclude)[\w-]+\}", re.MULTILINE)


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    """Return the module that ``python assets/docs/tables`` runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SOURCES / "tables"))
        spec = importlib.util.spec_from_file_location(
            "document_tables", SOURCES / "tables" / "__main__.py"
        )
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCES)))
def test_every_table_equals_its_declarations(tables, file):
    text = file.read_text(encoding="utf-8")
    assert tables.filled(text) == text, "python assets/docs/tables rewrites it"
    assert not HOLES.search(text), "there is nothing to read here in the file"


def test_the_pages_have_all_tables(tables):
    told = "".join(file.read_text(encoding="utf-8") for file in FILES)
    for name in tables.TABLES:
        assert f"<!-- made: {name}" in told, name
    assert told.count("<!-- live: ") > 10


def test_an_outdated_table_is_found_and_rewritten(tables):
    page = SOURCES / "reference" / "address.md"
    text = page.read_text(encoding="utf-8")
    old = text.replace("| `picture` |", "| `all` |")
    assert old != text
    assert tables.filled(old) == text
    filled = tables.filled("- A list:\n\n  <!-- made: parts -->\n  <!-- end of made -->\n")
    lines = [line for line in filled.splitlines()[2:] if line]
    assert all(line.startswith("  ") for line in lines), "in a list a table stands as its text does"
    assert any(line.startswith("  | `tokens` |") for line in lines)


def test_a_mark_without_a_table_is_refused(tables):
    with pytest.raises(KeyError, match="nothing"):
        tables.filled("<!-- made: nothing -->\n<!-- end of made -->\n")
