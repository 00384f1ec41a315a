"""Write ``torch_*.npz``: every value and every gradient of small models, computed by PyTorch.

    python tests/data/make_torch_reference.py

needs ``torch``; the tests need only what it writes. A case is stored only if the written-out pass
of ``torch_forward.py`` agrees with PyTorch's modules: in the results, the outputs of every module
inside them, and the gradient of every parameter.
"""

import dataclasses

import torch
import torch_forward as forward
from store import save
from torch import Tensor
from torch_cases import CASES, Case
from torch_models import Model
from torch_multihead import save_multihead

TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}


def tokens(case: Case, side: str) -> Tensor:
    """Return (B, n) ids, in which each row has padding only at its end."""
    length = getattr(case, f"{side}_length")
    size, pad = getattr(case, f"{side}_vocabulary"), getattr(case, f"{side}_pad")
    generator = torch.Generator().manual_seed(case.seed + (500 if side == "source" else 900))
    ids = torch.randint(0, size, (case.batch, length), generator=generator)
    if pad is not None:
        ids[ids == pad] = pad - 1
        for row, count in enumerate(getattr(case, f"{side}_pads")):
            ids[row, length - count :] = pad
    return ids


def written_out(case: Case, model: Model, ids: dict[str, Tensor]) -> forward.Kept:
    """Compute all steps from ids to probabilities, each stored by its path."""
    kept = forward.Kept()
    memory = x = None
    source_mask = forward.forbidden(ids["source"], case.source_pad, case.source_length, False)
    target_mask = forward.forbidden(ids["target"], case.target_pad, case.target_length, True)
    if case.encoder_layers:
        x = forward.embed(kept, "source", model.source_embedding, ids["source"])
        stack = model.transformer.encoder if case.decoder_layers else model.encoder
        for n, layer in enumerate(stack.layers):
            x = forward.encoder_layer(kept, f"encoder.{n}", layer, x, source_mask)
        x = memory = forward.final_norm(kept, "encoder", stack.norm, x)
    if case.decoder_layers:
        x = forward.embed(kept, "target", model.target_embedding, ids["target"])
        stack = model.transformer.decoder if case.encoder_layers else model.encoder
        for n, layer in enumerate(stack.layers):
            path = f"decoder.{n}"
            if case.encoder_layers:
                masks = (target_mask, source_mask)
                x = forward.decoder_layer(kept, path, layer, x, memory, *masks)
            else:
                x = forward.encoder_layer(kept, path, layer, x, target_mask)
        x = forward.final_norm(kept, "decoder", stack.norm, x)
    logits = kept.keep("output.logits", model.generator(x))
    kept.keep("output.probabilities", torch.softmax(logits, dim=-1))
    return kept


OUTPUT_OF = {  # the module's name inside its layer -> the path of its output
    "self_attn": "self_attn.out",
    "multihead_attn": "cross_attn.out",
    "norm1": "self_attn.norm",
    "norm2": "{second}.norm",
    "norm3": "feed_forward.norm",
    "linear1": "feed_forward.hidden",
    "linear2": "feed_forward.out",
}


def watch_modules(case: Case, model: Model, outputs: dict[str, Tensor]) -> None:
    """Hook every module whose output is one of our intermediates, to compare it."""
    for name, module in model.named_modules():
        name = name.removeprefix("transformer.")
        layer, _, leaf = name.rpartition(".")
        if leaf not in OUTPUT_OF or ".layers." not in name:
            continue
        stack = layer.split(".")[0]
        second = "feed_forward" if stack == "encoder" else "cross_attn"
        stack = stack if case.encoder_layers else "decoder"
        path = f"{stack}.{layer.split('.')[2]}.{OUTPUT_OF[leaf].format(second=second)}"

        def hook(_module, _inputs, output, path=path) -> None:
            outputs[path] = output[0] if isinstance(output, tuple) else output

        module.register_forward_hook(hook)


def gradients(model: Model) -> dict[str, Tensor]:
    """Return the gradients of the parameters, and remove them from the model."""
    found = {}
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        found[model.stored_name(name)] = parameter.grad.clone()
    model.zero_grad()
    return found


def make(name: str, case: Case) -> None:
    """Compute one case in both ways, compare the results, and store them."""
    model = Model(case).train()
    model.randomize()
    ids = {side: tokens(case, side) for side in ("source", "target")}
    generator = torch.Generator().manual_seed(case.seed + 7000)

    kept = written_out(case, model, ids)
    loss_weights = torch.randn(kept["output.logits"].shape, generator=generator)
    (kept["output.logits"] * loss_weights).sum().backward()
    mine = gradients(model)
    steps = {path: tensor.grad for path, tensor in kept.items() if tensor.grad is not None}

    sums = {side: kept.get(f"{side}.sum", torch.empty(0)).detach() for side in ids}
    padding = {
        side: ids[side] == getattr(case, f"{side}_pad")
        for side in ids
        if getattr(case, f"{side}_pad") is not None
    }
    outputs: dict[str, Tensor] = {}
    watch_modules(case, model, outputs)
    again = forward.Kept()
    for side in ids:
        if sums[side].numel():
            table = getattr(model, f"{side}_embedding")
            sums[side] = forward.embed(again, side, table, ids[side])
    logits = model.generator(model.run_stacks(sums["source"], sums["target"], padding))
    torch.testing.assert_close(kept["output.logits"], logits, **TOLERANCE)
    for path, output in outputs.items():
        torch.testing.assert_close(kept[path], output, **TOLERANCE)
    sublayers = 2 * case.encoder_layers + (3 if case.encoder_layers else 2) * case.decoder_layers
    # Each attention sublayer has two outputs (out, norm), each feed-forward one three.
    assert len(outputs) == 2 * sublayers + case.encoder_layers + case.decoder_layers
    (logits * loss_weights).sum().backward()
    theirs = gradients(model)
    for key in theirs:
        torch.testing.assert_close(mine[key], theirs[key], **TOLERANCE)
    assert all(torch.isfinite(g).all() for g in theirs.values())

    arrays = {f"{side}_ids": tensor for side, tensor in ids.items() if tensor.numel()}
    arrays["loss_weights"] = loss_weights
    arrays |= {
        f"state/{model.stored_name(key)}": value for key, value in model.state_dict().items()
    }
    arrays |= {f"value/{path}": tensor for path, tensor in kept.items()}
    arrays |= {f"grad/{key}": value for key, value in theirs.items()}
    arrays |= {f"grad_intermediate/{path}": value for path, value in steps.items()}
    settings = dataclasses.asdict(case) | {
        "source_pad": case.source_pad,
        "target_pad": case.target_pad,
        "torch": torch.__version__,
    }
    save(name, settings, {key: value.detach().numpy() for key, value in arrays.items()})


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    for case_name, one_case in CASES.items():
        make(case_name, one_case)
    save_multihead()
