"""Records a film in a browser, picture by picture, and encodes it as a video.

Each picture is taken after the page has painted that time of the film, so that the video has no
gaps on a slow machine. The browser encodes the video: its recorder gets the pictures in real time.
"""

import base64
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, ElementHandle, Error, Page, sync_playwright

from .browser import installed_browser
from .lesson_walk import ALIVE, START, Lessons, Stuck, served

END = 2.0  # seconds for which the last picture is shown
# Seeks to a time of the film, and waits until it is painted.
SHOW = """async (range, seconds) => {
  range.value = seconds;
  range.dispatchEvent(new Event("input"));
  const frame = () => new Promise(requestAnimationFrame);
  for (let k = 0; k < 600 && !window.tinkerformer.film.isReady(seconds); k++) await frame();
  await frame();
  await frame();
}"""
# Prepares the recording of a canvas, on which DRAW paints the pictures one by one.
BEGIN = """async ([width, height]) => {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  document.body.replaceChildren(canvas);
  const stream = canvas.captureStream(0);
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"]
    .find((each) => MediaRecorder.isTypeSupported(each));
  if (!type) return false;
  const options = { mimeType: type, videoBitsPerSecond: 8_000_000 };
  const recorder = new MediaRecorder(stream, options);
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  window.recording = { canvas, track: stream.getVideoTracks()[0], recorder, parts, begin: 0, n: 0 };
  return true;
}"""
DRAW = """async ([pictures, rate]) => {
  const { canvas, track, recorder } = window.recording;
  const images = await Promise.all(pictures.map(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return createImageBitmap(new Blob([bytes], { type: "image/png" }));
  }));
  if (recorder.state === "inactive") recorder.start();
  else if (recorder.state === "paused") recorder.resume();
  const begin = performance.now();
  for (const [k, image] of images.entries()) {
    const wait = begin + (k * 1000) / rate - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    track.requestFrame();
    image.close();
  }
  await new Promise((done) => setTimeout(done, 1000 / rate));
  recorder.pause();
}"""
FINISH = """async () => {
  const { recorder, parts } = window.recording;
  const stopped = new Promise((done) => { recorder.onstop = done; });
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = "";
  for (let k = 0; k < bytes.length; k += 32768)
    text += String.fromCharCode(...bytes.subarray(k, k + 32768));
  return btoa(text);
}"""
AT_ONCE = 50  # pictures in one call of DRAW


class Recording(NamedTuple):
    """The options of a recording."""

    query: str  # of the page's address
    size: tuple[int, int]  # in pixels
    rate: int  # pictures per second
    theme: str
    out: Path  # a video, or a folder for pictures
    button: int | None = None  # its index, for the film of a lesson's step


def record(recording: Recording, lessons: Lessons, report: Callable[[str], None]) -> None:
    """Record a film; raise ``RuntimeError`` with one sentence if the page or the browser fails."""
    try:
        with served(lessons, "") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=installed_browser(), args=["--no-sandbox"]
            )
            if recording.out.suffix:
                with tempfile.TemporaryDirectory() as folder:
                    pictures = _pictures(browser, address, recording, Path(folder), report)
                    _encode(browser, recording, pictures, report)
            else:
                recording.out.mkdir(parents=True, exist_ok=True)
                _pictures(browser, address, recording, recording.out, report)
            browser.close()
    except (Error, Stuck) as error:
        raise RuntimeError(str(error).splitlines()[0]) from None


def _pictures(
    browser: Browser,
    address: str,
    recording: Recording,
    folder: Path,
    report: Callable[[str], None],
) -> list[Path]:
    """Take the pictures of a film, and return their files in order."""
    width, height = recording.size
    context = browser.new_context(
        bypass_csp=True, viewport={"width": width, "height": height}, reduced_motion="no-preference"
    )
    page = context.new_page()
    page.goto(f"{address}{recording.query}&theme={recording.theme}")
    page.wait_for_function(ALIVE, timeout=START * 1000)
    slider, length = _opened(page, recording.button)
    count = round(length * recording.rate)
    pictures = []
    for k in range(count):
        slider.evaluate(SHOW, k / recording.rate)
        picture = folder / f"{k:05}.png"
        page.screenshot(path=picture)
        pictures.append(picture)
        if k % (5 * recording.rate) == 0:
            report(f"{k / recording.rate:.0f} of {length:.0f} seconds")
    context.close()
    report(f"{count} pictures of {width} × {height}")
    return pictures


def _opened(page: Page, button: int | None) -> tuple[ElementHandle, float]:
    """Open the film and pause it; return its slider and its duration in seconds."""
    film = page.locator("#film .film")
    if button is not None:
        page.locator(".lesson .play").nth(button).click()
    film.wait_for()
    pause = film.get_by_role("button", name="Pause")
    if pause.is_visible():
        pause.click()
    # Hide the controls, which are useless in a video.
    film.locator(".bar").evaluate("bar => { bar.style.display = 'none'; }")
    page.evaluate("document.fonts.ready")
    slider = film.locator("input[type=range]").element_handle()
    assert slider is not None
    return slider, float(slider.get_attribute("max") or 0)


def _encode(
    browser: Browser, recording: Recording, pictures: list[Path], report: Callable[[str], None]
) -> None:
    """Write the pictures as a video, which takes as long as the film."""
    page = browser.new_page()
    if not page.evaluate(BEGIN, list(recording.size)):
        folder = recording.out.with_suffix("")
        shutil.copytree(pictures[0].parent, folder)
        raise RuntimeError(f"This browser encodes no video: its pictures are in {folder}.")
    shown = pictures + pictures[-1:] * round(END * recording.rate)
    for start in range(0, len(shown), AT_ONCE):
        part = shown[start : start + AT_ONCE]
        texts = [base64.b64encode(picture.read_bytes()).decode() for picture in part]
        page.evaluate(DRAW, [texts, recording.rate])
    recording.out.write_bytes(base64.b64decode(page.evaluate(FINISH)))
    page.close()
    report(f"{recording.out}: {recording.out.stat().st_size / 1e6:.1f} MB")
