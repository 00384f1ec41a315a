import math

import numpy as np
import pytest

from tests.math.test_gradient_explained import CASES, traced
from transformer_math import sweep
from transformer_math.explain.chain import chain_rule, made_of
from transformer_math.graph.backward import LOSS
from transformer_math.graph.trace import Trace
from transformer_math.ops import IDENTITY
from transformer_math.ops.activation import Activate

STEP = 1e-5


def some_cells(trace: Trace, count: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return a few cells of every tensor that has a gradient."""
    random = np.random.default_rng(0)
    found = []
    for path in trace.paths():
        tensor = trace[path]
        if tensor.grad is not None and tensor.op is not IDENTITY:  # an operation that is off
            places = list(np.ndindex(tensor.shape))
            chosen = random.permutation(len(places))[:count]
            found += [(path, places[k]) for k in chosen]
    return found


def moved(trace: Trace, path: str, index: tuple[int, ...]) -> Trace:
    """Return passes with a cell slightly lower, and slightly higher."""
    now = float(trace[path].value[index])
    return sweep(trace, path, index, [now - STEP, now + STEP])


def slope(swept: Trace, path: str, index: tuple[int, ...]) -> float:
    tensor = swept[path]
    if "sweep" not in tensor.dims:
        return 0.0
    low, high = (float(tensor.value[(t, *index)]) for t in (0, 1))
    return (high - low) / (2 * STEP)


def has_kink(trace: Trace, path: str, index: tuple[int, ...]) -> bool:
    """Return whether a cell is near a kink of an activation, where differences are wrong."""
    return any(
        isinstance(reader.op, Activate) and abs(float(trace[path].value[index])) < 2 * STEP
        for reader, _ in trace.readers(path)
    )


@pytest.mark.parametrize("name", CASES)
def test_the_terms_add_up_to_the_gradient_of_every_cell(name: str) -> None:
    trace = traced(*CASES[name])
    for path, index in some_cells(trace, 20):
        found = math.fsum(term.product for term in chain_rule(trace, path, index))
        expected = 1.0 if path == LOSS else float(trace[path].grad[index])
        assert found + (path == LOSS) == pytest.approx(expected, rel=1e-12, abs=1e-12), path


@pytest.mark.parametrize("name", CASES)
def test_both_factors_equal_finite_differences_of_passes(name: str) -> None:
    """∂y/∂x from passes in which x is changed, and ∂loss/∂y from passes in which y is changed."""
    trace = traced(*CASES[name])
    for path, index in some_cells(trace, 2):
        if has_kink(trace, path, index):
            continue
        swept = moved(trace, path, index)
        for term in chain_rule(trace, path, index):
            of, at = term.cell.tensor.path, term.cell.index
            is_hidden = trace[of].value[at] == -np.inf  # masked in both passes
            if not is_hidden and is_only_way(trace, path, of):
                assert term.slope == pytest.approx(slope(swept, of, at), rel=1e-5, abs=1e-7)
            raised = slope(moved(trace, of, at), LOSS, ()) if of != LOSS else 1.0
            assert term.gradient == pytest.approx(raised, rel=1e-4, abs=1e-6), (path, of, at)


def is_only_way(trace: Trace, path: str, to: str) -> bool:
    """Return whether a cell affects the other matrix in only one way, not also by the residual."""
    beyond = {tensor.path for tensor, _ in trace.readers(path)} - {to}
    return not any(to in trace.downstream(each) for each in beyond)


@pytest.mark.parametrize("name", CASES)
def test_the_terms_of_a_gradient_have_the_same_slopes_for_the_operands(name: str) -> None:
    trace = traced(*CASES[name])
    for path, index in some_cells(trace, 2):
        for term in made_of(trace, path, index):
            source, at = term.cell.tensor.path, term.cell.index
            assert term.gradient == float(trace[source].grad[at])
            if path not in (LOSS, *trace.upstream(LOSS)):
                continue
            back = [
                each.slope
                for each in chain_rule(trace, source, at)
                if (each.cell.tensor.path, each.cell.index) == (path, index)
            ]
            assert math.fsum(back) == pytest.approx(term.slope, rel=1e-9, abs=1e-12)


def test_an_overridden_cell_has_neither_operands_nor_slopes() -> None:
    trace = traced(*CASES["overridden"])
    path, index = "decoder.0.self_attn.norm", (1, 4)
    assert made_of(trace, path, index) == []
    into = [
        term
        for term in chain_rule(trace, "decoder.0.self_attn.residual", (1, 2))
        if term.cell.index == index
    ]
    assert [term.slope for term in into] == [0.0]
    assert into[0].gradient == trace[path].grad[index] != 0


def test_the_loss_ends_the_chain_and_tensors_without_effect_on_it_have_no_terms() -> None:
    trace = traced("post", False, {})
    assert chain_rule(trace, LOSS, ()) == []
    assert chain_rule(trace, "output.probabilities", (0, 0)) == []
    (only,) = chain_rule(trace, "output.logits", (0, 0))
    assert only.cell.tensor.path == "output.token_loss"
