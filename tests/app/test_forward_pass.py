"""The runner keeps the passes that are compared, so that each is computed only once."""

import pytest
from tinkerformer.explain.changes import last_change
from tinkerformer.explain.effect import effect
from tinkerformer.files import catalog
from tinkerformer.model.inference import forward_pass
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario

CELL = ("source.W_e", (4, 0))


class Counting(ForwardPassRunner):
    """A runner that counts the passes it computes."""

    def __init__(self) -> None:
        super().__init__()
        self.computed = 0
        self.before_pass = self._count

    def _count(self) -> None:
        self.computed += 1


def edited(scenario: Scenario, value: float) -> Scenario:
    return scenario.with_value(*CELL, value)


@pytest.fixture
def runner() -> Counting:
    return Counting()


def test_the_last_passes_are_kept(runner: Counting):
    all_ = [edited(Scenario(), value) for value in range(4)]
    traces = [runner.trace(each) for each in all_[:3]]
    assert [runner.trace(each) for each in all_[:3]] == traces
    assert runner.computed == 3
    runner.trace(all_[3])
    assert [runner.trace(each) for each in all_[1:3]] == traces[1:]
    assert runner.computed == 4
    assert runner.trace(all_[0]) is not traces[0]


def test_a_drag_computes_one_pass_for_each_value_and_one_for_its_beginning(runner: Counting):
    first = edited(Scenario(), 0)
    for value in range(1, 5):
        runner.trace(edited(first, value))
        effect(first, edited(first, value), runner)
    assert runner.computed == 5


def test_only_one_pass_of_a_large_model_is_kept(runner: Counting, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(forward_pass.cost, "INLINE", 0)
    first = Scenario()
    runner.trace(first)
    runner.trace(edited(first, 1))
    assert not runner.has_pass_of(first)


def test_a_value_that_is_derived_from_a_pass_is_kept_as_long_as_the_pass(runner: Counting):
    first, second = Scenario(), edited(Scenario(), 1)
    found = [runner.once(each, "loss", lambda trace: object()) for each in (first, second)]
    assert found[0] is not found[1]
    assert [runner.once(each, "loss", lambda trace: None) for each in (first, second)] == found
    assert runner.once(edited(first, 2), "loss", lambda trace: None) is None


def test_view_settings_do_not_change_the_pass(runner: Counting):
    first = Scenario()
    other = first.with_view("scale", "matrix")
    assert runner.trace(first) is runner.trace(other)


def test_the_sentence_about_an_edit_computes_no_pass(runner: Counting):
    before = with_written_target(catalog.first("phrases"), runner)
    runner.trace(before)
    now = edited(before, 0.5)
    runner.trace(now)
    runner.computed = 0
    change = last_change(before, now, runner)
    assert change is not None
    assert change.effect
    assert runner.computed == 0
