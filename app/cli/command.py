"""Parses the arguments of ``tinkerformer``, and serves the page or runs a subcommand."""

import argparse
import io
import sys
from collections.abc import Sequence

from . import build, film, lesson, licenses, names, serve, train


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the page until it is stopped, or run a subcommand."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # for a console that cannot encode all characters
    options = _parser().parse_args(arguments)
    options.run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tinkerformer",
        description="Every number of the original Transformer on one page, each one editable.",
    )
    serve.add_options(parser)
    parser.set_defaults(run=serve.serve)
    commands = parser.add_subparsers(title="commands")
    serving = commands.add_parser("serve", help="serve the page (the default)")
    serve.add_options(serving)
    serving.set_defaults(run=serve.serve)
    training = commands.add_parser(
        "train",
        help="train a translator of dates, of phrases, or of your own pairs",
    )
    train.add_options(training)
    training.set_defaults(run=train.train)
    building = commands.add_parser(
        "build", help="write the page as a static site, a folder that any file server can serve"
    )
    build.add_options(building)
    building.set_defaults(run=build.build)
    naming = commands.add_parser(
        "names", help="list the arrays of a model, and propose a parameter for each"
    )
    names.add_options(naming)
    naming.set_defaults(run=names.run)
    lessons = commands.add_parser("lesson", help="check your own lessons")
    lesson.add_options(lessons)
    lessons.set_defaults(run=lesson.run)
    films = commands.add_parser("film", help="record a film as a video, or as pictures")
    film.add_options(films)
    films.set_defaults(run=film.run)
    licenses_parser = commands.add_parser(
        "licenses", help="list the packages that serve the page, and their licenses"
    )
    licenses_parser.set_defaults(run=licenses.run)
    return parser
