"""Checks answers against the current numbers, and chooses a hint for wrong answers."""

from typing import Any, NamedTuple

from ..model.inference.forward_pass import ForwardPassRunner
from .changes import changed, moves_numbers
from .expressions import CheckError
from .format import Do, Hint, Predict, Text
from .numbers import LiveNumbers


class Right(NamedTuple):
    """The correct answer."""

    value: float  # a number, the index of a choice, or the column of a cell
    row: int = 0  # the row of a cell
    choices: tuple[Text, ...] = ()  # the texts of all choices


class Verdict(NamedTuple):
    """Whether an answer is correct, and a hint if it is not."""

    is_right: bool
    hint: Text = ()


def after(predict: Predict, numbers: LiveNumbers, aside: ForwardPassRunner) -> LiveNumbers:
    """Return the numbers that a prediction is about: those after the question's changes.

    ``aside`` computes them while the page shows the current numbers.
    """
    if not moves_numbers(predict.then):
        return numbers
    return numbers.with_scenario(changed(numbers.scenario, predict.then, aside), aside)


def right_answer(predict: Predict, numbers: LiveNumbers, aside: ForwardPassRunner) -> Right:
    """Compute the correct answer; ``ValueError`` if the current numbers have none."""
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
    """Judge an answer: a number, the index of a choice, or a row and a column.

    Raise ``ValueError`` if the answer is invalid, or the question has none.
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
    """Return whether a task was completed, and only by the changes that it asks for.

    Return False if its check cannot be evaluated on these numbers.
    """
    try:
        return not has_strayed(do, numbers) and bool(do.until(numbers))
    except ValueError:
        return False


def has_strayed(do: Do, numbers: LiveNumbers) -> bool:
    """Return whether anything that the task does not ask for was changed since the step began.

    A task asks for the changes of its demonstration: the text, settings, single numbers, dropout
    or, by training, all numbers.
    """
    now, start, show = numbers.scenario, numbers.at_start().scenario, do.show
    if show.train:
        return False
    return (
        (now.source != start.source and not show.text)
        or (now.settings != start.settings and not show.settings)
        or (now.edits != start.edits and not show.cells)
        or (now.training != start.training and show.dropout is None)
    )


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
