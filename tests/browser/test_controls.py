import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server

APP = """
import panel as pn
import param
from tinkerformer.components.form.settings_form import Section, SettingsForm
from tinkerformer.components.tabs.tabs import Tabs
from tinkerformer.features.tokens.tokens import Tokens
from tinkerformer.model.scenario.model_settings import ModelSettings

pn.extension()


class Owner(param.Parameterized):
    view = param.String(default="a", label="My views")


owner = Owner()
tabs = Tabs.from_param(owner.param.view, tabs=[("a", "First"), ("b", "Second")])
form = SettingsForm(value=ModelSettings(), sections=[Section(("heads", "norm"), "Mine")])
tokens = Tokens(
    lists=[
        {
            "name": "source", "label": "Words", "tokens": ["one"], "limit": 8, "longest": 24,
            "unit": "word", "known": [], "note": "", "error": "", "hidden": False, "choice": None,
        }
    ]
)


def refuse(event):
    if event.new.heads == 5:
        raise ValueError("Five is not for us.")


form.param.watch(refuse, "value")
to_first = pn.widgets.Button(name="To the first")
to_first.on_click(lambda event: owner.param.update(view="a"))
lock = pn.widgets.Button(name="Lock")
lock.on_click(lambda event: tabs.param.update(disabled=True))
four = pn.widgets.Button(name="Four heads")
four.on_click(lambda event: form.param.update(value=form.value.replace(heads=4)))
pn.Column(
    tabs, form, tokens, pn.Row(to_first, lock, four),
    pn.pane.Str(pn.bind("view {}".format, owner.param.view)),
    pn.pane.Str(pn.bind(lambda value: f"heads {value.heads}, norm {value.norm}", form)),
    pn.pane.Str(pn.bind(lambda value: "words " + "+".join(value["source"]), tokens)),
).servable()
"""


@pytest.fixture(scope="module")
def own_app(tmp_path_factory):
    path = tmp_path_factory.mktemp("app") / "mine.py"
    path.write_text(APP, encoding="utf-8")
    server = Server(path)
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def mine(new_context, own_app) -> Page:
    page = new_context(own_app).new_page()
    page.set_default_timeout(15_000)
    page.goto(own_app)
    page.get_by_role("tab", name="First").wait_for()
    return page


def test_browser_and_python_exchange_values_and_refusals_are_explained(mine):
    heads = mine.get_by_label("heads", exact=True)
    for typed, sentence in (
        ("99", "heads is a whole number from 1 to 8."),
        ("5", "Five is not for us."),
    ):
        heads.fill(typed)
        heads.press("Enter")
        expect(mine.get_by_text(sentence)).to_be_visible()
        expect(heads).to_have_value("2")
    expect(mine.get_by_text("heads 2, norm post")).to_be_visible()
    mine.get_by_role("tab", name="Second").click()
    expect(mine.get_by_text("view b")).to_be_visible()
    mine.get_by_label("layer norm", exact=True).select_option(label="before")
    expect(mine.get_by_text("heads 2, norm pre")).to_be_visible()
    mine.get_by_role("button", name="edit one,").click()
    mine.keyboard.press("Control+A")
    mine.keyboard.type("two three")
    mine.keyboard.press("Enter")
    expect(mine.get_by_text("words two+three")).to_be_visible()
    assert mine.get_by_role("tablist").get_attribute("aria-label") == "My views"
    mine.get_by_role("button", name="To the first").click()
    expect(mine.get_by_role("tab", name="First", selected=True)).to_be_visible()
    expect(mine.get_by_text("view a")).to_be_visible()
    mine.get_by_role("button", name="Four heads").click()
    expect(mine.get_by_label("heads", exact=True)).to_have_value("4")
    mine.get_by_role("button", name="Lock").click()
    expect(mine.get_by_role("tablist")).to_have_attribute("aria-disabled", "true")
