import pytest
from playwright.sync_api import Page, expect

from tests.browser.student import at_rest, open_view, show_all_numbers

WEIGHTS = "decoder.0.feed_forward.W_1"
LEFT_OUT = ".labels .strip", ".link-key", ".legend .scale"

# Records the heights of titles and rows of the picture in each frame, until they stop moving.
MOVES = """async (act) => {
  const t = window.tinkerformer, words = [...allOf(".labels .word")];
  const now = () => words.map((el) => el.getBoundingClientRect().y);
  const frames = [now()];
  act();
  for (let same = 0; same < 40;) {
    await new Promise(requestAnimationFrame);
    const next = now();
    same = next.every((y, k) => Math.abs(y - frames.at(-1)[k]) < 0.01) ? same + 1 : 0;
    frames.push(next);
  }
  return frames[0].map((_, k) => frames.map((each) => each[k]));
}"""


@pytest.fixture
def wide(still: Page) -> Page:
    """Open the page in a window of 1440 × 900 px, without animation."""
    still.set_viewport_size({"width": 1440, "height": 900})
    still.wait_for_function("innerWidth === 1440 && window.tinkerformer.look().isAll")
    return still


SYMBOL = f".labels [data-path='{WEIGHTS}']"


def shows(page: Page, is_shown: bool, what_left_out: tuple[str, ...] = (SYMBOL, *LEFT_OUT)) -> None:
    for what in what_left_out:
        some = page.locator(what).filter(visible=True)
        if is_shown:
            some.first.wait_for()
        else:
            expect(some).to_have_count(0)


def test_weights_and_symbols_and_scales_appear_when_zoomed_in_and_on_request(wide: Page) -> None:
    shows(wide, False)
    wide.evaluate("window.tinkerformer.near('encoder.0.feed_forward')")
    shows(wide, True, LEFT_OUT)  # the weights are below the view
    wide.evaluate("window.tinkerformer.near(null)")
    shows(wide, False)
    show_all_numbers(wide)
    shows(wide, True)
    wide.reload()
    wide.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.view().all_numbers")
    shows(wide, True)
    show_all_numbers(wide, False)
    shows(wide, False)


def test_weights_appear_while_one_of_them_is_selected_or_has_the_focus(wide: Page) -> None:
    symbol = wide.locator(SYMBOL)
    wide.evaluate("path => window.tinkerformer.select(path, 0, 0)", WEIGHTS)
    expect(symbol).to_be_visible()
    wide.evaluate("window.tinkerformer.select(null)")
    expect(symbol).to_be_hidden()
    wide.get_by_role("button", name="next word, part of the decoder").focus()
    wide.keyboard.press("g")
    options = wide.get_by_role("dialog", name="Go to a matrix").get_by_role("option")
    options.first.wait_for()
    wide.keyboard.type("W1 decoder")
    options.filter(has_text="decoder layer 1, feed-forward").click()
    expect(symbol).to_be_visible()


def test_rows_slide_once_when_weights_appear(whole: Page) -> None:
    whole.set_viewport_size({"width": 1440, "height": 900})
    whole.wait_for_function("innerWidth === 1440 && window.tinkerformer.look().isAll")
    at_rest(whole, "window.tinkerformer.rect('source.embedding', 0, 0)", frames=30)
    heights = whole.evaluate(f"({MOVES})(() => window.tinkerformer.select('{WEIGHTS}', 0, 0))")
    for each in heights:
        assert max(each) - min(each) <= abs(each[-1] - each[0]) + 4, "it goes straight there"


BAR = ".next-at-row .next-word"


def test_the_next_words_are_large_bars_and_stay_in_place(wide: Page) -> None:
    bars = wide.locator(BAR)
    expect(bars).to_have_count(4)
    expect(wide.locator(".next-words .next-word")).to_have_count(0)
    best = wide.evaluate("window.tinkerformer.likeliest(2, 4).best.map(({word}) => word)")
    expect(bars.locator(".word")).to_have_text(best)
    bar, row = bars.first.bounding_box(), wide.locator(".labels .written").nth(2).bounding_box()
    assert abs(bar["y"] + bar["height"] / 2 - row["y"] - row["height"] / 2) < 3
    assert bar["x"] + bar["width"] <= row["x"] + 1
    assert bar["width"] >= 150
    second = wide.locator(BAR).nth(1)
    word, track = second.locator(".word").inner_text(), second.locator(".track").bounding_box()
    x, y = track["x"], track["y"] + track["height"] / 2
    wide.mouse.move(x + 2, y)
    wide.mouse.down()
    wide.mouse.move(x + 0.8 * track["width"], y, steps=6)
    expect(wide.locator(BAR)).to_have_count(4)
    wide.mouse.up()
    expect(wide.get_by_role("region", name="What is pulled")).to_contain_text("numbers moved")
    expect(wide.locator(f"{BAR}.likeliest .word")).to_have_text(word)


def test_the_bars_are_in_the_header_if_the_picture_has_no_space_for_them(wide: Page) -> None:
    header = wide.locator(".next-words .next-word")
    wide.evaluate("window.tinkerformer.near('decoder.0.feed_forward')")
    expect(header).to_have_count(4)
    wide.evaluate("window.tinkerformer.near(null)")
    expect(header).to_have_count(0)
    wide.set_viewport_size({"width": 1100, "height": 900})
    expect(header).to_have_count(4)
    wide.set_viewport_size({"width": 1440, "height": 900})
    expect(header).to_have_count(0)
    wide.get_by_role("tab", name="Formulas").click()
    expect(header).to_have_count(4)
    wide.get_by_role("tab", name="Picture").click()
    expect(header).to_have_count(0)
    open_view(wide, "Queries and keys as arrows")
    expect(header).to_have_count(4)
