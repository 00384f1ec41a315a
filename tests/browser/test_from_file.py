from pathlib import Path

import pytest
from playwright.sync_api import expect
from tinkerformer.site.build import build

SAID = "This page needs a web server"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("a site of mine")
    build(folder, None, force=True, report=lambda _: None)
    return folder


def test_a_page_opened_as_a_file_states_the_command_that_serves_it(browser, site) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(SAID)
    expect(alert.locator("pre")).to_have_text(f'python3 -m http.server 8000 --directory "{site}/"')


def test_a_course_page_opened_as_a_file_states_the_command_too(browser, site) -> None:
    course = site / "course.html"
    course.write_text(
        '<!doctype html><html lang="en"><title>Course</title>'
        '<script async src="embed/tinkerformer.js"></script>'
        '<tinker-former src="index.html" view="whole"></tinker-former>',
        encoding="utf-8",
    )
    page = browser.new_page()
    page.goto(course.as_uri())
    expect(page.frame_locator("iframe").get_by_role("alert")).to_contain_text(SAID)


def test_a_served_page_does_not_state_the_command(new_context, server) -> None:
    page = new_context().new_page()
    page.goto(server)
    page.wait_for_function("window.tinkerformer?.ready")
    assert SAID not in page.locator("body").inner_text()
