import io
import os
import re
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.math.stored import load
from tests.math.torch_by_hand import (
    BEFORE,
    DATA,
    GOOD,
    STOP,
    both,
    call,
    named,
    number,
    old,
    pack,
    storage,
    table,
    tensor,
    text,
    zipped,
)
from transformer_math.checkpoints.torch_archive import read_torch_file
from transformer_math.checkpoints.torch_pickle import MOST_STEPS

MOST_BYTES = 64 << 20  # in addition to the file
LONGEST = 1_000  # characters of an error
HUGE = 10**12
FILES = load("torch_files").under("file")


def answer(data: bytes, most_bytes: int = MOST_BYTES) -> str:
    """Return the error that refuses a file, "" if the file is read; check the memory used."""
    tracemalloc.start()
    sentence = ""
    try:
        for array in read_torch_file(data).state.values():
            array.sum()
    except ValueError as error:
        sentence = str(error)
        assert 0 < len(sentence) < LONGEST
        assert sentence.endswith(".")
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < most_bytes
    return sentence


# -- values that would run code ------------------------------------------------------------------


def runs(path: str) -> Iterator[tuple[str, bytes]]:
    """Yield values whose unpickling would write a file, by name."""
    touch = text(f"touch {path}")
    write = text(f"open({path!r}, 'w')")
    yield "system", call("posix.system", touch)
    yield "eval", call("builtins.eval", write)
    yield "exec", call("builtins.exec", write)
    yield "open", call("builtins.open", text(path), text("w"))
    yield "popen", call("subprocess.Popen", pack(text("touch"), text(path)))
    yield "new", named("subprocess.Popen") + pack(pack(text("touch"), text(path))) + b"\x81"
    yield "nested pickle", call("pickle.loads", b"C" + bytes([9]) + b"cos\nabc\n.")
    yield "in a getattr", call("builtins.getattr", named("os"), text("system")) + pack(touch) + b"R"
    yield "in a state", named("builtins.object") + b")\x81" + call("os.system", touch) + b"b"
    yield "as a storage", pack(text("storage"), call("os.system", touch)) + b"Q"
    yield "in a tensor", call("torch._utils._rebuild_tensor_v2", call("os.system", touch))
    yield "loaded by torch", call("torch.storage._load_from_bytes", text(path))
    yield "a hook of a tensor", tensor(storage())[:-1] + call("os.system", touch) + b"tR"


@pytest.mark.parametrize("kind", [name for name, _ in runs("x")])
def test_a_call_in_a_pickle_is_not_executed(kind: str, tmp_path) -> None:
    ran = tmp_path / "ran"
    value = dict(runs(str(ran)))[kind]
    for given_value in (value, table(weight=value), table(weight=tensor(storage()), args=value)):
        for data in both(given_value).values():
            answer(data)
    assert not ran.exists()
    assert set(os.listdir(tmp_path)) == set()


def test_a_call_outside_the_state_is_named() -> None:
    value = table(net=table(weight=tensor(storage())), args=call("posix.system", text("true")))
    for data in both(value).values():
        assert read_torch_file(data).other == ["args: posix.system, not read"]


# -- wrong sizes ---------------------------------------------------------------------------------

SIZES = {
    "more elements than the storage has": tensor(storage(size=HUGE), shape=[HUGE], strides=[1]),
    "a shape beyond the storage": tensor(storage(), shape=[5], strides=[1]),
    "a shape far beyond the storage": tensor(storage(), shape=[HUGE, HUGE]),
    "strides beyond the storage": tensor(storage(), shape=[2, 2], strides=[3, 1]),
    "an offset beyond the storage": tensor(storage(), offset=1),
    "an offset of many bytes": tensor(storage(), offset=2**300),
    "a negative offset": tensor(storage(), offset=-1),
    "a negative stride": tensor(storage(), offset=3, shape=[2], strides=[-1]),
    "a negative size": tensor(storage(), shape=[-2, -2]),
    "a size of many bytes": tensor(storage(), shape=[2**300, 1], strides=[0, 0]),
    "no numbers, but a large shape": tensor(storage(), shape=[0, 2**62], strides=[1, 1]),
    "a number repeated without end": tensor(storage(), shape=[HUGE], strides=[0]),
    "more strides than sizes": tensor(storage(), shape=[2], strides=[2, 1]),
    "many axes": tensor(storage(), shape=[1] * 60, strides=[1] * 60),
    "no storage": tensor(b"N"),
    "a storage of an unknown class": tensor(storage(kind="torch.EvilStorage")),
    "a storage of another module": tensor(storage(kind="evil.FloatStorage")),
    "a storage of a negative size": tensor(storage(size=-4)),
    "a storage of doubles": tensor(storage(kind="torch.DoubleStorage")),
    "a storage without its bytes": tensor(storage("7")),
    "a path for a storage": tensor(storage("../../etc/passwd")),
    "an offset that is no number": call(
        *("torch._utils._rebuild_tensor_v2", storage(), text("a"), pack(), pack())
    ),
    "a shape that is no tuple": call(
        *("torch._utils._rebuild_tensor_v2", storage(), number(0), b"N", pack())
    ),
}


@pytest.mark.parametrize("kind", SIZES)
def test_a_wrong_size_is_refused(kind: str) -> None:
    for data in both(table(weight=SIZES[kind])).values():
        assert answer(data), kind


def test_the_stride_of_an_axis_of_one_element_is_ignored() -> None:
    """PyTorch allows any number there."""
    value = table(weight=tensor(storage(), shape=[1, 4], strides=[2**70, 1]))
    for data in both(value).values():
        assert read_torch_file(data).state["weight"].tolist() == [[1, 2, 3, 4]]


def test_a_dtype_that_does_not_fit_the_storage_is_refused() -> None:
    names = ("float64", "int64", "float8_e4m3fn", "no_such_dtype")
    untyped = storage(size=15, kind="torch.storage.UntypedStorage")
    for name in names:
        args = (untyped, number(0), pack(number(1)), pack(number(1)), b"\x89", b"N")
        made = call("torch._utils._rebuild_tensor_v3", *args, named(f"torch.{name}"))
        assert answer(zipped(table(weight=made), **{"data/0": bytes(15)})), name


def test_one_storage_with_two_dtypes_is_refused() -> None:
    doubles = storage(size=2, kind="torch.DoubleStorage")
    value = table(a=tensor(storage()), b=tensor(doubles, shape=[2], strides=[1]))
    assert "is read as float32 and as float64" in answer(zipped(value, **{"data/0": DATA}))


def test_many_large_arrays_of_one_small_storage_are_refused() -> None:
    """Each takes little memory, but copies of all would take much."""
    one = tensor(storage(), shape=[1 << 20], strides=[0])
    few = table(**{f"w{n}": one for n in range(3)})
    many = table(**{f"w{n}": one for n in range(9)})
    assert answer(zipped(few, **{"data/0": DATA})) == ""
    assert "take more memory than is allowed" in answer(zipped(many, **{"data/0": DATA}))


def test_a_storage_of_the_old_format_must_have_its_declared_size() -> None:
    for size in (0, 3, 5, HUGE, -1):
        data = old(GOOD, **{"0": DATA})
        sized = data[: -len(DATA) - 8] + struct.pack("<q", size) + DATA
        assert "elements, and 4 by its description" in answer(sized)


def test_the_keys_of_the_old_format_must_be_those_of_the_storages() -> None:
    wanted = BEFORE + b"\x80\x02" + GOOD + STOP + b"\x80\x02"
    one = struct.pack("<q", 4) + DATA
    for keys in (b"]N", b"](" + text("0") * 2 + b"e", b"](" + text("9") + b"e", b"}", b"](]e"):
        assert answer(wanted + keys + STOP + one * 2)


# -- pickles that need much memory ---------------------------------------------------------------


def deep(count: int) -> bytes:
    return b")" + b"\x85" * count


def doubled(count: int) -> bytes:
    """Return a tuple that contains a tuple twice, and so on: 2 to the power of ``count`` parts."""
    return b")" + b"2\x86" * count


def in_circles(**parts: bytes) -> bytes:
    """Return a dict that contains itself under many names."""
    itself = b"".join(text(f"again{n}") + b"h\0" for n in range(50))
    return b"}q\0(" + itself + table(**parts)[2:-1] + b"u"


def module(state: bytes) -> bytes:
    return named("torch.nn.Module") + b")\x81" + state + b"b"


def module_of_modules(count: int) -> bytes:
    """Return a module that contains a module twice, which contains one twice, and so on."""
    made = module(table(_parameters=b"}", _buffers=b"}", _modules=b"}"))
    for n in range(count):
        kept = b"r" + struct.pack("<I", n) + b"0"
        again = b"j" + struct.pack("<I", n)
        made += kept + module(
            table(_parameters=b"}", _buffers=b"}", _modules=table(a=again, b=again))
        )
    return made


def module_in_itself() -> bytes:
    inner = b"}(" + text("a") + b"h\0u"
    state = table(_parameters=b"}", _buffers=b"}", _modules=inner)
    return named("torch.nn.Module") + b")\x81q\0" + state + b"b"


def sparse_memo(count: int) -> bytes:
    return b"N" + b"".join(b"r" + struct.pack("<I", n * 8191 % 2**32) for n in range(count))


def list_of_dicts(count: int) -> bytes:
    return b"(" + b"}" * count + b"l"


def named_by_many(value: bytes) -> bytes:
    """Return a dict of many names with the same value."""
    names = b"".join(text(f"{n}") + b"h\0" for n in range(N // 10))
    return value + b"q\0}(" + names + b"u"


PART = 10  # the pickles have a tenth of the limit, so that the tests are fast
N = MOST_STEPS // PART
LARGE_TEXT = b"X" + struct.pack("<I", 4085) + b"a" * 4081 + "😀".encode()
BOMBS = {
    "deep tuples": deep(N),
    "deep tuples as a key": b"}" + deep(N // 2) + b"Ns",
    "deep tuples as a state": table(weight=deep(N)),
    "doubled tuples": doubled(N // 2),
    "doubled tuples as a key": b"}" + doubled(100) + b"Ns",
    "dicts": b"}" * N,
    "a list of dicts": list_of_dicts(N),
    "marks": b"(" * N,
    "memo": b"N" + b"\x94" * N,
    "sparse memo": sparse_memo(N),
    "instances": b"ca\nb\nq\0" + b"h\0)\x81" * (N // 3),
    "instances in instances": b"ca\nb\nq\0" + b"\x85q\1h\0h\1R" * (N // 5),
    "long integers": (b"\x8a\x40" + b"\x7f" * 64) * N,
    "colliding integers": b"}("
    + b"".join(number(n * (2**61 - 1)) + b"N" for n in range(N // 2))
    + b"u",
    "long texts": LARGE_TEXT * 190,
    "a long name": table(**{"a" * 4_000: tensor(storage())}),
    "circles": in_circles(weight=tensor(storage())),
    "doubled modules": module_of_modules(60),
    "a module in itself": module_in_itself(),
    "one state under many names": named_by_many(table(**{f"w{n}": b"N" for n in range(N // 10)})),
    "one list under many names": named_by_many(b"(" + b"N" * (N // 2) + b"l"),
    "one list for many ordered dicts": b"("
    + b"N" * (N // 2)
    + b"lq\0ccollections\nOrderedDict\nq\1"
    + b"00}("
    + b"".join(text(f"{n}") + b"h\1h\0\x85R" for n in range(N // 10))
    + b"u",
    "wrapped parameters": tensor(storage())
    + b"q\0ctorch._utils\n_rebuild_parameter\nq\1"
    + b"h\1h\0\x85Rq\0" * (N // 10)
    + named_by_many(b""),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_pickle_with_many_parts_takes_little_memory(kind: str) -> None:
    answer(zipped(BOMBS[kind], **{"data/0": DATA}), MOST_BYTES // PART)


@pytest.mark.parametrize("kind", ["a long name", "a module in itself"])
def test_a_long_name_is_refused(kind: str) -> None:
    data = zipped(BOMBS[kind], **{"data/0": DATA})
    assert answer(data) == "A name in the file has more than 200 characters."


@pytest.mark.parametrize("made", [sparse_memo, list_of_dicts])
def test_the_longest_pickles_take_little_memory(made: Callable[[int], bytes]) -> None:
    """These take the most memory for each step."""
    assert answer(zipped(made(MOST_STEPS - 5))).startswith("The file has no arrays by name")


# -- archives ------------------------------------------------------------------------------------


def archive(members: dict[str, bytes], how: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as written:
        for name, content in members.items():
            written.writestr(zipfile.ZipInfo(name), content, how)
    return out.getvalue()


PICKLE = b"\x80\x02" + GOOD + STOP
MEMBERS = {"model/data.pkl": PICKLE, "model/data/0": DATA}


def entry_changed(at: int, form: str, value: int, name: bytes = b"model/data/0") -> bytes:
    """Return an archive in which one number of a member's directory entry is changed."""
    data = bytearray(archive(MEMBERS))
    start = data.rfind(name) - 46
    struct.pack_into(form, data, start + at, value)
    return bytes(data)


def extra_of_first(size: int) -> bytes:
    data = bytearray(archive(MEMBERS))
    struct.pack_into("<H", data, 28, size)
    return bytes(data)


def end_changed(at: int, form: str, value: int) -> bytes:
    data = bytearray(archive(MEMBERS))
    struct.pack_into(form, data, len(data) - 22 + at, value)
    return bytes(data)


ARCHIVES = {
    "compressed": (archive(MEMBERS, zipfile.ZIP_DEFLATED), "compressed"),
    "a bomb": (archive({**MEMBERS, "model/data/0": bytes(1 << 26)}, zipfile.ZIP_DEFLATED), "compr"),
    "encrypted": (entry_changed(8, "<H", 1), "encrypted"),
    "a larger size": (entry_changed(24, "<I", 1 << 30), "compressed"),
    "a larger packed size": (entry_changed(20, "<I", 1 << 30), "do not fit into it"),
    "a smaller size": (entry_changed(20, "<I", 4), "compressed"),
    "an offset beyond": (entry_changed(42, "<I", 1 << 30), "a record is missing"),
    "an offset of another record": (entry_changed(42, "<I", 7), "a record is missing"),
    "a long extra field of a member": (extra_of_first(60_000), "model/data.pkl ends beyond it"),
    "64 bits without the field": (entry_changed(42, "<I", 0xFFFFFFFF), "has no size"),
    "a long extra field": (entry_changed(30, "<H", 60_000), "a name in it is too long"),
    "many members": (end_changed(10, "<H", 60_000), "a record is missing"),
    "a large directory": (end_changed(12, "<I", 1 << 30), "its directory ends beyond it"),
    "a directory elsewhere": (end_changed(16, "<I", 1 << 31), "its directory ends beyond it"),
    "64 bits of an end that is missing": (end_changed(10, "<H", 0xFFFF), "a record is missing"),
    "no directory": (archive(MEMBERS)[:-22], "no directory at its end"),
    "no pickle": (archive({"model/data/0": DATA}), "0 members data.pkl"),
    "two pickles": (archive({**MEMBERS, "other/data.pkl": PICKLE}), "2 members data.pkl"),
    "code": (archive({**MEMBERS, "model/code/a.py": b"1"}), "TorchScript"),
    "constants": (archive({**MEMBERS, "model/constants.pkl": b"."}), "TorchScript"),
    "a byte order": (archive({**MEMBERS, "model/byteorder": b"middle"}), "byte order b'middle'"),
    "a storage that is too short": (archive({**MEMBERS, "model/data/0": DATA[:-1]}), "15 bytes"),
    "a storage that is too long": (archive({**MEMBERS, "model/data/0": DATA + DATA}), "32 bytes"),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_an_archive_with_wrong_numbers_is_refused(kind: str) -> None:
    data, sentence = ARCHIVES[kind]
    assert re.search(sentence, answer(data))


def test_two_members_of_one_name_are_refused() -> None:
    data = archive({**MEMBERS, "model/data/1": DATA})
    assert "has model/data/0 twice" in answer(data.replace(b"model/data/1", b"model/data/0"))


def test_members_that_overlap_are_refused() -> None:
    """Many entries of one large member would be larger than the file."""
    data = archive({f"model/data/{n}": bytes(1000) for n in range(4)} | {"model/data.pkl": PICKLE})
    directory = data.rfind(b"PK\5\6")
    changed = bytearray(data)
    at = data.find(b"PK\1\2")
    while at >= 0:
        struct.pack_into("<2I", changed, at + 20, 3000, 3000)
        at = data.find(b"PK\1\2", at + 4)
    assert directory > 0
    assert "do not fit into it" in answer(bytes(changed))


# -- damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["zip", "old"])
def test_a_file_that_is_cut_at_any_byte_is_refused(kind: str) -> None:
    value = table(net=table(weight=tensor(storage())), step=tensor(storage("1"), shape=[2, 2]))
    storages = {"0": DATA, "1": DATA}
    members = {f"data/{key}": content for key, content in storages.items()}
    data = zipped(value, **members) if kind == "zip" else old(value, **storages)
    assert answer(data) == ""
    for end in range(len(data)):
        assert answer(data[:end]), end


@st.composite
def damaged(draw: st.DrawFn, good: bytes) -> bytes:
    """Draw bytes with some of them overwritten, inserted or removed."""
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        part = draw(
            st.one_of(st.binary(max_size=9), st.sampled_from([b"\xff" * 8, b"(", b"Rb", b"."]))
        )
        data[at : at + draw(st.integers(0, 9))] = part
    return bytes(data)


@pytest.mark.parametrize("case", ["checkpoint", "checkpoint_old", "module", "views", "new_old"])
@given(data=st.data())
def test_damaged_files_are_read_or_refused(case: str, data: st.DataObject) -> None:
    answer(data.draw(damaged(FILES[case].tobytes())))


@pytest.mark.parametrize("case", ["checkpoint", "module", "views", "attributes"])
@given(data=st.data())
def test_damaged_pickles_in_valid_archives_are_read_or_refused(case: str, data: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(FILES[case].tobytes())) as given_archive:
        members = {name: given_archive.read(name) for name in given_archive.namelist()}
    members["archive/data.pkl"] = data.draw(damaged(members["archive/data.pkl"]))
    answer(archive(members))


@given(
    st.lists(st.integers(-2, 9), max_size=3),
    st.lists(st.integers(-2, 9), max_size=3),
    st.integers(-2, 25),
)
@settings(max_examples=400)
def test_a_view_is_inside_its_storage_or_refused(
    shape: list[int], strides: list[int], offset: int
) -> None:
    """Each number that is read is the number at its place in the storage."""
    numbers = np.arange(20, dtype=np.float32)
    value = table(weight=tensor(storage(size=20), offset, shape, strides))
    data = zipped(value, **{"data/0": numbers.tobytes()})
    if answer(data):
        places = [offset]
        for size, stride in zip(shape, strides, strict=False):
            places += [offset + (size - 1) * stride]
        last = offset + sum((n - 1) * s for n, s in zip(shape, strides, strict=False))
        is_bad = len(shape) != len(strides) or min([offset, *shape, *strides]) < 0
        assert is_bad or (0 not in shape and last >= 20)
        return
    found = read_torch_file(data).state["weight"]
    assert found.shape == tuple(shape)
    for index in np.ndindex(*shape):
        place = offset + sum(i * s for i, s in zip(index, strides, strict=True))
        assert found[index] == numbers[place]
