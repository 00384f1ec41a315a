"""Answers and links that are pulled, by pointer and by keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.student import at_rest, open_view, violations


def wait_for_probability(page: Page, word: str, least: float) -> None:
    page.wait_for_function(
        """([word, least]) => {
          const walk = (root) => [...root.querySelectorAll("*")].flatMap((el) =>
            [el, ...(el.shadowRoot ? walk(el.shadowRoot) : [])]);
          const bar = walk(document).find((el) =>
            el.matches("button.next-word") && el.ariaLabel?.startsWith(word + ", probability"));
          return bar && Number(/probability (0?\\.\\d+|1)/.exec(bar.ariaLabel)?.[1]) >= least;
        }""",
        arg=[word, least],
    )


def look_at(page: Page, word_before: str) -> None:
    """Have the bars be those of the word that follows this one."""
    choice = page.get_by_label("Position whose next word is shown")
    options = choice.locator("option").all_inner_texts()
    choice.select_option(index=next(k for k, text in enumerate(options) if word_before in text))


@pytest.fixture
def after_chat(phrases: Page) -> Page:
    look_at(phrases, "le chat”")
    phrases.locator("button.next-word[aria-label^='noir, probability']").wait_for()
    return phrases


def test_a_bar_is_dragged_and_the_sentence_is_written_anew(after_chat: Page) -> None:
    page = after_chat
    second = page.locator("button.next-word").nth(1)
    word = second.get_attribute("aria-label").partition(",")[0]
    track = second.locator(".track").bounding_box()
    y = track["y"] + track["height"] / 2
    page.mouse.move(track["x"] + 2, y)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * 0.4, y, steps=4)
    page.mouse.move(track["x"] + track["width"] * 0.8, y, steps=4)
    page.mouse.up()
    wait_for_probability(page, word, 0.77)
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text("numbers moved")
    expect(page.locator(f"button.chip[aria-label^='{word}, probability']")).to_be_visible()
    line.get_by_role("button", name="Keep").click()
    expect(line).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("!window.tinkerformer.scenario().edits?.length")


def test_a_bar_is_pulled_by_keys_and_springs_back(after_chat: Page) -> None:
    page = after_chat
    before = page.evaluate("window.tinkerformer.value('output.probabilities', 2, 3)")
    second = page.locator("button.next-word").nth(1)
    word = second.get_attribute("aria-label").partition(",")[0]
    second.focus()
    page.keyboard.press("Shift+ArrowRight")
    wait_for_probability(page, word, 0.09)
    page.get_by_role("button", name="Spring back").press("Enter")
    page.wait_for_function(
        "before => window.tinkerformer.value('output.probabilities', 2, 3) === before", arg=before
    )
    page.wait_for_function("!window.tinkerformer.scenario().edits?.length")


WEIGHT = "window.tinkerformer.value('decoder.0.cross_attn.head.1.weights', {}, {})"


@pytest.fixture
def cross(phrases: Page) -> Page:
    open_view(phrases, "Attention")
    phrases.locator(".thumb[data-scope='decoder.0.cross_attn'][data-head='1']").click()
    phrases.get_by_role("heading", name="Cross-attention · ").wait_for()
    return phrases


def test_a_link_is_dragged_thicker(cross: Page) -> None:
    """The strongest link of the second head is thin enough for more, or is drawn thinner."""
    page = cross
    plot = page.locator(".linkboard .plot")
    plot.scroll_into_view_if_needed()
    at_rest(page, "document.scrollingElement.scrollTop", frames=8)
    box = plot.bounding_box()
    x = box["x"] + box["width"] / 2
    for y in range(int(box["y"]) + 4, int(box["y"] + box["height"]), 5):
        page.mouse.move(x, y)
        if plot.evaluate("plot => plot.classList.contains('over-link')"):
            break
    page.mouse.down()
    page.mouse.move(x, y + 30, steps=3)
    page.mouse.move(x, y + 60, steps=3)
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text("Pulling")
    page.mouse.up()
    expect(line).to_contain_text(re.compile("numbers moved.*distance"))
    asked = float(re.search(r"to (\d\.\d\d)", line.inner_text())[1])
    expect(page.locator(".linkboard figcaption")).to_contain_text(re.compile(r"head \d: 0?\.\d"))
    assert 0.01 <= asked <= 0.99
    page.keyboard.press("Control+z")
    expect(line).to_be_hidden()


def test_the_pair_s_weight_is_pulled_by_keys(cross: Page) -> None:
    page = cross
    pull = page.get_by_label("Pull this weight")
    pull.focus()
    before = float(pull.input_value())
    key = "ArrowLeft" if before > 0.5 else "ArrowRight"
    for _ in range(15):
        page.keyboard.press(key)
    asked = float(pull.input_value())
    assert abs(asked - before) > 0.02
    line = page.get_by_role("region", name="What is pulled")
    # What was asked for on the way there may still be under way.
    expect(line).to_contain_text(f"to {asked:.2f}")
    expect(line).to_contain_text(re.compile("numbers moved.*distance"))
    expect(page.locator(".pair-picker .weight")).to_have_text(
        re.compile("|".join(f"{asked + k / 1000:.3f}" for k in range(-9, 10)).replace(".", r"\."))
    )
    assert not violations(page)


def test_blanc_is_written_by_one_number_in_two_actions_from_its_place(after_chat: Page) -> None:
    """A click on *noir*, had it not been looked at, would be one more."""
    page = after_chat
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text(re.compile(r"\d+ numbers can do it alone, moved by at most 4"))
    first = line.get_by_role("listitem").first.get_by_role("button")
    expect(first).to_have_attribute("aria-label", re.compile("then it writes: le chat blanc"))
    first.click()
    expect(page.locator("button.chip[aria-label^='blanc, probability']")).to_be_visible()
    expect(first).to_have_attribute("aria-pressed", "true")
    # It is the one that is selected, and its slider goes back over the border.
    page.wait_for_function("window.tinkerformer.selection()?.path === 'source.W_e'")
    at = page.evaluate("window.tinkerformer.selection()")
    page.evaluate("({path, i, j}) => window.tinkerformer.set(path, i, j, 0)", at)
    expect(page.locator("button.chip[aria-label^='noir, probability']").first).to_be_visible()
    expect(line).to_be_visible()
    line.get_by_role("button", name="Close").click()
    expect(line).to_be_hidden()
    assert not violations(page)


def test_the_numbers_that_can_do_it_are_chosen_by_keys(after_chat: Page) -> None:
    page = after_chat
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    expect(line.get_by_role("progressbar")).to_be_hidden()
    second = line.get_by_role("listitem").nth(1).get_by_role("button")
    second.press("Enter")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(second).to_be_focused()
    page.wait_for_function("Object.keys(window.tinkerformer.scenario().edits ?? {}).length === 1")
    line.get_by_label("by", exact=True).select_option("three numbers")
    expect(line).to_contain_text(re.compile("3 numbers moved"))
    # They are chosen by pull after pull.
    expect(line.get_by_role("listitem")).to_have_count(3, timeout=60_000)
    line.get_by_role("button", name="Spring back").click()
    expect(line).to_be_hidden()
