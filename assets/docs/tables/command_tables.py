"""Tables of the commands and environment variables, from the code that reads them."""

from __future__ import annotations

import argparse
import re
import textwrap
from functools import partial

from markdown_tables import code, table
from tinkerformer.cli import command
from tinkerformer.transport.runtime import limits

NO_BREAK = "\N{NO-BREAK SPACE}"


def commands() -> str:
    """Return every command with its usage and its options."""
    return "\n\n".join(_described(parser) for parser in parsers(command._parser()))


def parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Yield a parser, and those of its commands."""
    found = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                found += parsers(each)
    return found


def _described(parser: argparse.ArgumentParser) -> str:
    rows = [
        (_written(action), action.help or "")
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    help_of = {
        each.dest: each.help or ""
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for each in action._choices_actions
    }
    parts = [f"## {parser.prog}", _usage(parser), parser.description or ""]
    if help_of:
        parts.append(table(("command", "what it does"), [(code(k), v) for k, v in help_of.items()]))
    if rows:
        parts.append(table(("option", "meaning"), rows))
    return "\n\n".join(filter(None, parts))


def _usage(parser: argparse.ArgumentParser) -> str:
    # Versions of Python break long lines differently, so the width is large enough for all.
    parser.formatter_class = partial(argparse.HelpFormatter, width=10_000)
    usage = parser.format_usage().removeprefix("usage: ").strip()
    options = re.findall(r"\[.*?\](?= |$)|\S+", usage.removeprefix(f"{parser.prog} "))
    lines = textwrap.wrap(
        " ".join(option.replace(" ", NO_BREAK) for option in options),
        width=90,
        initial_indent=f"{parser.prog} ",
        subsequent_indent=" " * (len(parser.prog) + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "```text\n" + "\n".join(lines).replace(NO_BREAK, " ") + "\n```"


def _written(action: argparse.Action) -> str:
    names = action.option_strings or [str(action.metavar or action.dest)]
    takes = ""
    if action.option_strings and action.nargs != 0:
        named = "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
        takes = f" {action.metavar or named}"
    return ", ".join(code(f"{name}{takes}") for name in names)


def limits_table() -> str:
    """Return the limits of a process."""
    return table(
        ("variable", "what it limits"),
        [(code(limit.variable), limit.about) for limit in limits.LIMITS],
    )


TABLES = {"commands": commands, "limits-table": limits_table}
