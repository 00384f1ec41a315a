"""``torch.nn.MultiheadAttention`` alone: biases, widths of key and value, each kind of mask."""

import math
from collections.abc import Callable

import torch
from store import save
from torch import Tensor, nn

BATCH, QUERIES, KEYS = 2, 5, 7
EMBED, HEADS, KDIM, VDIM = 15, 3, 11, 13


def boolean_mask(generator: torch.Generator) -> Tensor:
    """Return (queries, keys), True means "may not look"; key 0 is visible, so no row is empty."""
    mask = torch.rand(QUERIES, KEYS, generator=generator) < 0.4
    mask[:, 0] = False
    return mask


def float_mask(generator: torch.Generator) -> Tensor:
    """Return (queries, keys) to add to the scores; some are minus infinity."""
    mask = torch.randn(QUERIES, KEYS, generator=generator)
    return mask.masked_fill(boolean_mask(generator), -math.inf)


def per_head_mask(generator: torch.Generator) -> Tensor:
    """Return (batch * heads, queries, keys), in which each head has its own mask."""
    return torch.stack([boolean_mask(generator) for _ in range(BATCH * HEADS)])


def key_padding(_generator: torch.Generator) -> Tensor:
    """Return (batch, keys), True means "is padding"."""
    mask = torch.zeros(BATCH, KEYS, dtype=torch.bool)
    mask[0, 5:] = True
    mask[1, 2:] = True
    return mask


Masks = dict[str, Callable[[torch.Generator], Tensor]]
OTHER_WIDTHS = {"kdim": KDIM, "vdim": VDIM}
CASES: dict[str, tuple[dict, Masks]] = {
    "biases": ({"bias": True}, {}),
    "no_biases": ({"bias": False}, {}),
    "other_widths": ({"bias": True, **OTHER_WIDTHS}, {}),
    "other_widths_no_biases": ({"bias": False, **OTHER_WIDTHS}, {}),
    "boolean_mask": ({"bias": True}, {"attn_mask": boolean_mask}),
    "boolean_mask_per_head": ({"bias": True}, {"attn_mask": per_head_mask}),
    "float_mask": ({"bias": True}, {"attn_mask": float_mask}),
    "key_padding": ({"bias": True}, {"key_padding_mask": key_padding}),
    "both_masks_other_widths": (
        {"bias": True, **OTHER_WIDTHS},
        {"attn_mask": boolean_mask, "key_padding_mask": key_padding},
    ),
}


def run(settings: dict, masks: Masks, seed: int) -> dict[str, Tensor]:
    """Return parameters, inputs, masks, outputs and gradients of one case."""
    generator = torch.Generator().manual_seed(seed)
    module = nn.MultiheadAttention(EMBED, HEADS, batch_first=True, **settings).train()
    for parameter in module.parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        scale = 0.3 if parameter.ndim == 1 else 1.3 / math.sqrt(parameter.shape[1])
        parameter.data.copy_(scale * noise)
    widths = {"query": EMBED, "key": module.kdim, "value": module.vdim}
    inputs = {
        name: torch.randn(
            BATCH, QUERIES if name == "query" else KEYS, width, generator=generator
        ).requires_grad_()
        for name, width in widths.items()
    }
    given = {name: make(generator) for name, make in masks.items()}
    out, weights = module(**inputs, **given, average_attn_weights=False)
    loss_weights = torch.randn(out.shape, generator=generator)
    (out * loss_weights).sum().backward()
    assert torch.isfinite(out).all()
    arrays = inputs | given | {"out": out, "weights": weights, "loss_weights": loss_weights}
    arrays |= {f"grad_input/{name}": tensor.grad for name, tensor in inputs.items()}
    arrays |= {f"state/{name}": value for name, value in module.state_dict().items()}
    arrays |= {f"grad/{name}": value.grad for name, value in module.named_parameters()}
    return arrays


def save_multihead() -> None:
    """Store all cases in one file, each by its name."""
    arrays = {}
    for seed, (name, (settings, masks)) in enumerate(CASES.items(), start=31):
        for key, value in run(settings, masks, seed).items():
            arrays[f"{name}/{key}"] = value.detach().numpy()
    config = {"cases": list(CASES), "d_model": EMBED, "heads": HEADS, "torch": torch.__version__}
    save("torch_multihead", config, arrays)
