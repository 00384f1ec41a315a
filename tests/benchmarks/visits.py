"""What opening a page takes: of the browser, of the network, and of the server."""

from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import Page

from tests.benchmarks import in_page
from tests.benchmarks.serving import PATIENCE
from tests.benchmarks.usage import come_to_rest, cpu, memory


class Visit(NamedTuple):
    """What one visit took.

    Attributes:
        seconds: from the start of the navigation until the first numbers are drawn.
        sent: bytes that came until then, where they are watched.
        cpu: processor seconds of the server, until it is at rest.
        memory: megabytes that the server holds more than before, at rest.
    """

    seconds: float
    sent: float
    cpu: float
    memory: float


def visit(page: Page, url: str, pid: int, what: str = "numbers", came: Sequence[int] = ()) -> Visit:
    """Open an address in an empty page, until its first ``numbers``, or ``figures`` of Bokeh.

    What the page receives comes in ``came``, in bytes.
    """
    used, held = cpu(pid), memory(pid)
    page.goto(url, wait_until="commit")
    seconds, sent = in_page.first(page, what, PATIENCE), sum(came)
    come_to_rest(pid)
    return Visit(seconds, sent, cpu(pid) - used, memory(pid) - held)
