"""Reads the training data that a Python program passes to the page."""

from collections.abc import Iterable
from os import PathLike
from typing import Any

from transformer_math.data.given import given_pairs
from transformer_math.data.pairs import Pairs, as_csv
from transformer_math.data.report import checked
from transformer_math.data.text_checks import BadLine
from transformer_math.data.texts import Blanks, Classes, NextWords

from ..model.scenario.training_data import DataName, Kind, TrainingData

# Kind of model -> the task that it learns from lines of text.
_OF_LINES: dict[Kind, DataName] = {
    "decoder-only": "own-next-word",
    "encoder-only": "own-blanks",
}


def training_data_of(data: Any, kind: Kind = "decoder-only") -> TrainingData:
    """Convert an argument of a program to training data.

    Args:
        data: a result of `next_words`, `blanks`, `pairs`, `phrases` or similar; a list of texts; or
            anything that `pairs` reads, such as a list of pairs or the path of a file.
        kind: the kind of the model, which determines the task for a list of texts: to predict next
            words or blanks.

    Raises:
        TypeError: the data have another type.
        OSError: the file cannot be read.
        ValueError: the page cannot train on the data; the message is one sentence.
    """
    if isinstance(data, TrainingData):
        return data
    if isinstance(data, Pairs):
        return _of_object(data)
    if not isinstance(data, Iterable | PathLike):
        raise TypeError(
            "Data are a list of texts, a list of pairs of a source and a target, the path of a "
            f"file of pairs, or what next_words, blanks or pairs return, not {data!r:.40}."
        )
    lines = list(data) if isinstance(data, list | tuple) else []
    if lines and all(isinstance(line, str) for line in lines):
        if kind not in _OF_LINES:
            raise ValueError(
                "Texts by themselves are learned by a model of one stack; a model that translates "
                "learns pairs: [(source, target), …]."
            )
        return TrainingData(_OF_LINES[kind], "\n".join(lines), "word")
    found, report = checked(given_pairs(data))
    if report.skipped:
        raise BadLine(*report.skipped[0])
    return TrainingData("own", as_csv(found), report.unit)


def _of_object(data: Pairs) -> TrainingData:
    """Convert pairs to training data; their split and the order of their words are kept."""
    if isinstance(data, Classes):
        raise ValueError(
            "Classes are learned in Python, and the page learns pairs, next words and blanks: show "
            "the trained model with vocabulary=data."
        )
    name: DataName = "own"
    if isinstance(data, NextWords | Blanks):
        name = "own-next-word" if isinstance(data, NextWords) else "own-blanks"
    return TrainingData(name, unit=data.unit, given=data)
