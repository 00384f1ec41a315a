import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Frame, Page

from tests.browser.course import Allowing, Course
from tests.documentation import SOURCES, Documentation

READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
PYTHON = f"{READY} && document.documentElement.dataset.python"
STARTS = 120_000  # ms


@pytest.fixture(scope="module")
def manual(documentation: Documentation) -> Iterator[Course]:
    """Serve the built documentation and return its address."""
    with Course(folder=documentation.folder) as host:
        yield host


@pytest.fixture
def reader(new_context, manual: Course) -> Page:
    page = new_context(f"{manual.origin}/", viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(STARTS)
    return page


def embedded(page: Page) -> Frame:
    page.locator("tinker-former iframe").first.scroll_into_view_if_needed()
    found = page.locator("tinker-former iframe").first.element_handle().content_frame()
    assert found
    return found


def test_no_page_loads_from_another_host_or_is_wider_than_the_screen(
    reader: Page, manual: Course, documentation: Documentation
) -> None:
    """`new_context` refuses every other host, and fails if one was contacted."""
    reader.set_viewport_size({"width": 420, "height": 860})
    reader.route("**/live/index.html*", lambda route: route.fulfill(body=""))
    reader.route("**/live/?*", lambda route: route.fulfill(body=""))
    for file in documentation.pages:
        reader.goto(f"{manual.origin}/{file.relative_to(documentation.folder)}")
        assert reader.evaluate("document.documentElement.scrollWidth") <= 420, file.name


def test_formulas_are_typeset(reader: Page, manual: Course) -> None:
    reader.goto(f"{manual.origin}/why.html")
    reader.wait_for_function(
        "[...document.querySelectorAll('[data-tex]')].every((el) => el.querySelector('.katex'))"
    )
    assert reader.locator("[data-tex]").count() >= 2
    assert reader.locator(".katex-error").count() == 0


def test_the_live_page_starts_and_a_number_in_it_is_set(
    reader: Page, manual: Course, documentation: Documentation
) -> None:
    if not documentation.has_runtime:
        pytest.skip("Python's runtime for the browser is not on this machine.")
    reader.goto(f"{manual.origin}/teachers/embedding.html")
    frame = embedded(reader)
    frame.wait_for_function(PYTHON)
    assert [stage["id"] for stage in frame.evaluate("window.tinkerformer.stages()")] == [
        "encoder.0.self_attn"
    ]
    cell = "'encoder.0.self_attn.head.0.W_q', 0, 3"
    query = "'encoder.0.self_attn.head.0.q', 0, 3"
    was = frame.evaluate(f"window.tinkerformer.value({query})")
    frame.evaluate(f"window.tinkerformer.set({cell}, 2.5)")
    frame.wait_for_function(f"was => window.tinkerformer.value({query}) !== was", arg=was)
    height = reader.locator("tinker-former iframe").first.bounding_box()
    assert height["height"] > 400


def test_the_code_for_teachers_works(new_context) -> None:
    """The element's line and the script that controls it work on an allowed page."""
    text = (SOURCES / "teachers" / "embedding.md").read_text(encoding="utf-8")
    line = re.findall(r"```html\n(.*?)```", text, re.DOTALL)[0]
    script = re.findall(r"```js\n(.*?)```", text, re.DOTALL)[0]
    with Course() as course:
        server = Allowing(course)
        server.start()
        try:
            here = line.replace("https://tinkerformer.example.org/", server.url)
            course.pages["/"] = (
                f'<!doctype html><html lang="en"><title>Course</title>{here}'
                f'<script type="module">{script}\nwindow.done = true;</script>'
            )
            page = new_context(server.url, course.origin).new_page()
            page.set_default_timeout(STARTS)
            page.goto(f"{course.origin}/")
            page.wait_for_function("window.done")
            page.wait_for_function(
                """async () => 2.5 === await document.querySelector("tinker-former")
                  .value("encoder.0.self_attn.head.0.W_q", 0, 3)"""
            )
        finally:
            server.stop()
