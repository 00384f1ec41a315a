"""Finds pages in the frames of another page, and uses them."""

from playwright.sync_api import Error, Frame, Page

PATH = "encoder.0.self_attn.head.0.W_q"
ALIVE = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"


def alive(page: Page, model: str, timeout: int = 60_000) -> Frame:
    """Wait for a frame that shows this model with its numbers, and return it."""
    for _ in range(timeout // 100):
        for frame in page.frames:
            shown = f"({ALIVE}) ? window.tinkerformer.scenario().model : null"
            if frame.url == "about:srcdoc" and _said(frame, shown) == model:
                return frame
        page.wait_for_timeout(100)
    raise AssertionError(f"No frame shows {model}.")


def _said(frame: Frame, script: str) -> str | None:
    """Return a script's value in a frame; None if the frame is being replaced."""
    try:
        return frame.evaluate(script)
    except Error:
        if not frame.is_detached():
            raise
        return None


def select(frame: Frame, path: str, i: int, j: int) -> None:
    frame.evaluate(f"window.tinkerformer.select('{path}', {i}, {j})")
    frame.wait_for_function(f"window.tinkerformer.selection()?.path === '{path}'")


def wait_for_value(frame: Frame, path: str, i: int, j: int, value: float) -> None:
    frame.wait_for_function(
        f"Math.abs(window.tinkerformer.value('{path}', {i}, {j}) - {value}) < 1e-6"
    )


def swing(frame: Frame) -> None:
    """Let the selected number oscillate for more than ten painted frames."""
    frame.evaluate("window.tinkerformer.oscillate(true)")
    frame.wait_for_function("window.tinkerformer.oscillating()")
    before = frame.evaluate("window.tinkerformer.frames")
    frame.wait_for_function(f"window.tinkerformer.frames > {before} + 10")
    frame.evaluate("window.tinkerformer.oscillate(false)")
    frame.wait_for_function("!window.tinkerformer.oscillating()")
