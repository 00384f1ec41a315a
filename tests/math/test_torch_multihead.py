"""Multi-head attention alone, compared with ``torch.nn.MultiheadAttention``."""

import numpy as np
import pytest

from tests.math.stored import load
from transformer_math import Trace, attention, masks

STORED = load("torch_multihead")
CASES = STORED.config["cases"]
HEADS = STORED.config["heads"]


def by_head(weight: np.ndarray) -> np.ndarray:
    """Return PyTorch's (h·k, in) as the paper's (h, in, k)."""
    return weight.reshape(HEADS, -1, weight.shape[1]).transpose(0, 2, 1)


def parameters(state: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the parameters; PyTorch packs the projections, unless their input widths differ."""
    if "in_proj_weight" in state:
        projections = np.split(state["in_proj_weight"], 3)
    else:
        projections = [state[f"{name}_proj_weight"] for name in "qkv"]
    found = {f"W_{name}": by_head(w) for name, w in zip("qkv", projections, strict=True)}
    found["W_o"] = state["out_proj.weight"].T
    if "in_proj_bias" in state:
        biases = np.split(state["in_proj_bias"], 3)
        found |= {f"b_{n}": b.reshape(HEADS, -1) for n, b in zip("qkv", biases, strict=True)}
        found["b_o"] = state["out_proj.bias"]
    return found


def additive(case: dict[str, np.ndarray], width: type) -> np.ndarray:
    """Return both masks of PyTorch as one: (B, n, m), or (B, h, n, m) if each head has its own."""
    mask = np.zeros((case["query"].shape[0], case["query"].shape[1], case["key"].shape[1]), width)
    if "attn_mask" in case:
        given = case["attn_mask"]
        given = masks.from_true_means_masked(given, width) if given.dtype == bool else given
        if given.ndim == 3:
            return mask[:, None] + given.reshape(-1, HEADS, *given.shape[1:])
        mask = mask + given.astype(width)
    if "key_padding_mask" in case:
        mask = mask + masks.from_true_means_masked(case["key_padding_mask"], width)[:, None, :]
    return mask


def run(
    case: dict[str, np.ndarray], state: dict[str, np.ndarray], mask: np.ndarray | None
) -> Trace:
    width = np.float64 if mask is None else mask.dtype
    weights = {name: value.astype(width) for name, value in parameters(state).items()}
    query, key, value = (case[name].astype(width) for name in ("query", "key", "value"))
    return attention.multi_head_attention(query, key, value, weights, mask=mask)


@pytest.mark.parametrize(("width", "tolerance"), [(np.float64, 1e-12), (np.float32, 1e-5)])
@pytest.mark.parametrize("name", [name for name in CASES if "per_head" not in name])
def test_output_and_weights_equal_those_of_torch(name: str, width: type, tolerance: float) -> None:
    case = STORED.under(name)
    trace = run(case, STORED.under(f"{name}/state"), additive(case, width))
    assert trace["out"].value.dtype == width
    for path in ("weights", "out"):
        np.testing.assert_allclose(trace[path].value, case[path], rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", CASES)
def test_the_core_function_gives_the_same_weights(name: str) -> None:
    """It computes softmax(QKᵀ/√d_k + M)V, also with a mask for each head."""
    case, state = STORED.under(name), STORED.under(f"{name}/state")
    trace = run(case, state, None)
    mask = additive(case, np.float64)
    context, weights = attention.scaled_dot_product_attention(
        trace["q"].value,
        trace["k"].value,
        trace["v"].value,
        mask=mask if mask.ndim == 4 else mask[:, None],
    )
    np.testing.assert_allclose(weights, case["weights"], rtol=0, atol=1e-12)
    together = context.swapaxes(1, 2).reshape(*case["out"].shape)
    out = together @ state["out_proj.weight"].T + state.get("out_proj.bias", 0)
    np.testing.assert_allclose(out, case["out"], rtol=0, atol=1e-12)


def test_one_example_may_lack_the_batch_axis_and_the_mask() -> None:
    case = STORED.under("biases")
    one = [case[name][1] for name in ("query", "key", "value")]
    trace = attention.multi_head_attention(*one, parameters(STORED.under("biases/state")))
    np.testing.assert_allclose(trace["out"].value, case["out"][1], rtol=0, atol=1e-12)
