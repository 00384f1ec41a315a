from playwright.sync_api import Page

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest

CANVAS = "allOf('.whole canvas:not(.row-slide *)')[0]"
# Makes a frame take time in proportion to the picture's pixels, as without a graphics card.
SLOW = f"""() => {{
  const work = () => {{
    const {{ width, height }} = {CANVAS};
    const end = performance.now() + (width * height) / 2e5;
    while (performance.now() < end);
    if (!window.swift) requestAnimationFrame(work);
  }};
  requestAnimationFrame(work);
}}"""
FULL = f"{CANVAS}.width === Math.round({CANVAS}.clientWidth * devicePixelRatio)"


def test_late_frames_have_fewer_pixels_until_the_picture_stops_moving(
    new_context, server: str
) -> None:
    size = {"width": 1440, "height": 900}
    page: Page = open_first_page(new_context(viewport=size, device_scale_factor=2), server)
    assert page.evaluate(FULL)
    height = page.evaluate(f"{CANVAS}.height")
    page.evaluate(SLOW)
    page.evaluate("window.tinkerformer.select('source.W_e', 4, 3)")
    page.evaluate("window.tinkerformer.oscillate(true)")
    page.wait_for_function(f"!({FULL})")
    assert page.evaluate(f"{CANVAS}.width >= {CANVAS}.clientWidth")
    page.evaluate("document.documentElement.dataset.recording = ''")  # as during a recording
    page.wait_for_function(FULL)
    page.evaluate("delete document.documentElement.dataset.recording")
    page.wait_for_function(f"!({FULL})")
    page.evaluate("window.swift = true")
    page.evaluate("window.tinkerformer.oscillate(false)")
    page.wait_for_function(FULL)
    seen = at_rest(page, f"{CANVAS}.toDataURL()")
    page.set_viewport_size({**size, "height": 800})
    page.wait_for_function(f"height => {CANVAS}.height < height", arg=height)
    page.set_viewport_size(size)
    page.wait_for_function(f"height => {CANVAS}.height === height", arg=height)
    assert at_rest(page, f"{CANVAS}.toDataURL()") == seen  # as if painted for the first time
