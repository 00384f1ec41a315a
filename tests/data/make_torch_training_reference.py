"""Write the references for training: losses, their gradients, Adam, ten steps.

    python tests/data/make_torch_training_reference.py

needs ``torch``; the tests need only what it writes. Gradients are stored only if the written-out
pass of ``torch_forward.py`` and PyTorch's modules agree on them.
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
import torch_forward as forward
from make_torch_reference import TOLERANCE, gradients, tokens, written_out
from store import save
from torch import Tensor
from torch_cases import CASES, Case
from torch_models import Model

SMOOTHING = 0.1
BETAS, EPSILON = (0.9, 0.98), 1e-9  # Section 5.3

LOSS_CASES = {  # file -> the case whose model and ids it uses
    "torch_loss_post": "torch_post_gelu_padded",
    "torch_loss_pre": "torch_pre_gelu_padded",
}
TRAINING_CASE = Case(18, 10, 2, 13, 1, 1, 11, 17, "post", "relu", 7, 5, 3, (0, 2, 4), (1, 0, 3))
STEPS, WARMUP, LIMIT = 10, 4, 1.0


def shifted(target: Tensor, case: Case, seed: int) -> Tensor:
    """Return labels (B, n): the next token of each position, any after the last one, padding."""
    generator = torch.Generator().manual_seed(seed)
    last = torch.randint(0, case.target_pad, (len(target), 1), generator=generator)
    following = torch.cat([target[:, 1:], last], dim=1)
    is_last = (target != case.target_pad) & (following == case.target_pad)
    following = torch.where(is_last, last, following)
    labels = following.masked_fill(target == case.target_pad, case.target_pad)
    assert ((labels == case.target_pad) == (target == case.target_pad)).all()
    return labels


def torch_loss(logits: Tensor, labels: Tensor, pad: int) -> Tensor:
    """Return PyTorch's label smoothing: ε/V for every class, and 1 − ε more for the right one."""
    flat = logits.flatten(0, -2)
    return F.cross_entropy(flat, labels.flatten(), ignore_index=pad, label_smoothing=SMOOTHING)


def paper_loss(logits: Tensor, labels: Tensor, pad: int) -> Tensor:
    """Return 1 − ε for the right class and ε/(V − 1) for each other, as a distribution."""
    flat, right = logits.flatten(0, -2), labels.flatten()
    kept = right != pad
    classes = flat.shape[-1]
    target = torch.full_like(flat, SMOOTHING / (classes - 1))
    target[torch.arange(len(right)), right] = 1 - SMOOTHING
    return F.cross_entropy(flat[kept], target[kept])


LOSSES = {"torch": torch_loss, "paper": paper_loss}


def module_logits(case: Case, model: Model, source: Tensor, target: Tensor) -> Tensor:
    """Return the logits of PyTorch's modules."""
    ids = {"source": source, "target": target}
    unused = forward.Kept()
    sums = [
        forward.embed(unused, side, getattr(model, f"{side}_embedding"), ids[side]) for side in ids
    ]
    padding = {side: ids[side] == getattr(case, f"{side}_pad") for side in ids}
    return model.generator(model.run_stacks(*sums, padding))


def save_loss(name: str, case_name: str) -> None:
    """Store the loss of one padded model in both forms, with its gradients.

    Of the paper's form, only the gradients of the logits and parameters are stored, because the
    computation before the logits is the same.
    """
    case = CASES[case_name]
    model = Model(case).train()
    model.randomize()
    ids = {side: tokens(case, side) for side in ("source", "target")}
    labels = shifted(ids["target"], case, case.seed + 8000)
    arrays = {"labels": labels}
    for form, loss_of in LOSSES.items():
        kept = written_out(case, model, ids)
        loss = loss_of(kept["output.logits"], labels, case.target_pad)
        loss.backward()
        mine = gradients(model)
        again = loss_of(module_logits(case, model, **ids), labels, case.target_pad)
        again.backward()
        theirs = gradients(model)
        torch.testing.assert_close(loss, again, **TOLERANCE)
        for key in theirs:
            torch.testing.assert_close(mine[key], theirs[key], **TOLERANCE)
        arrays[f"{form}/loss"] = again
        arrays |= {f"{form}/grad/{key}": value for key, value in theirs.items()}
        steps = {path: tensor.grad for path, tensor in kept.items() if tensor.grad is not None}
        if form == "paper":
            steps = {"output.logits": steps["output.logits"]}
        arrays |= {f"{form}/grad_intermediate/{path}": value for path, value in steps.items()}
    settings = {
        "model": case_name,
        "ignore": case.target_pad,
        "smoothing": SMOOTHING,
        "torch": torch.__version__,
    }
    save(name, settings, {key: value.detach().numpy() for key, value in arrays.items()})


def noam(step: int, d_model: int) -> float:
    """Return the rate of equation 3 of the paper."""
    return d_model**-0.5 * min(step**-0.5, step * WARMUP**-1.5)


def batches(case: Case) -> dict[str, Tensor]:
    """Return (steps, B, n) ids and labels; all batches differ, also in their padding."""
    found: dict[str, list[Tensor]] = {"source_ids": [], "target_ids": [], "labels": []}
    for step in range(STEPS):
        turn = step % case.batch
        this = dataclasses.replace(
            case,
            seed=case.seed + 10_000 * (step + 1),
            source_pads=case.source_pads[turn:] + case.source_pads[:turn],
            target_pads=case.target_pads[turn:] + case.target_pads[:turn],
        )
        target = tokens(this, "target")
        found["source_ids"].append(tokens(this, "source"))
        found["target_ids"].append(target)
        found["labels"].append(shifted(target, this, this.seed + 8000))
    return {name: torch.stack(rows) for name, rows in found.items()}


def save_training() -> None:
    """Store ten steps: smoothed loss, gradient clipping, Adam, the paper's schedule."""
    case = TRAINING_CASE
    model = Model(case).train()
    model.randomize()
    given = batches(case)
    initial = {name: value.detach().clone() for name, value in model.state_dict().items()}
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=BETAS, eps=EPSILON)
    told: dict[str, list[float]] = {"losses": [], "norms": [], "rates": []}
    for step in range(1, STEPS + 1):
        source, target, labels = (rows[step - 1] for rows in given.values())
        optimizer.zero_grad()
        loss = torch_loss(module_logits(case, model, source, target), labels, case.target_pad)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), LIMIT)
        rate = noam(step, case.d_model)
        optimizer.param_groups[0]["lr"] = rate
        optimizer.step()
        for name, value in (("losses", loss.item()), ("norms", norm.item()), ("rates", rate)):
            told[name].append(value)
    # Some gradients must be clipped and some not.
    assert min(told["norms"]) < LIMIT < max(told["norms"]), told["norms"]
    arrays = given | {name: torch.tensor(values) for name, values in told.items()}
    for prefix, state in (("initial", initial), ("final", model.state_dict())):
        arrays |= {f"{prefix}/{model.stored_name(key)}": value for key, value in state.items()}
    settings = dataclasses.asdict(case) | {
        "source_pad": case.source_pad,
        "target_pad": case.target_pad,
        "smoothing": SMOOTHING,
        "betas": BETAS,
        "epsilon": EPSILON,
        "warmup": WARMUP,
        "limit": LIMIT,
        "torch": torch.__version__,
    }
    save("torch_training", settings, {key: value.numpy() for key, value in arrays.items()})


ADAM_CASES = {  # β₁, β₂, ε
    "paper": (0.9, 0.98, 1e-9),
    "torch_default": (0.9, 0.999, 1e-8),
    "large_epsilon": (0.5, 0.7, 0.3),
    "no_memory": (0.0, 0.0, 1e-9),
}
SHAPES = {"heads.W_q": (2, 5, 3), "W_o": (6, 5), "b_o": (5,)}


def save_adam() -> None:
    """Store seven steps of ``torch.optim.Adam``, and ``clip_grad_norm_`` alone."""
    generator = torch.Generator().manual_seed(41)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    steps = 7
    rates = torch.rand(steps, generator=generator) * 0.1
    arrays = {"rates": rates}
    for name, shape in SHAPES.items():
        # Gradients from 1e-6 to 1, although Adam's steps are all of about the same size.
        scale = 10 ** (-6 * torch.rand(*shape, generator=generator))
        arrays[f"initial/{name}"] = normal(*shape)
        arrays[f"gradients/{name}"] = normal(steps, *shape) * scale
    # One parameter never has a gradient, and one has none at some steps.
    arrays["gradients/b_o"][:, 1] = 0
    arrays["gradients/W_o"][2:5] = 0
    for case, (beta_1, beta_2, epsilon) in ADAM_CASES.items():
        parameters = {
            name: torch.nn.Parameter(arrays[f"initial/{name}"].clone()) for name in SHAPES
        }
        optimizer = torch.optim.Adam(
            parameters.values(), lr=1.0, betas=(beta_1, beta_2), eps=epsilon
        )
        history: dict[str, list[Tensor]] = {name: [] for name in SHAPES}
        for step in range(steps):
            optimizer.param_groups[0]["lr"] = rates[step].item()
            for name, parameter in parameters.items():
                parameter.grad = arrays[f"gradients/{name}"][step].clone()
            optimizer.step()
            for name, parameter in parameters.items():
                history[name].append(parameter.detach().clone())
        for name, parameter in parameters.items():
            arrays[f"{case}/parameters/{name}"] = torch.stack(history[name])
            arrays[f"{case}/m/{name}"] = optimizer.state[parameter]["exp_avg"]
            arrays[f"{case}/v/{name}"] = optimizer.state[parameter]["exp_avg_sq"]
    limits = []
    for n, factor in enumerate((0.3, 1.0, 1.0 + 1e-7, 2.5)):
        clipped = torch.nn.Parameter(normal(17))
        clipped.grad = normal(17)
        limit = factor * clipped.grad.norm().item()
        arrays[f"clip/{n}/before"] = clipped.grad.clone()
        norm = torch.nn.utils.clip_grad_norm_([clipped], limit)
        assert math.isclose(norm.item() * factor, limit)
        arrays[f"clip/{n}/norm"] = norm
        arrays[f"clip/{n}/after"] = clipped.grad
        limits.append(limit)
    settings = {"cases": ADAM_CASES, "clip_limits": limits, "torch": torch.__version__}
    save("torch_adam", settings, {key: value.detach().numpy() for key, value in arrays.items()})


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    for file_name, one_case in LOSS_CASES.items():
        save_loss(file_name, one_case)
    save_training()
    save_adam()
