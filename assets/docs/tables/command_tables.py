"""The commands and the environment, out of the parsers and of what reads the environment."""

from __future__ import annotations

import argparse
import os

from markdown_tables import code, table
from tinkerformer.cli import command
from tinkerformer.runtime import limits


def commands() -> str:
    """Every command with its usage and its options."""
    # What argparse writes depends on the width of the screen that it writes for.
    os.environ["COLUMNS"] = "90"
    return "\n\n".join(_described(parser) for parser in parsers(command._parser()))


def parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """A parser, and those of its commands."""
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
        parts.append(table(("option", "what it says"), rows))
    return "\n\n".join(filter(None, parts))


def _usage(parser: argparse.ArgumentParser) -> str:
    usage = parser.format_usage().removeprefix("usage: ").rstrip()
    lines = "\n".join(line.removeprefix("       ") for line in usage.splitlines())
    return f"```text\n{lines}\n```"


def _written(action: argparse.Action) -> str:
    names = action.option_strings or [str(action.metavar or action.dest)]
    takes = ""
    if action.option_strings and action.nargs != 0:
        named = "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
        takes = f" {action.metavar or named}"
    return ", ".join(code(f"{name}{takes}") for name in names)


def limits_table() -> str:
    """The limits of a process."""
    return table(
        ("variable", "what it limits"),
        [(code(limit.variable), limit.about) for limit in limits.LIMITS],
    )


TABLES = {"commands": commands, "limits-table": limits_table}
