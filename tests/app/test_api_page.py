"""The pages of the API are made from the docstrings, and nothing in those hinders it."""

import re
import subprocess
import sys

import pytest

# What pdoc cannot do: find where an inherited key of a TypedDict is declared, look up the
# annotations of a NamedTuple in the module that has it, and follow Panel's own imports in a circle.
KNOWN = re.compile(
    r"Cannot determine where .* is taken from|type annotation ForwardRef\("
    r"|type annotation for panel\.reactive\."
)


def test_the_pages_are_made_without_a_warning(tmp_path):
    pytest.importorskip("anywidget", reason="anywidget is not installed (extra notebook).")
    command = [sys.executable, "-m", "pdoc", "-d", "google", "--no-search", "-o", str(tmp_path)]
    done = subprocess.run(
        [*command, "transformer_math", "tinkerformer"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if not KNOWN.search(line)]
    assert warnings == []
    page = (tmp_path / "transformer_math.html").read_text(encoding="utf-8")
    assert "A model with random parameters" in page  # the docstring of Transformer.create
    assert (tmp_path / "tinkerformer" / "views" / "explore.html").is_file()
