"""Selects the tests of a run: the quick ones, the others, all with `--all`, or named files."""

from __future__ import annotations  # the oldest pytest lacks some of the named types

from collections import Counter
from pathlib import Path

import pytest

from tests import by_day

BROWSER = Path(__file__).parent / "browser"
STUDENT = BROWSER / "test_student.py"  # a student's first actions in every part of the page
RUN = "tinkerformer_run"  # tells xdist's processes the kind of run, because they get file names


def pytest_addoption(parser: pytest.Parser) -> None:
    which = parser.getgroup("which tests run").addoption
    which("--all", action="store_true", help="every test, of those in turn today's third")
    which("--rest", action="store_true", help="those of --all that are not among the quick tests")


def run_of(config: pytest.Config) -> str:
    """Return "quick", "rest" or "all" if no file is named, and "named" if one is."""
    given = getattr(config, "workerinput", None)
    if given is not None:
        return str(given[RUN])
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return "named"
    return next((run for run in ("all", "rest") if config.getoption(run)), "quick")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Send the decision to a process of xdist, in which all files are named."""
    node.workerinput[RUN] = run_of(node.config)  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    run = run_of(config)
    if run == "named":
        return
    in_turn = [item for item in items if _is_in_turn(item)]
    left = set(in_turn) - set(by_day.in_turn(in_turn))
    if run != "all":
        left |= {item for item in items if _is_quick(item) is (run == "rest")}
    config.hook.pytest_deselected(items=list(left))
    items[:] = [item for item in items if item not in left]


def _is_in_turn(item: pytest.Item) -> bool:
    """Return whether a test is marked, or is one variant of a browser test, such as one width."""
    is_variant = BROWSER in item.path.parents and hasattr(item, "callspec")
    is_marked = item.get_closest_marker("in_turn") is not None
    return is_marked or (is_variant and not _is_quick(item))


def _is_quick(item: pytest.Item) -> bool:
    in_browser = BROWSER in item.path.parents
    return item.get_closest_marker("thorough") is None and (not in_browser or item.path == STUDENT)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was skipped, a line for each reason, and how to run the omitted tests."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in skipped.items():
        terminalreporter.write_line(f"SKIPPED {count}: {reason.removeprefix('Skipped: ')}")
    if run_of(terminalreporter.config) == "quick":
        terminalreporter.write_line(
            "These were the mathematics, the app without a browser, the checks of the JavaScript, "
            "and a student's path in the browser. `pytest --rest` builds the documentation, "
            "the packages and the static site, and opens every part of the page in the browser; "
            "`pytest tests/browser/test_film.py` runs one file."
        )
