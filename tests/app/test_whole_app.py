"""The whole app, used at random: whatever is done, no invariant breaks. CONTRIBUTING: for long."""

from hypothesis import HealthCheck, Phase, settings

from tests.app.for_long import IS_LONG
from tests.app.whole_app.machine import WholeApp

TestWholeApp = WholeApp.TestCase
TestWholeApp.settings = settings(
    max_examples=1_000 if IS_LONG else 6,
    stateful_step_count=50 if IS_LONG else 25,
    # The shortest use that fails is looked for only by those who have the time for that.
    phases=[*Phase] if IS_LONG else [Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    print_blob=True,
    suppress_health_check=[*HealthCheck],
)
