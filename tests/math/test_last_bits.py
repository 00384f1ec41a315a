"""`--last-bits` changes what another processor would compute differently, and nothing else.

The tests run in processes of their own, because NumPy stays patched.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import json, sys, warnings
import numpy as np
from tests.last_bits import LastBits

dtype, seed = np.dtype(sys.argv[1]), int(sys.argv[2])
if seed:
    LastBits(seed)
from transformer_math.ops.base import row_sums
from transformer_math.ops.linear import linear
from transformer_math.ops.softmax import softmax

random = np.random.default_rng(0)
a, b = (random.standard_normal(shape).astype(dtype) for shape in ((40, 30), (30, 20)))
whole = random.integers(-50, 50, (40, 30)).astype(dtype)
one = np.eye(30, dtype=dtype)[random.permutation(30)]
masked = np.full((3, 30), -np.inf, dtype)
masked[1, 4], masked[2, :5] = 3, 2
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    large = np.exp(dtype.type(1e5)), np.matmul(np.full((1, 2), 1e300), np.full((2, 1), 1e300))
moved = {
    "product": linear(a, b),
    "batch": linear(a.reshape(4, 10, 30), b),
    "cancels": linear(np.tile(a[:1], (40, 1)), np.concatenate([b[:15], -b[14::-1]])),
    "sum": a.sum(1),
    "mean": a.mean(1),
    "row sums": row_sums(a),
    "square": np.vdot(a, a),
    "exp": np.exp(a),
    "tanh": np.tanh(a),
    "log": np.log(np.abs(a)),
    "sine": np.sin(a),
    "softmax": softmax(a),
    "solved": np.linalg.solve(a[:20, :20], b[:20]),
}
kept = {
    "whole": linear(whole, whole.T),
    "chosen": linear(one, b),
    "nothing": linear(np.zeros_like(a), b),
    "one product": linear(a[:, :1], b[:1]),
    "a sum of two": a[:, :2].sum(1),
    "a count": (a > 0).sum(1, dtype=dtype),
    "one that is not masked": softmax(masked)[1],
    "masked": softmax(masked)[0],
    "equal shares": softmax(np.zeros_like(a)),
    "functions": np.stack([np.exp(dtype.type(0)), np.tanh(dtype.type(50)), np.cos(dtype.type(0))]),
    "a root": np.sqrt(np.abs(a)),
    "too large": np.stack([large[0], large[1].item()]),
}
facts = {
    "again": all((linear(a, b) == moved["product"]).all() for _ in range(3)),
    "in another shape": bool((linear(a[:7], b) == moved["product"][:7]).all()),
    "one value, one exponential": len(set(np.exp(np.full(9, 0.3, dtype)).tolist())),
    "at most 1": bool((np.abs(np.tanh(np.linspace(-30, 30, 999).astype(dtype))) <= 1).all()),
    "warned": sorted(str(each.message) for each in warned),
}
numbers = lambda arrays: {name: np.asarray(x, float).ravel().tolist() for name, x in arrays.items()}
print(json.dumps([numbers(moved), numbers(kept), facts]))
"""


def run(dtype: str, seed: int) -> list[Any]:
    command = [sys.executable, "-c", PROGRAM, dtype, str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.fixture(scope="module", params=["float32", "float64"])
def outcomes(request: pytest.FixtureRequest) -> tuple[float, list[Any], list[Any], list[Any]]:
    """Return one unit in the last place of 1, and the results of three seeds (0: unchanged)."""
    unit = {"float32": 2.0**-23, "float64": 2.0**-52}[request.param]
    return (unit, *(run(request.param, seed) for seed in (0, 1, 2)))


def test_rounded_results_change_by_a_few_units_in_nearly_all_places(outcomes: Any) -> None:
    unit, plain, one, _ = outcomes
    for name, expected in plain[0].items():
        found = one[0][name]
        away = [abs(x - y) for x, y in zip(found, expected, strict=True)]
        assert sum(map(bool, away)) > 0.8 * len(away), name  # in a quotient, the changes may cancel
        largest = max(1.0, *map(abs, expected))
        assert 0 < max(away) < 32 * unit * largest, name


def test_another_seed_changes_the_results_differently(outcomes: Any) -> None:
    _, _, one, two = outcomes
    for name, found in one[0].items():
        assert found != two[0][name], name


def test_exact_results_do_not_change(outcomes: Any) -> None:
    _, plain, one, two = outcomes
    assert plain[1] == one[1] == two[1]


def test_as_on_one_machine_results_depend_on_the_shape(outcomes: Any) -> None:
    for facts in (each[2] for each in outcomes[2:]):
        assert facts["again"] is True
        assert facts["in another shape"] is False
        assert facts["one value, one exponential"] == 1
        assert facts["at most 1"] is True


def test_numpy_gives_its_usual_warnings(outcomes: Any) -> None:
    _, plain, one, _ = outcomes
    assert one[2]["warned"] == plain[2]["warned"]
    assert any("overflow" in sentence for sentence in plain[2]["warned"])


def test_the_option_must_precede_the_import_of_the_mathematics() -> None:
    program = "import transformer_math; from tests.last_bits import LastBits; LastBits(1)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "comes too late: transformer_math is imported" in done.stderr
