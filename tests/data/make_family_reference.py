"""Write ``family_<name>.npz``: small models with the names of well-known teaching code and of BART,
their files, every tensor of a pass, and the gradient of a loss for each parameter.

    python tests/data/make_family_reference.py

needs ``torch`` and ``transformers``; the tests need only what it writes.
"""

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from family_models import (
    KEPT,
    Annotated,
    Course,
    LanguageModel,
    LectureGPT,
    MinGPT,
    NanoGPT,
    Tutorial,
)
from store import save
from torch import Tensor, nn
from transformers import BartConfig, BartForConditionalGeneration, MBartConfig
from transformers import MBartForConditionalGeneration as MBart

BATCH, SOURCE, TARGET = 2, 5, 4
WORDS = (13, 11)


def randomize(model: nn.Module, seed: int) -> None:
    """Set every number at random, including biases, γ and β; tied weights stay tied."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in model.named_parameters():
            is_gain = value.ndim == 1 and not name.endswith(("bias", "b_2"))
            value.copy_(torch.randn(value.shape, generator=generator) * 0.5 + is_gain)


def ids_of(model: nn.Module, count: int, seed: int) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    sizes = list(zip(WORDS, (SOURCE, TARGET), strict=True))[-count:]
    return [torch.randint(2, words, (BATCH, n), generator=generator) for words, n in sizes]


def gradients(model: nn.Module, logits: Tensor, weights: Tensor) -> dict[str, Tensor]:
    """Return the gradient of ``sum(logits * weights)`` for each parameter that affects it."""
    named = dict(model.named_parameters())
    loss = (logits * weights).sum()
    found = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
    return {
        f"grad/{name}": grad for name, grad in zip(named, found, strict=True) if grad is not None
    }


def store(name: str, arrays: dict[str, Any], **settings: Any) -> None:
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    values = {
        key: value.detach().numpy() if isinstance(value, Tensor) else value
        for key, value in arrays.items()
    }
    save(f"family_{name}", {**settings, **versions}, values)


def loss_weights(logits: Tensor) -> Tensor:
    return torch.randn(logits.shape, generator=torch.Generator().manual_seed(9)).double()


def hand_written(name: str, model: nn.Module, count: int, saved: Any = None) -> None:
    """Store a model whose pass keeps its tensors; ``saved`` converts the state for the file."""
    model = model.double()
    model.train()
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
        if isinstance(part, nn.MultiheadAttention):
            part.dropout = 0.0
    randomize(model, len(name))
    ids = ids_of(model, count, 100 + len(name))
    KEPT.clear()
    logits = model(*ids)
    weights = loss_weights(logits)
    content = io.BytesIO()
    torch.save(saved(model.state_dict()) if saved else model.state_dict(), content)
    names = ("source_ids", "target_ids")[-count:]
    store(
        name,
        {
            "file/model.pt": np.frombuffer(content.getvalue(), np.uint8),
            **dict(zip(names, ids, strict=True)),
            **{f"value/{path}": value for path, value in KEPT.items()},
            "value/output.logits": logits,
            "loss_weights": weights,
            **gradients(model, logits, weights),
        },
        heads=model.heads,
    )


def hugging_face(name: str, model: Any) -> None:
    """Store BART or mBART: hidden states, attention, logits and gradients by their names."""
    model = model.double().eval()
    randomize(model, 50 + len(name))
    with tempfile.TemporaryDirectory() as place:
        model.save_pretrained(place, max_shard_size="9KB")
        files = {
            f"file/{path.name}": np.frombuffer(path.read_bytes(), np.uint8)
            for path in sorted(Path(place).iterdir())
            if path.name != "generation_config.json"
        }
    source, target = ids_of(model, 2, 60 + len(name))
    source[1, 3:] = model.config.pad_token_id
    seen = (source != model.config.pad_token_id).long()
    out = model(
        input_ids=source,
        attention_mask=seen,
        decoder_input_ids=target,
        output_hidden_states=True,
        output_attentions=True,
        use_cache=False,
    )
    arrays: dict[str, Any] = {**files, "source_ids": source, "target_ids": target}
    for stack, tensors in (
        ("encoder", out.encoder_hidden_states),
        ("decoder", out.decoder_hidden_states),
    ):
        arrays |= {f"hidden/{stack}.{n}": x for n, x in enumerate(tensors)}
    for kind, tensors in (
        ("encoder.{}.self_attn", out.encoder_attentions),
        ("decoder.{}.self_attn", out.decoder_attentions),
        ("decoder.{}.cross_attn", out.cross_attentions),
    ):
        arrays |= {f"value/{kind.format(n)}.weights": x for n, x in enumerate(tensors)}
    arrays["value/output.logits"] = out.logits
    arrays["loss_weights"] = loss_weights(out.logits)
    arrays |= gradients(model, out.logits, arrays["loss_weights"])
    store(name, arrays, heads=2)


def sizes(**changes: Any) -> dict[str, Any]:
    return {
        "vocab_size": 11,
        "d_model": 8,
        "encoder_layers": 2,
        "decoder_layers": 1,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 10,
        "decoder_ffn_dim": 10,
        "max_position_embeddings": 7,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "decoder_start_token_id": 2,
        "forced_eos_token_id": 2,
        "attn_implementation": "eager",
        **changes,
    }


if __name__ == "__main__":
    WORDS = (13, 11)
    hand_written("annotated", Annotated(8, 10, (2, 1), WORDS), 2)
    hand_written("course", Course(9, 10, (1, 2), WORDS), 2)
    hand_written(
        "nanogpt",
        NanoGPT(9, 14, 2, WORDS[1], bias=False),
        1,
        lambda state: {
            "model": {f"_orig_mod.{name}": value for name, value in state.items()},
            "model_args": {"n_layer": 2, "n_head": 3, "n_embd": 9, "block_size": 9, "bias": False},
            "optimizer": {"state": {}, "param_groups": []},
            "iter_num": 7,
        },
    )
    hand_written("nanogpt_biased", NanoGPT(9, 14, 1, WORDS[1], bias=True), 1)
    hand_written("mingpt", MinGPT(8, 14, 2, WORDS[1]), 1)
    hand_written("lecture", LectureGPT(9, 14, 2, WORDS[1]), 1)
    hand_written(
        "tutorial",
        Tutorial(8, 10, (1, 2), WORDS),
        2,
        lambda state: {"epoch": 3, "model_state_dict": state, "optimizer_state_dict": {}},
    )
    hand_written("language_model", LanguageModel(9, 10, 2, WORDS[1]), 1)
    WORDS = (11, 11)
    hugging_face("bart", BartForConditionalGeneration(BartConfig(**sizes())))
    hugging_face("mbart", MBart(MBartConfig(**sizes(scale_embedding=True))))
