"""``tinkerformer lesson check``: checks a lesson against its model and in a browser."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from ..dares import checking as dares
from ..film import checking
from ..lessons import catalog, structure
from ..lessons.format import Lesson
from ..lessons.formulas import formulas
from ..lessons.in_sight import answers_in_sight
from ..lessons.problem import LessonProblem
from ..number_text import counted
from .formulas import NO_ENGINE, NoEngine, wrong_formulas

NO_BROWSER = (
    "To walk lessons in a browser, too, install Playwright: pip install playwright, and then "
    "playwright install chromium. Without it, --no-browser checks all that needs none."
)


def add_folders_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for additional lesson folders."""
    parser.add_argument(
        "--lessons",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="a folder with your own lessons, which are added to those of the page; can be given "
        "several times (none)",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``tinkerformer lesson``."""
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser(
        "check",
        help="open every step, give every right answer and a wrong one, and report problems",
    )
    check.add_argument("files", type=Path, nargs="+", metavar="FILE", help="a lesson, or a folder")
    check.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="check files, paths, words, formulas, expressions, answers and dares, in seconds",
    )
    check.add_argument(
        "--site",
        metavar="SITE",
        default="",
        help="check the steps on a page that already has the lessons: an address, or the folder "
        "that tinkerformer build wrote",
    )


def run(options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """Check lessons; exit with an error if a lesson has a problem."""
    lessons, is_right = checked_all(options.files, report)
    if options.browser and lessons:
        try:
            from .lesson_walk import walk
        except ModuleNotFoundError:
            sys.exit(NO_BROWSER)
        site = options.site
        if site and not (site.startswith(("http://", "https://")) or Path(site).is_dir()):
            sys.exit(f"There is no folder {site}, and an address begins with http:// or https://.")
        is_right &= walk(lessons, site, report)
    if not is_right:
        sys.exit(1)


def checked_all(
    paths: Iterable[Path], report: Callable[[str], None]
) -> tuple[list[tuple[Path, Lesson]], bool]:
    """Check lessons and folders of lessons without a browser, and report all problems.

    Return the lessons without problems, with their files, and whether no lesson has a problem.
    """
    files = [file for each in paths for file in _files(each)]
    found = [(file, checked(file, report)) for file in files]
    right = [(file, lesson) for file, lesson in found if lesson is not None]
    return right, len(right) == len(files)


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.md")) if path.is_dir() else [path]


def checked(file: Path, report: Callable[[str], None]) -> Lesson | None:
    """Check a lesson without a browser; return it, or report its problems and return None."""
    lesson, problems = catalog.looked_through(file)
    notes: list[LessonProblem] = []
    if lesson is not None:
        problems += structure.problems(lesson)
        problems += checking.problems(lesson)
        problems += dares.problems(lesson)
        problems += _of_formulas(lesson, report)
        notes = answers_in_sight(lesson)
    for each in sorted(problems, key=lambda problem: problem.line):
        report(f"{each}.")
    for each in notes:
        report(f"{each} (a note).")
    if lesson is None or problems:
        return None
    steps = counted(len(lesson.steps), "step")
    report(f"{file.name}: {steps}, right on their own numbers.")
    return lesson


def _of_formulas(lesson: Lesson, report: Callable[[str], None]) -> list[LessonProblem]:
    """Return a problem for each formula that the page could not typeset."""
    found = formulas(lesson)
    if not found:
        return []
    try:
        wrong = wrong_formulas(found)
    except NoEngine:
        report(f"{lesson.file}: {counted(len(found), 'formula')} {NO_ENGINE}.")
        return []
    return [
        LessonProblem(lesson.file, each.line, f"${each.tex}$ cannot be typeset: {said}")
        for each, said in wrong
    ]
