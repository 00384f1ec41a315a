"""What is pinned is what is shown: its pass is at hand."""

import numpy as np
import pytest
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from transformer_math import Transformer

W_Q, ANSWER = "encoder.0.self_attn.head.0.W_q", "output.probabilities"


@pytest.fixture
def passes(monkeypatch):
    found, passed = [], Transformer.__call__

    def told(self, *arguments, **more):
        found.append(self)
        return passed(self, *arguments, **more)

    monkeypatch.setattr(Transformer, "__call__", told)
    return found


def test_pinning_computes_nothing_and_what_is_pinned_stays(passes):
    state = AppState(Scenario())
    before = state.trace[ANSWER].value.copy()
    passes.clear()
    state.baseline = state.scenario
    assert state.pinned.trace is state.trace
    assert not passes
    state.change(state.scenario.with_value(W_Q, (0, 0), 5))
    assert (state.trace[ANSWER].value != before).any()
    np.testing.assert_array_equal(state.pinned.trace[ANSWER].value, before)
    assert len(passes) == 1


def test_what_one_came_back_to_is_pinned_without_a_pass_and_others_have_their_own(passes):
    state = AppState(Scenario())
    state.change(state.scenario.with_setting("seed", 5))
    other = Scenario().with_value(W_Q, (0, 0), 5)
    state.baseline = other
    expected = ForwardPassRunner().trace(other)[ANSWER].value
    np.testing.assert_array_equal(state.pinned.trace[ANSWER].value, expected)
    state.undo()
    shown = state.trace
    passes.clear()
    state.baseline = state.scenario
    assert state.pinned.trace is shown
    assert not passes
