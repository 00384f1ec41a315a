from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page

WORDS = ["the", "black", "cat", "sat", "on", "the", "mat"]


def wait_for_source(page: Page, words: list[str]) -> None:
    """Wait until the model reads these words."""
    # A text that was not edited is not part of the scenario's data.
    page.wait_for_function(
        "(words) => (window.tinkerformer.scenario().source ?? words).join(' ') === words.join(' ')",
        arg=words,
    )
    page.wait_for_function(
        "(words) => window.tinkerformer.matrix('source.embedding')?.row_labels.join(' ') === words",
        arg=" ".join(words),
    )


def middle(page: Page, name: str) -> tuple[float, float]:
    """Return the middle of a chip."""
    box = page.get_by_role("button", name=f"edit {name},").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_unfinished_token_does_not_change_the_text(phrases):
    add = phrases.get_by_role("button", name="add a token to Source")
    add.click()
    phrases.keyboard.press("Escape")
    add.click()
    phrases.locator("input.chip").blur()
    wait_for_source(phrases, WORDS)
    add.click()
    phrases.keyboard.press("Enter")
    wait_for_source(phrases, [*WORDS, ""])
    chip = phrases.get_by_role("button", name="edit empty token,")
    expect(chip).to_have_text("∅")
    chip.focus()
    phrases.keyboard.press("Delete")
    wait_for_source(phrases, WORDS)
    editor = phrases.locator("input.chip")
    add.click()
    phrases.keyboard.type("dog ca")
    wait_for_source(phrases, WORDS)
    phrases.keyboard.press("Escape")
    expect(editor).to_have_count(0)
    add.click()
    phrases.keyboard.type("small dog")
    phrases.keyboard.press("Enter")
    wait_for_source(phrases, [*WORDS, "small", "dog"])
    add.click()
    phrases.keyboard.insert_text("x" * 30)
    phrases.keyboard.press("Enter")
    phrases.get_by_text("at most 24 characters").wait_for()
    expect(editor).to_have_value("x" * 30)
    editor.blur()
    expect(phrases.get_by_text("at most 24 characters")).to_have_count(0)
    expect(editor).to_have_count(0)
    wait_for_source(phrases, [*WORDS, "small", "dog"])


def test_a_chip_is_moved_by_keys_and_with_the_mouse(phrases):
    phrases.get_by_role("button", name="edit black,").focus()
    phrases.keyboard.press("Alt+ArrowRight")
    wait_for_source(phrases, ["the", "cat", "black", *WORDS[3:]])
    expect(phrases.get_by_role("button", name="edit black, position 2")).to_be_focused()
    x, y = middle(phrases, "black")
    phrases.mouse.move(x, y)
    phrases.mouse.down()
    phrases.mouse.move(*middle(phrases, "cat"), steps=5)
    phrases.mouse.up()
    wait_for_source(phrases, WORDS)
    expect(phrases.locator("input.chip")).to_have_count(0)


def test_a_finger_drags_a_chip_after_a_long_press(new_context, server):
    context = new_context(viewport={"width": 420, "height": 860}, has_touch=True, is_mobile=True)
    page = open_first_page(context, server)
    touch = context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    (x, y), (goal, _) = middle(page, "black"), middle(page, "cat")
    send("touchStart", (x, y))
    page.locator("li.dragged").wait_for()
    for k in range(1, 6):
        send("touchMove", (x + (goal - x) * k / 5, y))
    send("touchEnd")
    wait_for_source(page, ["the", "cat", "black", *WORDS[3:]])
    page.get_by_role("button", name="edit black,").tap()
    expect(page.locator("input.chip")).to_have_value("black")


def test_the_button_that_removes_a_word_covers_no_other_word(phrases):
    """The menu of a word covers neither the word, however short, nor the next word."""
    item = phrases.locator("li", has=phrases.get_by_role("button", name="edit on,"))
    item.hover()
    remove = item.locator(".remove")
    expect(remove).to_be_visible()
    covered = remove.evaluate(
        """(button) => {
          const box = button.getBoundingClientRect();
          const item = button.closest("li");
          return [item, item.nextElementSibling].map((each) => {
            const letters = document.createRange();
            letters.selectNodeContents(each.querySelector(".chip"));
            const { left, right } = letters.getBoundingClientRect();
            return Math.max(0, Math.min(box.right, right) - Math.max(box.left, left));
          });
        }"""
    )
    assert covered == [0, 0]
    remove.click()
    wait_for_source(phrases, ["the", "black", "cat", "sat", "the", "mat"])
