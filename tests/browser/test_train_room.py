import itertools
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, open_view, with_steps

pytestmark = pytest.mark.in_turn

# Finds elements, also in shadow trees.
FIND = """(selector) => {
  const find = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.matches(selector)) return node;
      const inner = node.shadowRoot && find(node.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  return find(document);
}"""
# Records the places of the first rows of both stacks and the number of words, in each frame.
RECORD = f"""() => {{
  const labels = ({FIND})(".labels");
  window.frames_of_run = [];
  const note = () => {{
    const top = (stack) =>
      labels.querySelector(`.word[data-stack="${{stack}}"]`)?.getBoundingClientRect().top;
    const words = labels.querySelectorAll('.word[data-stack="1"]').length;
    // Until their numbers are there, new words are neither seen nor placed.
    if (!labels.matches(".waits")) frames_of_run.push([words, top(0), top(1)]);
    requestAnimationFrame(note);
  }};
  note();
}}"""
PLACES = f"""() => [...({FIND})(".labels").querySelectorAll('.word')]
  .map((word) => Math.round(word.getBoundingClientRect().top))"""

# Records the caption's sentence, its place and the note on the words, in 90 display frames.
CALM = f"""async () => {{
  const find = {FIND}, kinds = [new Set(), new Set(), new Set()];
  for (let k = 0; k < 90; k++) {{
    await new Promise(requestAnimationFrame);
    const caption = find(".picture-caption"), {{ x, y, width }} = caption.getBoundingClientRect();
    const sentence = find(".thread-words strong").textContent;
    const verdicts = find(".lists-line .target .words-verdict").textContent;
    [sentence, `${{caption.checkVisibility()}} ${{x}} ${{y}} ${{width}}`, verdicts].forEach(
      (each, at) => kinds[at].add(each));
  }}
  return kinds.map((each) => [...each]);
}}"""


@pytest.fixture
def train(new_context, server: str) -> Page:
    page = open_first_page(new_context(), f"{server}?view=train")
    expect(curves(page)).to_be_visible()
    return page


def curves(page: Page) -> Locator:
    return page.get_by_role("region", name="Curves of the run")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(name))


def begin(page: Page, pace: str = "full") -> None:
    page.get_by_label("pace", exact=True).select_option(pace)
    button(page, "^Train again").click()
    expect(button(page, "^Pause")).to_be_visible()


def wait_until_over(page: Page) -> None:
    expect(button(page, "^Train again")).to_be_visible(timeout=120_000)


def probabilities(page: Page) -> list[float]:
    found = page.locator(".next-words .number").all_inner_texts()
    return [float(each) for each in found if each]


def wait_until_in_order(page: Page) -> None:
    page.wait_for_function(
        f"""() => {{
          const list = ({FIND})(".next-words ul");
          const all = [...list.querySelectorAll(".number")].map((each) => Number(each.textContent));
          return all.length > 2 && all.every((p, k) => !k || p <= all[k - 1]);
        }}"""
    )


def test_the_picture_fits_the_text_and_no_row_jumps_when_the_text_changes(
    train: Page,
) -> None:
    before = train.evaluate(f"({PLACES})()")
    train.evaluate(f"({RECORD})()")
    begin(train)
    wait_until_over(train)
    frames = train.evaluate("frames_of_run")
    changes = [
        (a, b) for a, b in itertools.pairwise(frames) if a[0] != b[0] and None not in (*a, *b)
    ]
    assert changes, "the sentence has changed its length"
    # When the number of words changes, no row moves far within one frame.
    first, now = changes[0]
    assert abs(now[1] - first[1]) <= 4
    assert abs(now[2] - first[2]) <= 4
    # With as many words as at first, the rows are where they were at first.
    train.wait_for_function(
        f"(before) => String(({PLACES})()) === String(before)", arg=before, timeout=15_000
    )


def test_on_a_phone_the_picture_is_as_high_as_all_rows_of_the_longest_text(
    new_context, server: str
) -> None:
    phone = {"viewport": {"width": 420, "height": 860}, "has_touch": True, "is_mobile": True}
    page = open_first_page(new_context(reduced_motion="reduce", **phone), f"{server}?view=train")
    begin(page, "slow")
    words = page.locator(".labels .written")
    expect(words).to_have_count(18)  # untrained, it writes until the limit
    button(page, "^Pause").click()
    expect(button(page, "^Continue")).to_be_visible()
    page.wait_for_function(
        f"""() => {{
          const box = ({FIND})(".whole").getBoundingClientRect();
          const all = [...({FIND})(".labels").querySelectorAll(".word, .written, .title")];
          return all.length > 40 && all.every((word) => {{
            const {{ top, bottom }} = word.getBoundingClientRect();
            return word.checkVisibility() && top >= box.top && bottom <= box.bottom;
          }});
        }}"""
    )


def test_with_reduced_motion_the_picture_fits_at_once(new_context, server: str) -> None:
    page = open_first_page(new_context(reduced_motion="reduce"), f"{server}?view=train")
    before = page.evaluate(f"({PLACES})()")
    begin(page)
    wait_until_over(page)
    page.wait_for_function(f"(before) => String(({PLACES})()) === String(before)", arg=before)


def test_the_followed_position_stays_during_a_run_and_on_its_timeline(
    new_context, server: str
) -> None:
    train = open_first_page(new_context(), server)
    open_view(train, "Train")
    followed = train.locator(".labels .word[aria-pressed=true]")
    expect(train.get_by_role("button", name="Following “chat → noir”")).to_be_visible()
    expect(followed).to_have_attribute("data-row", "2")
    with_steps(train, 300)
    begin(train, "slow")
    # While the picture is watched, only numbers and written words change.
    open_view(train, "Explore")
    place = f"JSON.stringify(({FIND})('.picture-caption').getBoundingClientRect())"
    expect(train.locator(".thread-words")).to_be_visible()
    at_rest(train, place, frames=20)
    calm = train.evaluate(CALM)
    assert [len(kinds) for kinds in calm] == [1, 1, 1], calm
    open_view(train, "Train")
    train.get_by_label("pace", exact=True).select_option("full")
    wait_until_over(train)
    timeline = train.get_by_role("slider", name="Timeline")
    # While the timeline is dragged, the caption names the shown step.
    box = timeline.bounding_box()
    train.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    train.mouse.down()
    train.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2, steps=4)
    expect(train.locator(".thread-words strong")).to_have_text(re.compile("^Step [1-9]"))
    train.mouse.up()
    timeline.focus()
    timeline.press("Home")
    expect(timeline).to_have_attribute("data-step", "0")
    expect(followed).to_have_attribute("data-row", "2")
    timeline.press("End")
    expect(timeline).to_have_attribute("data-step", "300")
    expect(train.get_by_role("button", name="Following “chat → noir”")).to_be_visible()
    expect(train.get_by_label("Position whose next word is shown")).to_have_value("after “le chat”")


def test_the_likeliest_word_is_first_whenever_the_run_is_paused(train: Page) -> None:
    begin(train, "slow")
    timeline = train.get_by_role("slider", name="Timeline")
    train.wait_for_function(f"() => ({FIND})('#training-timeline').dataset.step < 900")
    train.wait_for_function(f"() => ({FIND})('#training-timeline').dataset.step > 6")
    button(train, "^Pause").click()
    expect(button(train, "^Continue")).to_be_visible()
    wait_until_in_order(train)
    timeline.focus()
    for _ in range(3):
        timeline.press("ArrowLeft")
        wait_until_in_order(train)
    train.get_by_label("pace", exact=True).select_option("full")
    button(train, "^Continue").click()
    wait_until_over(train)
    wait_until_in_order(train)
    assert probabilities(train)[0] > 0.5


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (1024, True), (420, False)])
def test_before_a_run_the_chart_explains_what_it_will_show(
    new_context, server: str, width: int, dark: bool
) -> None:
    scheme = "dark" if dark else "light"
    context = new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)
    page = open_first_page(context, f"{server}?view=train")
    region = curves(page)
    sentence = region.get_by_text("Press Train again. Pure guessing has a loss of ")
    sentence.scroll_into_view_if_needed()
    expect(sentence).to_be_in_viewport(ratio=1)
    for text in ("guessing: loss 3.50", "least loss", "100 %", "step 0"):
        expect(region.locator("svg text").get_by_text(text, exact=True)).to_be_visible()
    lines = region.locator("line.arrow")
    expect(lines).to_have_count(2)
    # The loss will fall and the right answers rise: the tip is at the end of each arrow.
    loss, right = (
        region.locator(f"line.arrow.{name}").evaluate(
            "l => [+l.getAttribute('y1'), +l.getAttribute('y2')]"
        )
        for name in ("loss", "right")
    )
    assert loss[0] < loss[1]
    assert right[0] > right[1]


def test_a_chart_names_its_lines_and_their_values_at_the_pointer(train: Page) -> None:
    train.set_viewport_size({"width": 1440, "height": 900})
    region = curves(train)
    sentence, arrows = region.get_by_text("Press Train again"), region.locator("line.arrow")
    expect(sentence).to_be_visible()
    expect(arrows).to_have_count(2)
    begin(train)
    wait_until_over(train)
    expect(sentence).to_be_hidden()
    expect(arrows).to_have_count(0)
    for text in ("unseen phrases right", "loss", "100 %", "step 0", "1,000"):
        expect(region.get_by_text(text, exact=True).locator("visible=true").first).to_be_visible()
    right, loss = region.locator("polyline.right").first, region.locator("polyline.loss").first
    for line in (right, loss):
        expect(line).to_be_in_viewport()
    heights = [line.bounding_box()["height"] for line in (right, loss)]  # type: ignore[index]
    assert min(heights) > 60
    plot = region.locator(".plot").bounding_box()
    train.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + 60)
    tip = region.locator(".tip")
    expect(tip).to_have_text(
        re.compile(r"step [\d,]+ · right [\d.]+ %( at step \d+)? · loss \d\.\d{3}")
    )
    train.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] - 60)
    expect(tip).to_be_hidden()
    # The other curves unfold below it.
    more = region.get_by_role("button", name="Learning rate and gradient")
    expect(region.locator("polyline.rate")).to_have_count(0)
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(region.locator("polyline.rate").last).to_be_in_viewport()
    expect(region.locator("polyline.norm").last).to_be_in_viewport()


def test_the_whole_page_shows_the_step_at_the_pointer_on_the_curve(train: Page) -> None:
    """In every display frame while the pointer moves on the curve, and right after its release."""
    button(train, "^Train again").click()
    train.get_by_label("pace", exact=True).select_option("full")
    train.wait_for_function(f"({STEP})() > 120", timeout=120_000)
    before = button(train, "^Step").bounding_box()
    button(train, "^Pause").click()
    expect(button(train, "^Continue")).to_be_visible()
    assert button(train, "^Step").bounding_box() == before  # no button moves
    box = curves(train).locator(".plot").bounding_box()
    train.evaluate(WATCHED)
    for k in [*range(40), *range(40, 15, -1)]:
        train.mouse.move(box["x"] + box["width"] * (0.6 - k * 0.012), box["y"] + 60)
        if not k:
            train.mouse.down()
    train.mouse.up()
    pointed = curves(train).locator(".tip").inner_text().split(" · ")[0]
    expect(curves(train).locator(".where")).to_have_text(pointed)
    seen = train.evaluate("window.seen")
    assert len({where for where, *_ in seen}) > 3
    numbers = {}
    for where, count, said, number in seen:
        assert count.startswith(f"{where} of ")
        assert f"{where} of the " in said
        assert numbers.setdefault(where, number) == number


STEP = "() => window.tinkerformer.scenario().trained ?? 0"
WATCHED = """() => {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")]
    .flatMap(({shadowRoot}) => shadowRoot ? roots(shadowRoot) : [])];
  const all = (root, selector) => roots(root).flatMap((x) => [...x.querySelectorAll(selector)]);
  const parts = [".curves .where", ".run .count", ".curves .said"].map((s) => all(document, s)[0]);
  window.seen = [];
  const look = () => {
    const texts = parts.map((el) => el.textContent);
    if (!texts[0].endsWith("(newest)"))
      window.seen.push([...texts, window.tinkerformer.value("source.W_e", 4, 0)]);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_changes_during_a_run_are_marked_in_the_chart(train: Page) -> None:
    for step in (1, 2):
        button(train, "^Step").click()
        expect(train.get_by_text(f"step {step} of 1,000", exact=True)).to_be_visible()
    train.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    train.wait_for_function("window.tinkerformer.value('source.W_e', 0, 0) === 3")
    expect(curves(train).locator("line.mark")).to_have_count(0)
    button(train, "^Step").click()
    expect(curves(train).locator("line.mark")).to_have_count(1)
    expect(curves(train).locator(".mark-words")).to_have_text("1 number set")


def test_at_every_width_picture_and_chart_are_visible_and_the_note_on_the_data_is_whole(
    train: Page,
) -> None:
    picture, plot = train.locator(".whole"), curves(train).locator(".plot")
    note = train.locator(".train-on > .message")
    over = "el => [el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight]"
    for width, height in ((1440, 900), (1024, 768), (768, 900), (420, 900), (390, 900)):
        train.set_viewport_size({"width": width, "height": height})
        at_rest(train, "innerWidth", frames=8)
        expect(plot).to_be_in_viewport(ratio=0.8)
        expect(picture).to_be_in_viewport(ratio=0.95)
        expect(train.locator(".next-words")).to_be_in_viewport()
        assert train.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        expect(note).to_be_visible()
        assert note.evaluate(over) == [0, 0], width
        for each in train.locator(".run button, .run select, .run .count").all():
            box = each.bounding_box()
            assert box["x"] >= 0, width
            assert box["x"] + box["width"] <= width, width
            assert each.evaluate(over)[0] <= 0, width
        # A part has one name, and each has a title.
        titles = train.locator(".labels .label.title")
        expect(train.locator(".labels .label.title.covered")).to_have_count(0)
        names = titles.all_inner_texts()
        assert len(names) == 8, width
        assert not (any("attn" in name for name in names) and "attention" in str(names)), names
        frame = train.locator(".frame").bounding_box()
        run = train.locator(".run").bounding_box()
        assert run["y"] + run["height"] <= frame["y"] + frame["height"] + 1, width
