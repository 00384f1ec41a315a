"""``tinkerformer film``: records a film as a video, or as pictures."""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from ..film.opening import films
from ..lessons.format import Film, Lesson, Play
from ..session.address import FILM
from .lesson import NO_BROWSER, checked

SIZE = re.compile(r"(\d{3,4})x(\d{3,4})")
SIZES = (320, 3840)  # pixels of a side
RATES = (1, 60)
VIDEO = ".webm"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``tinkerformer film``."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="a lesson with a film in it; without one, the film of the first view",
    )
    parser.add_argument(
        "--record",
        type=Path,
        required=True,
        metavar="OUT",
        help="the video to write, such as out.webm; or a new folder for a PNG of each picture",
    )
    parser.add_argument("--size", type=_size, default=(1280, 720), help="size in pixels (1280x720)")
    parser.add_argument("--rate", type=_rate, default=25, help="pictures per second (25)")
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="theme of the page (light)"
    )


def run(options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """Record a film, or exit with a one-sentence error."""
    found, file, out = None, options.file, options.record
    if out.exists() and (out.is_file() or any(out.iterdir())):
        sys.exit(f"{out} is there already.")
    if out.suffix and out.suffix != VIDEO:
        sys.exit(f"A film is written as {VIDEO}, or as pictures into a folder.")
    if file is not None:
        found = checked(file, report)
        if found is None:
            sys.exit(1)
        if not films(found):
            sys.exit(f"{file.name} has no film.")
    try:
        from .film_recording import Recording, record
    except ModuleNotFoundError:
        sys.exit(NO_BROWSER)
    lessons = [] if found is None else [(file, found)]
    query, button = (f"?view={FILM}", None) if found is None else _place(found)
    query += "&embed&show=tokens"
    recording = Recording(query, options.size, options.rate, options.theme, out, button)
    try:
        record(recording, lessons, report)
    except (RuntimeError, OSError) as error:
        sys.exit(str(error))


def _place(lesson: Lesson) -> tuple[str, int]:
    """Return the query of the step with the first film, and the index of the film's button."""
    first = films(lesson)[0]
    at = next(k for k, step in enumerate(lesson.steps) if first in step.items)
    buttons = [item for item in lesson.steps[at].items if isinstance(item, Film | Play)]
    return f"?view=lesson:{lesson.name}&step={at + 1}", buttons.index(first)


def _size(text: str) -> tuple[int, int]:
    found = SIZE.fullmatch(text)
    sides = tuple(map(int, found.groups())) if found else ()
    if not sides or not all(SIZES[0] <= side <= SIZES[1] and side % 2 == 0 for side in sides):
        raise argparse.ArgumentTypeError(
            f"{text!r:.40} is no size: two even numbers of pixels, as 1280x720"
        )
    return sides[0], sides[1]


def _rate(text: str) -> int:
    if not text.isdecimal() or not RATES[0] <= int(text) <= RATES[1]:
        raise argparse.ArgumentTypeError(f"{text!r:.40} is no rate: {RATES[0]} to {RATES[1]}")
    return int(text)
