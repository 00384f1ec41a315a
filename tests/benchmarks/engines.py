"""The whole picture while a number oscillates, in each browser that is there."""

from __future__ import annotations

import shutil
import statistics
import time
from urllib.parse import quote

from playwright.sync_api import Browser

from tests.benchmarks.table import counted, heading, line
from tests.browser.chromium import Chromium
from tests.browser.engine import SIZE, Engine
from tests.browser.firefox import NAMES, Firefox
from tests.browser.static_site import ALIVE
from tests.browser.webkit import WebKit, is_installed

STRETCHES, SECONDS = 5, 2
W_Q = "encoder.0.self_attn.head.0.W_q"
# A page with nothing but a canvas of the size of the window, of which all changes in each frame.
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


def run(browser: Browser, url: str) -> None:
    """Print the rates of all browsers that are there; the first is Chromium."""
    heading(f"The whole picture of {SIZE[0]} × {SIZE[1]} in each browser, drawn by software")
    _rates("Chromium", Chromium(browser), url, "58")
    firefox = next((path for name in NAMES if (path := shutil.which(name))), None)
    if firefox:
        _rates("Firefox", Firefox(firefox), url, "58")
    if is_installed():
        _rates("WebKit", WebKit(), url, "45")


def _rates(name: str, engine: Engine, url: str, asked: str) -> None:
    try:
        engine.open(f"data:text/html,{quote(PLAIN)}")
        engine.wait_for("window.tinkerformer?.frames > 60")
        plain = _rate(engine)
        engine.open(f"{url}?view=picture")
        engine.wait_for(ALIVE)
        engine.evaluate(f"void window.tinkerformer.select('{W_Q}', 0, 0)")
        engine.wait_for("window.tinkerformer.selection()")
        engine.evaluate("void window.tinkerformer.oscillate(true)")
        engine.wait_for("window.tinkerformer.oscillating()")
        time.sleep(2)
        rate = _rate(engine)
    finally:
        engine.close()
    what = f"{name}: frames a second while a number oscillates, beside a plain canvas"
    line(what, counted(rate), asked, beside=counted(plain), ratio=f"{rate / plain:.2f}")


def _rate(engine: Engine) -> float:
    """Frames a second that something painted, the median of some stretches."""
    now = "[performance.now(), window.tinkerformer.frames]"
    rates = []
    for _ in range(STRETCHES):
        begin, first = engine.evaluate(now)
        time.sleep(SECONDS)
        end, last = engine.evaluate(now)
        rates.append(1000 * (last - first) / (end - begin))
    return statistics.median(rates)
