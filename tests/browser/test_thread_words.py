import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.silences import Silence

from tests.browser.conftest import open_first_page, stages_link
from tests.browser.student import computed

FIRST = catalog.first("phrases")
WRITTEN = FIRST.target.index("noir")
ROW = WRITTEN - 1
PLAIN = str.maketrans("", "", "\u2068\u2069")


def named(words: tuple[str, ...], at: int) -> str:
    """Return a word in quotes; if it occurs twice, also which of the two it is."""
    word = words[at]
    which = ["the first ", "the second "][words[:at].count(word)] if words.count(word) > 1 else ""
    return f"{which}“{word}”"


def is_clear(weight: float) -> bool:
    """Return whether a weight is clearly above chance."""
    chance = 1 / len(FIRST.source)
    return weight >= chance * (1 + 0.5 * (1 - chance))


def said(query: int) -> tuple[str, list[str]]:
    """Return the words that each of two heads looks at most, by the computed weights."""
    heads = [computed(FIRST, f"decoder.0.cross_attn.head.{h}.weights")[query] for h in range(2)]
    order = [h for h in sorted(range(2), key=lambda h: -heads[h].max()) if is_clear(heads[h].max())]
    keys = dict.fromkeys(int(np.argmax(heads[h])) for h in order)
    looks = " and ".join(named(FIRST.source, key) for key in keys)
    weights = [f"head {h + 1} {heads[h].max():.2f}".replace(" 0.", " .") for h in order]
    return f"“{FIRST.target[query]}” looks at {looks}", weights


def text_of(page: Page, selector: str) -> list[str]:
    found = page.locator(f".thread-words {selector}").all_text_contents()
    return [text.translate(PLAIN) for text in found]


def test_the_caption_is_shown_for_a_predicting_word_and_if_no_links_are_drawn(whole: Page) -> None:
    words = whole.locator(".thread-words")
    expect(words).to_be_visible()
    whole.get_by_role("button", name="Follow cat").click()
    expect(words).to_contain_text("at “\u2068cat\u2069”")
    whole.get_by_role("button", name="writes noir").click()
    expect(words).to_contain_text("“\u2068chat\u2069” looks at")
    for _ in range(12):
        whole.get_by_role("button", name="Nearer").click()
    expect(words).to_be_hidden()
    whole.get_by_role("button", name="All of it").click()
    expect(words).to_be_visible()


def test_the_caption_of_a_source_word_names_the_words_that_look_at_it(whole: Page) -> None:
    of_heads = [computed(FIRST, f"decoder.0.cross_attn.head.{h}.weights") for h in range(2)]
    words = whole.get_by_role("toolbar", name="Words that are read").get_by_role("button")
    for key in range(len(FIRST.source)):
        heads = [weights[:, key] for weights in of_heads]
        words.nth(key).click()
        read = re.compile(rf" at .*“\u2068{FIRST.source[key]}\u2069”( more than at others)?$")
        expect(whole.locator(".thread-words strong")).to_have_text(read)
        strongest = max(heads, key=lambda weights: weights.max())
        query = int(strongest.argmax())
        first = named(FIRST.target, query) if is_clear(strongest.max()) else "no word looks"
        # A word that looks at others may become a word that others look at.
        begins = re.escape(first).replace("“", "“\u2068").replace("”", "\u2069”")
        expect(whole.locator(".thread-words strong")).to_have_text(re.compile(f"^{begins}", re.I))
        weights = text_of(whole, "span span span")
        assert weights[0].endswith(f"{strongest.max():.2f}".lstrip("0"))
        assert "likeliest" not in text_of(whole, "> span")[-1]  # the bars may show another row
        expect(whole.locator(".thread-words label")).to_be_hidden()


def test_a_silenced_head_is_not_named_in_the_caption(new_context, server: str) -> None:
    quiet = FIRST.with_silence(Silence("decoder.0.cross_attn.head.1.context"))
    code = stages_link(with_written_target(quiet, ForwardPassRunner()), view="picture")
    page = open_first_page(new_context(), f"{server}#s={code}")
    page.get_by_role("button", name=re.compile("^Follow chat")).click()
    expect(page.locator(".thread-words")).to_contain_text("“⁨chat⁩” looks at")
    assert [text.split()[:2] for text in text_of(page, "span span span")] == [["head", "1"]]


@pytest.mark.parametrize("width", [420, 1024, 1440])
def test_the_caption_covers_neither_words_nor_the_hint(
    new_context, server: str, width: int
) -> None:
    page = open_first_page(
        new_context(viewport={"width": width, "height": 860}, has_touch=width < 900), server
    )
    expect(page.locator(".thread-words")).to_be_visible()
    expect(page.locator(".drag-hint")).to_be_visible()
    # One script does it, because the layout of the picture may change between two scripts.
    page.wait_for_function(
        """() => {
          const boxes = (selector) => allOf(selector)
            .map((each) => each.getBoundingClientRect()).filter(({ width }) => width);
          const [own] = boxes(".thread-words");
          const others = boxes(".drag-hint, .labels .word, .labels .written, .ribbon-end");
          const isApart = (other) =>
            own.right <= other.left || other.right <= own.left ||
            own.bottom <= other.top || other.bottom <= own.top;
          return own && own.right <= innerWidth && others.length > 20 && others.every(isApart);
        }"""
    )


def test_the_caption_can_make_the_word_look_at_another_word_only(
    whole: Page,
) -> None:
    choice = whole.get_by_label("look only at, in all heads")
    expect(choice.locator("option")).to_have_text(["…", *FIRST.source])
    choice.select_option("sat")
    weights = [f"decoder.0.cross_attn.head.{head}.weights" for head in range(2)]
    for path in weights:
        whole.wait_for_function(f"window.tinkerformer.value('{path}', {ROW}, 3) === 1")
    expect(whole.locator(".thread-words strong")).to_contain_text("sat")
    assert text_of(whole, "span span span") == ["head 1 1.00", "head 2 1.00"]
    expect(choice).to_have_value("sat")
    whole.keyboard.press("Control+z")
    expect(choice).to_have_value("…")
    assert text_of(whole, "strong") == [said(ROW)[0]]
    for query, name in ((ROW, "noir"), (ROW + 1, "est")):
        whole.get_by_role("button", name=f"writes {name}").click()
        if not whole.evaluate("window.tinkerformer.look().following"):  # it was followed
            whole.get_by_role("button", name=f"writes {name}").click()
        writes_at = f"“\u2068{FIRST.target[query]}\u2069” looks at"
        expect(whole.locator(".thread-words")).to_contain_text(writes_at)
        looks, weights = said(query)
        assert text_of(whole, "strong") == [looks]
        assert text_of(whole, "span span span") == weights


def test_the_film_replaces_the_caption(whole: Page) -> None:
    words = whole.locator(".thread-words")
    expect(words).to_be_visible()
    whole.get_by_role("button", name=re.compile("Watch one word")).click()
    expect(words).to_be_hidden()
    whole.keyboard.press("Escape")
    expect(words).to_be_visible()
