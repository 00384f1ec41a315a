"""Applies the changes of a lesson to a scenario."""

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.text import with_text
from ..model.inference.writing import with_written_target
from ..model.matrices.resolved_cell import resolve
from ..model.scenario.scenario import Scenario
from .format import Changes, Lesson


def changed(scenario: Scenario, changes: Changes, runner: ForwardPassRunner) -> Scenario:
    """Return the scenario after all changes, with the target that the model generates after them.

    Raise ``ValueError`` with one sentence if a change is not possible.
    """
    if changes.text:
        scenario = _with_text(scenario, changes.text)
    for name, raw in changes.settings:
        scenario = scenario.with_setting(name, raw)
    if changes.dropout is not None:
        scenario = scenario.with_training(changes.dropout)
    if changes.target:
        scenario = scenario.with_tokens("target", changes.target.split())
    scenario = with_written_target(scenario, runner)
    if changes.cells:
        for cell, value in changes.cells:
            try:
                found = resolve(runner.trace(scenario), cell)
            except KeyError as error:
                raise ValueError(str(error.args[0])) from None
            scenario = scenario.with_value(found.stored, found.full, value)
        scenario = with_written_target(scenario, runner)
    if changes.plane:
        scenario = scenario.with_view("plane", changes.plane)
    return scenario


def _with_text(scenario: Scenario, text: str) -> Scenario:
    if scenario.own_vocabulary is None:
        return scenario.with_tokens("source", text.split())
    return with_text(scenario, text)


def begun(lesson: Lesson, step: int, runner: ForwardPassRunner) -> Scenario:
    """Return the scenario at the beginning of a step."""
    return changed(lesson.scenario, lesson.steps[step].look.changes, runner)


def moves_numbers(changes: Changes) -> bool:
    """Return whether the changes affect the shown numbers, and not only the focus."""
    return changes != Changes(
        select=changes.select,
        follow=changes.follow,
        view=changes.view,
        swings=changes.swings,
        train=changes.train,
    )
