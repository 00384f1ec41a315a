"""Pages in a real browser, whose network and server fail at random: at the end nothing is lost.

A line stands still, is cut, is slow or leads nowhere; the process is killed, or stopped for a
while. Meanwhile somebody sets numbers, takes them back, undoes and redoes. Each page notes what was
done to it, in its order; at the end every number that it shows is compared with the mathematics of
just that.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as BrowserError
from tinkerformer.files import catalog
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.inference.writing import with_written_target
from tinkerformer.matrices.address import CellAddress
from tinkerformer.matrices.resolved_cell import resolve
from tinkerformer.matrices.values import matrix_values

from tests.benchmarks.table import print_row
from tests.browser.conftest import FLAGS, NAMES
from tests.browser.proxy import Proxy

from .deeds import CELLS, Deed, Expected, Reader, read_deeds
from .failing import FailingServer

PAUSE = 0.4  # seconds between two deeds of a reader, in the mean
CALM = 2.5  # seconds between two faults, in the mean
LONGEST = {"stall": 20.0, "slow": 10.0, "hang": 20.0, "kill": 3.0}  # seconds that a fault lasts
SETTLES = 120.0  # seconds that a page may take until it shows all of it
TOLERANCE = 1e-5
OPENS = 120_000  # ms, on a machine that does other things
LIVES = """() => Boolean(window.tinkerformer?.ready && window.tinkerformer.frames > 0 &&
  !document.querySelector(".lost")?.checkVisibility())"""
# Noted in the same turn as it is done: also if the page ends in the next one.
DO = """([kind, cell, value]) => {
  const t = window.tinkerformer;
  if (!t?.ready || t.frames < 1 || document.querySelector(".lost")?.checkVisibility()) return false;
  const key = "deeds of the load test";
  const deeds = JSON.parse(sessionStorage.getItem(key) ?? "[]");
  sessionStorage.setItem(key, JSON.stringify([...deeds, [kind, cell, value]]));
  const [path, i, j] = cell ?? [];
  if (kind === "set") Promise.resolve(t.set(path, i, j, value)).catch(() => {});
  else if (kind === "restore") Promise.resolve(t.restore(path, i, j)).catch(() => {});
  else document.body.dispatchEvent(new KeyboardEvent("keydown",
    { key: kind === "undo" ? "z" : "y", ctrlKey: true, bubbles: true, cancelable: true }));
  return true;
}"""
DONE = """() => JSON.parse(sessionStorage.getItem("deeds of the load test") ?? "[]")"""
SHOWN = """() => {
  const t = window.tinkerformer;
  return t.paths().map((path) => {
    const { rows, cols } = t.matrix(path);
    return [path, Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, j) => {
      const x = t.value(path, i, j);
      return x === undefined ? null : String(x);
    }))];
  });
}"""


class Visit:
    """One page behind a network of its own."""

    def __init__(self, number: int, server: FailingServer, seed: int) -> None:
        self.number = number
        self.proxy = Proxy(server.port, "main")
        self.reader = Reader(seed)
        self.reloads = 0  # by hand, as the browser itself says that nobody is there
        self.page: Page

    async def open(self, browser: Browser) -> None:
        """Open the page, stage by stage."""
        context = await browser.new_context(bypass_csp=True)
        self.page = await context.new_page()
        await self.page.goto(f"{self.proxy.url}?view=formulas", timeout=OPENS)
        await self.lives(OPENS / 1000)

    async def lives(self, seconds: float) -> None:
        """Come back when the page is alive."""
        async with asyncio.timeout(seconds):
            while not await self._asked(LIVES):
                await self._reload_if_dead()
                await asyncio.sleep(0.2)

    async def use(self, end: float) -> None:
        """Do what comes to mind until the end."""
        chance = random.Random(self.number)
        while time.monotonic() < end:
            kind, cell, value = self.reader.next()
            await self._asked(DO, [kind, cell and list(cell), value])
            await self._reload_if_dead()
            await asyncio.sleep(chance.expovariate(1 / PAUSE))

    async def deeds(self) -> list[Deed]:
        """What was done so far."""
        return read_deeds(await self.page.evaluate(DONE))

    async def shown(self) -> dict[str, np.ndarray]:
        """All numbers on the page; NaN for what has not come."""
        found = await self._asked(SHOWN) or []
        read = lambda x: float("nan") if x is None else float(x.replace("Infinity", "inf"))  # noqa: E731
        return {path: np.array([[read(x) for x in row] for row in rows]) for path, rows in found}

    async def _asked(self, script: str, *arguments: Any) -> Any:
        """What a script gives; None if the page goes meanwhile."""
        try:
            return await self.page.evaluate(script, *arguments)
        except BrowserError:
            return None

    async def _reload_if_dead(self) -> None:
        """A browser that has found nobody says so, and is asked once more by its reader."""
        if self.page.url.startswith("chrome-error"):
            self.reloads += 1
            try:
                await self.page.reload(timeout=OPENS)
            except BrowserError:
                await asyncio.sleep(1)


async def faults(folder: Path, pages: int, seconds: float, seed: int) -> list[str]:
    """Have so many pages fail for so long; returns what differs at the end, a sentence each."""
    server = FailingServer(folder)
    await server.start()
    visits = [Visit(k, server, seed + k) for k in range(pages)]
    try:
        async with async_playwright() as playwright:
            found = next((path for name in NAMES if (path := shutil.which(name))), None)
            browser = await playwright.chromium.launch(executable_path=found, args=FLAGS)
            for visit in visits:
                await visit.open(browser)
            end = time.monotonic() + seconds
            failing = asyncio.create_task(_fail(server, visits, end, random.Random(seed)))
            await asyncio.gather(*[visit.use(end) for visit in visits])
            count = await failing
            wrong = [sentence for visit in visits for sentence in await _compared(visit)]
            deeds = [len(await visit.deeds()) for visit in visits]
            await browser.close()
    finally:
        server.kill()
        for visit in visits:
            visit.proxy.close()
    print_row(f"what {pages} readers did in {seconds:.0f} s", " + ".join(map(str, deeds)))
    for kind, times in sorted(count.items()):
        print_row(f"  {kind}", str(times))
    print_row("  reloaded by hand", str(sum(visit.reloads for visit in visits)))
    print_row("  end states that differ from a fresh computation", str(len(wrong)), "0")
    return wrong + server.complaints()


async def _fail(
    server: FailingServer, visits: list[Visit], end: float, chance: random.Random
) -> Counter[str]:
    """One fault after the other; in the end all of it works again."""
    count: Counter[str] = Counter()
    kinds: dict[str, Callable[[Proxy, float], Awaitable[None]]] = {
        "stall": _stall,
        "slow": _slow,
        "cut": _cut,
        "strand": _strand,
        "kill": lambda _, pause: _kill(server, pause),
        "hang": lambda _, pause: server.hang(pause),
    }
    while time.monotonic() < end:
        await asyncio.sleep(min(chance.expovariate(1 / CALM), max(0.0, end - time.monotonic())))
        kind = chance.choice([*kinds])
        # Short ones are more frequent than long ones, as everywhere.
        pause = min(chance.expovariate(4), 1) * LONGEST.get(kind, 0)
        count[kind] += 1
        await kinds[kind](chance.choice(visits).proxy, pause)
    return count


async def _stall(proxy: Proxy, seconds: float) -> None:
    proxy.hold()
    await asyncio.sleep(seconds)
    proxy.go_on()


async def _slow(proxy: Proxy, seconds: float) -> None:
    proxy.delay = 0.3
    await asyncio.sleep(seconds)
    proxy.delay = 0.0


async def _cut(proxy: Proxy, _: float) -> None:
    proxy.cut()


async def _strand(proxy: Proxy, _: float) -> None:
    proxy.strand()


async def _kill(server: FailingServer, seconds: float) -> None:
    server.kill()
    await asyncio.sleep(seconds)
    await server.start()


async def _compared(visit: Visit) -> list[str]:
    """What a page shows other than the mathematics of what was done to it."""
    async with asyncio.timeout(SETTLES):
        await visit.lives(SETTLES)
    expected = Expected()
    for deed in await visit.deeds():
        expected.do(deed)
    runner = ForwardPassRunner()
    scenario = catalog.first("phrases")
    trace = runner.trace(scenario)
    for cell, value in expected.values.items():
        path, *at = cell
        scenario = scenario.with_value(path, resolve(trace, CellAddress(path, *at)).index, value)
    scenario = with_written_target(scenario, runner)
    trace = runner.trace(scenario)
    wrong: list[str] = []
    end = time.monotonic() + SETTLES
    while True:
        shown = await visit.shown()
        right = {path: matrix_values(scenario, trace, path)[0] for path in shown}
        wrong = _differences(shown, right)
        if (shown and not wrong) or time.monotonic() > end:
            break
        await asyncio.sleep(0.5)
    said = [] if shown else ["nothing is shown."]
    cells = [
        f"{path}[{i}, {j}] is {shown[path][i, j]:g}, and was last made {right[path][i, j]:g}."
        for path, i, j in CELLS
        if path in shown and abs(shown[path][i, j] - right[path][i, j]) > TOLERANCE
    ]
    return [f"Page {visit.number}: {sentence}" for sentence in (*said, *cells, *wrong)]


def _differences(shown: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> list[str]:
    """How many matrices are others than the mathematics gives, in a sentence if any are."""
    others = [
        path
        for path, numbers in shown.items()
        if numbers.shape != right[path].shape
        or not np.isclose(
            numbers, np.asarray(right[path], float), TOLERANCE, TOLERANCE, equal_nan=True
        ).all()
    ]
    return [f"{len(others)} matrices show other numbers, such as {others[0]}."] if others else []
