"""Selects the tests of a run: the quick ones, all with `--all`, or the files that are named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"
STUDENT = BROWSER / "test_student.py"  # what a student does first, in every part of the page
QUICK = "tinkerformer_quick"  # tells xdist's processes that no file was named


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every test, as CI does")


def is_quick(config: pytest.Config) -> bool:
    """Whether the run names no files and does not ask for all tests."""
    given = getattr(config, "workerinput", None)
    if given is not None:
        return bool(given[QUICK])
    by_default = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return by_default and not config.getoption("--all")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Hand the decision to a process of xdist, for which all files are named."""
    node.workerinput[QUICK] = is_quick(node.config)  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not is_quick(config):
        return
    left = [item for item in items if _is_left_out(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


def _is_left_out(item: pytest.Item) -> bool:
    in_browser = BROWSER in item.path.parents
    return item.get_closest_marker("thorough") is not None or (in_browser and item.path != STUDENT)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """State what was skipped, a line for each reason, and how to run the tests left out."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in skipped.items():
        terminalreporter.write_line(f"SKIPPED {count}: {reason.removeprefix('Skipped: ')}")
    if is_quick(terminalreporter.config):
        terminalreporter.write_line(
            "These were the mathematics, the app without a browser, the checks of the JavaScript, "
            "and a student's path in the browser. `pytest --all` also builds the documentation, "
            "the packages and the static site, and opens every part of the page in the browser; "
            "`pytest tests/browser/test_film.py` runs one file."
        )
