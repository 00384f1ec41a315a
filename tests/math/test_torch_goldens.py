"""The constant-weight layers of PyTorch's own tests, to the last digit printed there.

One layer stands alone when what goes into it is overridden: overrides replace the embedded sum,
the encoder's output and the look-ahead mask, which PyTorch's decoder test leaves out.
"""

import numpy as np
import pytest

from tests.math.stored import load
from transformer_math import Config, Transformer

STORED = load("torch_goldens")
NAMES = STORED.config["activation"]
PAD = 1


def model(name: str, dtype: str) -> Transformer:
    """One encoder layer, with one decoder layer where the case has a memory."""
    decoders = 1 if name.startswith("decoder") else 0
    config = Config(
        d_model=STORED.config["d_model"],
        heads=STORED.config["heads"],
        d_ff=STORED.config["d_ff"],
        encoder_layers=1,
        decoder_layers=decoders,
        source_vocabulary=2,
        target_vocabulary=2,
        activation=NAMES[name],
        source_pad=PAD,
        dtype=dtype,
    )
    state = STORED.under("state") | {"generator.weight": np.ones((2, 4))}
    state |= {f"{side}_embedding.weight": np.ones((2, 4)) for side in ("source", "target")}
    if not decoders:
        del state["target_embedding.weight"]
        state = {key: value for key, value in state.items() if not key.startswith("decoder.")}
    return Transformer.from_torch(state, config)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", NAMES)
def test_layer(name: str, dtype: str) -> None:
    case = STORED.under(name)
    x = case["input"]
    ids = np.zeros(x.shape[:2], int)
    if name.startswith("encoder"):
        source = np.where(case.get("padding", ids.astype(bool)), PAD, 0)
        trace = model(name, dtype)(source, None, overrides={"source.sum": x})
        found = trace["encoder.0.feed_forward.norm"].value
    else:
        memory = case["memory"]
        trace = model(name, dtype)(
            np.zeros(memory.shape[:2], int),
            ids,
            overrides={
                "encoder.0.feed_forward.norm": memory,
                "target.sum": x,
                "target.mask": np.zeros((x.shape[1], x.shape[1])),
            },
        )
        found = trace["decoder.0.feed_forward.norm"].value
    # Six digits are printed, which is about what a processor's float32 is good for.
    tolerance, printed = (1e-12, 1.1e-6) if dtype == "float64" else (1e-5, 1e-5)
    np.testing.assert_allclose(found, case["printed"], rtol=0, atol=printed)
    np.testing.assert_allclose(found, case["result"], rtol=0, atol=tolerance)
