from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import open_settings, open_view


def test_a_press_outside_closes_the_settings_and_the_menu_of_ideas(whole: Page) -> None:
    for width in (1440, 420):
        whole.set_viewport_size({"width": width, "height": 860})
        settings = whole.get_by_role("complementary", name="Model settings")
        ideas = whole.get_by_role("menu", name="More forms of the model")
        open_settings(whole)
        expect(settings).to_be_focused()
        whole.mouse.click(20, 600)
        expect(settings).to_be_hidden()
        expect(whole.get_by_role("button", name="settings of the model")).to_be_visible()
        whole.get_by_role("button", name="More forms of the model").click()
        expect(ideas.get_by_role("menuitemradio").first).to_be_focused()
        whole.mouse.click(20, 600)
        expect(ideas).to_be_hidden()
        assert whole.evaluate("tinkerformer.selection()") is None


def test_in_the_train_room_a_selected_number_replaces_the_map(new_context, server: str) -> None:
    viewport = {"width": 1440, "height": 900}
    page = open_first_page(new_context(viewport=viewport), f"{server}?view=train")
    words = page.get_by_role("heading", name="Words as a map")
    expect(words).to_be_visible()
    canvas = page.locator(".whole")
    before = canvas.bounding_box()
    page.evaluate("tinkerformer.select('target.W_e', 4, 3)")
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector).to_be_visible()
    expect(words).to_be_hidden()
    assert canvas.bounding_box() == before
    assert before["x"] + before["width"] <= inspector.bounding_box()["x"]
    inspector.get_by_role("button", name="Words as a map", exact=True).click()
    expect(words).to_be_visible()
    assert canvas.bounding_box() == before


def test_the_titles_of_a_table_in_the_drawer_are_not_cut_while_it_scrolls(whole: Page) -> None:
    whole.set_viewport_size({"width": 1440, "height": 900})
    open_view(whole, "Measure")
    rows = whole.locator(".head-table thead tr")
    third = whole.locator(".head-table tbody tr").nth(2)
    third.wait_for()
    third.evaluate("row => row.scrollIntoView({ block: 'start' })")
    title, now = (row.bounding_box() for row in rows.all())
    assert title["y"] >= whole.locator("#drawer").bounding_box()["y"]
    assert now["y"] >= title["y"] + title["height"] - 1
