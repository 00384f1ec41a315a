import re
from pathlib import Path

import pytest

from tests.benchmarks import written

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "assets" / "docs").rglob("*.md"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_ci_runs_the_test_command_of_the_readme_and_the_tests_that_it_omits():
    serve, test = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert "panel serve app/main.py --show" in serve
    assert "\n" not in serve + test
    assert f"{test} --rest\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_picture_and_page_that_the_readme_names_exists():
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert len(pictures) == 3 + ("growth" in written.read())
    for name in {*pictures, *re.findall(r"\]\(([^)]+)\)", README)}:
        assert (ROOT / name).is_file(), name


@pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_of_the_documentation_links_to_exists(page):
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for address in re.findall(r"\]\(([^)\s]+)\)", prose):
        path = address.partition("#")[0]
        assert "://" in path or (page.parent / path).exists(), address


def test_the_readme_is_short():
    before, _, rest = README.partition(written.BEGIN)
    table, _, after = rest.partition(written.END)
    assert len((before + after).split()) < 800
    assert table.count("\n|") < 20


def test_the_readme_explains_how_to_serve_a_public_page():
    told = (ROOT / "assets" / "docs" / "hosting.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^panel serve .*$", told, re.MULTILINE)
    assert f"`{line}`" in README
