import hypothesis.strategies as st
import param
from hypothesis import given
from tinkerformer.session.watchers import Watchers

NAMES = ["a", "b", "c"]


class Owner(param.Parameterized):
    a = param.Integer(default=0)
    b = param.Integer(default=0)
    c = param.Integer(default=0)


WATCHED = st.lists(st.tuples(st.sets(st.sampled_from(NAMES), min_size=1), st.booleans()))
VALUES = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 1), min_size=1)


@given(WATCHED, VALUES)
def test_watchers_are_called_in_the_order_in_which_they_were_added(watched, values):
    owner, heard = Owner(), []
    watchers = Watchers(owner)
    for k, (names, only_changed) in enumerate(watched):
        hear = lambda *events, k=k: heard.append((k, {e.name for e in events}))  # noqa: E731
        watchers.add(hear, sorted(names), only_changed)
    owner.param.update(**values)
    changed = {name for name, value in values.items() if value}
    expected = [
        (k, of)
        for k, (names, only_changed) in enumerate(watched)
        if (of := names & (changed if only_changed else values.keys()))
    ]
    assert heard == expected
