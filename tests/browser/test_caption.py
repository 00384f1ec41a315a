import re

from playwright.sync_api import Page, expect


def test_after_a_change_the_caption_names_the_new_words_and_marks_only_them(whole: Page) -> None:
    changed, headline = whole.locator(".last-change"), whole.locator(".thread-words strong")
    expect(changed).to_be_hidden()
    place = headline.bounding_box()
    whole.get_by_role("button", name="Replace “black” by “white”").click()
    expect(changed.locator("strong")).to_have_text(re.compile("noir.*becomes.*blanc"))
    expect(changed.locator(".cause")).to_have_text("“black” → “white”")
    assert headline.bounding_box() == place
    # The status bar does not repeat the effect.
    expect(whole.locator(".status")).not_to_contain_text("becomes")
    changed.get_by_role("button", name="Undo").click()
    expect(changed).to_be_hidden()
    expect(whole.get_by_role("button", name="edit black")).to_be_visible()
    whole.get_by_role("button", name="Replace “black” by “white”").click()
    strong = whole.locator(".labels .strong")
    expect(strong).to_have_text(["white", "blanc"])
    expect(whole.locator(".change-key")).to_have_text("carried the change")
    ends = whole.locator(".ribbon-end:visible")
    # The two heads of the row look at different words; the page names both words.
    expect(ends).to_have_text([re.compile(r"the\.90"), re.compile(r"white\.97")])
    expect(headline).to_have_text(re.compile("looks at .{2}white.{2} and the first .{2}the.{2}$"))
    expect(whole.locator(".labels .written.changed")).to_have_text("blanc")
    # The marks stay until the focus changes.
    whole.get_by_role("button", name="Follow mat").click()
    expect(whole.locator(".change-key")).to_be_hidden()
    expect(ends).not_to_have_count(2)


def test_the_status_bar_has_the_caption_if_the_picture_has_no_room_for_it(whole: Page) -> None:
    whole.get_by_role("button", name="Replace “black” by “white”").click()
    expect(whole.locator(".picture-caption")).to_be_visible()
    for _ in range(12):
        whole.get_by_role("button", name="Nearer").click()
    expect(whole.locator(".picture-caption")).to_be_hidden()
    expect(whole.locator(".status")).to_contain_text("becomes")
    whole.get_by_role("tab", name="Formulas").click()
    expect(whole.locator(".status")).to_contain_text("becomes")


def test_the_caption_is_not_covered_by_a_card_over_the_picture(whole: Page) -> None:
    whole.get_by_role("button", name="Settings").click()
    whole.get_by_role("button", name="Compare from here").click()
    whole.keyboard.press("Escape")
    whole.get_by_role("button", name="Replace “black” by “white”").click()
    caption, card = whole.locator(".picture-caption"), whole.locator(".plane-line")
    expect(card).to_be_visible()
    expect(caption.get_by_role("button", name="Undo")).to_be_visible()
    whole.wait_for_function(APART)


# Returns whether caption and card do not overlap.
APART = """() => {
  const roots = [document];
  for (const root of roots)
    for (const el of root.querySelectorAll("*")) if (el.shadowRoot) roots.push(el.shadowRoot);
  const [a, b] = [".picture-caption", ".plane-line"].map((name) =>
    roots.flatMap((root) => [...root.querySelectorAll(name)])[0].getBoundingClientRect());
  return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}"""


def test_a_word_that_a_drag_changes_is_shown_beside_the_dragged_number(whole: Page) -> None:
    box = whole.locator(".hinted").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole.mouse.move(x, y)
    whole.mouse.down()
    for step in range(1, 14):
        whole.mouse.move(x + 8 * step, y)
    beside = whole.locator(".scrub b")
    expect(beside).to_have_text(re.compile("^after “.chat.”: noir → "))
    written = beside.text_content()
    assert written
    expect(whole.locator(".labels .written.other").first).to_have_text(written.partition("→ ")[2])
    # During the drag, the caption states what the model would write; afterward, what it wrote.
    caption = whole.locator(".last-change")
    expect(caption).to_have_text(re.compile("^On release, it writes: le chat est "))
    whole.mouse.up()
    expect(caption).to_contain_text("“noir” falls away.")
    whole.keyboard.press("Control+z")
    expect(caption).to_be_hidden()
