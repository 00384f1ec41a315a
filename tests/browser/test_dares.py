from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.student import open_view, violations
from tests.browser.tabs import new_tab

NewContext = Callable[[], BrowserContext]
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
HEARD = """() => {
  window.heard = [];
  window.tinkerformer.listen("score", (attempt) => { window.heard.push(attempt); });
}"""


def opened(context: BrowserContext, url: str) -> Page:
    page = new_tab(context)
    page.goto(url)
    page.wait_for_function(READY)
    return page


def dare_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Dare", exact=True)


def press(dare: Locator, name: str) -> None:
    dare.get_by_role("button", name=name).click()


def own_best(dare: Locator) -> Locator:
    return dare.locator("dd").last


def move(page: Page, j: int, value: float) -> None:
    """Set a number of the embedding of “black”."""
    page.evaluate(
        "([j, x]) => window.tinkerformer.set('source.W_e', 4, j, x).then(() => null)", [j, value]
    )


def test_a_dare_is_played_and_shared_and_beaten(new_context: NewContext, server: str) -> None:
    page = opened(new_context(), server)
    open_view(page, "Lessons")
    listed = page.get_by_role("region", name="Dares", exact=True)
    expect(listed.get_by_text("best known 0.235 · not done yet")).to_be_visible()
    listed.get_by_role("button", name="Try it: A white cat").click()
    dare = dare_of(page)
    expect(dare.get_by_text("Nothing has been changed yet.")).to_be_visible()
    page.evaluate(HEARD)
    move(page, 6, 0.0)
    expect(dare.get_by_text("1 number moved by 0.212. That does not do it yet.")).to_be_visible()
    expect(own_best(dare)).to_have_text("–")
    press(dare, "Start again")
    expect(dare.get_by_text("Nothing has been changed yet.")).to_be_visible()
    move(page, 4, -0.72)
    expect(dare.get_by_text("1 number moved by 0.272. That does it.")).to_be_visible()
    expect(dare.locator(".score")).to_have_text("0.272")
    expect(own_best(dare)).to_have_text("0.272")
    page.wait_for_function("window.heard.some((attempt) => attempt?.reached)")
    heard = page.evaluate("window.heard.find((attempt) => attempt?.reached)")
    assert (heard["dare"], heard["best"], heard["measure"]) == ("white-cat", 0.235, "distance")
    assert abs(heard["score"] - 0.272) < 0.001
    assert violations(page) == []
    press(dare, "Copy link")
    link = dare.get_by_label("Link of this attempt")
    expect(link).to_be_visible()
    expect(dare.get_by_text("Copied.")).to_be_visible()

    # A friend opens it in another browser; a score in the address is ignored.
    address = link.input_value().replace("#", "?score=0.001&best=9#")
    friend = opened(new_context(), address)
    theirs = dare_of(friend)
    shared = "An attempt that was shared with you: 0.272; best known 0.235."
    expect(theirs.get_by_text(shared)).to_be_visible()
    expect(own_best(theirs)).to_have_text("–")
    press(theirs, "Beat it")
    expect(theirs.get_by_text("Nothing has been changed yet.")).to_be_visible()
    expect(theirs.get_by_text(shared)).to_be_visible()
    move(friend, 6, 0.026)
    expect(theirs.locator(".score")).to_have_text("0.238")
    expect(own_best(theirs)).to_have_text("0.238")
    friend.get_by_role("button", name="Close the lesson").click()
    open_view(friend, "Lessons")
    expect(friend.get_by_text("best known 0.235 · your best 0.238")).to_be_visible()


def test_a_dare_is_played_on_a_phone_by_keyboard(new_context: NewContext, server: str) -> None:
    page = new_tab(new_context())
    page.set_viewport_size({"width": 420, "height": 860})
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}?view=dare:white-cat")
    page.wait_for_function(READY)
    dare = dare_of(page)
    expect(dare.locator(".sentence")).to_be_in_viewport()
    move(page, 6, 0.026)
    expect(dare.locator(".score")).to_have_text("0.238")
    assert violations(page) == []
    dare.get_by_role("button", name="Start again").focus()
    page.keyboard.press("Enter")
    expect(dare.get_by_text("Nothing has been changed yet.")).to_be_visible()
