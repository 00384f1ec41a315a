import base64
import io
import re
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, open_menu, open_view, violations

pytestmark = pytest.mark.in_turn

SWINGS = "window.tinkerformer.motion.swing() !== null"
RECORDS = ".recording"
# The video's bytes, its length and size, and some of its pictures, as mean gray values.
READ = """async ([video, shares]) => {
  const bytes = new Uint8Array(await (await fetch(video.src)).arrayBuffer());
  let text = "";
  for (let k = 0; k < bytes.length; k += 32768)
    text += String.fromCharCode(...bytes.subarray(k, k + 32768));
  const probe = document.createElement("video");
  const happens = (name) => new Promise((done) => probe.addEventListener(name, done, {once: true}));
  probe.muted = true;
  probe.src = video.src;
  await happens("loadeddata");
  const canvas = new OffscreenCanvas(160, 120), ctx = canvas.getContext("2d");
  const pictures = [];
  for (const share of shares) {
    const sought = happens("seeked");
    probe.currentTime = share * probe.duration;
    await sought;
    ctx.drawImage(probe, 0, 0, 160, 120);
    pictures.push([...ctx.getImageData(0, 0, 160, 120).data].filter((_, k) => k % 4 < 3));
  }
  return [btoa(text), probe.duration, [probe.videoWidth, probe.videoHeight], pictures];
}"""
# Records the phase of the oscillation whenever a picture is painted.
NOTE_PHASES = """() => {
  const { motion } = window.tinkerformer, { composition } = motion;
  window.phases = [];
  motion.composition = () => {
    const made = composition(), paint = made.paint.bind(made);
    made.paint = () => {
      window.phases.push(motion.swing().phase);
      paint();
    };
    return made;
  };
}"""
COMPOSED = """() => {
  const composition = window.tinkerformer.motion.composition();
  composition.paint();
  const { left, top, ratio, canvas } = composition;
  return [canvas.toDataURL().split(",")[1], left * ratio, top * ratio];
}"""


def share_of(page: Page) -> Locator:
    """Open the share dialog with its recorder."""
    button = page.get_by_role("button", name="Share", exact=True)
    if not button.is_visible():
        open_menu(page)
    button.click()
    dialog = page.get_by_role("dialog", name="Share what is on the page")
    dialog.get_by_text("Record a loop").click()
    return dialog


def record(dialog: Locator, what: str | None = None, kind: str = "WebM") -> None:
    if what is not None:
        dialog.get_by_label("what", exact=True).select_option(what)
    dialog.get_by_label("file", exact=True).select_option(label=kind)
    dialog.get_by_role("button", name="Record", exact=True).click()


def read(dialog: Locator, *shares: float) -> Any:
    expect(dialog.get_by_role("button", name="Save the video")).to_be_visible(timeout=60_000)
    video = dialog.get_by_label("What was recorded").element_handle()
    text, length, size, pictures = dialog.page.evaluate(READ, [video, shares])
    return base64.b64decode(text), length, size, np.array(pictures, float)


def test_a_recorded_oscillation_ends_where_it_begins(whole: Page) -> None:
    whole.evaluate("window.tinkerformer.select('source.W_e', 4, 2)")
    whole.evaluate("window.tinkerformer.oscillate(true, {period: 3})")
    whole.wait_for_function(SWINGS)
    dialog = share_of(whole)
    chosen = dialog.get_by_label("what", exact=True)
    expect(chosen).to_have_value("swing")
    expect(chosen.locator("option:checked")).to_have_text("one whole oscillation, 3.0 s")
    whole.evaluate(NOTE_PHASES)
    record(dialog)
    expect(whole.locator(RECORDS)).to_contain_text(re.compile(r"\d\.\d s of 3\.0 s"))
    data, length, size, pictures = read(dialog, 0.01, 0.5, 0.99)
    assert data.startswith(b"\x1a\x45\xdf\xa3")
    assert 2 < length < 6  # the oscillation is slower on a slow machine
    assert all(side % 2 == 0 for side in size)
    begin, middle, _ = pictures
    assert np.abs(begin - middle).mean() > 0.3
    phases = np.unwrap(whole.evaluate("window.phases"))
    turned = phases[-1] - phases[0]
    assert 2 * np.pi <= turned < 2 * np.pi + 2 * np.diff(phases).max()
    about = dialog.get_by_text(re.compile(r"tinkerformer-swing\.webm · "))
    expect(about).to_have_text(re.compile(r"· \d[\d.]* [kM]B · \d\.\d s, [1-9]\d* pictures$"))
    with whole.expect_download() as saved:
        dialog.get_by_role("button", name="Save the video").click()
    assert saved.value.suggested_filename == "tinkerformer-swing.webm"
    assert saved.value.path().read_bytes() == data
    assert not violations(whole)


def test_recording_an_oscillation_starts_it(whole: Page) -> None:
    whole.evaluate("window.tinkerformer.select('source.W_e', 4, 2)")
    dialog = share_of(whole)
    record(dialog, "swing", "MP4")
    data, *_ = read(dialog)
    assert data[4:8] == b"ftyp"
    assert whole.evaluate(SWINGS)


def test_a_recording_lasts_until_it_is_stopped(whole: Page) -> None:
    dialog = share_of(whole)
    record(dialog, "60")
    line = whole.locator(RECORDS)
    expect(line).to_contain_text(re.compile(r"[1-9]\.\d s of 60\.0 s"))
    expect(dialog).to_be_hidden()
    stop = line.get_by_role("button", name="Stop")
    expect(stop).to_be_focused()
    whole.keyboard.press("Enter")
    _, length, _, _ = read(dialog)
    assert 0.5 < length < 30
    expect(line).to_have_count(0)
    expect(dialog.get_by_role("button", name="Save the video")).to_be_focused()


def test_a_training_is_recorded_with_its_steps(new_context: Any, server: str) -> None:
    page = open_first_page(new_context(), server)
    open_view(page, "Train")
    page.wait_for_function("window.tinkerformer.look()")
    page.get_by_role("button", name=re.compile("Train (again|it)")).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    dialog = share_of(page)
    record(dialog, "5")
    _, length, _, (begin, end) = read(dialog, 0.02, 0.98)
    assert 4 < length < 15
    assert np.abs(begin - end).mean() > 0.1
    assert page.evaluate("window.tinkerformer.motion.composition().bottom") > 0


def test_the_film_is_recorded_from_its_beginning(whole: Page) -> None:
    dialog = share_of(whole)
    record(dialog, "film")
    whole.wait_for_function("document.documentElement.dataset.film === 'plays'")
    expect(whole.locator(RECORDS)).to_contain_text(re.compile(r"[1-9]\.\d s of \d\d\.\d s"))
    whole.locator(RECORDS).get_by_role("button", name="Stop").click()
    read(dialog)
    expect(dialog.get_by_text(re.compile("tinkerformer-film"))).to_be_visible()


def test_the_recorded_picture_is_the_visible_one(whole: Page) -> None:
    """With the labels, which are not on the picture's canvas."""
    whole.evaluate("window.tinkerformer.select('source.W_e', 4, 2)")
    at_rest(whole, "window.tinkerformer.rect('source.W_e', 4, 2)")
    whole.mouse.move(2, 2)
    picture = whole.locator(".whole")

    def difference() -> float:
        text, left, top = whole.evaluate(COMPOSED)
        seen = Image.open(io.BytesIO(picture.screenshot())).convert("RGB")
        made = Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")
        x, y = round(left), round(top)
        cut = made.crop((x, y, x + seen.width, y + seen.height))
        # The browser rounds the baseline of a text, and the canvas does not.
        blurred = [np.array(each.filter(ImageFilter.BoxBlur(1)), float) for each in (seen, cut)]
        return float(np.abs(blurred[0] - blurred[1]).mean())

    own = difference()
    picture.evaluate("node => node.querySelector('.labels').setAttribute('data-unrecorded', '')")
    assert own < 1.5  # of 255, for the edges of letters
    assert difference() > 1.6 * own


def test_only_the_picture_is_recorded(whole: Page) -> None:
    open_view(whole, "Formulas")
    dialog = share_of(whole)
    expect(dialog.get_by_text(re.compile("Only the picture can be recorded"))).to_be_visible()
    expect(dialog.get_by_role("button", name="Record", exact=True)).to_be_disabled()


def test_a_browser_that_cannot_record_states_it(new_context: Any, server: str) -> None:
    context = new_context()
    context.add_init_script("delete window.MediaRecorder")
    dialog = share_of(open_first_page(context, server))
    expect(dialog.get_by_text(re.compile("This browser cannot write videos"))).to_be_visible()
    expect(dialog.get_by_role("button", name="Record", exact=True)).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_recording_is_made_on_a_phone(new_context: Any, server: str, theme: str) -> None:
    context = new_context(
        viewport={"width": 420, "height": 860}, has_touch=True, color_scheme=theme
    )
    page = open_first_page(context, server)
    dialog = share_of(page)
    record(dialog, "60")
    line = page.locator(RECORDS)
    expect(line).to_contain_text(re.compile(r"0\.[3-9] s|[1-9]\.\d s"))
    box = line.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 420
    line.get_by_role("button", name="Stop").tap()
    _, _, (width, _), _ = read(dialog)
    assert width >= 420
    assert not violations(page)
