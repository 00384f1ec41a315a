"""The Learn tab: a student trains a Transformer, looks inside, and leaves."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, TimeoutError, expect
from tinkerformer.learning import Example, TrainingRun, TrainingSettings
from tinkerformer.learning.example_pass import run_example

from tests.browser.conftest import Server, open_page
from tests.browser.student import shown
from transformer_math.data.dates import dates

ATTENTION = "decoder.0.cross_attn.head.{}.weights"
SLOW = 120_000  # a machine that does other things, too


@pytest.fixture
def learn(page: Page) -> Page:
    """The page with the Learn tab opened."""
    return opened(page)


def opened(page: Page) -> Page:
    page.get_by_role("tab", name="Learn").click()
    expect(button(page, "Learn")).to_be_enabled()
    page.wait_for_function("window.tinkerformer.stages().some(s => s.id === 'learn.attention')")
    return page


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def taken(page: Page, steps: int, of: int = 600) -> None:
    """Wait until so many steps have been taken."""
    expect(page.get_by_text(f"step {steps} of {of}", exact=True)).to_be_visible(timeout=15_000)


def counted(page: Page) -> int:
    """How many steps the page says were taken."""
    bar = page.get_by_role("progressbar", name="Steps taken")
    return int(bar.get_attribute("aria-valuenow") or -1)


def wait_for_numbers(page: Page, path: str, expected: np.ndarray, tolerance: float) -> None:
    """Wait until the board shows these numbers, and fail with both if it never does."""
    page.wait_for_function("(p) => window.tinkerformer.paths().includes(p)", arg=path)
    page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", path)
    try:
        page.wait_for_function(
            """([path, rows, tolerance]) => rows.every((row, i) => row.every((x, j) =>
              Math.abs(window.tinkerformer.value(path, i, j) - x)
                <= tolerance + 1e-3 * Math.abs(x)))""",
            arg=[path, expected.tolist(), float(tolerance)],
            timeout=10_000,
        )
    except TimeoutError:
        now = shown(page, path, *expected.shape)
        raise AssertionError(f"{path} shows\n{now}\nand should show\n{expected}") from None


def test_it_learns_every_date_before_the_eyes(learn: Page) -> None:
    """From noise to nearly all of 1,000 dates, with attention where the lesson says it is."""
    written = learn.get_by_text("The model writes").locator("..")
    expect(written).to_contain_text("letters")
    learn.get_by_text("Settings", exact=True).click()
    steps = learn.get_by_label("steps", exact=True)
    steps.fill("400")
    steps.press("Enter")
    expect(learn.get_by_text("Not in use until the run starts again.")).to_be_visible()
    button(learn, "Learn").click()
    expect(button(learn, "Pause")).to_be_visible()
    expect(learn.get_by_role("progressbar", name="Steps taken")).to_have_attribute(
        "aria-valuemax", "400"
    )
    # It goes on while another tab is looked at.
    before = counted(learn)
    learn.get_by_role("tab", name="Explore").click()
    learn.wait_for_function("window.tinkerformer.paths().includes('source.W_e')")
    steps_taken = learn.locator("[role=progressbar][aria-label='Steps taken']")
    expect(steps_taken).not_to_have_attribute("aria-valuenow", str(before))
    learn.get_by_role("tab", name="Learn").click()
    learn.wait_for_function("window.tinkerformer.stages().some(s => s.id === 'learn.attention')")
    assert counted(learn) > before
    done = learn.get_by_text(re.compile("held-out dates right after 400 steps"))
    expect(done).to_be_visible(timeout=SLOW)
    right = re.search(r"([\d,]+) of 1,000", done.inner_text())
    assert right is not None
    assert int(right[1].replace(",", "")) >= 990
    expect(written).to_contain_text("✓ right")
    assert "".join(learn.locator(".letters .letter").all_inner_texts()).replace("\xa0", " ") == (
        "July 20, 1969"
    )
    # "J" is written from the month's two digits; each digit of the year from its own.
    heads = np.array([shown(learn, ATTENTION.format(head), 14, 12) for head in range(4)])
    assert heads[:, 0, 6:8].sum(axis=1).max() > 0.5
    for row, digit in zip(range(9, 13), range(1, 5), strict=True):
        assert heads[:, row, digit].max() == heads[:, row].max() or heads[:, row, digit].max() > 0.3

    # Back to the beginning, and to the present again.
    slider = learn.get_by_label("Timeline")
    slider.press("Home")
    expect(learn.get_by_text("step 0", exact=True)).to_be_visible()
    expect(written).to_contain_text("✗")
    button(learn, "Live").click()
    expect(written).to_contain_text("✓ right")


def test_the_numbers_on_the_board_are_those_of_the_mathematics(learn: Page) -> None:
    """Values, gradients and changes of attention and weights, now and at an earlier step."""
    run = TrainingRun(TrainingSettings(), dates())
    for step in (1, 2):
        button(learn, "Step").click()
        taken(learn, step)
        run.advance()
    example = Example.default(run.pairs)
    now, start = (run_example(run, example, step).with_gradients() for step in (None, 0))
    attention, weights = "decoder.0.cross_attn.head.2.weights", "decoder.0.cross_attn.head.1.W_q"
    for path in (attention, weights):
        wait_for_numbers(learn, path, now.trace[path].value, 1e-5)
    learn.get_by_label("Numbers", exact=True).select_option("gradients")
    for path in (attention, weights):
        gradient = now.trace[path].grad
        wait_for_numbers(learn, path, gradient, 1e-3 * np.abs(gradient).max())
    learn.get_by_label("Numbers", exact=True).select_option("change since the start")
    change = now.trace[weights].value - start.trace[weights].value
    wait_for_numbers(learn, weights, change, 1e-2 * np.abs(change).max())
    learn.get_by_label("Numbers", exact=True).select_option("values")
    learn.get_by_label("Timeline").press("Home")
    wait_for_numbers(learn, attention, start.trace[attention].value, 1e-5)
    learn.get_by_label("Matrix", exact=True).select_option("output.W_out")
    wait_for_numbers(learn, "output.W_out", start.trace["output.W_out"].value, 1e-6)
    # Reset goes back to the very same start.
    button(learn, "Reset").click()
    taken(learn, 0)
    wait_for_numbers(learn, "output.W_out", start.trace["output.W_out"].value, 1e-6)


def test_a_model_of_a_run_is_opened_in_explore_and_the_board_is_given_back(learn: Page) -> None:
    button(learn, "Step").click()
    taken(learn, 1)
    button(learn, "Open in Explore").click()
    expect(learn.get_by_role("tab", name="Explore")).to_have_attribute("aria-selected", "true")
    expect(learn.get_by_role("button", name="Your run, step 1")).to_be_visible()
    run = TrainingRun(TrainingSettings(), dates())
    run.advance()
    path = "encoder.0.feed_forward.gamma"
    wait_for_numbers(learn, path, run.parameters()[path][None], 1e-5)
    # And back: the run is still there.
    opened(learn)
    taken(learn, 1)


def test_a_wrong_date_is_answered_and_a_right_one_is_translated(learn: Page) -> None:
    date = learn.get_by_label("Date to translate")
    date.fill("1969-13-20")
    expect(learn.get_by_text("The month lies from 01 to 12, not 13.")).to_be_visible()
    date.fill("1845-01-05")
    expect(learn.get_by_text("should be January 5, 1845")).to_be_visible()
    expect(learn.get_by_text("The month lies from")).not_to_be_visible()
    learn.wait_for_function(
        "() => window.tinkerformer.matrix('decoder.0.cross_attn.head.0.weights').rows === 16"
    )


def test_own_pairs_are_read_or_answered_by_line_and_nothing_is_lost(learn: Page) -> None:
    button(learn, "Step").click()
    taken(learn, 1)
    learn.get_by_text("Your own pairs").click()
    box = learn.get_by_label("A source, a comma and its target")
    box.fill("cat,cats\nmouse\ndog,dogs")
    button(learn, "Learn these pairs").click()
    expect(learn.get_by_text("Line 2 has 1 column and needs 2")).to_be_visible()
    expect(box).to_have_value("cat,cats\nmouse\ndog,dogs")
    taken(learn, 1)
    box.fill("cat,c\u0007ts\ndog,dogs")
    button(learn, "Learn these pairs").click()
    expect(learn.get_by_text("Line 1 has U+0007 as its character 6")).to_be_visible()
    box.fill("".join(f"{a}{b},{b}{a}\n" for a in "<b>cd" for b in "<b>cd"))
    button(learn, "Learn these pairs").click()
    note = "It learns from 23 pairs of your own; 2 are held out."
    expect(learn.get_by_text(note)).to_be_visible()
    expect(learn.get_by_text("has U+0007")).not_to_be_visible()
    expect(learn.get_by_label("Held-out source")).to_be_visible()
    taken(learn, 0)
    button(learn, "Step").click()
    taken(learn, 1)
    button(learn, "Back to the dates").click()
    expect(learn.get_by_label("Date to translate")).to_be_visible()


def test_a_run_is_saved_and_goes_on_in_another_page(learn: Page, tmp_path: Path) -> None:
    button(learn, "Step").click()
    taken(learn, 1)
    with learn.expect_download() as download:
        button(learn, "Save the run").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "run-step-1.safetensors"
    button(learn, "Reset").click()
    taken(learn, 0)
    learn.locator("input.run-file").set_input_files(file)
    taken(learn, 1)
    wrong = tmp_path / "wrong.safetensors"
    wrong.write_bytes(b"nothing of the kind")
    learn.locator("input.run-file").set_input_files(wrong)
    expect(learn.get_by_text(re.compile("safetensors|truncated|damaged")).last).to_be_visible()
    taken(learn, 1)


def test_whoever_leaves_makes_room_for_the_next(
    monkeypatch: pytest.MonkeyPatch, new_context
) -> None:
    """One training at once: the second page waits, and begins when the first is closed."""
    monkeypatch.setenv("TINKERFORMER_MAX_TRAININGS", "1")
    server = Server()
    server.start()
    try:
        first, second = (opened(open_page(new_context(server.url), server.url)) for _ in range(2))
        for page in (first, second):
            page.get_by_text("Settings", exact=True).click()
            steps = page.get_by_label("steps", exact=True)
            steps.fill("5000")
            steps.press("Enter")
        button(first, "Learn").click()
        expect(first.get_by_text("tokens a second")).to_be_visible(timeout=15_000)
        button(second, "Learn").click()
        expect(second.get_by_text("1 training is before yours")).to_be_visible()
        first.close()
        # Within a second on a machine that has the time.
        expect(second.get_by_text("tokens a second")).to_be_visible(timeout=5000)
        second.close()
        assert _rests(server.process.pid), "The server still trains for nobody."
    finally:
        server.stop()


def _rests(pid: int) -> bool:
    """Whether a process comes to use hardly any processor time within some seconds."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        pytest.skip("This system does not tell what a process uses.")

    def used() -> int:
        fields = stat.read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])  # user and system time, in hundredths

    for _ in range(10):
        before = used()
        time.sleep(0.5)
        if used() - before <= 5:
            return True
    return False


def test_it_fits_a_phone(new_context, server: str) -> None:
    page = opened(open_page(new_context(viewport={"width": 420, "height": 800}), server))
    button(page, "Step").click()
    taken(page, 1)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(new_context, server: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened(open_page(new_context(color_scheme=scheme), server))
    button(page, "Step").click()
    taken(page, 1)
    page.get_by_text("Settings", exact=True).click()
    page.get_by_text("Your own pairs").click()
    page.get_by_label("Date to translate").fill("1969-13-20")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
