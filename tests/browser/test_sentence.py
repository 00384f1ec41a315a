import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import (
    at_rest,
    open_settings,
    open_view,
    type_token,
    violations_light_and_dark,
)

WORDS = ["the", "black", "cat", "sat", "on", "the", "mat"]
FRENCH = ["<sos>", "le", "chat", "noir", "est", "assis", "sur", "le", "tapis", "<eos>"]
HEIGHT = "document.querySelector('.frame').offsetHeight"


def word(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"edit {name},")


def words_list(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Words")


def slots(page: Page) -> Locator:
    """Return the slots of the written words, including start and end."""
    return page.locator(".chips.written li")


def expect_written(page: Page, *words: str) -> None:
    expect(slots(page).locator(".chip")).to_have_text([*words])


def wait_for_source(page: Page, words: list[str]) -> None:
    page.wait_for_function(
        "(words) => window.tinkerformer.matrix('source.embedding')?.row_labels.join(' ') === words",
        arg=" ".join(words),
    )


def is_inside(page: Page, box: Locator) -> bool:
    found, size = box.bounding_box(), page.viewport_size
    right, bottom = found["x"] + found["width"], found["y"] + found["height"]
    return (
        found["x"] >= 0 and found["y"] >= 0 and right <= size["width"] and bottom <= size["height"]
    )


# -- the list of words -----------------------------------------------------------------------------


def test_a_word_is_chosen_from_its_list_and_removed_by_keyboard(phrases: Page) -> None:
    word(phrases, "black").click()
    box = words_list(phrases)
    expect(box.get_by_role("group", name="adjective").get_by_role("option")).to_have_text(
        ["small", "big", "black", "white"]
    )
    expect(box.get_by_role("group", name="verb").get_by_role("option")).to_have_text(
        ["sat", "sleeps", "runs"]
    )
    box.get_by_role("option", name="white", exact=True).click()
    expect(box).to_be_hidden()
    expect_written(phrases, *(each.replace("noir", "blanc") for each in FRENCH))
    expect(word(phrases, "white")).to_be_focused()
    # The choice was one edit.
    phrases.get_by_role("button", name="Undo (Ctrl+Z)").click()
    expect_written(phrases, *FRENCH)
    expect(phrases.get_by_role("button", name="Undo (Ctrl+Z)")).to_be_disabled()
    cross = word(phrases, "black").locator("xpath=..").locator(".remove")
    expect(cross).to_be_hidden()
    word(phrases, "black").hover()
    expect(cross).to_be_visible()
    # The button to remove it is not cut.
    assert cross.evaluate(
        """el => {
          const {left, right, top, bottom} = el.getBoundingClientRect();
          const points = [[left + 3, top + 9], [right - 3, top + 9], [left + 9, top + 3]];
          return points.every(([x, y]) => el.getRootNode().elementFromPoint(x, y) === el);
        }"""
    )
    cross.click()
    wait_for_source(phrases, ["the", *WORDS[2:]])
    expect(words_list(phrases)).to_be_hidden()
    phrases.keyboard.press("Control+z")
    wait_for_source(phrases, WORDS)
    word(phrases, "black").focus()
    phrases.keyboard.press("Enter")
    field = phrases.get_by_role("combobox", name="Source, position 1")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-expanded", "true")
    phrases.keyboard.press("Escape")
    expect(words_list(phrases)).to_be_hidden()
    expect(word(phrases, "black")).to_be_focused()
    # A letter starts typing, and words without that letter are hidden.
    phrases.keyboard.press("w")
    expect(field).to_have_value("w")
    shown = words_list(phrases).get_by_role("option")
    expect(shown.first).to_have_text("white")
    phrases.keyboard.press("ArrowDown")
    expect(words_list(phrases).get_by_role("option", selected=True)).to_have_text("white")
    active = field.get_attribute("aria-activedescendant")
    assert active == shown.first.get_attribute("id")
    phrases.keyboard.press("Enter")
    wait_for_source(phrases, ["the", "white", *WORDS[2:]])
    expect(word(phrases, "white")).to_be_focused()
    # After the last entry, the first one follows.
    phrases.keyboard.press("Enter")
    phrases.keyboard.press("ArrowUp")
    expect(words_list(phrases).get_by_role("option", selected=True)).to_have_text("Remove")
    phrases.keyboard.press("Enter")
    wait_for_source(phrases, ["the", *WORDS[2:]])
    expect(word(phrases, "cat")).to_be_focused()


def test_a_word_is_followed_from_its_list_and_released(phrases: Page) -> None:
    open_view(phrases, "Picture")
    following = phrases.get_by_role("button", name=re.compile("^Following"))
    word(phrases, "cat").click()
    words_list(phrases).get_by_role("option", name="Follow this word").click()
    expect(following).to_contain_text("cat")
    expect(phrases.locator("li.focus .chip")).to_have_text(["cat"])
    word(phrases, "cat").click()
    words_list(phrases).get_by_role("option", name="Stop following this word").click()
    expect(following).to_be_hidden()
    expect(phrases.locator("li.focus")).to_have_count(0)


@pytest.mark.in_turn
def test_the_list_is_inside_the_window_at_every_width(phrases: Page) -> None:
    for width in (2560, 1440, 1024, 768, 420, 390):
        phrases.set_viewport_size({"width": width, "height": 800})
        for name in ("the", "mat"):
            word(phrases, name).first.click()
            expect(words_list(phrases)).to_be_visible()
            assert is_inside(phrases, phrases.locator(".word-list")), (width, name)
            phrases.keyboard.press("Escape")
    word(phrases, "black").click()
    assert not violations_light_and_dark(phrases, {"include": [[".frame"]]})


def test_a_finger_chooses_a_word_without_an_on_screen_keyboard(new_context, server: str) -> None:
    context = new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = open_first_page(context, server)
    word(page, "black").tap()
    field = page.locator("input.chip")
    expect(field).to_have_attribute("inputmode", "none")
    assert is_inside(page, page.locator(".word-list"))
    options = words_list(page).get_by_role("option")
    boxes = [options.nth(k).bounding_box() for k in range(options.count())]
    assert all(box and min(box["width"], box["height"]) >= 44 for box in boxes)
    options.filter(has_text="Type another").tap()
    expect(field).to_have_attribute("inputmode", "text")
    expect(field).to_be_focused()
    options.filter(has_text="white").tap()
    wait_for_source(page, ["the", "white", *WORDS[2:]])
    expect(words_list(page)).to_be_hidden()


def test_no_list_opens_if_nothing_can_be_changed(new_context, server: str) -> None:
    context = new_context()
    page = context.new_page()
    page.goto(f"{server}?embed=1&show=tokens&lock=all")
    page.wait_for_function("window.tinkerformer?.ready")
    cat = page.get_by_role("button", name="follow cat,")
    cat.click()
    page.wait_for_function("window.tinkerformer.look()?.following?.index === 2")
    expect(page.locator(".word-list")).to_be_hidden()
    cat.press("w")
    expect(page.locator("input.chip")).to_have_count(0)
    expect(page.get_by_role("button", name="Another")).to_be_hidden()


# -- unknown words -------------------------------------------------------------------------------


def test_an_unknown_word_is_explained_at_once(phrases: Page) -> None:
    never = "the model has never seen this word. Its row of numbers is random, untrained."
    word(phrases, "cat").click()
    phrases.keyboard.type("pizza")
    expect(phrases.locator(".told:visible")).to_have_text(f"“pizza”: {never}")
    phrases.keyboard.press("Enter")
    told = phrases.locator(".unknown:visible")
    expect(told).to_have_text(f"“pizza”: {never}")
    assert is_inside(phrases, told)
    # The next press hides the sentence; the mark below the word remains.
    phrases.keyboard.press("ArrowRight")
    expect(told).to_have_count(0)
    expect(phrases.locator(".never:not(:empty)")).to_have_text(["never seen"])
    # Further unknown words are explained too, several of them in one sentence.
    type_token(phrases, "sat", "ham eggs")
    expect(told).to_contain_text("“ham” and “eggs”: the model has never seen these words.")
    expect(phrases.locator(".never:not(:empty)")).to_have_text(["never seen"] * 3)
    expect(word(phrases, "ham")).to_have_attribute("aria-label", re.compile("never seen"))


def test_a_direction_mark_has_no_effect_outside_its_word(phrases: Page) -> None:
    turning = "\u202eabc"
    type_token(phrases, "black", turning)
    chips = phrases.locator(".chips:not(.written) .chip")
    expect(chips.nth(1)).to_have_text(turning)
    xs = [box["x"] for k in range(7) if (box := chips.nth(k).bounding_box())]
    assert xs == sorted(xs)
    assert len(xs) == 7


# -- slots -----------------------------------------------------------------------------------------


def rows_say(page: Page) -> list[str]:
    return page.evaluate(
        "() => Array.from({length: 9}, (_, k) => window.tinkerformer.likeliest(k, 1).best[0].word)"
    )


LAST_WORD = "allOf('.written .chip').at(-1).getBoundingClientRect().right"


def test_during_a_drag_the_slots_stay_and_the_release_rewrites_the_sentence(
    phrases: Page,
) -> None:
    open_view(phrases, "Picture")
    phrases.wait_for_function("window.tinkerformer.look()")
    cell = at_rest(phrases, "window.tinkerformer.rect('source.embedding', 1, 2)")
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    height = at_rest(phrases, HEIGHT)
    bars, likeliest = phrases.locator(".next-word .word"), phrases.locator(".likeliest .word")
    top, end = slots(phrases).nth(3).bounding_box(), at_rest(phrases, LAST_WORD)
    phrases.mouse.move(x, y)
    phrases.mouse.down()
    phrases.mouse.move(x + 520, y, steps=12)
    # The model would write “est” after “chat”, and one word fewer.
    turned = slots(phrases).nth(3)
    expect(turned.locator(".chip")).to_have_text("est")
    expect(turned.locator(".before")).to_have_text("noir")
    expect(slots(phrases)).to_have_count(len(FRENCH))
    assert at_rest(phrases, HEIGHT) == height
    # A note says what the model would write, and no word has moved.
    note = phrases.locator(".words-verdict.provisional")
    expect(note).to_have_text("On release, it writes: le chat est assis sur le tapis")
    expect(phrases.locator(".chip.provisional").first).to_have_text("est")
    now = slots(phrases).nth(3).bounding_box()
    assert now["y"] == top["y"]
    expect(phrases.locator("#heading-target")).to_have_text("each row")
    assert abs(at_rest(phrases, LAST_WORD) - end) < 4
    # The bars keep their earlier order; the likeliest word is marked.
    expect(bars.first).to_have_text("noir")
    expect(likeliest).to_have_text("est")
    expect(slots(phrases).locator(".chip")).to_have_text(["<sos>", *rows_say(phrases)])
    expect(phrases.locator(".whole .written")).to_have_text(rows_say(phrases))
    expect(phrases.get_by_label("Position whose next word is shown")).to_have_value(
        "after “le chat”"
    )
    phrases.mouse.up()
    expect_written(phrases, *(each for each in FRENCH if each != "noir"))
    expect(bars.first).to_have_text("est")
    expect(likeliest).to_have_text("est")
    expect(note).to_be_hidden()
    expect(phrases.locator(".chip.provisional")).to_have_count(0)
    expect(slots(phrases).locator(".before:not(:empty)")).to_have_count(0)
    # The verdict covers no word at any width, and on a narrow page the menu is beside it.
    verdict = phrases.locator(".words-verdict.wrong")
    for width in (420, 768, 1024, 1280):
        phrases.set_viewport_size({"width": width, "height": 800})
        last = at_rest(phrases, LAST_WORD)
        assert verdict.bounding_box()["x"] >= last or width >= 1100, width
        tools = phrases.get_by_role("button", name="Tools of Target")
        assert width >= 1100 or is_inside(phrases, tools), width
    phrases.get_by_role("button", name="Undo (Ctrl+Z)").click()
    expect_written(phrases, *FRENCH)


@pytest.mark.parametrize(("width", "last"), [(1024, ".add"), (420, ".words-verdict")])
def test_the_menu_of_a_narrow_line_follows_its_words(phrases: Page, width: int, last: str) -> None:
    phrases.set_viewport_size({"width": width, "height": 800})
    for name, line in (("Source", "source"), ("Target", "target")):
        before = f".{line} .chip, .{line} .add, .{line} {last}"
        words = f"allOf('{before}').map(each => each.getBoundingClientRect().right)"
        end = max(at_rest(phrases, words))
        menu = phrases.get_by_role("button", name=f"Tools of {name}").bounding_box()
        assert -1 <= menu["x"] - end <= 8, name


@pytest.mark.parametrize("width", [1024, 420])
def test_the_words_of_a_narrow_line_stay_beside_the_heading_of_a_swing(
    phrases: Page, width: int
) -> None:
    phrases.set_viewport_size({"width": width, "height": 800})
    heading = phrases.locator("#heading-target")
    words = "allOf('.written li').map(word => word.getBoundingClientRect().left)"
    places = at_rest(phrases, words)
    phrases.evaluate("tinkerformer.select('source.W_e', 4, 3)")
    phrases.evaluate("tinkerformer.oscillate(true, { amplitude: 3, period: 2 })")
    expect(heading).to_have_text("each row")
    assert phrases.evaluate(words) == pytest.approx(places, abs=2)


def test_enter_takes_the_only_known_word_that_begins_with_the_typed_letters(whole: Page) -> None:
    def read() -> list[str]:
        return whole.evaluate("window.tinkerformer.matrix('source.embedding').row_labels")

    words = read()
    for typed, taken in (("wh", "white"), ("bl", "black"), ("wx", "wx")):
        whole.get_by_role("button", name=re.compile(f"^edit {words[1]},")).click()
        whole.keyboard.type(typed)
        whole.keyboard.press("Enter")
        words[1] = taken
        whole.wait_for_function(
            "w => window.tinkerformer.matrix('source.embedding').row_labels.join() === w.join()",
            arg=words,
        )


# -- numbers and space -----------------------------------------------------------------------------


def test_numbers_are_below_the_word_in_focus_and_below_all_words_on_request(whole: Page) -> None:
    numbers = whole.locator(".lists-line .under:not(.never):not(:empty):visible")
    expect(whole.locator(".written li.focus .under.p")).to_have_text([".85"])
    expect(numbers).to_have_text([".85"])  # only of “noir”; ids are not shown at first
    toggle = whole.get_by_role("switch", name="numbers under the words")
    open_settings(whole)
    toggle.click()
    expect(numbers).to_have_count(len(WORDS) + 1 + 2 * 8 + 1)
    whole.wait_for_function("window.tinkerformer.scenario().view?.token_numbers === true")
    whole.reload()
    whole.wait_for_function("window.tinkerformer?.ready")
    open_settings(whole)
    expect(toggle).to_be_checked()
    toggle.click()
    expect(numbers).to_have_count(1)


CUT = """allOf(".lists-line :is(.chip, .mode, .small-button, .words-verdict, h2), " +
    ".next-words :is(.word, .number)")
  .filter((el) => el.offsetWidth && el.scrollWidth > el.clientWidth + 1)
  .map((el) => el.textContent)"""


@pytest.mark.parametrize("widths", [(390, 420, 768, 1024), (1100, 1280, 1440, 1920, 2560)])
def test_no_word_is_cut_and_the_header_is_low(new_context, server: str, widths: tuple) -> None:
    is_phone = max(widths) < 1100
    page = open_first_page(new_context(has_touch=is_phone), server)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844})
        page.locator(".written li.focus").wait_for()
        assert at_rest(page, CUT) == [], width
        assert at_rest(page, HEIGHT) <= (844 / 4 if is_phone else 152), width
        size = page.locator(".written .chip:not(.special)").first.evaluate(
            "(chip) => parseFloat(getComputedStyle(chip).fontSize)"
        )
        assert size >= (22 if width >= 1440 else 15), width


WATCH_ROWS = """() => {
  const t = window.tinkerformer, [labels] = allOf(".labels"), [slide] = allOf(".row-slide");
  window.seen = [];
  window.began = []; // display frames in which what is seen became so
  let frame = 0;
  const look = () => {
    frame += 1;
    const read = [...labels.querySelectorAll(".word")].map(el => el.textContent);
    const shown = !labels.classList.contains("waits");
    const now = [shown && read.join(" "), !slide.hidden,
      t.value("encoder.0.feed_forward.norm", 0, 0), t.matrix("source.sum").rows];
    if (JSON.stringify(now) !== JSON.stringify(window.seen.at(-1))) {
      window.seen.push(now);
      window.began.push(frame);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_row_of_a_removed_word_slides_out(new_context, server: str, motion: str) -> None:
    page = open_first_page(new_context(reduced_motion=motion), server)
    page.evaluate(WATCH_ROWS)
    page.get_by_role("button", name="edit sat, position 3").press("Delete")
    page.wait_for_function("window.tinkerformer.matrix('source.sum').rows === 6")
    expect(page.locator(".row-slide")).to_be_hidden()
    page.wait_for_function("window.seen.length > 1 && window.seen.at(-1)[0]")
    seen = page.evaluate("window.seen")
    assert seen[-1][0].startswith("the black cat on the mat <sos>")
    if motion == "no-preference":
        assert any(words and slides for words, slides, *_ in seen), "no row was on its way"


# The text and the place of each heading of the picture, and whether it was marked.
HEADINGS = """() => {
  return allOf(".whole .labels .label").map((el) => {
    if (window.marks) el.isMarked = true;
    const place = !el.hidden && el.style.transform;
    return [el.textContent, el.hidden, place, Boolean(el.isMarked)];
  });
}"""


def test_a_shorter_sentence_keeps_the_place_of_every_heading(whole: Page) -> None:
    whole.evaluate("window.marks = true")
    before = [heading[:3] for heading in at_rest(whole, f"({HEADINGS})()")]
    whole.evaluate("window.marks = false")
    whole.get_by_role("button", name="edit sat, position 3").press("Delete")
    whole.wait_for_function("window.tinkerformer.matrix('source.sum').rows === 6")
    expect(whole.locator(".row-slide")).to_be_hidden()
    now = at_rest(whole, f"({HEADINGS})()", frames=12)
    assert [said for said, *_, is_same in now if not is_same] == [], "created again"
    assert [heading[:3] for heading in now] == before


def test_no_word_is_beside_numbers_of_an_earlier_pass(whole: Page) -> None:
    path = "encoder.0.feed_forward.norm"
    before = whole.evaluate("p => window.tinkerformer.value(p, 0, 0)", path)
    whole.evaluate(WATCH_ROWS)
    whole.get_by_role("button", name="Replace “black” by “white”").click()
    whole.wait_for_function(
        "x => { const [words, slides, now] = window.seen.at(-1);"
        " return !slides && now !== x && String(words).startsWith('the white'); }",
        arg=before,
    )
    seen, began = whole.evaluate("[window.seen, window.began]")
    for (words, slides, value, *_), since, until in zip(seen, began, began[1:], strict=False):
        assert not slides, "no row comes or goes"
        is_before = words.startswith("the black")
        assert is_before or value != before, "a new word beside an earlier number"
        # The number is read before painting, and the word is replaced then.
        assert value == before or not is_before or until - since <= 2, "a number waits for its word"
