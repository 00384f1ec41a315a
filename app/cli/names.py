"""``tinkerformer names``: lists a model's arrays, and proposes a parameter for each of them."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from transformer_math.checkpoints.given_files import GivenFiles, Weights
from transformer_math.checkpoints.propose import proposal
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.state import Wanted
from transformer_math.checkpoints.whole_file import write_whole

NAME = "names.json"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``tinkerformer names``."""
    parser.add_argument("file", type=Path, help="the file or the folder of the model")
    parser.add_argument(
        "--to", type=Path, default=Path(NAME), help=f"the JSON file to write ({NAME})"
    )


def run(options: argparse.Namespace) -> None:
    """Print name, shape, dtype and proposed parameter of each array, and write the proposal."""
    if options.to.exists():
        sys.exit(f"{options.to} is already there and may be edited; --to names another file.")
    try:
        given = GivenFiles(options.file)
        weights = given.weights()
        proposed = proposal(weights.arrays)
        write_whole({options.to: (json.dumps(proposed, indent=2) + "\n").encode()})
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    print(_table(weights, proposed["arrays"]))
    for other in weights.other:
        print(f"beside the state: {other}")
    print(f"\n{_verdict(given, proposed, options.to)}\nWritten to {options.to}.")


def _table(weights: Weights, paths: dict[str, str | None]) -> str:
    """Return a table with a line for each array."""
    rows = [("array", "shape", "dtype", "parameter")]
    for name, array in weights.arrays.items():
        shape = " × ".join(map(str, array.shape)) or "one number"
        rows.append((name, shape, array.dtype.name, paths.get(name) or "–"))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = (
        "  ".join([*(cell.ljust(n) for cell, n in zip(row, widths, strict=False)), row[3]])
        for row in rows
    )
    return "\n".join(lines)


def _verdict(given: GivenFiles, proposed: dict[str, Any], to: Path) -> str:
    """Return a sentence on whether, and how, the model opens with the proposal."""
    why = ""
    for names, how in ((None, ""), (proposed, f", names={str(to)!r}")):
        try:
            return f"It opens as {read_files(given, names=names).family}{how}."
        except Wanted as wanted:
            choices = wanted.choices
        except ValueError as error:
            why = str(error)
            continue
        try:
            found = read_files(given, choices[0], names)
        except ValueError as error:
            why = str(error)
            continue
        listed = ", ".join(map(str, choices))
        return f"It opens as {found.family} with heads=…, one of {listed}{how}."
    return f"It does not open with this proposal: {why}\nEdit the file, and give it as names=."
