"""``tf.show`` in JupyterLab and in marimo: running with the kernel, and a picture without one."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import Page, expect

from .in_frames import PATH, alive, select, swing, wait_for_value
from .notebooks import jupyter_notebook, marimo_notebook, needs, served

FIRST = 'import tinkerformer as tf\npage = tf.show(None, "the black cat")\npage'
SECOND = 'other = tf.show("dates", view="encoder.0.self_attn.head.1.weights", height=400)\nother'
LESSON = 'tf.show("dates", view="lesson:film", step=3)'
SAID = "print(page.selection, len(page.scenario.edits), other.selection, len(other.scenario.edits))"
SET = f'page.set("{PATH}", (1, 2), -1.5)'

SAYS = "print(page.selection, page.source)"

LAB = (
    *("jupyterlab", "--no-browser", "--allow-root", "--port={port}", "--ip=127.0.0.1"),
    *("--IdentityProvider.token=", "--ServerApp.root_dir={folder}"),
    "--ServerApp.disable_check_xsrf=True",
    '--LabApp.news_url=""',
)
MARIMO = ("marimo", "-q", "run", "n.py", "--headless", "--no-token", "--port={port}")


def drive(first, second, page: Page) -> None:
    """Use two pages like a reader."""
    before = second.evaluate("JSON.stringify(window.tinkerformer.scenario())")
    select(first, PATH, 1, 2)
    first.evaluate(f"window.tinkerformer.set('{PATH}', 1, 2, 3.5)")
    wait_for_value(first, PATH, 1, 2, 3.5)
    swing(first)
    wait_for_value(first, PATH, 1, 2, 3.5)
    assert second.evaluate("JSON.stringify(window.tinkerformer.scenario())") == before
    assert second.evaluate("window.tinkerformer.selection()") is None
    expect(page.locator(".tinkerformer-frame > div").first).to_be_hidden()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    needs("jupyterlab", "anywidget")
    folder = tmp_path_factory.mktemp("lab")
    (folder / "n.ipynb").write_text(jupyter_notebook(FIRST, SECOND, SAID, SET), encoding="utf-8")
    with served(folder, *LAB) as url:
        yield url


def open_lab(new_context, lab, *others: str) -> Page:
    page = new_context(f"{lab}/lab", *others).new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{lab}/lab/tree/n.ipynb?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    return page


def run(page: Page, number: int) -> None:
    """Run one cell, once the kernel accepts it, and wait until it is done."""
    cell = page.locator(".jp-CodeCell").nth(number)
    prompt = cell.locator(".jp-InputPrompt")
    for _ in range(10):
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        try:
            expect(prompt).to_have_text(re.compile(r"\[[*\d]+\]"), timeout=3_000)
            break
        except AssertionError:
            continue  # the kernel was not ready
    expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=60_000)


def test_pages_run_in_jupyterlab(new_context, lab):
    page = open_lab(new_context, lab)
    run(page, 0)
    first = alive(page, "phrases")
    run(page, 1)
    second = alive(page, "dates")
    first = alive(page, "phrases")
    drive(first, second, page)
    run(page, 2)
    said = page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output")
    expect(said).to_contain_text(f"path='{PATH}', row=1, column=2) 1 None 0")
    run(page, 3)
    wait_for_value(first, PATH, 1, 2, -1.5)
    still = page.locator('.jp-OutputArea img[src*="tinkerformer-"]').first
    expect(still).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    _wait_until_saved(page, lab)
    _see_the_picture_when_the_kernel_has_forgotten(new_context, lab)


def test_a_lesson_runs_in_jupyterlab(new_context, tmp_path):
    needs("jupyterlab", "anywidget")
    cells = jupyter_notebook("import tinkerformer as tf", LESSON)
    (tmp_path / "n.ipynb").write_text(cells, encoding="utf-8")
    with served(tmp_path, *LAB) as url:
        page = open_lab(new_context, url)
        run(page, 0)
        run(page, 1)
        lesson = alive(page, "phrases").locator(".lesson")
        expect(lesson.locator(".address")).to_have_text("Step 3 of 8")
        lesson.get_by_role("button", name="sat", exact=True).click()
        expect(lesson.locator(".mark")).to_have_text("Right: sat")
        lesson.get_by_role("button", name="Close the lesson").click()
        before = alive(page, "dates")
        expect(before.get_by_role("heading", name="Lessons", exact=True)).to_be_visible()


PANEL = """
import panel as pn
import tinkerformer as tf

pn.extension(inline=True)
page = tf.panel("phrases", "the black cat", height=500)
text = pn.widgets.TextInput.from_param(page.param.source, name="Sentence")
pn.Column(text, pn.pane.Str(pn.bind("says {}".format, page.param.target)), page)
"""


def test_an_app_of_panel_runs_in_jupyterlab(new_context, tmp_path):
    needs("jupyterlab")
    (tmp_path / "n.ipynb").write_text(jupyter_notebook(PANEL, SAYS), encoding="utf-8")
    with served(tmp_path, *LAB) as url:
        # There, Panel requests a polyfill that a modern browser does not need.
        page = open_lab(new_context, url, "https://cdn.holoviz.org")
        run(page, 0)
        frame = alive(page, "phrases")
        text = page.get_by_label("Sentence")
        text.fill("the dog")
        text.press("Enter")
        frame.wait_for_function("window.tinkerformer.scenario().source.join(' ') === 'the dog'")
        expect(page.get_by_text("says le chien")).to_be_visible()
        select(frame, PATH, 1, 2)
        run(page, 1)
        said = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")
        expect(said).to_contain_text(f"path='{PATH}', row=1, column=2) the dog")


def _wait_until_saved(page: Page, lab: str) -> None:
    for _ in range(100):
        with urllib.request.urlopen(f"{lab}/api/contents/n.ipynb") as answer:
            if answer.read().count(b"image/svg+xml") == 2:
                return
        page.wait_for_timeout(100)
    raise AssertionError("The notebook was not saved with its pictures.")


def _see_the_picture_when_the_kernel_has_forgotten(new_context, lab: str) -> None:
    for kernel in json.load(urllib.request.urlopen(f"{lab}/api/kernels")):
        address = f"{lab}/api/kernels/{kernel['id']}/restart"
        urllib.request.urlopen(urllib.request.Request(address, method="POST")).close()
    page = open_lab(new_context, lab)
    still = page.locator('.jp-OutputArea img[src*="tinkerformer-"]')
    expect(still.first).to_be_visible()
    expect(still).to_have_count(2)
    assert still.first.evaluate("image => image.naturalWidth") > 300
    expect(page.locator(".tinkerformer-frame")).to_have_count(0)


def test_pages_run_in_marimo(new_context, tmp_path):
    needs("marimo", "anywidget")
    (tmp_path / "n.py").write_text(marimo_notebook(FIRST, SECOND), encoding="utf-8")
    with served(tmp_path, *MARIMO) as url:
        page = new_context(f"{url}/").new_page()
        page.goto(url)
        first, second = alive(page, "phrases"), alive(page, "dates")
        drive(alive(page, "phrases"), second, page)
        assert first.evaluate("window.tinkerformer.selection()?.path") == PATH
