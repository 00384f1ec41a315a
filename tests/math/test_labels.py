from typing import Any, Literal

import numpy as np
import pytest

from tests.math.gradient_cases import example
from tests.math.tiny import SOURCE, TARGET, VARIANTS, tiny
from transformer_math import Labels, explain
from transformer_math.ops import cross_entropy

LABELS = [7, 1, 4]
Form = Literal["paper", "torch"]


@pytest.mark.parametrize("form", ["paper", "torch"])
@pytest.mark.parametrize("batch", [None, 3], ids=["one", "batch"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_loss_is_the_cross_entropy_of_the_logits(
    variant: str, batch: int | None, form: Form
) -> None:
    case = example(variant, batch, padded=True)
    trace = case.run(smoothing=0.2, form=form)
    logits, pad = trace["output.logits"].value, case.model.config.output_pad
    settings: dict[str, Any] = {"smoothing": 0.2, "form": form, "ignore": pad}
    expected = cross_entropy(logits, case.labels, **settings)
    each = cross_entropy(logits, case.labels, reduction="none", **settings)
    np.testing.assert_allclose(trace["output.loss"].value, expected, rtol=1e-13)
    np.testing.assert_allclose(trace["output.token_loss"].value, each, rtol=1e-13)
    assert trace["output.loss"].dims == ()
    assert trace["output.token_loss"].dims[-1] == "position"
    if pad is not None and pad in case.labels:
        assert not trace["output.token_loss"].value[case.labels == pad].any()


def test_labels_change_no_tensor_before_the_loss() -> None:
    plain, labeled = tiny()(SOURCE, TARGET), tiny()(SOURCE, TARGET, labels=Labels(LABELS))
    for path in plain.paths():
        np.testing.assert_array_equal(plain[path].value, labeled[path].value)
    more = [path for path in labeled.paths() if path not in plain]
    assert more == ["output.labels", "output.token_loss", "output.loss"]


def test_the_loss_can_be_computed_without_probabilities() -> None:
    full = tiny()(SOURCE, TARGET, labels=Labels(LABELS))
    short = tiny()(SOURCE, TARGET, labels=Labels(LABELS), with_probabilities=False)
    assert set(full.paths()) - set(short.paths()) == {"output.probabilities"}
    np.testing.assert_array_equal(full["output.loss"].value, short["output.loss"].value)


def test_an_overridden_loss_of_a_padding_token_does_not_count() -> None:
    """The mean, its explanation and its gradient ignore the same tokens."""
    model, labels = tiny(target_pad=7), Labels([3, 7, 4])
    free = model(SOURCE, TARGET, labels=labels)
    trace = model(
        SOURCE, TARGET, labels=labels, overrides={"output.token_loss": {(1,): np.inf, (2,): 3.0}}
    )
    expected = (free["output.token_loss"].value[0] + 3.0) / 2
    assert float(trace["output.loss"].value) == pytest.approx(float(expected), rel=1e-14)
    assert explain(trace, "output.loss", ()).evaluate() == pytest.approx(float(expected))
    np.testing.assert_array_equal(trace.backward()["output.token_loss"], [0.5, 0, 0.5])
