"""Reads the training data that a program passes in."""

from collections.abc import Iterable
from os import PathLike
from typing import Any

from transformer_math.data.given import given_pairs
from transformer_math.data.pairs import Pairs, as_csv
from transformer_math.data.report import checked
from transformer_math.data.text_checks import BadLine
from transformer_math.data.texts import Blanks, Classes, NextWords

from ..model.scenario.training_data import DataName, Kind, TrainingData

# The task learned from lines of text, by the kind of model.
_OF_LINES: dict[Kind, DataName] = {
    "decoder-only": "own-next-word",
    "encoder-only": "own-blanks",
}


def training_data_of(data: Any, kind: Kind = "decoder-only") -> TrainingData:
    """The training data from an argument of a program.

    Args:
        data: a result of `next_words`, `blanks`, `pairs`, `phrases` or similar; a list of texts; or
            anything that `pairs` reads, such as a list of pairs or the path of a file.
        kind: the kind of the model, which determines the task for a list of texts: next words or
            blanks.

    Raises:
        TypeError: the data have another type.
        OSError: the file cannot be read.
        ValueError: the data cannot be learned on the page; one sentence.
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
    """The page's training data for an object, with its split and its order of words unchanged."""
    if isinstance(data, Classes):
        raise ValueError(
            "Classes are learned in Python, and the page learns pairs, next words and blanks: show "
            "the trained model with vocabulary=data."
        )
    name: DataName = "own"
    if isinstance(data, NextWords | Blanks):
        name = "own-next-word" if isinstance(data, NextWords) else "own-blanks"
    return TrainingData(name, unit=data.unit, given=data)
