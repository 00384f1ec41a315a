"""Training on the page: its duration, the frame rate, and the delay for other users.

Also the time from an edit until the new sentence is shown.
"""

import re
import time

import numpy as np
from playwright.sync_api import Locator, Page, sync_playwright
from tinkerformer.files import catalog
from tinkerformer.learning.plan import TrainingPlan
from tinkerformer.learning.training_run import TrainingRun
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.transport.runtime.concurrency import tuned_for_training

from tests.benchmarks import in_page
from tests.benchmarks.in_page import PAINT
from tests.benchmarks.serving import launched, opened, served
from tests.benchmarks.table import DID_NOT_HAPPEN, counted, halves, heading, line
from tests.benchmarks.usage import come_to_rest, cpu, memory
from tests.browser.student import open_view

SENTENCE = (
    "From an edit of an output weight after which the model writes another sentence, and from its "
    "undoing, until the main thread has drawn the whole sentence. Changed on 23 November 2026: "
    "before, it ended at the next display frame, before that was drawn."
)
WHOLE_RUN = (
    "From the press on Train, with random numbers and at full speed, until the main thread has "
    "drawn the bar at the last step. Then how many of the 1,000 unseen pairs the page says are "
    "right. Changed on 23 November 2026: before, it ended before the bar was drawn."
)
ALONE = f"{WHOLE_RUN} Beside it: the same training in a program, with its evaluations."
REFRESHES = "Display frames of the browser during this training, divided by its seconds."
CHANGES = (
    "Frames of this training in which the first output probability has another value than in the "
    "frame before, divided by its seconds. Changed on 23 November 2026: before, frames with "
    "nothing new counted, too."
)
SPENT = "Processor time of the server from before the press until the page says how many are right."
HELD = (
    "What the server holds in memory after the third training, less what it held at rest before "
    "the first one. Changed on 23 November 2026: before, the server was not at rest."
)
MEANWHILE = (
    f"{PAINT} It is the page of another user, while the dates are learned. Edits after the end of "
    "the training counted, too, until 23 November 2026."
)


def run() -> None:
    """Print the measurements of the phrases and the dates, for one run beside another user."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("Learning on screen: the phrases, 8 wide, 1+1 layers, 1,000 steps")
        page = opened(browser, url)
        times = in_page.sentences(page, 30, turning_edit())
        halves("edit to the sentence that the model writes then", times, SENTENCE, ("20 ms", ""))
        open_view(page, "Train")
        come_to_rest(pid)
        before = memory(pid)
        for k in range(3):
            _run(page, pid, f"phrases, training {k + 1}", "8 s, 1,000")
        held = f"{memory(pid) - before:.0f} MB"
        line("phrases: server memory of three trainings", held, HELD, "200 MB")
        heading("Learning on screen: the dates, 32 wide, 1+1 layers, 600 steps")
        page.get_by_role("button", name="Model: Phrases").click()
        page.locator("button.model", has_text="Dates").click()
        page.wait_for_timeout(1500)
        _run(page, pid, "dates, training", "10 s, 1,000", beside=_without_page("dates"))
        _beside(page, opened(browser, url))
        browser.close()


def turning_edit() -> tuple[str, int, int, list[float]]:
    """Return a cell of W_out and two values, of which only the first changes the sentence."""
    scenario = catalog.first("phrases")
    trace = ForwardPassRunner().trace(scenario)
    row, column = scenario.target.index("noir") - 1, scenario.ids("target")[3]
    i = int(np.abs(trace["decoder.0.feed_forward.norm"].value[row]).argmax())
    sign = np.sign(trace["decoder.0.feed_forward.norm"].value[row, i])
    now = float(trace["output.W_out"].value[i, column])
    return "output.W_out", i, column, [float(now - 8 * sign), now]


def _without_page(name: str) -> float:
    """Return the seconds of the same run in a program, with evaluations and snapshots."""
    run = TrainingRun(TrainingPlan.of(catalog.first(name)))
    with tuned_for_training():
        begin = time.perf_counter()
        while run.can_continue:
            run.advance(1.0)
        return time.perf_counter() - begin


def _run(page: Page, pid: int, name: str, wanted: str, beside: float | None = None) -> None:
    """Measure one run from random weights to the end; compare with the time without a page."""
    reset(page)
    used = cpu(pid)
    run = in_page.training(page, train_button(page))
    what = f"{name}: from the press to the end, right of 1,000"
    if run is None:
        line(what, DID_NOT_HAPPEN, WHOLE_RUN, wanted)
        return
    here = f"{run.seconds:.1f} s, {_right(page)}"
    spent = cpu(pid) - used
    if beside is None:
        line(what, here, WHOLE_RUN, wanted)
    else:
        ratio = f"{run.seconds / beside:.2f}"
        line(what, here, ALONE, wanted, beside=f"no page {beside:.1f} s", ratio=ratio)
    line(f"{name}: refreshes of the screen a second", counted(run.refreshes), REFRESHES)
    what = f"{name}: changes of the numbers on the page a second"
    line(what, counted(run.changes), CHANGES, "30")
    line(f"{name}: server CPU", f"{spent:.1f} s", SPENT)


def reset(page: Page) -> None:
    """Reset to random weights."""
    page.get_by_role("button", name="Start from random numbers", exact=True).click()
    page.get_by_text(re.compile(r"^step 0 of")).locator("visible=true").first.wait_for()


def train_button(page: Page) -> Locator:
    """Train, at full speed."""
    pace = page.get_by_label("pace", exact=True).locator("visible=true")
    if pace.count():  # there is no training before it
        pace.select_option("full")
    return page.get_by_role("button", name=re.compile("^Train"))


def _right(page: Page) -> str:
    """Return the number of right held-out pairs that the page states at the end."""
    told = page.get_by_text(re.compile(r"[\d,]+ of 1,000 (?:held-out|unseen) \w+ right"))
    said = told.locator("visible=true").first
    said.wait_for()
    return re.sub(r"\D*([\d,]+) of 1,000.*", r"\1", said.inner_text(), flags=re.DOTALL)


def _beside(page: Page, other: Page) -> None:
    """Measure another user's slider during a run from random weights that lasts long enough."""
    reset(page)
    in_page.select(other)
    train_button(page).click()
    pause = page.get_by_role("button", name="Pause", exact=True)
    pause.wait_for()
    what, times = "dates: slider to paint of another user meanwhile", in_page.edits(other, 100)
    if pause.is_visible():
        halves(what, times, MEANWHILE)
    else:
        line(what, "not measured: the training was over before", MEANWHILE)
