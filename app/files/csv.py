"""Exports a matrix with its labels as comma-separated values (RFC 4180)."""

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

# Spreadsheets treat a cell as a formula if it starts with a character of the last group. Some also
# split lines at characters other than the comma, so a cell may start after those characters, too.
_FORMULA = re.compile(r"(^|[;,\t\r\n])([\"'\s]*)([=+\-@|%＝＋－＠])")


def table(
    values: np.ndarray, row_labels: Sequence[str], col_labels: Sequence[str], corner: str = ""
) -> bytes:
    """Format values (n, m) with a header of column labels; each row begins with its row label.

    Numbers are the shortest decimals that parse to the same float. The text begins with a
    byte-order mark, by which spreadsheets recognize UTF-8.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(harmless, [corner, *col_labels]))
    for label, row in zip(row_labels, values, strict=True):
        writer.writerow([harmless(label), *map(_number, row)])
    # The user can type half of a surrogate pair, which cannot be encoded.
    return text.getvalue().encode("utf-8-sig", "replace")


def harmless(label: str) -> str:
    """Prefix a label with an apostrophe if a spreadsheet would execute it as a formula."""
    return _FORMULA.sub(r"\1\2'\3", label).replace("\0", "")


def _number(value: np.floating | np.integer) -> str:
    """Return the shortest decimal of a number, with an exponent if it is very large or small."""
    if isinstance(value, np.floating) and 1e-4 <= abs(value) < 1e16:
        return np.format_float_positional(value, trim="-")
    return str(value)
