import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan, TrainingRun
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import Server, open_first_page
from tests.browser.student import at_rest, open_view, violations_light_and_dark, with_steps


@pytest.fixture
def learn(new_context, server: str) -> Page:
    """The page that opens with the Learn view."""
    return shown(open_first_page(new_context(), f"{server}?view=train"))


def opened(page: Page) -> Page:
    open_view(page, "Train")
    return shown(page)


def shown(page: Page) -> Page:
    expect(page.get_by_role("region", name="Curves of the run")).to_be_visible()
    return page


def at_full_speed(page: Page) -> Page:
    page.get_by_label("pace", exact=True).select_option("full")
    return page


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def stepped(page: Page, step: int, of: str = "1,000") -> None:
    """Take a step, and wait until it is shown."""
    button(page, "Step").click()
    expect(page.get_by_text(f"step {step:,} of {of}", exact=True)).to_be_visible()


def after(steps: int, scenario: Scenario) -> Scenario:
    """Return the scenario after ``steps`` training steps of transformer_math."""
    run = TrainingRun(TrainingPlan.of(scenario))
    for _ in range(steps):
        run.advance()
    return with_written_target(scenario.trained(run.weights(), steps), ForwardPassRunner())


# The number of letters in the longest line of each visible paragraph.
LETTERS = """() => {
  const most = [];
  const walk = (root) => {
    for (const node of root.children ?? []) {
      if (getComputedStyle(node).display === "none") continue;
      const text = node.matches("p") && node.textContent.trim();
      if (text) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.bottom)));
        const { width } = range.getBoundingClientRect();
        const letter = Number.parseFloat(getComputedStyle(node).fontSize) * 0.47;
        if (lines.size > 1) most.push([Math.round(width / letter), text]);
      }
      walk(node);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document.querySelector("main"));
  return most;
}"""


def test_no_line_of_text_is_too_long_to_be_read(phrases: Page) -> None:
    phrases.set_viewport_size({"width": 1920, "height": 900})
    for room, first in (("Train", "Break it"), ("Lessons", "Lessons")):
        open_view(phrases, room)
        phrases.get_by_role("heading", name=first, exact=True).wait_for()
        found = at_rest(phrases, f"({LETTERS})()")
        assert found, room
        assert [each for each in found if each[0] > 74] == [], room


# -- own data ----------------------------------------------------------------------------------

PAIRS = [
    *(("Go!", "Va\u202f!"), ("Hi.", "Salut."), ("Oh, no!", "Oh, non\u202f!")),
    *(("I see.", "Je vois."), ("Come in.", "Entrez."), ("He is here.", "Il est ici.")),
    *(("She is here.", "Elle est ici."), ("It is cold.", "Il fait froid.")),
    *(("I'm cold.", "J'ai froid."), ("She is cold.", "Elle a froid.")),
    *(("Where is it?", "Où est-ce\u202f?"), ("Where is he?", "Où est-il\u202f?")),
]
CREDIT = "CC-BY 2.0 (France) Attribution: tatoeba.org #2877272 (CM) & #1158250 (Wittydev)"
TABLE = "".join(f"{source}\t{target}\t{CREDIT}\n" for source, target in PAIRS)
STEP = "() => window.tinkerformer.scenario().trained ?? 0"
DROP = """([name, text]) => {
  const find = (root) => root.querySelector(".picture") ?? [...root.querySelectorAll("*")]
    .reduce((found, { shadowRoot }) => found ?? (shadowRoot && find(shadowRoot)), null);
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  const options = { dataTransfer: files, bubbles: true, cancelable: true, composed: true };
  for (const type of ["dragover", "drop"])
    find(document).dispatchEvent(new DragEvent(type, options));
}"""


def opened_table(page: Page) -> Locator:
    button(page, re.compile("^your own")).click()
    table = page.locator(".own-data")
    expect(table).to_be_visible()
    return table


def paste(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def expect_training(page: Page) -> None:
    expect(page.locator(".own-data")).not_to_be_visible()
    expect(page.get_by_label("Train on", exact=True)).to_have_value("own")
    page.wait_for_function(f"({STEP})() > 2")
    expect(button(page, "Pause")).to_be_visible()


def test_a_dropped_file_is_in_training_after_two_actions(learn: Page, server: str) -> None:
    learn.goto(server)
    learn.wait_for_function("window.tinkerformer?.scenario?.()")
    learn.evaluate(DROP, ["fra.txt", TABLE])
    button(learn, "Train on these 12 pairs").click()
    expect_training(learn)


def test_only_the_beginning_of_a_large_file_is_read(learn: Page) -> None:
    table = opened_table(learn)
    row = b"the cat number %d\tle chat\t" + CREDIT.encode() + b"\n"
    large = b"".join(row % (n % 4_000) for n in range(90_000))
    file = {"name": "fra.txt", "mimeType": "text/plain", "buffer": large}
    assert len(large) > 8 << 20
    learn.locator("input.own-files").set_input_files([file])
    expect(table.get_by_text("Only the first 8 MB of fra.txt (10 MB) were read.")).to_be_visible()
    expect(table.get_by_text("20,000 pairs with 4,003 and 2 different words.")).to_be_visible()
    expect(table.get_by_text("… and 19,900 more")).to_be_visible()


def test_a_table_is_typed_and_changed_and_keeps_all_its_rows(learn: Page) -> None:
    stepped(learn, 1)
    table = opened_table(learn)
    for text in ("cat", "cats", "dog", "dogs", "hen"):
        learn.keyboard.type(text)
        learn.keyboard.press("Tab")
    expect(table.get_by_text("2 pairs with 6 and 7 different characters.")).to_be_visible()
    expect(table.get_by_text("Skipped 1 line. The target of row 3 is empty.")).to_be_visible()
    expect(learn.get_by_label("target, row 3", exact=True)).to_have_attribute(
        "aria-invalid", "true"
    )
    learn.keyboard.type("hens")
    learn.keyboard.press("ArrowUp")
    expect(learn.get_by_label("target, row 2", exact=True)).to_be_focused()
    expect(table.get_by_text("3 pairs with")).to_be_visible()
    table.get_by_role("button", name="Clear", exact=True).click()
    expect(learn.get_by_label("source, row 1", exact=True)).to_have_value("")
    table.get_by_role("button", name="Undo", exact=True).click()
    expect(learn.get_by_label("target, row 3", exact=True)).to_have_value("hens")
    table.get_by_role("button", name="Remove row 1", exact=True).click()
    table.get_by_role("button", name="Swap", exact=True).click()
    expect(learn.get_by_label("source, row 1", exact=True)).to_have_value("dogs")
    learn.keyboard.press("Escape")
    expect(learn.get_by_text("step 1 of 1,000", exact=True)).to_be_visible()
    opened_table(learn)
    expect(learn.get_by_label("source, row 1", exact=True)).to_have_value("dogs")
    table.get_by_label("Unit:").select_option("word")
    table.get_by_role("button", name="Train on these 2 pairs", exact=True).click()
    expect_training(learn)


def test_pasted_pairs_are_in_training_after_three_actions(learn: Page) -> None:
    opened_table(learn)  # the first action
    paste(learn, TABLE + "alone\n")  # the second action
    expect(learn.get_by_text("12 pairs with 18 and 20 different words.")).to_be_visible()
    expect(learn.get_by_text("without column 3 (“CC-BY 2.0 (Franc…”)")).to_be_visible()
    expect(learn.get_by_text("Skipped 1 line. Line 13 has 1 column and needs 3")).to_be_visible()
    expect(learn.get_by_label("target, row 1", exact=True)).to_have_value(PAIRS[0][1])
    button(learn, "Train on these 12 pairs").click()  # the third action
    expect_training(learn)


def test_the_dialog_stays_where_it_is_while_rows_come_and_go(learn: Page) -> None:
    table = opened_table(learn)
    parts = [table, table.get_by_label("Unit:"), table.locator(".begin .button")]

    def places() -> list[tuple[float, float]]:
        boxes = [part.bounding_box() for part in parts]
        return [(box["x"], box["y"]) for box in boxes if box is not None]

    before = places()
    assert len(before) == 3
    paste(learn, TABLE + "alone\n")
    expect(table.get_by_text("Skipped 1 line.")).to_be_visible()
    assert places() == before
    button(learn, "Clear").click()
    expect(table.get_by_text("Skipped 1 line.")).not_to_be_visible()
    assert places() == before


def test_closing_a_page_lets_the_next_page_train(
    monkeypatch: pytest.MonkeyPatch, new_context
) -> None:
    """With one place, the second page waits, and starts when the first is closed."""
    monkeypatch.setenv("TINKERFORMER_MAX_TRAININGS", "1")
    server = Server()
    server.start()
    try:
        first, second = (
            opened(open_first_page(new_context(server.url), server.url)) for _ in range(2)
        )
        for page in (first, second):
            at_full_speed(page)
            with_steps(page, 5000)
        button(first, re.compile("Train again")).click()
        expect(first.get_by_text(re.compile(r"\d s left")).first).to_be_visible(timeout=15_000)
        button(second, re.compile("Train again")).click()
        expect(second.get_by_text("1 training is before yours").first).to_be_visible()
        first.close()
        # Within a second if the machine is not busy.
        expect(second.get_by_text(re.compile(r"\d s left")).first).to_be_visible(timeout=10_000)
        second.close()
        assert _rests(server.process.pid), "The server still trains for nobody."
    finally:
        server.stop()


def _rests(pid: int) -> bool:
    """Return whether a process becomes nearly idle within some seconds."""
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


def test_the_train_room_fits_on_a_phone(new_context, server: str) -> None:
    page = opened(open_first_page(new_context(viewport={"width": 420, "height": 800}), server))
    stepped(page, 1)
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(wide) <= 0
    expect(page.get_by_label("Train on", exact=True)).to_be_in_viewport()
    table = opened_table(page)
    assert page.evaluate(wide) <= 0
    assert table.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    expect(table.locator(".begin .button")).to_be_in_viewport()


@pytest.mark.in_turn
def test_axe_finds_no_violation_in_the_train_room(whole: Page) -> None:
    page = opened(whole)
    stepped(page, 1)
    page.get_by_text("Recipe", exact=True).click()
    opened_table(page)
    paste(page, TABLE + "alone\n")
    expect(page.get_by_text("Skipped 1 line.")).to_be_visible()
    assert not violations_light_and_dark(page)


# -- a training run that is watched ------------------------------------------------------------


def test_the_picture_and_the_bar_keep_their_size_during_a_run(learn: Page) -> None:
    """Meanwhile, the sentences and messages are of various lengths."""
    learn.set_viewport_size({"width": 1440, "height": 900})
    button(learn, "Start from random numbers").click()
    expect(learn.locator(".run .message")).to_have_text(re.compile("The weights are random"))
    rows = "window.tinkerformer.matrix('target.embedding')?.rows"
    longest = at_rest(learn, rows, frames=20)
    assert longest > 10  # an untrained model writes to the limit
    cell = "window.tinkerformer.rect('source.embedding', 0, 0)"
    place = f"[{cell}, document.querySelector('#curves').getBoundingClientRect().top]"
    before = at_rest(learn, place, frames=20)
    at_full_speed(learn)
    button(learn, re.compile("^Train it")).click()
    learn.wait_for_function(f"{rows} < {longest} - 4", timeout=120_000)
    now = at_rest(learn, place, frames=2)
    assert now[0] == pytest.approx(before[0], abs=0.5)
    assert now[1] == before[1]


def test_a_student_watches_a_training_run_and_stops_it_and_shows_earlier_steps(learn: Page) -> None:
    """A number that is set meanwhile is trained on, and a silenced head stays silenced."""
    expect(learn.get_by_label("pace", exact=True)).to_have_value("slow")
    expect(button(learn, re.compile(r"Train again \(about 25 s\)"))).to_be_visible()
    with_steps(learn, 200)  # enough to stop the run and continue it to its end
    button(learn, re.compile("Train again")).click()
    curves = learn.get_by_role("region", name="Curves of the run")
    at = learn.get_by_role("slider", name="Timeline")
    # The picture, the map of words and the sentence show the same model at once.
    learn.wait_for_function(f"({STEP})() > 5")
    random = after(0, catalog.first("phrases"))
    moved = "x => Math.abs(window.tinkerformer.value('source.W_e', 4, 0) - x) > 1e-5"
    was = float(ForwardPassRunner().trace(random)["source.W_e"].value[4, 0])
    learn.wait_for_function(moved, arg=was)
    expect(learn.get_by_role("button", name="black", exact=False).last).to_be_visible()
    expect(learn.locator(".plane .word").first).to_be_in_viewport()
    expect(curves.locator("polyline.loss")).to_be_in_viewport()
    # Check this during the run.
    learn.evaluate("window.tinkerformer.set('source.W_e', 4, 0, 3)")
    set_to = "const now = window.tinkerformer.value('source.W_e', 4, 0); return now !== 3 &&"
    learn.wait_for_function(f"() => {{ {set_to} Math.abs(now - 3) < 0.5; }}")
    step = learn.evaluate(STEP)
    learn.wait_for_function(f"({STEP})() > {step} + 5")
    learn.wait_for_function(f"() => {{ {set_to} Math.abs(now - 3) < 0.5; }}")
    button(learn, "Pause").click()
    expect(button(learn, "Continue")).to_be_visible()
    stopped = int(at.get_attribute("data-step") or 0)
    learned = at.evaluate("el => Number.parseFloat(el.style.getPropertyValue('--learned'))")
    assert learned == pytest.approx(100 * stopped / 200)
    # Show an earlier step, in every view.
    at.focus()
    at.press("Home")
    expect(curves.get_by_text("step 0", exact=True).first).to_be_visible()
    at.press("ArrowRight")
    at.press("ArrowRight")
    expect(curves.get_by_text("step 2", exact=True).first).to_be_visible()
    expect(at).to_have_attribute("data-step", "2")
    button(curves_of(learn), "Pin this moment").click()
    button(curves_of(learn), "Last step").click()
    expect(at).to_have_attribute("data-step", str(stopped))
    expect(curves).to_contain_text(f"Between steps 2 and {stopped} a number moved by")
    button(curves_of(learn), "Unpin step 2").click()
    # Continue at full speed to the end.
    at_full_speed(learn)
    button(learn, "Continue").click()
    # A head that is silenced during training stays silenced.
    learn.evaluate("tinkerformer.select('encoder.0.self_attn.head.1.W_v', 0, 0)")
    quiet = button(learn, "Silence head 2 to 0")
    quiet.click()
    expect(quiet).to_have_attribute("aria-pressed", "true")
    expect(at).to_have_attribute("data-step", "200", timeout=120_000)
    expect(quiet).to_have_attribute("aria-pressed", "true")
    learn.wait_for_function(f"() => {{ {set_to} now > 1; }}")


def curves_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Curves of the run")


def test_pressing_the_curves_shows_the_step_at_that_place(learn: Page) -> None:
    for step in (1, 2, 3, 4):
        stepped(learn, step)
    plot = curves_of(learn).locator(".plot")
    box = plot.bounding_box()
    learn.mouse.move(box["x"] + 1, box["y"] + 20)
    learn.mouse.down()
    at = learn.get_by_role("slider", name="Timeline")
    expect(at).to_have_attribute("data-step", "0")
    learn.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20, steps=4)
    learn.mouse.up()
    expect(at).to_have_attribute("data-step", "4")
    expect(button(curves_of(learn), "Last step")).to_be_disabled()
