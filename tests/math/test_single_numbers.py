"""Single numbers: compared with all numbers at many values by single passes, and with mistakes."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.math.lively import lively
from transformer_math import Transformer
from transformer_math.config import DropoutRates
from transformer_math.experiments import (
    Likeliest,
    SingleNumber,
    margins,
    single,
    single_numbers,
    single_numbers_so_far,
)
from transformer_math.graph.backward import gradients
from transformer_math.graph.sweep import sweep
from transformer_math.graph.trace import Trace

SOURCE, TARGET = np.array([3, 1, 2, 0]), np.array([1, 4, 2])
SMALL = {"d_model": 4, "d_ff": 5, "source_vocabulary": 5, "target_vocabulary": 6}
LOGITS = "output.logits"
SPAN, VALUES = 3.0, 241

KINDS: dict[str, dict[str, object]] = {
    "both stacks": {},
    "before the norm": {"norm": "pre", "activation": "gelu"},
    "tied": {"source_vocabulary": 6, "tie_output": True, "share_embeddings": True},
    "encoder only": {"decoder_layers": 0},
    "decoder only": {"encoder_layers": 0},
}


def small(**changes: object) -> Transformer:
    return lively(**{**SMALL, **changes})


def passed(model: Transformer, **options: object) -> Trace:
    source = SOURCE if model.config.encoder_layers else None
    return model(source, TARGET if model.config.decoder_layers else None, **options)


def second_best(trace: Trace, position: int = 2) -> Likeliest:
    return Likeliest(position, int(np.argsort(trace[LOGITS].value[position])[-2]))


def is_granted(model: Transformer, wish: Likeliest, logits: np.ndarray, now: np.ndarray) -> bool:
    """Return, by definition, whether the token is the likeliest, and the earlier ones stay."""
    best = logits.argmax(-1)
    earlier = slice(0, wish.position if model.config.decoder_layers else 0)
    return bool(best[wish.position] == wish.token and (best[earlier] == now[earlier]).all())


def least_by_force(model: Transformer, wish: Likeliest, trace: Trace) -> dict[tuple, float]:
    """Return path and index -> the least of many moves that grants the wish, of every parameter."""
    found = {}
    now = trace[LOGITS].value.argmax(-1)
    moves = np.linspace(-SPAN, SPAN, VALUES)
    for path in model.parameters:
        value = trace[path].value
        for index in np.ndindex(value.shape):
            swept = sweep(trace, path, index, value[index] + moves)[LOGITS].value
            frames = np.broadcast_to(swept, (VALUES, *swept.shape[-2:]))
            good = [is_granted(model, wish, frame, now) for frame in frames]
            if any(good):
                found[path, index] = min(np.abs(moves[good]))
    return found


def check(model: Transformer) -> None:
    """Check that a search gives the numbers found by force, in order, with correct borders."""
    trace = passed(model)
    wish = second_best(trace)
    end = single_numbers(model, wish, trace, span=SPAN)
    now = trace[LOGITS].value.argmax(-1)
    force = least_by_force(model, wish, trace)
    step = 2 * SPAN / (VALUES - 1)
    least = {(one.path, one.cell): abs(one.move) for one in end.found}
    assert len(least) == len(end.found) > 3
    assert force.keys() <= least.keys(), "one was missed"
    for place in least.keys() - force.keys():
        assert least[place] > SPAN - step or _is_narrow(model, wish, trace, place, end), place
    for place, far in force.items():
        assert far - step - 1e-9 <= least[place] <= far + 2e-2 * far, place
    moves = [abs(one.move) for one in end.found]
    assert moves == sorted(moves)
    for one in end.found:
        assert one.now == pytest.approx(float(trace[one.path].value[one.cell]))
        assert abs(one.move) <= SPAN
        assert is_granted(model, wish, _with(model, one, one.value), now), "what is given succeeds"
        just_before = one.now + one.move * (1 - 0.012)
        assert not is_granted(model, wish, _with(model, one, just_before), now), "and no less does"
    assert end.ended
    assert end.tried == end.of == model.config.parameter_count()
    assert end.nearest is None
    assert (end.wish, end.span) == (wish, SPAN)


def _with(model: Transformer, one: SingleNumber, value: float) -> np.ndarray:
    """Return the logits of a pass with one number changed."""
    return passed(model, overrides={one.path: {one.cell: value}})[LOGITS].value


def _is_narrow(model, wish, trace, place, end) -> bool:
    """Return whether a range that grants the wish is narrower than the steps by force."""
    one = next(one for one in end.found if (one.path, one.cell) == place)
    step = 2 * SPAN / (VALUES - 1)
    beyond = one.now + np.sign(one.move) * (abs(one.move) + step)
    now = trace[LOGITS].value.argmax(-1)
    return not is_granted(model, wish, _with(model, one, beyond), now)


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_that_can_do_it_alone_is_found_and_no_other(kind):
    check(small(**KINDS[kind]))


def _without_the_rest(read, logits, count, real):
    read._earlier = read._earlier[:0]
    return real(read, logits, count)


def plant(monkeypatch: pytest.MonkeyPatch, of: object, name: str, mistake: Callable) -> None:
    real = getattr(of, name)
    monkeypatch.setattr(of, name, lambda *arguments: mistake(*arguments, real=real))


def test_the_beginning_of_the_answer_must_stay(monkeypatch):
    model = small()
    trace = passed(model)
    wish = Likeliest(1, 1)
    kept = {(one.path, one.cell) for one in single_numbers(model, wish, trace).found}
    plant(monkeypatch, margins.Margins, "_read", _without_the_rest)
    anyhow = single_numbers(model, wish, trace).found
    assert kept < {(one.path, one.cell) for one in anyhow}, "of most, the first word changes, too"
    now = trace[LOGITS].value.argmax(-1)
    assert not all(is_granted(model, wish, _with(model, one, one.value), now) for one in anyhow)


def test_a_range_between_two_tried_values_is_found(monkeypatch):
    """With such coarse steps, the curves of some numbers peak between two values."""
    model = small()
    trace = passed(model)
    wishes = [Likeliest(2, k) for k in range(6) if k != trace[LOGITS].value[2].argmax()]
    monkeypatch.setattr(single, "STEPS", 5)

    def found():
        ends = [single_numbers(model, wish, trace, span=SPAN) for wish in wishes]
        return {(k, one.path, one.cell) for k, end in enumerate(ends) for one in end.found}

    closely = found()
    monkeypatch.setattr(single, "LOOKS", 0)
    assert found() < closely


def test_borders_have_three_figures_of_the_move():
    model = small()
    trace = passed(model)
    for one in single_numbers(model, second_best(trace), trace).found[:20]:
        unit = 10.0 ** (np.floor(np.log10(abs(one.move))) - 2)
        assert abs(one.value / unit - round(one.value / unit)) < 1e-6


def test_if_no_number_suffices_the_nearest_is_named():
    model = small()
    trace = passed(model)
    wish = second_best(trace)
    end = single_numbers(model, wish, trace, span=1e-3)
    assert not end.found
    assert end.nearest.margin < 0
    logits = _with(model, end.nearest, end.nearest.value)[2]
    margin = logits[wish.token] - np.delete(logits, wish.token).max()
    assert end.nearest.margin == pytest.approx(margin, abs=1e-6)
    before = trace[LOGITS].value[2]
    assert margin > before[wish.token] - np.delete(before, wish.token).max()


def test_with_little_work_only_numbers_with_the_largest_gradient_are_tried():
    model = small()
    trace = passed(model)
    wish = second_best(trace)
    whole = single_numbers(model, wish, trace)
    some = single_numbers(model, wish, trace, work=3 << 20)
    assert 0 < some.tried < some.of == whole.of
    assert some.ended
    order = trace[LOGITS].value[2].argsort()
    seed = np.zeros_like(trace[LOGITS].value)
    seed[2, wish.token], seed[2, order[-1]] = 1, -1
    slopes = gradients(trace, tuple(model.parameters), LOGITS, seed)
    least = np.sort(np.concatenate([np.abs(s).ravel() for s in slopes.values()]))[-some.tried]
    places = [(one.path, one.cell) for one in whole.found]
    for one in some.found:
        assert (one.path, one.cell) in places
        assert abs(slopes[one.path][one.cell]) >= least - 1e-12
    assert len(some.found) < len(whole.found)
    assert single_numbers(model, wish, trace, work=1).tried == 1


def test_a_search_in_parts_gives_the_same_result(monkeypatch):
    model = small()
    trace = passed(model)
    wish = second_best(trace)
    at_once = single_numbers(model, wish, trace)
    monkeypatch.setattr(single, "PART", 200_000)
    monkeypatch.setattr(margins, "PIECE", 1)
    states = list(single_numbers_so_far(model, wish, trace))
    assert len(states) > 3
    assert [state.ended for state in states] == [False] * (len(states) - 1) + [True]
    tried = [state.tried for state in states]
    assert tried == sorted(tried)
    assert [x[:2] for x in states[-1].found] == [x[:2] for x in at_once.found]
    for one, other in zip(states[-1].found, at_once.found, strict=True):
        assert one.value == pytest.approx(other.value, rel=2e-3)


def test_masks_and_overrides_stay_and_the_present_number_moves():
    model = small(dropout=DropoutRates.paper(0.3))
    place = ("decoder.0.cross_attn.W_v", (1, 2, 0))
    given = {"training": True, "seed": 3, "overrides": {place[0]: {place[1]: 2.5}}}
    trace = model(SOURCE, TARGET, **given)
    wish = second_best(trace)
    end = single_numbers(model, wish, trace)
    now = trace[LOGITS].value.argmax(-1)
    for one in end.found:
        cells = {place[0]: {place[1]: 2.5}}
        cells.setdefault(one.path, {})[one.cell] = one.value
        logits = model(SOURCE, TARGET, training=True, seed=3, overrides=cells)[LOGITS].value
        assert is_granted(model, wish, logits, now)
    free = {place[0]: np.zeros_like(model.parameters[place[0]], bool)}
    free[place[0]][place[1]] = True
    alone = single_numbers(model, wish, trace, free=free, span=50)
    assert alone.of == 1
    assert (*alone.found, alone.nearest)[0].now == 2.5


def test_only_chosen_parameters_are_moved_and_computed_numbers_are_overridden():
    model = small()
    trace = passed(model)
    wish = second_best(trace)
    path = "encoder.0.feed_forward.norm"
    end = single_numbers(model, wish, trace, free={path: None})
    assert end.of == trace[path].value.size
    assert end.found
    now = trace[LOGITS].value.argmax(-1)
    for one in end.found:
        assert one.path == path
        assert is_granted(model, wish, _with(model, one, one.value), now)


def test_embeddings_of_words_that_do_not_occur_count_as_tried_without_a_pass(monkeypatch):
    model = small()
    trace = passed(model)
    swept = []
    real = margins.Margins._swept
    monkeypatch.setattr(
        margins.Margins,
        "_swept",
        lambda self, numbers, values: swept.append(len(values)) or real(self, numbers, values),
    )
    mask = np.zeros_like(model.parameters["source.W_e"], bool)
    mask[4] = True  # not in the source
    end = single_numbers(model, second_best(trace), trace, free={"source.W_e": mask})
    assert (end.tried, end.of, end.found, end.nearest) == (4, 4, (), None)
    assert not swept


def test_a_token_that_is_never_written_does_not_affect_the_search():
    model = small()
    trace = passed(model)
    best, second, third = np.argsort(trace[LOGITS].value[2])[::-1][:3].tolist()
    with pytest.raises(ValueError, match="already"):
        single_numbers(model, Likeliest(2, second), trace, never=[best])
    end = single_numbers(model, Likeliest(2, third), trace, never=[best])
    assert end.found
    for one in end.found:
        logits = _with(model, one, one.value).copy()
        logits[:, best] = -np.inf
        assert logits[2].argmax() == third
