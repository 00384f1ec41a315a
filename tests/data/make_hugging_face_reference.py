"""Write ``gpt2.npz`` and ``bert.npz``: small models of one stack of Hugging Face, their files,
their outputs, and the gradient of a loss for each of their parameters.

    python tests/data/make_hugging_face_reference.py

needs ``torch`` and ``transformers``; the tests need only what it writes.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from store import save
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, GPT2Config, GPT2LMHeadModel

IGNORED = -100  # the library ignores this label
BATCH, LENGTH, PROMPT, NEW = 3, 7, 3, 6


def randomize(model: nn.Module, seed: int) -> None:
    """Set every number at random, including biases, γ and β; tied weights stay tied."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in model.named_parameters():
            gain = name.endswith(("LayerNorm.weight", "ln_1.weight", "ln_2.weight", "ln_f.weight"))
            value.copy_(torch.randn(value.shape, generator=generator) * 0.6 + gain)


def saved(model: Any) -> dict[str, np.ndarray]:
    """Return the files of the model, as the library writes them."""
    with tempfile.TemporaryDirectory() as place:
        model.save_pretrained(place)
        names = ("config.json", "model.safetensors")
        return {
            f"file/{name}": np.frombuffer((Path(place) / name).read_bytes(), np.uint8)
            for name in names
        }


def gradients(model: nn.Module, loss: Tensor) -> dict[str, Tensor]:
    """Return the gradient of the loss for each parameter that affects it."""
    named = dict(model.named_parameters())
    found = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
    return {
        f"grad/{name}": grad for name, grad in zip(named, found, strict=True) if grad is not None
    }


def store(name: str, arrays: dict[str, Any], **settings: Any) -> None:
    """Write the arrays, with the versions of the libraries."""
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    values = {
        key: value.detach().numpy() if isinstance(value, Tensor) else value
        for key, value in arrays.items()
    }
    save(name, {**settings, **versions}, values)


def gpt2() -> None:
    """Two layers, three heads; logits, gradients of the next word's loss, and written texts."""
    config = GPT2Config(
        vocab_size=17,
        n_positions=11,
        n_embd=15,
        n_layer=2,
        n_head=3,
        n_inner=22,
        bos_token_id=0,
        eos_token_id=1,
        layer_norm_epsilon=1e-4,
        resid_pdrop=0.2,
        embd_pdrop=0.3,
        attn_pdrop=0.15,
        attn_implementation="eager",
    )
    model = GPT2LMHeadModel(config).double().eval()
    randomize(model, 71)
    files = saved(model)
    ids = torch.randint(2, 17, (BATCH, LENGTH), generator=torch.Generator().manual_seed(72))
    out = model(input_ids=ids, output_hidden_states=True, output_attentions=True)
    # Computed here, because the library computes its own loss in single precision.
    loss = nn.functional.cross_entropy(out.logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    arrays: dict[str, Any] = {**files, "ids": ids, "logits": out.logits, "loss": loss}
    # The library stores the last one after the final norm.
    arrays |= {f"hidden/{n}": x for n, x in enumerate(out.hidden_states)}
    arrays |= {f"attention/{n}": x for n, x in enumerate(out.attentions)}
    arrays |= gradients(model, loss)
    for name, beams in (("greedy", 1), ("beam", 3)):
        arrays[name] = model.generate(
            input_ids=ids[:, :PROMPT],
            attention_mask=torch.ones_like(ids[:, :PROMPT]),
            num_beams=beams,
            do_sample=False,
            max_new_tokens=NEW,
            pad_token_id=1,
            length_penalty=1.0,
        )
    store("gpt2", arrays, prompt=PROMPT, new=NEW)


def bert() -> None:
    """Two layers, three heads, padding; logits, and gradients of the loss of masked words."""
    config = BertConfig(
        vocab_size=19,
        hidden_size=15,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=22,
        max_position_embeddings=9,
        type_vocab_size=2,
        layer_norm_eps=1e-6,
        hidden_dropout_prob=0.2,
        attention_probs_dropout_prob=0.15,
        pad_token_id=0,
        attn_implementation="eager",
    )
    model = BertForPreTraining(config).double().eval()
    randomize(model, 81)
    files = saved(model)
    generator = torch.Generator().manual_seed(82)
    ids = torch.randint(1, 19, (BATCH, LENGTH), generator=generator)
    for row, count in enumerate((0, 2, 4)):
        ids[row, LENGTH - count :] = 0
    labels = ids.clone()
    asked = torch.rand(ids.shape, generator=generator) < 0.4
    labels[~asked | (ids == 0)] = IGNORED
    seen = (ids != 0).long()
    out = model(
        input_ids=ids, attention_mask=seen, output_hidden_states=True, output_attentions=True
    )
    logits = out.prediction_logits
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
    arrays: dict[str, Any] = {**files, "ids": ids, "labels": labels, "logits": logits, "loss": loss}
    arrays |= {f"hidden/{n}": x for n, x in enumerate(out.hidden_states)}
    arrays |= {f"attention/{n}": x for n, x in enumerate(out.attentions)}
    arrays |= gradients(model, loss)
    store("bert", arrays)


if __name__ == "__main__":
    gpt2()
    bert()
    for made in ("gpt2", "bert"):
        with np.load(Path(__file__).parent / f"{made}.npz") as stored:
            print(made, json.loads(str(stored["config"])), len(stored.files))
