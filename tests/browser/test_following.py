import re

import numpy as np
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog

from tests.browser.student import at_rest, computed, open_view, press_at

FIRST = catalog.first("phrases")
WRITES_NOIR = FIRST.target.index("noir") - 1
CROSS = "decoder.0.cross_attn.head.{}.weights"
LEAST = 0.06  # the weight from which a ribbon is surely drawn


def ends(page: Page, title: str) -> dict[str, list[str]]:
    """Return the weights at the ends of a part's ribbons, by the word beside each."""
    script = """allOf(`.ribbon-end[aria-label^="${a[0]},"]`).map((e) => [
      e.querySelector(".of").textContent,
      [...e.querySelectorAll(".numbers span")].map((n) => n.textContent)])"""
    return dict(at_rest(page, script, title))


def written(weight: float) -> str:
    return f"{weight:.2f}".removeprefix("0")


def test_only_ribbons_of_the_followed_word_react_to_the_pointer(whole: Page) -> None:
    weights = computed(FIRST, CROSS.format(1))
    own = int(weights[WRITES_NOIR].argmax())
    press_at(
        whole, at_rest(whole, "window.tinkerformer.rect(...a)", CROSS.format(1), WRITES_NOIR, own)
    )
    whole.wait_for_function("window.tinkerformer.selection()?.path.includes('cross_attn')")
    assert whole.evaluate("window.tinkerformer.selection().i") == WRITES_NOIR
    whole.keyboard.press("Escape")
    last = len(weights) - 1
    other = int(weights[last].argmax())
    box = at_rest(whole, "window.tinkerformer.rect(...a)", CROSS.format(1), last, other)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole.mouse.move(*middle)
    expect(whole.locator(".picture.over-cell")).to_have_count(0)
    whole.keyboard.press("Escape")
    whole.wait_for_function("!window.tinkerformer.look().following")
    whole.mouse.move(middle[0] + 1, middle[1])
    expect(whole.locator(".picture.over-cell")).to_have_count(1)


def test_following_a_source_word_names_the_words_that_look_at_it(whole: Page) -> None:
    whole.get_by_role("button", name=re.compile("^Follow black")).first.click()
    whole.wait_for_function("window.tinkerformer.look().following?.stack === 'encoder'")
    column = computed(FIRST, CROSS.format(1))[:, FIRST.source.index("black")]
    found = ends(whole, "cross-attention")
    assert written(column.max()) in found[FIRST.target[int(column.argmax())]]
    group = whole.get_by_role("group", name="What black is looked at by, and how much")
    expect(group).to_be_visible()
    expect(whole.get_by_text("is wrong")).to_have_count(0)


def test_arrow_keys_move_over_the_ribbons_and_announce_them(whole: Page) -> None:
    group = whole.get_by_role("group", name=re.compile("looks at, and how much"))
    stops = group.locator("button[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    whole.keyboard.press("End")
    name = group.locator("button:focus").get_attribute("aria-label")
    assert name is not None
    assert re.search(r"head 2 0\.\d{3}", name)
    whole.keyboard.press("Enter")
    whole.wait_for_function("i => window.tinkerformer.selection()?.i === i", arg=WRITES_NOIR)
    whole.keyboard.press("Escape")
    open_view(whole, "Formulas")
    said = whole.locator(".stage:visible .elsewhere").first
    expect(said).to_contain_text("is a row of the decoder; here are only rows of the encoder")
    whole.get_by_role("button", name=re.compile("^Following")).click()
    expect(whole.locator(".stage .elsewhere:visible")).to_have_count(0)


def test_a_weight_at_the_end_of_a_ribbon_is_pressed_and_dragged_like_a_cell(whole: Page) -> None:
    weights = computed(FIRST, CROSS.format(1))[WRITES_NOIR]
    key = int(weights.argmax())
    group = whole.get_by_role("group", name=re.compile("looks at, and how much"))
    end = group.get_by_role("button", name=re.compile(f"^cross-attention, {FIRST.source[key]}:"))
    box = end.locator(".numbers span").last.bounding_box()
    press_at(whole, box)
    chosen = {"path": CROSS.format(1), "i": WRITES_NOIR, "j": key}
    whole.wait_for_function("window.tinkerformer.selection()")
    assert whole.evaluate("window.tinkerformer.selection()") == chosen
    whole.keyboard.press("Escape")
    expect(end).to_be_visible()
    at_rest(whole, "window.tinkerformer.rect(...a)", CROSS.format(1), WRITES_NOIR, key)
    box = end.locator(".numbers span").last.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole.mouse.move(x, y)
    whole.mouse.down()
    for step in range(1, 9):
        whole.mouse.move(x - 5 * step, y)
    whole.mouse.up()
    whole.wait_for_function(
        "([p, i, j, was]) => window.tinkerformer.value(p, i, j) < was - 0.05",
        arg=[*chosen.values(), float(weights[key])],
    )


def test_formulas_open_at_the_stage_in_focus(whole: Page) -> None:
    cross = whole.get_by_role("heading", name="Cross-attention · decoder layer 1")
    for opened in range(2):
        whole.keyboard.press("f")
        expect(cross).to_be_in_viewport()
        whole.wait_for_function("window.tinkerformer.stage() === 'decoder.0.cross_attn'")
        if opened:  # the place in the formulas is kept while the focus is the same
            continue
        whole.keyboard.press("f")
        expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    whole.get_by_role("tab", name="Picture").click()
    whole.evaluate("window.tinkerformer.follow('encoder', 2)")
    whole.get_by_role("tab", name="Formulas").click()
    whole.wait_for_function("window.tinkerformer.stage() === 'encoder.0.self_attn'")


def test_each_ribbon_ends_at_its_word_and_weight(whole: Page) -> None:
    signs = whole.locator(".label.add")
    expect(signs).to_have_count(5)
    sign = signs.nth(3)
    expect(sign).to_have_attribute("title", re.compile("what enters cross-attention is added"))
    box = sign.bounding_box()
    whole.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(whole.locator(".label.add:hover")).to_have_count(1)
    rows = np.array([computed(FIRST, CROSS.format(head))[WRITES_NOIR] for head in (0, 1)])
    found = ends(whole, "cross-attention")
    for key, word in enumerate(FIRST.source):
        strong = [written(weight) for weight in rows[:, key] if weight > LEAST]
        if strong and list(FIRST.source).count(word) == 1:
            assert set(strong) <= set(found[word])
        if rows[:, key].max() < 0.04 and list(FIRST.source).count(word) == 1:
            assert word not in found
    assert len({weight for numbers in found.values() for weight in numbers}) > 1
