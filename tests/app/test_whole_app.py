"""The whole app, used at random: no action breaks an invariant. CONTRIBUTING: for long."""

from hypothesis import HealthCheck, Phase, settings

from tests.app.for_long import IS_LONG
from tests.app.whole_app.machine import WholeApp

TestWholeApp = WholeApp.TestCase
TestWholeApp.settings = settings(
    max_examples=1_000 if IS_LONG else 6,
    stateful_step_count=50 if IS_LONG else 25,
    # Only long runs search for the shortest actions that fail, because this takes time.
    phases=[*Phase] if IS_LONG else [Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    print_blob=True,
    suppress_health_check=[*HealthCheck],
)
