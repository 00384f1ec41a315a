"""Computes the gradients of a large model in the background."""

from collections.abc import Callable

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..transport.runtime.derived import Check, Derived, Result
from ..transport.runtime.page_session import PageSession
from .state import AppState


class BackgroundGradients:
    """Gradients of the state's pass; once computed, the state's runner caches them."""

    def __init__(self, state: AppState, page: PageSession, show: Callable[[], None]) -> None:
        """Call ``show`` when the gradients have been computed, or failed."""
        self._state = state
        self._found: Derived[ForwardPassRunner] = Derived(page, show)
        self.ask = self._found.ask

    def want(self, *, on_request: bool = False) -> Result[ForwardPassRunner]:
        """Return the gradients if available, else compute them, for some models only on request."""
        state, scenario = self._state, self._state.scenario
        if cost.has_cheap_gradients(scenario) or state.runner.has_gradients(scenario):
            return Result("ready")
        runner = state.runner.aside()

        def compute(check: Check) -> ForwardPassRunner:
            runner.before_pass = check
            runner.with_gradients(scenario)
            return runner

        key = scenario.undrawn
        found = self._found.want(key, compute, subject=key, on_request=on_request)
        if found.value is not None:
            state.runner.adopt(found.value)
        return found
