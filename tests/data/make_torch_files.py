"""Write ``torch_files.npz``: small files of ``torch.save`` in both formats, and their contents.

    python tests/data/make_torch_files.py

needs ``torch``; the tests need only what it writes. The old format uses addresses of the process as
names of storages, so its bytes differ from run to run.
"""

import argparse
import io
import warnings
import zipfile
from collections import OrderedDict
from typing import Any

import numpy as np
import torch
from store import HERE, save
from torch import Tensor, nn

warnings.simplefilter("ignore")  # quantized tensors and TorchScript are deprecated

FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)
NEW = (torch.uint16, torch.uint32, torch.uint64)  # they have no own class of storage

arrays: dict[str, np.ndarray] = {}
cases: dict[str, dict[str, Any]] = {}


def written(value: Any, **how: Any) -> bytes:
    """Return the bytes of a file."""
    out = io.BytesIO()
    torch.save(value, out, **how)
    return out.getvalue()


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def store(case: str, data: bytes, state: dict[str, Tensor], **about: Any) -> None:
    """Store a file, and the state that PyTorch itself loads from it."""
    arrays[f"file/{case}"] = np.frombuffer(data, np.uint8)
    for name, tensor in state.items():
        tensor = tensor.detach()
        is_half = tensor.dtype in (torch.float16, torch.bfloat16)
        arrays[f"state/{case}/{name}"] = (tensor.float() if is_half else tensor).numpy()
    cases[case] = {"names": list(state), **about}


def both(case: str, value: Any, state: dict[str, Tensor], **about: Any) -> None:
    """Store a value in both formats."""
    store(case, written(value), state, **about)
    old = written(value, _use_new_zipfile_serialization=False)
    store(f"{case}_old", old, state, **about)


def of_dtypes(dtypes: tuple[torch.dtype, ...]) -> dict[str, Tensor]:
    """Return a matrix of each dtype, with the largest and the smallest numbers."""
    found = {}
    for dtype in dtypes:
        name = name_of(dtype)
        if dtype == torch.bool:
            found[name] = torch.tensor([[True, False, True], [False, False, True]])
        elif dtype.is_floating_point:
            info = torch.finfo(dtype)
            ends = torch.tensor([info.max, info.tiny, -info.eps], dtype=dtype)
            found[name] = torch.stack([ends, torch.randn(3).to(dtype)])
        else:
            limits = np.iinfo(name)
            found[name] = torch.from_numpy(np.array([[limits.max, limits.min, 1], [2, 3, 4]], name))
    return found


def views() -> dict[str, Tensor]:
    """Return tensors that share storages, with offsets and strides of all kinds."""
    base = torch.arange(24.0).reshape(4, 6)
    tied = torch.randn(3, 2)
    return {
        "base": base,
        "transposed": base.T,
        "columns": base[:, 1:5:2],
        "last": base[3],
        "one": base[2, 3],
        "overlapping": torch.as_strided(base, (3, 4), (2, 1), 5),
        "expanded": torch.tensor([1.5, 2.5]).expand(3, 2),
        "none": torch.empty(0, 3),
        "tied.in": tied,
        "tied.out": tied,
        "tied.flat": tied.view(6),
    }


class Block(nn.Module):
    """A module with every kind of member."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 2, bias=False)
        self.norm = nn.LayerNorm(2)
        self.again = self.norm
        self.register_buffer("counts", torch.arange(3))
        self.register_buffer("mask", torch.ones(2, 2), persistent=False)
        self.register_parameter("nothing", None)
        self.scale = nn.Parameter(torch.tensor(1.5))


def checkpoint() -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return a checkpoint like those of training scripts, and the state of its model."""
    model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    average = {name: tensor * 0.5 for name, tensor in model.state_dict().items()}
    value = {
        "epoch": 12,
        "ema": average,
        "model_state_dict": model.state_dict(),
        "optimizer_state_dict": optimizer.state_dict(),
        "args": argparse.Namespace(lr=0.01, heads=2),
        "config": {"n_head": 2, "dropout": 0.1, "names": ["a", "b"], "device": torch.device("cpu")},
        "best": None,
        "note": "the last one",
        "rng": torch.get_rng_state()[:100],
        "scales": torch.ones(2).to(torch.float8_e4m3fn),
        "score": np.float64(0.5),
    }
    return value, model.state_dict()


def swapped(data: bytes) -> bytes:
    """Return a file of float32 like those of a computer of the other byte order."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as archive:
        for name in given.namelist():
            content = given.read(name)
            if name.endswith("/byteorder"):
                content = b"big"
            elif "/data/" in name:
                content = np.frombuffer(content, "<u4").astype(">u4").tobytes()
            archive.writestr(zipfile.ZipInfo(name), content)
    loaded = torch.load(io.BytesIO(out.getvalue()))
    assert all(torch.equal(a, b) for a, b in zip(loaded.values(), plain().values(), strict=True))
    return out.getvalue()


def plain() -> dict[str, Tensor]:
    return {"weight": torch.arange(6.0).reshape(2, 3) / 7, "bias": torch.tensor([0.5, -1e-30])}


def transformer() -> dict[str, Tensor]:
    """Return the state of a ``torch.nn.Transformer`` with its embeddings, in single precision."""
    with np.load(HERE / "torch_post_relu.npz") as stored:
        arrays = {name: stored[name] for name in stored.files if name.startswith("state/")}
    return {
        name.removeprefix("state/"): torch.from_numpy(array).float()
        for name, array in arrays.items()
    }


def scripted() -> bytes:
    out = io.BytesIO()
    torch.jit.save(torch.jit.script(nn.Linear(2, 1)), out)
    return out.getvalue()


def refused() -> None:
    """Store files with contents that are refused."""
    ones = torch.ones(2, 2)
    for case, value in {
        "sparse": ones.to_sparse(),
        "quantized": torch.quantize_per_tensor(ones, 0.1, 0, torch.qint8),
        "complex": ones.to(torch.complex64),
        "float8": ones.to(torch.float8_e4m3fn),
        "meta": torch.empty(2, 2, device="meta"),
        "conjugated": torch.ones(2, dtype=torch.complex64).conj().imag,
    }.items():
        store(f"refused_{case}", written({"weight": value, "bias": ones}), {})
    store("refused_script", scripted(), {})
    store("refused_tensor", written(ones), {})
    adam = torch.optim.Adam([nn.Parameter(ones)])
    store("refused_optimizer", written({"optimizer": adam.state_dict(), "epoch": 3}), {})


def main() -> None:
    torch.manual_seed(90)
    # The old format stores the source of each class, and its path on this computer.
    torch.serialization.get_source_lines_and_file = lambda kind: (["pass"], 1, "module.py")
    for case, dtypes in {"floats": FLOATS, "whole": WHOLE, "new": NEW}.items():
        state = of_dtypes(dtypes)
        both(case, OrderedDict(state), state)
    state = views()
    both("views", state, state)
    for protocol in (3, 4, 5):
        store(f"protocol_{protocol}", written(plain(), pickle_protocol=protocol), plain())
    value, state = checkpoint()
    both("checkpoint", value, state, key="model_state_dict")
    module = Block()
    both("module", module, module.state_dict())
    both("module_inside", {"net": module, "step": 5}, module.state_dict(), key="net")
    parameter = nn.Parameter(torch.ones(2))
    parameter.note = "kept"
    marked = {"parameter": parameter, "buffer": nn.Buffer(torch.zeros(3))}
    both("attributes", marked, marked)
    state = transformer()
    store("transformer", written({"epoch": 3, "model": state}), state, key="model")
    store("big_endian", swapped(written(plain())), plain())
    refused()
    save("torch_files", {"torch": torch.__version__, "cases": cases}, arrays)


if __name__ == "__main__":
    main()
