"""Walks through a lesson's steps in a browser; answers each question wrongly, then correctly."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, sync_playwright

from ..dares import words
from ..film import checking
from ..film.prepared import prepare
from ..lessons import catalog
from ..lessons.changes import begun, changed
from ..lessons.format import Compare, Dare, Do, Film, Lesson, Play, Predict
from ..lessons.judging import judged, right_answer
from ..lessons.numbers import LiveNumbers
from ..lessons.structure import wrong_answer
from ..model.inference.forward_pass import ForwardPassRunner
from ..number_text import counted
from .browser import installed_browser

Lessons = Sequence[tuple[Path, Lesson]]
PATIENCE = 20_000  # ms to wait for a change of the page
START = 120  # seconds to wait for a server, or for Python in the browser
# True when the page responds; a static page is drawn before its Python runs.
ALIVE = """window.tinkerformer?.ready && window.tinkerformer.frames > 0 &&
  (!document.querySelector("script[type=module][src]") ||
    document.documentElement.dataset.python)"""
# The state of the page that a film must restore.
STATE = "(({source, target, edits}) => ({source, target, edits}))(window.tinkerformer.scenario())"
PACKAGE = __package__.partition(".")[0]


class Stuck(Exception):
    """The page did not behave as the lesson requires."""


def walk(lessons: Lessons, site: str, report: Callable[[str], None]) -> bool:
    """Walk through lessons, report a line on each, and return whether all worked.

    ``site`` is the address of a page that has the lessons, or the folder of a static site; empty to
    serve one locally.
    """
    try:
        with served(lessons, site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=installed_browser(), args=["--no-sandbox"]
            )
            # Playwright's wait_for_function evaluates text, which the page's policy forbids.
            pages = (browser.new_page(bypass_csp=True) for _ in lessons)
            done = [
                walk_one(page, address, each, report)
                for page, (_, each) in zip(pages, lessons, strict=True)
            ]
            browser.close()
            return all(done)
    except (Error, Stuck) as error:
        report(str(error).splitlines()[0])
        return False


@contextmanager
def served(lessons: Lessons, site: str) -> Iterator[str]:
    """Serve a page with these lessons, and yield its address."""
    if site and not Path(site).is_dir():
        yield site
        return
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    address = f"http://localhost:{port}/"
    if site:
        command = ["http.server", port, "--bind", "127.0.0.1", "--directory", site]
        with _running(command, address):
            yield address
        return
    own = {path.resolve() for path in catalog.own_files()}
    with tempfile.TemporaryDirectory() as folder:
        for path, _ in lessons:
            if path.resolve() not in own:
                shutil.copy(path, folder)
        with _running([PACKAGE, "--port", port, "--no-show", "--lessons", folder], address):
            yield address


@contextmanager
def _running(command: Sequence[str], address: str) -> Iterator[None]:
    """Run a Python module as a server for the duration of the context."""
    server = subprocess.Popen(
        [sys.executable, "-m", *command],
        env={**os.environ, catalog.FOLDERS: ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(address, server)
        yield
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=START):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise Stuck("The page could not be served.")


def walk_one(page: Page, address: str, lesson: Lesson, report: Callable[[str], None]) -> bool:
    """Walk through one lesson on a separate page; report and return whether it worked."""
    page.set_default_timeout(PATIENCE)
    line, answers = 1, 0
    try:
        page.goto(f"{address}?view=lesson:{lesson.name}")
        page.wait_for_function(ALIVE, timeout=START * 1000)
        for k, step in enumerate(lesson.steps):
            line = step.line
            if k:
                page.locator(".lesson .steps button", has_text="Next").click()
            page.locator(".lesson h2", has_text=step.title).wait_for()
            walked = _Step(page, lesson, k)
            for at, item in enumerate(step.items):
                line = step.lines[at]
                answers += walked.does(at, item)
        report(
            f"{lesson.file}: walked through {counted(len(lesson.steps), 'step')}; accepted "
            f"{counted(answers, 'right answer')}, and refused a wrong one before each."
        )
        return True
    except (Error, Stuck) as error:
        said = str(error).splitlines()[0]
        report(f"{lesson.file}, line {line}: the walk ends here: {said}")
        return False
    finally:
        page.close()


class _Step:
    """A step in the browser, with its expected numbers."""

    def __init__(self, page: Page, lesson: Lesson, k: int) -> None:
        self.page = page
        self.runner, self.aside, start = (ForwardPassRunner() for _ in range(3))
        self.step = lesson.steps[k]
        scenario = begun(lesson, k, self.runner)
        self.start = LiveNumbers(begun(lesson, k, start), start)
        self.numbers = LiveNumbers(scenario, self.runner, self.start)

    def does(self, at: int, item: object) -> int:
        """Do the task of an item or answer its question; return the number of answers given."""
        task = self.page.locator(f".lesson [data-item='{at}']")
        if isinstance(item, Predict):
            self.answer(task, item)
            self.change(item)
            return 1
        if isinstance(item, Do):
            # An earlier item may already have done this one.
            if not task.evaluate("node => node.classList.contains('done')"):
                task.get_by_role("button", name="Show me").click()
            self.wait_done(task, START * 1000 if item.show.train else PATIENCE)
            self.change(item)
        elif isinstance(item, Film):
            self.watch(item)
        elif isinstance(item, Dare):
            best = self.page.locator(".lesson .dare dd").first
            best.filter(has_text=words.measure(item, item.best)).wait_for()
        elif isinstance(item, Play):
            self.page.locator(".lesson .play").first.click()
        elif isinstance(item, Compare):
            buttons = self.page.locator(".lesson .compare").first.locator("button")
            for side in (1, 0):
                buttons.nth(side).click()
                buttons.nth(side).and_(self.page.locator("[aria-pressed=true]")).wait_for()
        return 0

    def watch(self, item: Film) -> None:
        """Go through the scenes of a film, and check each caption and the page's final state."""
        before = self.page.evaluate(f"JSON.stringify({STATE})")
        films = [x for x in self.step.items if isinstance(x, Film | Play)]
        self.page.locator(".lesson .play").nth(films.index(item)).click()
        film, caption = self.page.locator("#film .film"), self.page.locator("#film .caption")
        film.wait_for()
        pause = film.get_by_role("button", name="Pause")
        if pause.is_visible():
            pause.click()
        scenes = prepare(item, self.numbers, self.aside)
        for k, scene in enumerate(scenes):
            if k:
                film.get_by_role("button", name="The next scene").click()
            try:
                caption.filter(has_text=checking.plain(scene.caption)).wait_for()
            except Error:
                raise Stuck(f"Scene {k + 1} of the film has another caption.") from None
            if scene.swing is not None:
                self.page.wait_for_function("window.tinkerformer.oscillating()")
        film.get_by_role("button", name="Close").click()
        film.wait_for(state="hidden")
        self.page.wait_for_function("!window.tinkerformer.oscillating()")
        self.page.wait_for_function(f"before => JSON.stringify({STATE}) === before", arg=before)

    def change(self, item: Do | Predict) -> None:
        changes = item.then if isinstance(item, Predict) else item.show
        scenario = changed(self.numbers.scenario, changes, self.runner)
        self.numbers = LiveNumbers(scenario, self.runner, self.start)

    def answer(self, task: Locator, item: Predict) -> None:
        right = right_answer(item, self.numbers, self.aside)
        width = int(self.numbers.ask("columns", [item.matrix])) if item.matrix else 0
        wrong = wrong_answer(item, right, width)
        self.give(task, item, right.row, wrong)
        task.locator(".hint:not(:empty)").wait_for()
        given = (right.row, int(wrong)) if item.matrix else wrong
        hint = judged(item, given, self.numbers, self.aside).hint
        said = task.locator(".hint").text_content() or ""
        if not all(part in said for part in hint if isinstance(part, str)):
            raise Stuck("A wrong answer was not refused with its hint.")
        if task.evaluate("node => node.classList.contains('done')"):
            raise Stuck("A wrong answer was accepted.")
        self.give(task, item, right.row, right.value)
        self.wait_done(task)
        if "Right" not in (task.locator(".mark").text_content() or ""):
            raise Stuck("The right answer was not called right.")

    def give(self, task: Locator, item: Predict, row: int, value: float) -> None:
        if item.kind == "choice":
            task.locator("button.choice").nth(int(value)).click()
        elif item.kind == "number":
            task.locator("input").fill(repr(float(value)))
            task.get_by_role("button", name="Answer", exact=True).click()
        else:
            cell = [item.matrix, row, int(value)]
            self.page.evaluate("cell => window.tinkerformer.select(...cell)", cell)
            task.get_by_role("button", name="Answer with").click()

    def wait_done(self, task: Locator, patience: int = PATIENCE) -> None:
        task.and_(self.page.locator(".done")).wait_for(timeout=patience)
