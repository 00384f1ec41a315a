"""Two processes behind Debian's nginx: edits stay with their users, also when one is killed."""

from __future__ import annotations

import re
import shutil
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.hosting.host import Host
from tinkerformer.runtime.limits import SESSIONS

pytestmark = pytest.mark.served

WEIGHT = "encoder.0.self_attn.head.0.W_q"
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[Host, str]]:
    if shutil.which("nginx") is None:
        pytest.skip("There is no nginx (Debian: apt-get install nginx-light).")
    listen = free_address()
    with Host(2, listen) as running:
        said: list[str] = []
        watching = threading.Thread(target=running.watch, args=(said.append,))
        watching.start()
        yield running, f"http://{listen}/"
        running.stop()
        watching.join()


def open_room(new_context, address: str, room: int) -> Page:
    """A visitor whom chance has sent to this room."""
    page = new_context(address).new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{address}room-{room}/main?view=stages")
    page.wait_for_function(READY)
    return page


def value(page: Page) -> float:
    return page.evaluate(f"window.tinkerformer.value('{WEIGHT}', 0, 0)")


def test_chance_sends_visitors_to_every_room(new_context, house) -> None:
    _, address = house
    page = new_context(address).new_page()
    rooms = set()
    end = time.monotonic() + 60
    while len(rooms) < 2 and time.monotonic() < end:
        answer = page.request.get(address, max_redirects=0)
        assert answer.status == 302
        rooms.add(answer.headers["location"].rsplit("/", 2)[1])
    assert rooms == {"room-0", "room-1"}


def test_edits_stay_with_their_users_and_come_back_when_a_process_is_killed(
    new_context, house
) -> None:
    running, address = house
    pages = [open_room(new_context, address, room) for room in (0, 0, 1, 1)]
    wanted = [0.5, 1.5, 2.5, 3.5]
    for page, number in zip(pages, wanted, strict=True):
        page.evaluate(f"window.tinkerformer.set('{WEIGHT}', 0, 0, {number})")
        page.wait_for_function(f"window.tinkerformer.value('{WEIGHT}', 0, 0) === {number}")
        page.wait_for_function("sessionStorage['tinkerformer-visit']?.includes('W_q')")
    assert [value(page) for page in pages] == wanted

    running.rooms[0].kill()
    for page, number in zip(pages, wanted, strict=True):
        page.wait_for_function(
            f"location.pathname === '/room-1/main' && {READY} "
            f"&& window.tinkerformer.value('{WEIGHT}', 0, 0) === {number}",
            timeout=60_000,
        )
    for page in pages:
        page.evaluate(f"window.tinkerformer.set('{WEIGHT}', 0, 1, 4)")
        page.wait_for_function(f"window.tinkerformer.value('{WEIGHT}', 0, 1) === 4")
    assert [value(page) for page in pages] == wanted

    # Its process is there again, and takes visitors.
    end = time.monotonic() + 60
    while time.monotonic() < end:
        # Until it is there visitors are sent to another one.
        if pages[0].request.get(f"{address}room-0/main", max_redirects=0).status == 200:
            break
        time.sleep(0.2)
    newcomer = open_room(new_context, address, 0)
    assert "/room-0/" in newcomer.url
    assert value(newcomer) not in wanted


def test_when_all_places_are_taken_a_visitor_is_told_so(monkeypatch) -> None:
    """Two processes that open one page each: the third visitor is asked to wait."""
    if shutil.which("nginx") is None:
        pytest.skip("There is no nginx (Debian: apt-get install nginx-light).")
    monkeypatch.setenv(SESSIONS.variable, "1")
    listen = free_address()
    with Host(2, listen):
        answers = [asked(f"http://{listen}/main?view=stages") for _ in range(4)]
    assert sorted(status for status, _ in answers)[-1] == 503
    for status, text in answers:
        assert status in (200, 503)
        assert ("All places are taken" in text) == (status == 503)


def asked(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def free_address() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_what_is_shared_names_no_room(new_context, house) -> None:
    _, address = house
    page = open_room(new_context, address, 1)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Share").first.click()
    link = page.get_by_role("textbox", name="Link")
    expect(link).to_have_value(re.compile(re.escape(address) + "main"))
