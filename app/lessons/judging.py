"""Whether an answer is right, by the numbers that are on the page, and what is said if not."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..inference.forward_pass import ForwardPassRunner
from .changes import changed, moves_numbers
from .expressions import CheckError
from .format import Do, Hint, Predict, Text
from .numbers import LiveNumbers


class Right(NamedTuple):
    """The right answer.

    Attributes:
        value: a number; the place of the choice; the column of the cell.
        row: of the cell.
        choices: the texts to choose from.
    """

    value: float
    row: int = 0
    choices: tuple[Text, ...] = ()


class Verdict(NamedTuple):
    """Whether an answer is right; if it is not, what helps."""

    is_right: bool
    hint: Text = ()


def after(predict: Predict, numbers: LiveNumbers, aside: ForwardPassRunner) -> LiveNumbers:
    """The numbers that a prediction is about.

    Args:
        predict: the question.
        numbers: as they are while it is asked.
        aside: computes what comes after, while the page shows what is before.
    """
    if not moves_numbers(predict.then):
        return numbers
    return numbers.with_scenario(changed(numbers.scenario, predict.then, aside), aside)


def right_answer(predict: Predict, numbers: LiveNumbers, aside: ForwardPassRunner) -> Right:
    """The right answer, computed.

    Raises:
        ValueError: these numbers have none; one sentence.
    """
    found = after(predict, numbers, aside)
    value = predict.answer(found)
    if predict.kind == "cell":
        row = predict.row(found) if predict.row else 0
        return Right(_number(value), int(_number(row)))
    if predict.kind == "number":
        return Right(_number(value))
    choices = predict.choices
    if not isinstance(choices, tuple):
        choices = tuple((str(each),) for each in choices(found))
    if isinstance(value, str):
        value = next((k for k, each in enumerate(choices) if each == (value,)), -1)
    if not 0 <= _number(value) < len(choices):
        raise CheckError(f"{predict.answer.text!r} gives {value!r}, which is none of the choices")
    return Right(float(value), choices=choices)


def judged(predict: Predict, given: Any, numbers: LiveNumbers, aside: ForwardPassRunner) -> Verdict:
    """What is said to an answer: a number, the place of a choice, or a row and a column.

    Raises:
        ValueError: it is no answer, or there is none.
    """
    right = right_answer(predict, numbers, aside)
    if predict.kind == "cell":
        row, column = given
        if (row, column) == (right.row, int(right.value)):
            return Verdict(True)
        given = column
    elif abs(_number(given) - right.value) <= (predict.tolerance or 0.0):
        return Verdict(True)
    about = after(predict, numbers, aside)
    names = {"given": given, "right": right.value}
    if right.choices and 0 <= given < len(right.choices):
        names = {name: int(x) for name, x in names.items()}
    return Verdict(False, _hint(predict.hints, about, **names))


def is_done(do: Do, numbers: LiveNumbers) -> bool:
    """Whether what was to be done is done; what cannot be asked of these numbers is not."""
    try:
        return bool(do.until(numbers))
    except ValueError:
        return False


def _hint(hints: tuple[Hint, ...], numbers: LiveNumbers, **names: Any) -> Text:
    for hint in hints:
        if hint.when is None or hint.when(numbers, **names):
            return hint.say
    return ("Not that. Look again.",)


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise CheckError(f"{raw!r} is no number")
    try:
        return float(raw)
    except OverflowError:
        raise CheckError("the number is too large") from None
