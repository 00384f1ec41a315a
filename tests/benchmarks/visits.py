"""The cost of opening a page for the browser, the network and the server."""

from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import Page

from tests.benchmarks import in_page
from tests.benchmarks.serving import PATIENCE
from tests.benchmarks.usage import come_to_rest, cpu, memory


class Visit(NamedTuple):
    """The cost of one visit.

    Attributes:
        seconds: from the start of the navigation until the first numbers are drawn.
        sent: the bytes received until then, if they are counted.
        cpu: processor seconds of the server, until it is idle.
        memory: the increase of the server's memory at rest, in megabytes.
    """

    seconds: float
    sent: float
    cpu: float
    memory: float


def visit(page: Page, url: str, pid: int, what: str = "numbers", came: Sequence[int] = ()) -> Visit:
    """Open an address in an empty page, and wait for its first ``numbers`` or ``figures``.

    The sizes of the received data are added to ``came``, in bytes.
    """
    used, held = cpu(pid), memory(pid)
    page.goto(url, wait_until="commit")
    seconds, sent = in_page.first(page, what, PATIENCE), sum(came)
    come_to_rest(pid)
    return Visit(seconds, sent, cpu(pid) - used, memory(pid) - held)
