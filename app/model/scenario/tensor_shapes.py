"""The shape of every tensor of a scenario's pass, computed without running the pass.

An edit, for instance from a link, can thus be checked before the pass.
"""

from transformer_math import Config
from transformer_math.graph.paths import TENSORS, kind_of


def shape_of(config: Config, source: int, target: int, path: str) -> tuple[int, ...] | None:
    """Return the shape of a stored tensor for sequences of these lengths; None if absent.

    Ids and masks count as absent, because they cannot be set to real numbers; the loss does as
    well, because it is the function whose gradients are computed.
    """
    parameter = config.parameter_shapes().get(path)
    if parameter is not None:
        return parameter
    prefix, _, leaf = path.rpartition(".")
    if not _exists(config, prefix, leaf):
        return None
    in_encoder = prefix.startswith(("source", "encoder")) or not config.decoder_layers
    own = source if in_encoder else target
    sizes = {
        "position": own,
        "key_position": own,
        "source_position": source,
        "head": config.heads,
        "d_model": config.d_model,
        "d_k": config.key_width,
        "d_v": config.value_width,
        "d_ff": config.feed_forward_width,
        "head_d_v": config.heads * config.value_width,
        "vocab": config.output_vocabulary,
    }
    return tuple(sizes[dim] for dim in TENSORS[kind_of(prefix)][leaf].dims)


def _exists(config: Config, prefix: str, leaf: str) -> bool:
    """Return whether the pass computes a tensor of this name."""
    parts = prefix.split(".")
    if leaf in ("ids", "mask", "gamma", "beta") or leaf.startswith(("W_", "b_")):
        return False
    if leaf not in TENSORS.get(kind_of(prefix), {}):
        return False
    layers = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    if parts[0] in ("source", "target"):
        stack = layers["encoder" if parts[0] == "source" else "decoder"]
        if parts[1:] == ["unprojected"]:
            return bool(stack) and (parts[0] == "source" or not config.encoder_layers)
        has = {"positions": config.positions != "none", "norm": config.embedding_norm}
        return bool(stack) and not parts[1:] and has.get(leaf, True)
    if parts == ["output"]:
        if leaf in ("hidden", "activation", "norm"):
            return config.output_transform
        return leaf not in ("labels", "token_loss", "loss")
    if parts[0] not in layers or len(parts) != 2:
        return len(parts) == 3 and _in_layer(config, layers.get(parts[0], 0), parts, leaf)
    return parts[1] == "final" and config.has_final_norm and bool(layers[parts[0]])


def _in_layer(config: Config, layers: int, parts: list[str], leaf: str) -> bool:
    stack, number, sublayer = parts
    if not (number.isdecimal() and number == str(int(number)) and int(number) < layers):
        return False
    if sublayer == "cross_attn" and (stack == "encoder" or not config.encoder_layers):
        return False
    if sublayer not in ("self_attn", "cross_attn", "feed_forward"):
        return False
    return leaf != "weights_dropout" or bool(config.dropout.attention_weights)
