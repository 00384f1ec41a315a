from typing import Any

import numpy as np
import pytest

from tests.math.directional import TOLERANCE
from tests.math.gradient_cases import example
from tests.math.op_cases import CASES, OpCase, largest_error
from tests.math.planted_bugs import BUGS, Bug
from tests.math.tiny import VARIANTS
from transformer_math import Trace
from transformer_math.graph import backward
from transformer_math.ops import Op
from transformer_math.ops.base import Gradients, Identity
from transformer_math.ops.override import Override
from transformer_math.ops.tensor import Tensor

SEEN = 1e-3  # relative error: a thousand times the tolerance
PLANTED = [(kind, name) for kind, bugs in BUGS.items() for name in bugs]


def cases_of(kind: type[Op]) -> list[OpCase]:
    return [case for case in CASES.values() if type(case.op) is kind and case.learned]


def plant(monkeypatch: pytest.MonkeyPatch, kind: type[Op], bug: Bug) -> None:
    right_rule = kind.backward

    def rule(op: Op, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return bug(op, right_rule(op, g, output, *values), g, output, *values)

    monkeypatch.setattr(kind, "backward", rule)


def test_every_op_with_a_rule_has_a_planted_bug() -> None:
    assert {type(case.op) for case in CASES.values() if case.learned} == BUGS.keys()


@pytest.mark.parametrize(("kind", "name"), PLANTED, ids=[f"{k.__name__}-{n}" for k, n in PLANTED])
def test_a_wrong_rule_is_found(kind: type[Op], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = cases_of(kind)
    assert max(map(largest_error, cases)) < TOLERANCE
    plant(monkeypatch, kind, BUGS[kind][name])
    assert max(map(largest_error, cases)) > SEEN


def first_reader_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose the gradient of every reader but the first."""
    right = backward._pass_on

    def pass_on(tensor: Any, g: Any, relevant: Any, flowing: Any, summed: Any) -> None:
        before = dict(flowing)
        right(tensor, g, relevant, flowing, summed)
        flowing.update(before)

    monkeypatch.setattr(backward, "_pass_on", pass_on)


def last_reader_only(monkeypatch: pytest.MonkeyPatch) -> None:
    right = backward._pass_on

    def pass_on(tensor: Any, g: Any, relevant: Any, flowing: Any, summed: Any) -> None:
        own: dict[int, np.ndarray] = {}
        right(tensor, g, relevant, own, summed)
        flowing.update(own)

    monkeypatch.setattr(backward, "_pass_on", pass_on)


def mean_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    right = backward.sum_to_shape

    def mean(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return right(gradient, shape) * (int(np.prod(shape)) / gradient.size)

    monkeypatch.setattr(backward, "sum_to_shape", mean)


@pytest.mark.parametrize("plant_it", [first_reader_only, last_reader_only, mean_of_a_batch])
def test_a_wrong_sum_is_detected(plant_it: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    case = example("tied", 3, padded=True)
    assert case.error() < TOLERANCE
    plant_it(monkeypatch)
    assert case.error() > SEEN


def flows_past_an_override(override: Any, g: np.ndarray, rank: int) -> np.ndarray:
    return g


def as_overridden(tensor: Any) -> Any:
    return tensor


@pytest.mark.parametrize(
    ("owner", "name", "wrong"),
    [
        (Override, "gradient_for_inputs", flows_past_an_override),
        (Tensor, "as_computed", as_overridden),
    ],
)
def test_a_wrong_treatment_of_overridden_cells_is_detected(
    owner: type, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = example("post", padded=True)
    overrides = {"decoder.0.cross_attn.weights": {(0, 1, 0): 0.9}}
    assert case.error(overrides=overrides) < TOLERANCE
    monkeypatch.setattr(owner, name, wrong)
    assert case.error(overrides=overrides) > SEEN


def has(trace: Trace, kind: type[Op]) -> bool:
    return any(type(tensor.op) is kind for tensor in trace.tensors.values())


@pytest.mark.parametrize("kind", [kind for kind in BUGS if kind is not Identity])
def test_whole_models_detect_a_wrong_rule(kind: type[Op], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every gradient of one op is 10 % too large, in the first model that has the op."""
    settings = {"training": True, "seed": 5, "smoothing": 0.1}
    cases = (example(variant, padded=True) for variant in ("tied", *VARIANTS))
    case = next((each for each in cases if has(each.run(**settings), kind)), None)
    assert case is not None, f"no model of VARIANTS in tests/math/tiny.py has {kind.__name__}"
    assert case.error(**settings) < TOLERANCE
    right = kind.backward
    monkeypatch.setattr(
        kind,
        "backward",
        lambda op, *args: tuple(None if x is None else 1.1 * x for x in right(op, *args)),
    )
    assert case.error(**settings) > 10 * TOLERANCE
