"""Checks a lesson's dare against its model, and reports problems."""

from collections.abc import Iterator

from ..lessons.changes import begun
from ..lessons.format import Dare, Lesson
from ..lessons.problem import LessonProblem
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario
from ..session.scenario_json import scenario_from, scenario_to_dict
from .attempt import Attempt
from .score import score
from .words import measure

CLOSE = 0.02  # tolerated relative deviation of the attempt's measure from ``best``


def problems(lesson: Lesson) -> list[LessonProblem]:
    """Return all problems of a lesson's dare."""
    return [
        LessonProblem(lesson.file, line, said.rstrip("."))
        for k, step in enumerate(lesson.steps)
        for line, item in zip(step.lines, step.items, strict=True)
        if isinstance(item, Dare)
        for said in _of_dare(lesson, k, item)
    ]


def _of_dare(lesson: Lesson, step: int, dare: Dare) -> Iterator[str]:
    runner = ForwardPassRunner()
    try:
        given = begun(lesson, step, runner)
        if dare.may != "training":
            now = score(dare, Attempt(given, given), runner)
            if now.refused:
                yield now.refused
            elif now.is_reached != (dare.may == "silences"):
                does = "holds" if now.is_reached else "does not hold"
                yield f"the goal {does} before anything is changed"
        if dare.attempt:
            yield from _of_attempt(dare, given, attempt_of(dare, given), runner)
    except (KeyError, ValueError) as error:
        yield str(error.args[0]) if error.args else type(error).__name__


def _of_attempt(
    dare: Dare, given: Scenario, scenario: Scenario, runner: ForwardPassRunner
) -> Iterator[str]:
    found = score(dare, Attempt(given, scenario), runner)
    if found.refused or found.value is None:
        yield f"its attempt is refused: {found.refused}"
    elif not found.is_reached:
        yield f"its attempt does not reach the goal: {found.what}"
    elif abs(found.value - dare.best) > CLOSE * dare.best:
        has, said = measure(dare, found.value), measure(dare, dare.best)
        yield f"its attempt has {has}, and the best known is said to be {said}"


def attempt_of(dare: Dare, given: Scenario) -> Scenario:
    """Return the scenario of the attempt in a dare's file; raise ``ValueError`` if it is wrong."""
    return scenario_from({**scenario_to_dict(given, with_weights=False), **dare.attempt})
