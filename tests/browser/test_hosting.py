import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from bokeh.embed import server_document
from playwright.sync_api import Error, Frame, Page, expect
from tinkerformer.transport.security import parents

from tests.browser.course import Course
from tests.browser.student import open_view, until
from tests.units import Front, Instance, Missing, house

pytestmark = [pytest.mark.served, pytest.mark.in_turn]

WEIGHT = "encoder.0.self_attn.head.0.W_q"
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
ALIVE = f"{READY} && !document.querySelector('p.lost')"
KEPT = "JSON.parse(sessionStorage['tinkerformer-visit'])"
STARTS = 60_000  # ms
WATCHDOG = 5.0  # s; longer in the unit, to warn a page and move it to another process


@pytest.fixture(scope="module")
def course() -> Iterator[Course]:
    with Course() as opened:
        yield opened


@pytest.fixture(scope="module")
def two(course: Course) -> Iterator[tuple[list[Instance], Front]]:
    """Two processes behind nginx, which a course page may control."""
    try:
        with house(2, WATCHDOG, **{parents.ALLOWED: course.origin}) as running:
            yield running
    except Missing as missing:
        pytest.skip(str(missing))


def opened(new_context, front: Front) -> Page:
    page = new_context(front.url).new_page()
    page.set_default_timeout(STARTS)
    page.goto(f"{front.url}main?view=formulas")
    page.wait_for_function(READY)
    return page


def edit(page: Page | Frame, number: float) -> None:
    """Set a number, and wait until the tab stores it if the browser allows it."""
    page.evaluate(f"window.tinkerformer.set('{WEIGHT}', 0, 0, {number})")
    wait_for(page, number)
    page.wait_for_function(
        """(number) => {
          const kept = Object.values(history.state ?? {});
          try { kept.push(...Object.values(sessionStorage)); } catch {} // refused
          return kept.some((text) => String(text).includes(`,${number}]`));
        }""",
        arg=number,
    )


def wait_for(page: Page | Frame, number: float) -> None:
    page.wait_for_function(
        f"{ALIVE} && window.tinkerformer.value('{WEIGHT}', 0, 0) === {number}", timeout=STARTS
    )


def sockets(instance: Instance) -> int:
    """Count the pages connected to a process; nginx keeps no other connection to it."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    rows = [line.split() for line in lines]
    return sum(row[1].endswith(f":{instance.port:04X}") and row[3] == "01" for row in rows)


def wait_until_started_again(instance: Instance, starts: int) -> None:
    while instance.starts == starts or not instance.is_ready.is_set():
        instance.is_ready.wait(0.1)


def was_loaded_again(page: Page) -> bool:
    try:
        return not page.evaluate("window.stays")
    except Error:  # the page may be loading
        return False


def test_pages_of_a_process_that_is_killed_or_hangs_continue_in_another_process(new_context, two):
    instances, front = two
    pages = {number + 0.5: opened(new_context, front) for number in range(3)}
    for number, page in pages.items():
        edit(page, number)
    for ends in (signal.SIGKILL, signal.SIGSTOP):
        for page in pages.values():
            page.evaluate("window.stays = true")
        until(pages[0.5], lambda: sum(map(sockets, instances)) == len(pages))
        gone = max(instances, key=sockets)
        count, starts = sockets(gone), gone.starts
        os.kill(gone.process.pid, ends)
        wait_until_started_again(gone, starts)
        until(pages[0.5], lambda count=count: sum(map(was_loaded_again, pages.values())) == count)
        for number, page in pages.items():
            wait_for(page, number)
        assert sum(map(was_loaded_again, pages.values())) == count


def test_after_all_processes_have_ended_pages_wait_and_continue(new_context, two, course):
    """The pages are a training run, frames of a course, and a new visitor."""
    instances, front = two
    lines = server_document(f"{front.url}embedded", arguments={"view": "formulas", "embed": ""})
    frame = f'<iframe src="{front.url}main?view=formulas&embed" title="Page"></iframe>'
    course.pages["/course"] = f"<!doctype html><title>Course</title>{frame}<div>{lines}</div>"
    teaches = new_context(front.url, course.origin).new_page()
    teaches.goto(f"{course.origin}/course")
    expect(teaches.locator("iframe")).to_have_count(2)
    frames = [each for each in teaches.frames if each is not teaches.main_frame]
    for number, each in enumerate(frames):
        each.wait_for_function(READY, timeout=STARTS)
        edit(each, number + 0.5)
    trains = opened(new_context, front)
    open_view(trains, "Train")
    trains.get_by_role("button", name="Train again").click()
    trains.wait_for_function(f"{KEPT}.moments && {KEPT}.trained > 20")

    starts = [each.starts for each in instances]
    for each in instances:
        each.kill()
    newcomer = new_context(front.url).new_page()
    newcomer.goto(f"{front.url}main?view=cost")
    expect(newcomer.get_by_role("status")).to_contain_text("opens by itself")
    step = trains.evaluate(f"{KEPT}.trained")
    for each, before in zip(instances, starts, strict=True):
        wait_until_started_again(each, before)

    ideas = newcomer.get_by_role("button", name="More forms of the model, now Cost")
    ideas.wait_for(timeout=STARTS)
    for number, each in enumerate(frames):
        wait_for(each, number + 0.5)
    trains.get_by_text(f"Its training is at step {step:,}").wait_for()
    trains.get_by_role("button", name="Continue", exact=True).click()
    trains.wait_for_function(f"{KEPT}.trained > {step + 10}")
