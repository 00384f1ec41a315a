"""A matrix with its labels as comma-separated values (RFC 4180)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

# A spreadsheet takes a cell that starts so for a formula; some split lines at other signs than
# the comma, so what follows those counts as a start, too.
_FORMULA = re.compile(r"(^|[;,\t\r\n])([\"'\s]*)([=+\-@|%＝＋－＠])")


def table(
    values: np.ndarray, row_labels: Sequence[str], col_labels: Sequence[str], corner: str = ""
) -> bytes:
    """Rows (n, m) under the labels of the columns, each behind the label of its row.

    Numbers are the shortest that give the same float back. With a byte-order mark, by which
    spreadsheets know UTF-8.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(harmless, [corner, *col_labels]))
    for label, row in zip(row_labels, values, strict=True):
        writer.writerow([harmless(label), *map(_number, row)])
    # Half of a surrogate pair can be typed, but not be written.
    return text.getvalue().encode("utf-8-sig", "replace")


def harmless(label: str) -> str:
    """A label that no spreadsheet runs: an apostrophe before what would make it a formula."""
    return _FORMULA.sub(r"\1\2'\3", label).replace("\0", "")


def _number(value: np.floating | np.integer) -> str:
    """The shortest text that gives the same number back, with an exponent where it is far off 1."""
    if isinstance(value, np.floating) and 1e-4 <= abs(value) < 1e16:
        return np.format_float_positional(value, trim="-")
    return str(value)
