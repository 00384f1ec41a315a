"""Files of ``torch.save`` in both formats, written by PyTorch."""

import io
import struct
import zipfile

import numpy as np
import pytest

from tests.math.stored import load
from tests.math.torch_by_hand import both, call, named, number, pack, storage, table, tensor, text
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.torch_archive import is_torch_file, read_torch_file

STORED = load("torch_files")
CASES = STORED.config["cases"]
READ = [case for case in CASES if not case.startswith("refused_")]


def file(case: str) -> bytes:
    return STORED.arrays[f"file/{case}"].tobytes()


def assert_same(found: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    for name, array in found.items():
        assert array.dtype == expected[name].dtype, name
        np.testing.assert_array_equal(array, expected[name], name)


@pytest.mark.parametrize("case", READ)
def test_a_state_equals_the_one_that_torch_loads(case: str) -> None:
    found = read_torch_file(file(case))
    assert list(found.state) == CASES[case]["names"]
    assert_same(found.state, STORED.under(f"state/{case}"))
    assert found.key == CASES[case].get("key", "")


@pytest.mark.parametrize("case", ["views", "views_old"])
def test_tensors_of_one_storage_share_its_memory(case: str) -> None:
    state = read_torch_file(file(case)).state
    for name in ("transposed", "columns", "last", "one", "overlapping"):
        assert np.shares_memory(state["base"], state[name]), name
    assert state["tied.in"] is state["tied.out"]
    assert np.shares_memory(state["tied.in"], state["tied.flat"])
    assert not np.shares_memory(state["base"], state["tied.in"])


@pytest.mark.parametrize("case", ["floats", "floats_old"])
def test_float16_is_kept_on_request(case: str) -> None:
    state = read_torch_file(file(case), keep_float16=True).state
    assert [array.dtype.name for array in state.values()] == [
        *("float64", "float32", "float16", "float32")
    ]
    assert state["float16"][0, 0] == np.finfo(np.float16).max


@pytest.mark.parametrize("case", ["checkpoint", "checkpoint_old"])
def test_other_contents_are_named_and_plain_values_are_returned(case: str) -> None:
    found = read_torch_file(file(case))
    assert found.other == [
        "epoch 12",
        "ema: 4 arrays",
        "optimizer_state_dict: 2 entries",
        "args: argparse.Namespace, not read",
        "config: 4 entries",
        "best None",
        'note "the last one"',
        "rng: an array of uint8",
        "scales: a tensor of float8_e4m3fn, not read",
        "score: numpy._core.multiarray.scalar, not read",
    ]
    assert found.values["config"] == {"n_head": 2, "dropout": 0.1, "names": ["a", "b"]}
    assert (found.values["epoch"], found.values["best"]) == (12, None)
    assert set(found.values) == {"epoch", "optimizer_state_dict", "config", "best", "note"}


def test_a_state_under_another_key_is_read() -> None:
    usual = read_torch_file(file("checkpoint"))
    average = read_torch_file(file("checkpoint"), key="ema")
    assert average.key == "ema"
    assert "model_state_dict: 4 arrays" in average.other
    for name, array in average.state.items():
        np.testing.assert_array_equal(array, usual.state[name] * 0.5)
    with pytest.raises(ValueError, match=r"no state under 'net'; it has 'ema', 'model_state_dict'"):
        read_torch_file(file("checkpoint"), key="net")


def test_a_large_vocabulary_beside_the_state_is_read() -> None:
    words = {f"word{n}": number(n) for n in range(50_000)}
    counts = {name: b"]" + text(name) + b"a" for name in words}
    value = table(net=table(weight=tensor(storage())), words=table(**words), forms=table(**counts))
    found = read_torch_file(both(value)["zip"])
    assert found.values["words"]["word49999"] == 49_999
    assert found.values["forms"]["word7"] == ["word7"]
    assert found.other == ["words: 50,000 entries", "forms: 50,000 entries"]


REFUSED = {
    "sparse": "weight is a sparse tensor, which is not read",
    "quantized": "weight is a quantized tensor, which is not read",
    "complex": "weight is a tensor of complex64, which is not read",
    "float8": "weight is a tensor of float8_e4m3fn, which is not read",
    "meta": "weight is a tensor of the device meta, which has no numbers, which is not read",
    "conjugated": "weight is a tensor that is conjugated or negated when it is read",
    "script": "an archive of TorchScript",
    "tensor": "no arrays by name",
    "optimizer": "no arrays by name, as a model has; it has optimizer: 2 entries; epoch 3",
}


@pytest.mark.parametrize("case", REFUSED)
def test_unsupported_contents_are_refused_by_name(case: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[case]):
        read_torch_file(file(f"refused_{case}"))


def npz() -> bytes:
    out = io.BytesIO()
    np.savez(out, weight=np.ones(2))
    return out.getvalue()


OTHER = {
    "safetensors": (safetensors.save({"w": np.ones(2, np.float32)}), "a safetensors file"),
    "gguf": (b"GGUF" + bytes(40), "a GGUF file"),
    "keras": (b"\x89HDF\r\n\x1a\n" + bytes(40), "an HDF5 file"),
    "npy": (b"\x93NUMPY\1\0" + bytes(40), "an array of NumPy"),
    "npz": (npz(), r"a ZIP archive with 0 members data.pkl, not one; it has weight\.npy"),
    "tar": (bytes(257) + b"ustar  \0" + bytes(300), r"a tar archive, which PyTorch .* before 0\.1"),
    "gzip": (b"\x1f\x8b" + bytes(40), "compressed by gzip"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
    "page": (b"<!DOCTYPE html><html>", "a web page"),
    "text": (b"hello", "it starts with other bytes"),
    "nothing": (b"", "it is empty"),
    "pickle": (b"\x80\x02}q\0.", "a pickle, but not one of torch.save"),
}


@pytest.mark.parametrize("kind", OTHER)
def test_a_file_of_another_format_is_named(kind: str, tmp_path) -> None:
    data, sentence = OTHER[kind]
    with pytest.raises(ValueError, match=sentence):
        read_torch_file(data)
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=sentence):
        read_torch_file(path)
    assert is_torch_file(data) == (kind in ("npz", "pickle"))


def test_a_safetensors_file_may_begin_with_the_byte_of_a_pickle() -> None:
    """Its first byte is the length of its header, which is 128 here."""
    header = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'.ljust(128)
    data = struct.pack("<Q", 128) + header + bytes(4)
    assert safetensors.load(data).arrays["w"] == 0
    assert not is_torch_file(data)


def test_a_larger_file_than_the_limit_is_refused() -> None:
    data = file("checkpoint")
    read_torch_file(data, limit=len(data))
    with pytest.raises(ValueError, match="The file has 0 MB; at most 0 MB are read"):
        read_torch_file(data, limit=len(data) - 1)


def test_arrays_of_more_than_twice_the_limit_are_refused() -> None:
    value = table(weight=tensor(storage(), shape=[1000], strides=[0]))
    for data in both(value).values():
        read_torch_file(data, limit=2000)
        with pytest.raises(ValueError, match="The arrays up to weight take more memory"):
            read_torch_file(data, limit=1999)


def test_an_archive_with_sizes_of_64_bits_is_read(monkeypatch) -> None:
    """PyTorch writes such archives above 4 GB."""
    given = zipfile.ZipFile(io.BytesIO(file("views")))
    for limit in ("ZIP64_LIMIT", "ZIP_FILECOUNT_LIMIT"):
        monkeypatch.setattr(zipfile, limit, 1)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in given.namelist():
            archive.writestr(name, given.read(name))
    data = bytearray(out.getvalue())
    assert b"PK\6\6" in data
    struct.pack_into("<2H2L", data, len(data) - 14, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    assert_same(read_torch_file(bytes(data)).state, STORED.under("state/views"))


def test_an_ordered_dict_of_python_2_is_read() -> None:
    """It was pickled as a call with a list of pairs; its texts are bytes, its sizes are objects."""
    key = b"U\x06weight"
    pair = b"](" + key + tensor(storage()) + b"e"
    value = named("collections.OrderedDict") + b"](" + pair + b"e\x85R"
    for data in both(value).values():
        assert read_torch_file(data).state["weight"].tolist() == [[1, 2], [3, 4]]
    size = call("torch.Size", pack(number(4)))
    made = "torch._utils._rebuild_tensor"
    value = table(weight=call(made, storage(), number(0), size, pack(number(1))))
    assert read_torch_file(both(value)["old"]).state["weight"].tolist() == [1, 2, 3, 4]


def test_a_storage_that_is_a_part_of_another_one_is_refused() -> None:
    part = storage()[:-2] + pack(text("1"), number(0), number(4)) + b"tQ"
    with pytest.raises(ValueError, match="The storage 0 is a part of another one"):
        read_torch_file(both(table(weight=tensor(part)))["old"])
    whole = storage()[:-2] + b"NtQ"
    assert list(read_torch_file(both(table(weight=tensor(whole)))["old"]).state) == ["weight"]


def test_a_storage_outside_the_state_is_not_decoded(tmp_path, monkeypatch) -> None:
    """Of a checkpoint, only the arrays of the model are decoded."""
    from transformer_math.checkpoints.torch_tensors import Arrays

    decoded = []
    decode = Arrays._decoded
    monkeypatch.setattr(Arrays, "_decoded", lambda *args: decoded.append(args[1]) or decode(*args))
    read_torch_file(file("checkpoint"))
    assert decoded == CASES["checkpoint"]["names"]


# -- comparison with PyTorch, if it is installed -------------------------------------------------


@pytest.mark.parametrize("old", [False, True])
def test_random_states_equal_those_of_an_installed_torch(old: bool) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra reference).")
    rng = np.random.default_rng(5)
    dtypes = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.bool]
    for _ in range(60):
        dtype = dtypes[rng.integers(len(dtypes))]
        storage = (torch.randn(int(rng.integers(1, 200))) * 9).to(dtype)
        state = {}
        for name in "abc":
            shape = [int(n) for n in rng.integers(0, 5, rng.integers(0, 4))]
            strides = [int(n) for n in rng.integers(0, 4, len(shape))]
            last = sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True) if n)
            if last < len(storage):
                offset = int(rng.integers(0, len(storage) - last))
                state[name] = torch.as_strided(storage, shape, strides, offset)
        if not state:
            continue
        out = io.BytesIO()
        protocol = int(rng.integers(2, 6))
        torch.save(
            *({"epoch": 1, "net": state}, out),
            pickle_protocol=protocol,
            _use_new_zipfile_serialization=not old,
        )
        out.seek(0)
        loaded = torch.load(out, weights_only=False)["net"]
        found = read_torch_file(out.getvalue()).state
        assert list(found) == list(loaded)
        for name, other in loaded.items():
            is_half = other.dtype in (torch.float16, torch.bfloat16)
            expected = (other.float() if is_half else other).numpy()
            assert found[name].dtype == expected.dtype
            np.testing.assert_array_equal(found[name], expected)
