"""The whole picture while a number oscillates, in each installed browser."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from tests.benchmarks.static import hosted
from tests.benchmarks.table import add, compared, heading, line, reason
from tests.browser.chromium import Chromium
from tests.browser.engine import SIZE, Engine
from tests.browser.firefox import Firefox
from tests.browser.static_site import ALIVE
from tests.browser.webkit import WebKit

STRETCHES, SECONDS = 3, 2
PATIENCE = 60  # seconds for each action of a browser
W_Q = "encoder.0.self_attn.head.0.W_q"
# A page with only a canvas as large as the window, which changes completely in each frame.
PLAIN = f"""<!doctype html><title>canvas</title><body><script>
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [{SIZE[0]}, {SIZE[1]}];
  document.body.append(canvas);
  const c = canvas.getContext("2d");
  window.tinkerformer = {{ frames: 0 }};
  const draw = () => {{
    c.fillStyle = (window.tinkerformer.frames++ & 1) ? "teal" : "white";
    c.fillRect(0, 0, canvas.width, canvas.height);
    requestAnimationFrame(draw);
  }};
  draw();
</script>"""
RATE = (
    f"The frames that the page counts in {SECONDS} s, divided by that time; the median of "
    f"{STRETCHES} such stretches. Beside it: the same of a page that has only a canvas of the size "
    "of the window and fills it in each frame."
)


def run(browser: Browser, url: str) -> None:
    """Print the frame rates of Chromium, Firefox and WebKit, or why one is missing."""
    heading(f"The whole picture of {SIZE[0]} × {SIZE[1]} in each browser, drawn by software")
    rates("Chromium", lambda: Chromium(browser), url, "58")
    rates("Firefox", Firefox, url, "58")
    rates("WebKit", WebKit, url, "45")


def rates(name: str, start: Callable[[], Engine], url: str, limit: str) -> None:
    """Print the row of one browser; if the browser fails, the row says why."""
    what = f"{name}: frames a second while a number oscillates, beside a plain canvas"
    try:
        engine = start()
        try:
            plain, rate = _plain(engine), _oscillating(engine, url)
        finally:
            engine.close()
    except Exception as error:  # a browser can fail in any way
        line(what, reason(error), RATE, limit)
    else:
        add(compared(what, rate, plain, RATE, limit, unit="", name=""))


def _plain(engine: Engine) -> float:
    with tempfile.TemporaryDirectory() as folder, hosted(Path(folder)) as host:
        (Path(folder) / "index.html").write_text(PLAIN, encoding="utf-8")
        engine.open(host.url)
        engine.wait_for("window.tinkerformer?.frames > 60", PATIENCE)
        return _rate(engine)


def _oscillating(engine: Engine, url: str) -> float:
    engine.open(f"{url}?view=picture")
    engine.wait_for(ALIVE, PATIENCE)
    engine.evaluate(f"void window.tinkerformer.select('{W_Q}', 0, 0)")
    engine.wait_for("window.tinkerformer.selection()", PATIENCE)
    engine.evaluate("void window.tinkerformer.oscillate(true)")
    engine.wait_for("window.tinkerformer.oscillating()", PATIENCE)
    time.sleep(2)
    return _rate(engine)


def _rate(engine: Engine) -> float:
    """Return the painted frames per second, the median of several intervals."""
    now = "[performance.now(), window.tinkerformer.frames]"
    found = []
    for _ in range(STRETCHES):
        begin, first = engine.evaluate(now)
        time.sleep(SECONDS)
        end, last = engine.evaluate(now)
        found.append(1000 * (last - first) / (end - begin))
    return statistics.median(found)
