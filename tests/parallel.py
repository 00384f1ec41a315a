"""Runs tests in parallel: the number of processes, and the order of the tests."""

import contextlib
import os
from collections import Counter
from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"

# How many usual tests each test of these files is worth, if more than one: a look at every view in
# every width, a walk through the whole page, a page that starts its own Python.
LASTING = {
    "test_hosting.py": 9,
    "test_static_site.py": 5,
    "test_panel_parameters.py": 4,
    "test_documentation.py": 3,
    "test_in_panel.py": 3,
    "test_faults.py": 2,
    "test_large.py": 2,
    "test_lessons.py": 2,
    "test_train_room.py": 2,
}


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return a process for each processor; none if single files or tests are named."""
    if not all(Path(argument).is_dir() for argument in config.args):
        return 0
    with contextlib.suppress(AttributeError):  # our processors; not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort tests without a browser first; then those with a browser, the longest files first.

    Playwright leaves an event loop running in its process, so no test that starts a loop may
    follow. The last files should be short, because files are handed out one by one.
    """
    sizes: Counter[Path] = Counter()
    for item in items:
        sizes[item.path] += LASTING.get(item.path.name, 1)
    items.sort(key=lambda item: (1, -sizes[item.path]) if _in_browser(item.path) else (0, 0))


class Progress:
    """Print when the browser tests start, because from then on a dot takes seconds."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.has_begun = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.has_begun or not _in_browser(self.config.rootpath / report.fspath):
            return
        self.has_begun = True
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter:
            reporter.write_line("")
            reporter.write_line("What needs no browser is done or under way; now the browser's.")


def pytest_configure(config: pytest.Config) -> None:
    """Report only in the process that hands out the tests."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config))


def _in_browser(path: Path) -> bool:
    return BROWSER in path.parents
