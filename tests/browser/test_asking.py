from pathlib import Path

import tinkerformer
from playwright.sync_api import BrowserContext, Page
from tinkerformer.components.esm import esm

FRAME = Path(tinkerformer.__file__).parent / "transport" / "frame" / "frame.js"
BEGIN = """() => {
  window.sent = [];
  const pipe = { send: (message) => window.sent.push(message) };
  const shown = { title: "a page", picture: "<svg/>", height: 300 };
  window.frame = new window.PageFrame(document.body, shown, pipe);
}"""
ANSWER = """() => {
  const { frame } = window.sent[0];
  window.frame.receive({ frame, kind: "page", text: "<p>the page</p>" }, []);
  const opened = document.querySelector("iframe");
  window.frame.receive({ frame, kind: "page", text: "<p>late</p>" }, []);
  return opened === document.querySelector("iframe") && opened.srcdoc;
}"""


def begun(context: BrowserContext) -> Page:
    """Open a frame on an empty page with a stopped clock, and keep its messages."""
    page = context.new_page()
    page.clock.install()
    page.goto("about:blank")
    text = f"{esm(FRAME, 'PageFrame')}\nwindow.PageFrame = PageFrame;"
    page.add_script_tag(content=text, type="module")
    page.wait_for_function("Boolean(window.PageFrame)")
    page.evaluate(BEGIN)
    return page


def test_the_page_repeats_a_request_until_it_is_answered(new_context) -> None:
    page = begun(new_context())
    assert page.evaluate("sent.map(({ kind }) => kind)") == ["want-page"]
    page.clock.run_for(4_100)
    said = page.get_by_role("status").text_content()  # its clock is stopped
    assert said.startswith("This is a picture")
    assert page.evaluate("sent.map(({ kind }) => kind)") == ["want-page"] * 2
    assert page.evaluate(ANSWER) == "<p>the page</p>"
    page.clock.run_for(60_000)
    assert page.evaluate("sent.length") == 2


def test_the_page_stops_repeating_a_request_eventually(new_context) -> None:
    page = begun(new_context())
    page.clock.run_for(600_000)
    assert page.evaluate("sent.length") == 11
