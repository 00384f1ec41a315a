"""Reads the data that a program gives for a page to learn from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from transformer_math.data.pairs import Pairs
from transformer_math.data.texts import Blanks, Classes, NextWords

from ..scenario.training_data import DataName, Kind, TrainingData

# What is learned of lines, by the kind of model.
_OF_LINES: dict[Kind, DataName] = {
    "decoder-only": "own-next-word",
    "encoder-only": "own-blanks",
}


def training_data_of(data: Any, kind: Kind = "decoder-only") -> TrainingData:
    """The training data of what a program gives.

    Args:
        data: what `next_words`, `blanks`, `read_csv`, `phrases` and the like return; a list of
            texts; or a list of pairs of a source and a target.
        kind: the kind of the model, which says what is learned of a list of texts: the next word,
            or blanks.

    Raises:
        TypeError: the data are none of these.
        ValueError: they cannot be learned on the page; one sentence.
    """
    if isinstance(data, TrainingData):
        return data
    if isinstance(data, Pairs):
        return _of_object(data)
    if isinstance(data, str) or not isinstance(data, Iterable):
        raise TypeError(
            "Data are a list of texts, a list of pairs of a source and a target, or what "
            f"next_words, blanks or read_csv return, not {data!r:.40}."
        )
    rows = list(data)
    if all(isinstance(row, str) for row in rows):
        if kind not in _OF_LINES:
            raise ValueError(
                "Texts by themselves are learned by a model of one stack; a model that translates "
                "learns pairs: [(source, target), …]."
            )
        return TrainingData(_OF_LINES[kind], "\n".join(rows), "word")
    if all(isinstance(row, tuple | list) and [type(s) for s in row] == [str, str] for row in rows):
        return TrainingData("own", _csv(rows), "word")
    raise TypeError("Each of the data is a text, or a pair of two texts: (source, target).")


def _of_object(data: Pairs) -> TrainingData:
    """The page's name of data, which stay as they are: their split and the order of their words."""
    if isinstance(data, Classes):
        raise ValueError(
            "Classes are learned in Python, and the page learns pairs, next words and blanks: show "
            "the trained model with vocabulary=data."
        )
    name: DataName = "own"
    if isinstance(data, NextWords | Blanks):
        name = "own-next-word" if isinstance(data, NextWords) else "own-blanks"
    return TrainingData(name, unit=data.unit, given=data)


def _csv(rows: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue()
