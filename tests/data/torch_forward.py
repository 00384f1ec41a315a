"""The forward pass of ``torch.nn.Transformer``, written out so that every step has a name.

PyTorch's modules return only their results. Here, the same parameters are applied by
``torch.nn.functional`` step by step, and each step is stored by Tinkerformer's path.
``make_torch_reference.py`` compares this with the outputs of the modules.

Shapes: B batch, n positions of the query, m positions of the key, h heads, d_k head width.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Kept(dict[str, Tensor]):
    """Path -> tensor, in order of computation; every tensor keeps its gradient."""

    def keep(self, path: str, value: Tensor) -> Tensor:
        if value.requires_grad:
            value.retain_grad()
        self[path] = value
        return value


def sinusoids(length: int, d_model: int) -> Tensor:
    """Return positions (length, d_model): sines at even indices, cosines at odd ones."""
    table = torch.zeros(length, d_model)
    for position in range(length):
        for index in range(d_model):
            angle = position / 10000 ** (2 * (index // 2) / d_model)
            table[position, index] = math.cos(angle) if index % 2 else math.sin(angle)
    return table


def embed(kept: Kept, side: str, table: nn.Embedding, ids: Tensor) -> Tensor:
    """Return embeddings times the root of d_model, plus positions. (B, n) -> (B, n, d_model)"""
    d_model = table.embedding_dim
    embedding = kept.keep(f"{side}.embedding", table(ids) * math.sqrt(d_model))
    positions = kept.keep(f"{side}.positions", sinusoids(ids.shape[1], d_model))
    return kept.keep(f"{side}.sum", embedding + positions)


def attend(
    kept: Kept, path: str, module: nn.MultiheadAttention, x: Tensor, memory: Tensor, mask: Tensor
) -> Tensor:
    """Compute attention; ``mask`` broadcasts to (B, h, n, m), and True means "may not look"."""
    heads, d_k = module.num_heads, module.head_dim
    biases = (None,) * 3 if module.in_proj_bias is None else module.in_proj_bias.chunk(3)
    q, k, v = (
        kept.keep(f"{path}.{name}", F.linear(y, w, b).unflatten(-1, (heads, d_k)).transpose(1, 2))
        for name, y, w, b in zip(
            "qkv", (x, memory, memory), module.in_proj_weight.chunk(3), biases, strict=True
        )
    )
    raw_scores = kept.keep(f"{path}.raw_scores", q @ k.transpose(-2, -1))
    scores = kept.keep(f"{path}.scores", raw_scores / math.sqrt(d_k))
    if mask.any():
        scores = kept.keep(f"{path}.masked_scores", scores.masked_fill(mask, -math.inf))
    weights = kept.keep(f"{path}.weights", F.softmax(scores, dim=-1))
    context = kept.keep(f"{path}.context", weights @ v)
    concat = kept.keep(f"{path}.concat", context.transpose(1, 2).flatten(-2))
    out = F.linear(concat, module.out_proj.weight, module.out_proj.bias)
    return kept.keep(f"{path}.out", out)


def feed_forward(kept: Kept, path: str, layer: nn.Module, x: Tensor) -> Tensor:
    """Compute both linear maps and the activation of a layer's feed-forward network."""
    hidden = kept.keep(f"{path}.hidden", F.linear(x, layer.linear1.weight, layer.linear1.bias))
    activation = kept.keep(f"{path}.activation", layer.activation(hidden))
    out = F.linear(activation, layer.linear2.weight, layer.linear2.bias)
    return kept.keep(f"{path}.out", out)


def sublayer(kept: Kept, path: str, norm: nn.LayerNorm, pre_norm: bool, x: Tensor, body) -> Tensor:
    """Add residual and normalization to a sublayer, before or after it."""

    def normalize(y: Tensor) -> Tensor:
        value = F.layer_norm(y, norm.normalized_shape, norm.weight, norm.bias, norm.eps)
        return kept.keep(f"{path}.norm", value)

    if pre_norm:
        return kept.keep(f"{path}.residual", x + body(normalize(x)))
    return normalize(kept.keep(f"{path}.residual", x + body(x)))


def encoder_layer(
    kept: Kept, path: str, layer: nn.TransformerEncoderLayer, x: Tensor, mask: Tensor
) -> Tensor:
    """Compute self-attention, then feed-forward. (B, n, d_model) -> (B, n, d_model)"""
    where = f"{path}.self_attn"
    x = sublayer(
        kept,
        where,
        layer.norm1,
        layer.norm_first,
        x,
        lambda y: attend(kept, where, layer.self_attn, y, y, mask),
    )
    where = f"{path}.feed_forward"
    return sublayer(
        kept, where, layer.norm2, layer.norm_first, x, lambda y: feed_forward(kept, where, layer, y)
    )


def decoder_layer(
    kept: Kept,
    path: str,
    layer: nn.TransformerDecoderLayer,
    x: Tensor,
    memory: Tensor,
    mask: Tensor,
    memory_mask: Tensor,
) -> Tensor:
    """Compute a decoder layer: masked self-attention, cross-attention, feed-forward."""
    bodies = (
        ("self_attn", layer.norm1, lambda p, y: attend(kept, p, layer.self_attn, y, y, mask)),
        (
            "cross_attn",
            layer.norm2,
            lambda p, y: attend(kept, p, layer.multihead_attn, y, memory, memory_mask),
        ),
        ("feed_forward", layer.norm3, lambda p, y: feed_forward(kept, p, layer, y)),
    )
    for name, norm, body in bodies:
        where = f"{path}.{name}"
        x = sublayer(kept, where, norm, layer.norm_first, x, lambda y, w=where, b=body: b(w, y))
    return x


def final_norm(kept: Kept, stack: str, norm: nn.LayerNorm | None, x: Tensor) -> Tensor:
    """Compute the final normalization of a stack, if it has one."""
    if norm is None:
        return x
    value = F.layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)
    return kept.keep(f"{stack}.final.norm", value)


def forbidden(ids: Tensor, pad: int | None, queries: int, causal: bool) -> Tensor:
    """Return (B, 1, n or 1, m): True for padding keys, and for later keys when causal."""
    padding = torch.zeros_like(ids, dtype=torch.bool) if pad is None else ids == pad
    mask = padding[:, None, None, :]
    if causal:
        mask = mask | torch.ones(queries, queries, dtype=torch.bool).triu(1)
    return mask
