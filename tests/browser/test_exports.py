import csv
import io
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import open_page
from tests.browser.student import (
    computed,
    open_menu,
    open_view,
    switch_dropout,
    type_token,
    violations_light_and_dark,
    wait_until_shown,
)

SVG = "{http://www.w3.org/2000/svg}"
WEIGHTS = "encoder.0.self_attn.head.1.weights"


def open_exports(page: Page) -> None:
    open_menu(page)
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_role("dialog", name="Export").wait_for()


def select(page: Page, path: str) -> None:
    """Select a cell, and wait until the server has received the selection."""
    page.evaluate("([path]) => window.tinkerformer.select(path, 0, 0)", [path])
    page.locator(".side-right").get_by_text(path).first.wait_for()


def saved(page: Page, name: str) -> tuple[str, bytes]:
    """Press a button of the menu; return the name and bytes of the saved file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def texts(svg: bytes) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(f"{SVG}text")]


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def test_a_matrix_is_saved_as_csv_and_npy_and_as_a_picture(page):
    type_token(page, "cat", "=1+1")
    scenario = Scenario().with_tokens("source", ["the", "=1+1", "sat", "on", "the", "mat"])
    wait_until_shown(page, scenario, "source.embedding")
    select(page, WEIGHTS)
    open_exports(page)
    name, data = saved(page, "This matrix as CSV")
    assert name == f"{WEIGHTS}.csv"
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    words = ["the", "'=1+1", "sat", "on", "the", "mat"]
    assert rows[0][1:] == words
    assert [row[0] for row in rows[1:]] == words
    numbers = np.array([[float(x) for x in row[1:]] for row in rows[1:]], np.float32)
    # Not rounded; the last bit may differ on another machine.
    np.testing.assert_allclose(numbers, computed(scenario, WEIGHTS), rtol=1e-6)

    name, data = saved(page, "This matrix as .npy")
    assert name == f"{WEIGHTS}.npy"
    np.testing.assert_array_equal(np.load(io.BytesIO(data), allow_pickle=False), numbers)
    _, svg = saved(page, "Picture of this matrix as SVG")
    assert len(ET.fromstring(svg).findall(f"{SVG}rect")) == 1 + 36
    width, height = size_of(saved(page, "Picture of this matrix as PNG")[1])
    assert min(width, height) > 3 * 150


def test_a_stage_is_saved_as_svg_and_as_png_three_times_as_large(page):
    open_exports(page)
    label = (
        page.get_by_label("Stage", exact=True)
        .locator("option", has_text="Probabilities")
        .inner_text()
    )
    page.get_by_label("Stage", exact=True).select_option(label=label)
    name, svg = saved(page, "Picture of this stage as SVG")
    assert name == "output.svg"
    root = ET.fromstring(svg)
    ground = root.find(f"{SVG}rect")
    assert ground.get("fill") == "#ffffff"
    found = texts(svg)
    for word in ("Probabilities of the next word", "tapis", "p = softmax(L)", "d7"):
        assert word in found
    cells = 3 * 8 + 8 * 8 + 3 * 8 + 3 * 8  # cells of N, W^out, L and p
    assert len(root.findall(f"{SVG}rect")) >= 1 + cells
    p = computed(Scenario(), "output.probabilities")
    for value in p.ravel():
        assert f"{value:.3f}" in found or value < 0.005

    name, png = saved(page, "Picture of this stage as PNG")
    assert name == "output.png"
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert size_of(png) == (3 * width, 3 * height)


def test_pictures_are_light_in_the_dark_theme_and_the_same_on_a_phone(new_context, server, page):
    def picture(page: Page) -> bytes:
        open_exports(page)
        return saved(page, "Picture of this stage as SVG")[1]

    usual = picture(page)
    dark = picture(open_page(new_context(color_scheme="dark"), server))
    phone = picture(open_page(new_context(viewport={"width": 420, "height": 860}), server))
    assert usual == dark == phone


def test_every_stage_can_be_drawn_with_every_mark(page):
    switch_dropout(page)
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    scenario = Scenario().with_training(True).with_value("source.W_e", (0, 0), 3)
    wait_until_shown(page, scenario, "output.probabilities")
    open_exports(page)
    for value in (
        page.get_by_label("Stage", exact=True)
        .locator("option")
        .evaluate_all("(options) => options.map((option) => option.value)")
    ):
        page.get_by_label("Stage", exact=True).select_option(value)
        _, svg = saved(page, "Picture of this stage as SVG")
        assert len(texts(svg)) > 20, value
        assert not [text for text in texts(svg) if "\\" in text or "NaN" in text], value
        if value == "source":
            assert svg.count(b"<path") > 1  # hatching, and the corner of an edited cell


def test_markup_in_a_token_is_text_in_a_picture(page):
    type_token(page, "mat", '<b a="&">')
    scenario = Scenario().with_tokens("source", ["the", "cat", "sat", "on", "the", '<b a="&">'])
    wait_until_shown(page, scenario, "source.embedding")
    open_exports(page)
    _, svg = saved(page, "Picture of this stage as SVG")
    assert '<b a="&">' in texts(svg)


def choose_file(page: Page, path: Path) -> None:
    if not page.get_by_role("dialog", name="Export").is_visible():
        open_exports(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file of a model").click()
    chooser.value.set_files(path)


def test_a_file_of_the_largest_size_is_sent_whole(page, tmp_path):
    """The server reads the whole file, and refuses it because it has no weights."""
    path = tmp_path / "large.safetensors"
    path.write_bytes(b"{" * (63 << 20))
    choose_file(page, path)
    page.get_by_role("status").get_by_text("There are no weights among these files").wait_for()


def test_the_offered_files_depend_on_the_selection_and_the_view(page):
    page.evaluate("window.tinkerformer.select(null)")
    open_exports(page)
    page.get_by_text("Select a number first").wait_for()
    button = page.get_by_role("button", name="This matrix as CSV")
    assert button.get_attribute("aria-disabled") == "true"
    button = page.get_by_role("button", name="The picture as you see it as PNG")
    expect(button).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    page.evaluate("window.tinkerformer.select('output.W_out', 0, 0)")
    open_exports(page)
    symbol = page.get_by_role("dialog", name="Export").locator(".symbol")
    symbol.locator(".katex-html").wait_for()
    assert "^" not in symbol.locator(".katex-html").inner_text()
    page.get_by_role("heading", name="Picture of a stage").wait_for()
    page.keyboard.press("Escape")
    open_view(page, "Picture")
    page.wait_for_function("window.tinkerformer.stages().length === 0")
    open_exports(page)
    page.get_by_role("heading", name="Picture of a stage").wait_for(state="hidden")


def test_charts_are_saved_as_shown(page):
    open_view(page, "Positions as clocks")
    page.get_by_role("heading", name="Positions as waves").wait_for()
    page.locator("canvas:visible").first.wait_for()
    open_exports(page)
    page.get_by_role("heading", name="Charts of this view").wait_for()
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator("section[aria-label=Charts]").get_by_role(
                "button", name=kind
            ).first.click()
        data = Path(download.value.path()).read_bytes()
        if kind == "SVG":
            assert ET.fromstring(data).tag == f"{SVG}svg"
        else:
            assert size_of(data)[0] > 3 * 300


def test_the_menu_is_used_by_keyboard(page):
    open_menu(page)
    page.get_by_role("button", name="Export", exact=True).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Export")
    dialog.wait_for()
    focused = """() => { let a = document.activeElement;
        while (a.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
        return a.getAttribute('aria-label') || a.textContent; }"""
    reached = set()
    for _ in range(16):
        reached.add(page.evaluate(focused))
        page.keyboard.press("Tab")
    assert {"Close", "This matrix as CSV", "NumPy script", "Open a file of a model"} <= reached
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.evaluate(focused) == "Menu"  # the menu has closed behind the dialog


@pytest.mark.in_turn
def test_axe_finds_no_violation_in_the_menu(whole):
    open_exports(whole)
    assert not violations_light_and_dark(whole)


@pytest.mark.parametrize("menu", ["Export", "Share"])
def test_the_picture_is_saved_with_everything_in_view(whole: Page, menu: str) -> None:
    expect(whole.locator(".thread-words")).to_be_visible()
    if menu == "Export":
        open_exports(whole)
        save = whole.get_by_role("button", name="The picture as you see it as PNG")
    else:
        whole.get_by_role("button", name="Share").click()
        save = whole.get_by_role("button", name="Save the picture (PNG)")
    with whole.expect_download() as download:
        save.click()
    assert download.value.suggested_filename == "tinkerformer-picture.png"
    data = Path(download.value.path()).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width = int.from_bytes(data[16:20], "big")
    assert width >= 1.9 * whole.locator(".whole").bounding_box()["width"]
    whole.keyboard.press("Escape")


def test_the_caption_is_in_a_still_picture_and_not_in_a_video(whole: Page) -> None:
    expect(whole.locator(".thread-words")).to_be_visible()
    said = """(isStill) => {
      const texts = [], made = window.tinkerformer.motion.composition(isStill);
      const { fillText } = made.ctx;
      made.ctx.fillText = (text, ...at) => texts.push(text) && fillText.call(made.ctx, text, ...at);
      made.paint();
      return texts.some((text) => text.includes("looks at"));
    }"""
    assert whole.evaluate(said, True)
    assert not whole.evaluate(said, False)
