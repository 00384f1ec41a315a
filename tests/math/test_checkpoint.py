import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.safetensors import CheckpointError

ARRAYS = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "b.c": np.array(2.5),
    "empty": np.zeros((0, 4), np.float32),
}


def file(header: Any, body: bytes = b"") -> bytes:
    """Return a file with any header, valid or not."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def entry(dtype: Any = "F32", shape: Any = (2,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def test_the_layout_is_that_of_the_safetensors_format():
    """As its documentation defines it: length, JSON, contiguous bytes, little endian."""
    data = safetensors.save({"x": np.array([1.0, -2.0], np.float32)})
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    assert header == {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    assert data[8 + length :] == struct.pack("<2f", 1.0, -2.0)
    assert length % 8 == 0


def test_half_and_brain_floats_are_read_as_float32():
    body = struct.pack("<2e", 0.5, -3.0) + struct.pack("<2H", 0x3F80, 0xC000)
    header = {"half": entry("F16", [2], [0, 4]), "brain": entry("BF16", [2], [4, 8])}
    arrays, _ = safetensors.load(file(header, body))
    assert arrays["half"].tolist() == [0.5, -3.0]
    assert arrays["brain"].tolist() == [1.0, -2.0]
    assert {array.dtype.name for array in arrays.values()} == {"float32"}


def test_the_safetensors_library_can_read_the_file(tmp_path):
    library = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed.")
    read = library.load(safetensors.save(ARRAYS, {"a": "b"}))
    np.testing.assert_array_equal(read["a"], ARRAYS["a"])


TWO = [entry(offsets=[0, 8]), entry(offsets=[8, 16])]
BAD = {
    "empty": (b"", "not a safetensors file"),
    "a pickle": (b"\x80\x04\x95" + b"." * 40, "not a safetensors file"),
    "text": (b"hello, here are my weights", "not a safetensors file"),
    "a zip": (b"PK\x03\x04" + b"\0" * 60, "not a safetensors file"),
    "header too long": (struct.pack("<Q", 1 << 40) + b"{}", "claims 1,099,511,627,776 bytes"),
    "header cut off": (struct.pack("<Q", 100) + b'{"a": ', "truncated: it ends within its header"),
    "no JSON": (file(b'{"a" 5}'), "not JSON"),
    "no text": (file(b'{"\xff": 5}'), "not JSON"),
    "deep JSON": (file(b'{"a": ' + b"[" * 90_000), "not JSON"),
    "long number": (file(b'{"a": ' + b"9" * 5000 + b"}"), "not JSON"),
    "twice": (file(b'{"a": {}, "a": {}}'), "names a twice"),
    "metadata": (file({"__metadata__": {"a": 1}}), "metadata"),
    "no entry": (file({"a": 5}), "a is not described by dtype, shape and data_offsets"),
    "integers": (file({"a": entry("I64", [1])}, b"\0" * 8), "unknown dtype I64"),
    "no dtype": (file({"a": entry([], [1])}, b"\0" * 8), "unknown dtype"),
    "negative size": (file({"a": entry(shape=[-2])}, b"\0" * 8), "no shape but"),
    "true as size": (file({"a": entry(shape=[True, 2])}, b"\0" * 8), "no shape but"),
    "huge size": (file({"a": entry(shape=[1 << 62] * 8)}, b"\0" * 8), "by its shape"),
    "too many axes": (file({"a": entry(shape=[1] * 9 + [2])}, b"\0" * 8), "no shape but"),
    "size and offsets": (file({"a": entry(shape=[3])}, b"\0" * 8), "12 bytes by its shape and 8"),
    "backward": (file({"a": entry(offsets=[8, 0])}, b"\0" * 8), "no offsets"),
    "beyond": (file({"a": entry(), "b": TWO[1]}, b"\0" * 8), "truncated: b reaches beyond"),
    "overlap": (file({"a": entry(), "b": entry(offsets=[4, 12])}, b"\0" * 12), "b overlaps a"),
    "gap": (file({"a": entry(), "b": entry(offsets=[12, 20])}, b"\0" * 20), "gap before b"),
    "left over": (file({"a": entry()}, b"\0" * 11), "3 bytes beyond its last tensor"),
    "NaN": (file({"a": entry()}, struct.pack("<2f", 1, float("nan"))), "a holds 1 values that are"),
    "infinite": (file({"a": entry()}, struct.pack("<2f", 1, float("inf"))), "NaN or infinite"),
    "long name": (file({"a" * 201: entry()}, b"\0" * 8), "201 characters"),
}


@pytest.mark.parametrize("name", BAD)
def test_damage_is_reported_in_one_sentence(name):
    data, sentence = BAD[name]
    with pytest.raises(CheckpointError) as told:
        safetensors.load(data)
    assert sentence in str(told.value)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)


def test_a_file_that_is_too_large_is_not_read():
    with pytest.raises(CheckpointError, match="at most 64 MB"):
        safetensors.load(bytes(safetensors.MAX_BYTES + 1))


def test_only_floats_are_written():
    with pytest.raises(CheckpointError, match="int64"):
        safetensors.save({"a": np.arange(3)})


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=20).filter(lambda s: s != safetensors.METADATA and _utf8(s)),
        hnp.arrays(
            st.sampled_from([np.float32, np.float64]),
            hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
            elements={"allow_nan": False, "allow_infinity": False},
        ),
        max_size=5,
    )
)
def test_any_arrays_are_restored_bit_for_bit(arrays):
    read, metadata = safetensors.load(safetensors.save(arrays, {"who": "né"}))
    assert metadata == {"who": "né"}
    assert list(read) == list(arrays)
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype
        assert read[name].tobytes() == array.tobytes()


def _utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
