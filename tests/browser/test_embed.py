import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import violations

W_E = "source.W_e"


class Course:
    """A course page of another origin than the embedded page."""

    def __init__(self, page: Page, server: str, folder: Path, url: str) -> None:
        self.page = page
        self.server = server
        self.folder = folder
        self.url = url

    def open(self, *queries: str, width: int = 800) -> list[Frame]:
        """Open frames below one another, each with its own address."""
        frames = "".join(
            f'<iframe src="{self.server}?{query}" title="{k}" '
            f'style="width: {width}px; height: 420px"></iframe>'
            for k, query in enumerate(queries)
        )
        head = '<!doctype html><html lang="en"><title>Course</title>'
        text = f"{head}<main><h1>Course</h1>{frames}</main>"
        (self.folder / "course.html").write_text(text, encoding="utf-8")
        self.page.goto(f"{self.url}/course.html")
        return self.frames()

    def frames(self) -> list[Frame]:
        found = [frame for frame in self.page.frames if frame.url.startswith(self.server)]
        for frame in found:
            frame.wait_for_function("window.tinkerformer?.ready")
        return found


@pytest.fixture
def course(new_context, server, tmp_path) -> Iterator[Course]:
    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(tmp_path))

        def log_message(self, *_):
            pass

    files = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    thread = threading.Thread(target=files.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{files.server_port}"
    page = new_context(server, url, url.replace("127.0.0.1", "localhost")).new_page()
    page.set_default_timeout(15_000)
    yield Course(page, server, tmp_path, url)
    page.close()
    files.shutdown()
    thread.join()
    files.server_close()


@pytest.mark.parametrize("view", ["whole", "encoder.0.self_attn", f"matrix:{W_E}", "learn"])
def test_only_the_view_and_the_sentence_and_the_answer_are_shown(course, server, view):
    (frame,) = course.open(f"view={view}&embed")
    expect(frame.locator("#heading-source")).to_be_visible()
    expect(frame.get_by_text(re.compile("^after “")).first).to_be_attached()
    for name in ("Menu", "Undo", "Inspector"):
        expect(frame.get_by_role("button", name=name)).to_have_count(0)
    expect(frame.get_by_role("tab")).to_have_count(0)
    mark = frame.get_by_role("link", name="Tinkerformer")
    assert unquote(mark.get_attribute("href")) == f"{server}?view={view}"


def test_one_matrix_shows_its_numbers(course):
    (frame,) = course.open("view=matrix:encoder.0.self_attn.head.0.scores&embed&show=")
    paths = frame.evaluate("tinkerformer.paths()")
    assert "encoder.0.self_attn.head.0.scores" in paths
    assert len(paths) == 1
    assert violations(course.page) == []


def test_frames_of_the_same_address_keep_separate_changes(course):
    course.url = course.url.replace("127.0.0.1", "localhost")  # on one site, a frame has storage
    first, second = course.open("view=formulas&embed", "view=formulas&embed")
    for frame, value in ((first, 3), (second, -4)):
        frame.evaluate(f"tinkerformer.set('{W_E}', 0, 0, {value})")
        frame.wait_for_function(
            "value => tinkerformer.scenario().edits?.['source.W_e']?.[0][2] === value",
            arg=value,
        )
    course.page.reload()
    for frame, value in zip(course.frames(), (3, -4), strict=True):
        frame.wait_for_function(f"window.tinkerformer?.value('{W_E}', 0, 0) === {value}")


def test_the_full_page_has_the_changes_of_the_frame(course, new_context):
    (frame,) = course.open("view=formulas&embed")
    frame.evaluate(f"tinkerformer.set('{W_E}', 0, 0, 3)")
    frame.wait_for_function(f"tinkerformer.value('{W_E}', 0, 0) === 3")
    mark = frame.get_by_role("link", name="Tinkerformer")
    mark.hover()
    expect(mark).to_have_attribute("href", re.compile("#s="))
    page = open_first_page(new_context(), mark.get_attribute("href"))
    page.wait_for_function(f"tinkerformer.value('{W_E}', 0, 0) === 3")
    expect(page.get_by_role("tab", name="Formulas")).to_be_visible()


def test_the_share_dialog_shows_the_embedded_page_and_its_line(new_context, server):
    page = open_first_page(new_context(viewport={"width": 1600, "height": 1000}), server)
    page.evaluate(f"tinkerformer.select('{W_E}', 0, 0)")
    expect(page.get_by_role("slider", name="value of")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Embed in a course page").click()
    preview = dialog.frame_locator("iframe")
    expect(preview.get_by_text("cross-att").first).to_be_attached()
    what = dialog.get_by_label("what is shown")
    what.select_option(label=f"the matrix of the selected number: {W_E}")
    line = dialog.get_by_label("The line for your page")
    expect(line).to_have_value(re.compile(rf'<tinker-former src="[^"]+" view="matrix:{W_E}"'))
    dialog.get_by_label("what readers may change").select_option(
        label="nothing: look, point and oscillate"
    )
    dialog.get_by_label("height").select_option(label="fixed (a plain frame)")
    expect(line).to_have_value(
        re.compile(rf'<iframe src="[^"]+view=matrix:{W_E}&amp;embed&amp;lock#s=[^"]+"')
    )
    expect(preview.locator("#heading-source")).to_be_visible()
