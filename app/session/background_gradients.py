"""Computes the gradients of a large model in the background."""

from __future__ import annotations

from collections.abc import Callable

from ..inference.forward_pass import ForwardPassRunner
from ..runtime.background import LatestJob
from .state import AppState


def compute_gradients(
    state: AppState, job: LatestJob, show: Callable[[], None], fail: Callable[[str], None]
) -> None:
    """Compute all gradients of the state's pass in a thread.

    Args:
        state: keeps them, unless the page shows another scenario meanwhile.
        job: runs the computation.
        show: called when they are there.
        fail: called with a sentence on why they cannot be computed.
    """
    scenario, runner = state.scenario, state.runner.aside()

    def make(go_on: Callable[[], None]) -> ForwardPassRunner:
        runner.before_pass = go_on
        runner.with_gradients(scenario)
        return runner

    def take(found: ForwardPassRunner) -> None:
        if found.has_pass_of(state.scenario):  # the display may have changed meanwhile
            state.runner.adopt(found)
            show()

    job.run(make, take, fail)
