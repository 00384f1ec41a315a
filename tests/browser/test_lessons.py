import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect
from tinkerformer.cli.lesson_walk import walk_one
from tinkerformer.lessons.catalog import catalog

from tests.browser.student import at_rest, open_view
from tests.browser.tabs import new_tab

NewContext = Callable[[], BrowserContext]
LESSONS = catalog().lessons


@pytest.mark.parametrize("name", list(LESSONS))
def test_all_tasks_of_a_lesson_can_be_done(new_context: NewContext, server: str, name: str) -> None:
    said: list[str] = []
    assert walk_one(new_tab(new_context()), server, LESSONS[name], said.append), said


def test_a_step_has_an_address_and_a_reload_keeps_the_completed_tasks(
    new_context: NewContext, server: str
) -> None:
    page = new_tab(new_context())
    page.goto(f"{server}?view=lesson:film&step=3")
    heading = page.locator(".lesson h2")
    expect(heading).to_have_text(LESSONS["film"].steps[2].title)
    task = page.locator(".lesson .task")
    task.get_by_role("button", name="sat", exact=True).click()
    expect(task.locator(".mark")).to_have_text("Right: sat")
    page.locator(".lesson .scroll").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    expect(heading).to_have_text(LESSONS["film"].steps[3].title)
    page.reload()
    expect(heading).to_have_text(LESSONS["film"].steps[3].title)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(task.locator(".mark")).to_have_text("Done")


def test_a_number_stays_under_the_pointer_while_it_completes_a_task(
    new_context: NewContext, server: str
) -> None:
    page = new_tab(new_context(viewport={"width": 1440, "height": 900}))
    page.goto(f"{server}?view=lesson:attention&step=6")
    place = ["encoder.0.self_attn.head.0.scores", 2, 3]
    page.wait_for_function("p => window.tinkerformer?.ready && tinkerformer.value(...p)", arg=place)
    box = at_rest(page, "window.tinkerformer.rect(...a)", *place, frames=20)
    grid = page.locator(f".matrix[data-path='{place[0]}'] .grid")
    before = grid.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    mark = page.locator(".lesson .task .mark", has_text="Done")
    for step in range(1, 40):
        if mark.is_visible():
            break
        page.mouse.move(x + 6 * step, y)
    expect(mark).to_be_visible()
    at_rest(page, "scrollY", frames=20)
    assert grid.bounding_box() == before
    page.mouse.up()
    expect(page.locator("#right.open")).to_be_attached()


@pytest.mark.parametrize("width", [1440, 1024, 420])
def test_a_notice_covers_no_button_of_a_lesson(
    new_context: NewContext, server: str, width: int
) -> None:
    page = new_tab(new_context(viewport={"width": width, "height": 860}))
    page.goto(f"{server}?view=lesson:film")
    following = page.get_by_role("button", name="Next", exact=True)
    expect(following).to_be_in_viewport()
    page.evaluate(
        """(sentence) => document.dispatchEvent(
          new CustomEvent("tinkerformer:notice", { detail: { sentence } }))""",
        "A sentence. " * 6,
    )
    notice = page.locator(".saying")
    expect(notice).to_be_in_viewport()
    over, lesson = notice.bounding_box(), page.locator("#lesson").bounding_box()
    is_beside = over["x"] + over["width"] <= lesson["x"]
    assert is_beside or over["y"] + over["height"] <= lesson["y"]


# Returns whether the last word of every lane is inside the picture.
IN_SIGHT = """whole => {
  const box = whole.getBoundingClientRect();
  const words = [...whole.querySelectorAll(".labels .written:not(.crowded)")];
  return tinkerformer.look()?.isAll && words.length > 0 && words.every((word) => {
    const { left, right } = word.getBoundingClientRect();
    return left >= box.left && right <= box.right + 1;
  });
}"""


def test_a_lesson_opened_from_the_list_shows_the_part_that_its_step_is_about(
    new_context: NewContext, server: str
) -> None:
    page = new_tab(new_context())
    page.goto(server)
    open_view(page, "Lessons")
    page.get_by_role("button", name="Start: The film of one prediction").click()
    expect(page.locator(".labels .written").first).to_be_visible()
    page.wait_for_function(IN_SIGHT, arg=page.locator(".whole").element_handle())
    page.get_by_role("button", name="Close the lesson").click()
    page.get_by_role("button", name="Start: One attention by hand").click()
    ring = page.locator(".ring.pointed-out").first
    expect(ring).to_be_in_viewport()
    page.wait_for_function(
        "([ring, frame]) => ring.getBoundingClientRect().top > frame.offsetHeight",
        arg=[ring.element_handle(), page.locator(".frame").element_handle()],
    )


def test_hidden_answers_are_neither_visible_nor_read_aloud(
    new_context: NewContext, server: str
) -> None:
    page = new_tab(new_context())
    page.goto(f"{server}?view=lesson:attention")
    task = page.locator(".lesson .task").first
    task.wait_for()
    cell = ["source.unprojected.raw_scores", 3, 2]
    page.wait_for_function("cell => Number.isNaN(tinkerformer.value(...cell))", arg=cell)
    page.evaluate("cell => tinkerformer.select(...cell)", cell)
    covered = "covered until the question is answered"
    expect(page.locator(".status .readout")).to_contain_text(covered)
    expect(page.locator(".status .readout .value")).to_have_text("?")
    expect(page.locator(".selected .value")).to_have_text("?")
    task.get_by_role("textbox").fill("-5")
    task.get_by_role("button", name="Answer", exact=True).click()
    task.get_by_role("button", name="Show the answer").click()
    expect(task.locator(".mark")).to_have_text(re.compile(r"^Shown: 5\.27"))
    expect(page.locator(".status .readout .value")).to_contain_text("5.27")
    expect(page.locator(".selected .value")).to_contain_text("5.27")


@pytest.mark.parametrize("dark", [False, True])
def test_each_card_of_the_list_has_a_picture_and_the_goals(new_context, server, dark):
    scheme = "dark" if dark else "light"
    page = new_tab(new_context(color_scheme=scheme, viewport={"width": 420, "height": 860}))
    page.goto(f"{server}?view=lessons")
    cards = page.locator(".lessons li[data-lesson-name], .lessons li[data-dare-name]")
    expect(cards.locator("svg.small-picture")).to_have_count(len(LESSONS))
    shown = page.locator("svg.small-picture").evaluate_all(
        """all => all.map(svg => [
          svg.closest("[aria-hidden=true]") !== null,
          [...svg.children].filter(each => each.getBBox().width > 1).length,
          getComputedStyle(svg.querySelector("rect, path, circle")).fill
        ])"""
    )
    assert all(is_hidden and drawn > 3 for is_hidden, drawn, _ in shown)
    colors = {color for _, _, color in shown}
    assert len(colors) > 3  # colors of the page's scale, in its theme
    heads = page.locator("[data-lesson-name=heads]")
    expect(heads).to_contain_text("8 min")
    expect(heads.locator("summary")).to_have_text("Learn to read off what a head looks for")
    # The text beside the picture fits on the card.
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 420
    card = heads.bounding_box()
    assert heads.locator(".what").bounding_box()["x"] > card["x"] + 112


def test_the_picture_does_not_state_an_answer_until_it_is_given(
    new_context: NewContext, server: str
) -> None:
    page = new_tab(new_context(viewport={"width": 1440, "height": 900}))
    page.goto(f"{server}?view=lesson:heads&step=2")
    tasks = page.locator(".lesson .task")
    expect(tasks).to_have_count(2)
    weights = "decoder.0.cross_attn.head.1.weights"
    page.wait_for_function("path => tinkerformer.value(path, 2, 1) > 0.9", arg=weights)
    expect(page.locator(".ring.pointed-out")).to_have_count(2)
    says = page.locator(".thread-words")
    ends = page.locator(".ribbon-end:visible", has_text="black")
    focused = page.locator(".lists-line li.looked-at", has_text="black")
    for hidden in (says, ends, focused):
        expect(hidden.filter(visible=True)).to_have_count(0)
    tasks.nth(0).get_by_role("button", name="the second", exact=True).click()
    tasks.nth(1).get_by_role("button", name="the article").click()
    expect(says).to_contain_text("looks at “\u2068black\u2069”")
    expect(ends).to_have_count(1)
    expect(focused).to_have_count(1)
