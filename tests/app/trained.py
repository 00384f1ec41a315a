"""Models with the sizes and vocabulary of the trained ones, but random weights."""

import numpy as np
from tinkerformer.files.model_file import save_model
from tinkerformer.model.scenario.vocabulary import Vocabulary

from transformer_math import Config, initialization
from transformer_math.data.tokenizer import DATES

VOCABULARY = Vocabulary(DATES.tokens, DATES.tokens, "<sos>", "<eos>", "<pad>", "character")


def dates_file(seed: int = 3, **changes: object) -> bytes:
    """Return the file of a date translator with random weights."""
    config = Config.preset("dates", **changes)
    parameters = initialization.parameters(config, seed, DATES.tokens, DATES.tokens)
    return save_model(config, parameters, VOCABULARY)


def torch_state(d: int = 12, words: int = 7) -> dict[str, np.ndarray]:
    """Return the parameters of a ``torch.nn.Transformer`` of one layer per stack."""
    generator = np.random.default_rng(5)

    def draw(*shape: int) -> np.ndarray:
        return generator.normal(0, 0.3, shape).astype(np.float32)

    state = {
        "source_embedding.weight": draw(words, d),
        "target_embedding.weight": draw(words, d),
        "generator.weight": draw(words, d),
    }
    for stack, attentions, norms in (
        ("encoder", ("self_attn",), 2),
        ("decoder", ("self_attn", "multihead_attn"), 3),
    ):
        at = f"{stack}.layers.0."
        for name in attentions:
            state[f"{at}{name}.in_proj_weight"] = draw(3 * d, d)
            state[f"{at}{name}.out_proj.weight"] = draw(d, d)
        state[f"{at}linear1.weight"], state[f"{at}linear2.weight"] = draw(20, d), draw(d, 20)
        state[f"{at}linear1.bias"], state[f"{at}linear2.bias"] = draw(20), draw(d)
        for n in range(1, norms + 1):
            state[f"{at}norm{n}.weight"], state[f"{at}norm{n}.bias"] = draw(d), draw(d)
    return state
