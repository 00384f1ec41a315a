"""The reader of pickles returns the same plain values as ``pickle``, and runs nothing."""

import pickle
import sys
from collections import OrderedDict
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_math.checkpoints import torch_pickle
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.torch_pickle import Instance, Named, Table, Unread, read_pickle

SCALARS = st.one_of(
    *(st.none(), st.booleans(), st.integers(-(2**200), 2**200), st.floats(allow_nan=False)),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner, inner), st.dictionaries(SCALARS, inner)
    ),
)


def as_python(value: Any) -> Any:
    """Return tables as dicts."""
    if type(value) is Table:
        return {key: as_python(entry) for key, entry in value}
    if type(value) in (list, tuple):
        return type(value)(map(as_python, value))
    return value


def read(data: bytes) -> Any:
    value, end = read_pickle(memoryview(data), 0)
    assert end == len(data)
    return value


@given(VALUES, st.integers(2, 5))
def test_plain_values_equal_those_of_pickle(value: Any, protocol: int) -> None:
    assert as_python(read(pickle.dumps(value, protocol))) == value


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_value_that_occurs_twice_is_one_object(protocol: int) -> None:
    inner: list[Any] = [1, 2]
    inner.append(inner)
    found = read(pickle.dumps((inner, inner, {"a": inner}), protocol))
    assert found[0] is found[1] is found[2][0][1] is found[0][2]


class Kept:
    """An instance with attributes."""

    def __init__(self) -> None:
        self.size = 3


class Words(dict[str, int]):
    """A subclass of dict."""


@pytest.mark.parametrize("protocol", range(2, 6))
def test_instances_are_read_with_their_arguments_and_state(protocol: int) -> None:
    kept = read(pickle.dumps(Kept(), protocol))
    assert isinstance(kept, Instance)
    assert (kept.name, kept.args, kept.state) == (f"{__name__}.Kept", (), [("size", 3)])
    words = read(pickle.dumps(Words(a=1), protocol))
    assert (words.name, words.entries) == (f"{__name__}.Words", [("a", 1)])
    ordered = read(pickle.dumps(OrderedDict(b=2), protocol))
    assert (ordered.name, ordered.entries) == ("collections.OrderedDict", [("b", 2)])
    listed = read(
        pickle.dumps(
            type("L", (), {"__reduce__": lambda _: (list, (), None, iter("ab"))})(), protocol
        )
    )
    assert listed.items == ["a", "b"]
    named = read(pickle.dumps(len, protocol))
    assert isinstance(named, Named)
    assert named.name.endswith(".len")


@pytest.mark.parametrize("protocol", range(2, 6))
def test_sets_become_lists_and_bytes_are_not_kept(protocol: int) -> None:
    found = read(
        pickle.dumps([b"abc", bytearray(b"abcd"), "x" * 5000, {1}, frozenset([2])], protocol)
    )
    bytes_, array, long, *sets = found
    if protocol > 2:
        assert isinstance(bytes_, Unread)
        assert bytes_.words == "3 bytes"
    if protocol == 5:
        assert isinstance(array, Unread)
    assert long.words == "a text of 5,000 bytes"
    if protocol > 3:
        assert sets == [[1], [2]]
    else:
        assert [kind.args for kind in sets] == [([1],), ([2],)]


def test_reading_a_pickle_imports_and_calls_and_opens_nothing() -> None:
    """Python reports imports, calls of ``eval`` and opened files to an audit hook."""
    import os

    class Runs:
        def __init__(self, *call: Any) -> None:
            self.call = call

        def __reduce__(self) -> Any:
            return self.call[0], self.call[1:]

    runs = [
        Runs(os.system, "true"),
        Runs(eval, "1 + 1"),
        Runs(open, "/dev/null"),
        Runs(__import__, "this"),
    ]
    data = pickle.dumps(runs, 2)
    heard: list[str] = []
    is_on = [False]
    sys.addaudithook(lambda event, args: heard.append(event) if is_on[0] else None)
    is_on[0] = True
    try:
        found = read(data)
        quiet = list(heard)
        pickle.loads(pickle.dumps(Runs(eval, "1 + 1")))
    finally:
        is_on[0] = False
    assert not quiet
    assert {"pickle.find_class", "exec"} <= set(heard)
    assert [each.name.rpartition(".")[2] for each in found] == [
        "system",
        "eval",
        "open",
        "__import__",
    ]


DAMAGED = {
    "no end": (b"\x80\x02N", "it is truncated"),
    "an empty stack": (b".", "its stack is empty"),
    "a value below a mark": (b"]N(a.", "its stack is empty"),
    "no mark": (b"Nt.", "its stack has no mark"),
    "an unknown instruction": (b"\xff.", "instruction 0xff"),
    "an instruction of text": (b"I01\n.", "instruction 0x49"),
    "a name of the registry": (b"\x82\x01.", "instruction 0x82"),
    "no such memo": (b"h\x07.", "a value 7 that it does not have"),
    "a text beyond the end": (b"X\xff\xff\xff\x7fab.", "it is truncated"),
    "bytes beyond the end": (b"\x8e" + b"\xff" * 8 + b".", "it is truncated"),
    "a long integer": (b"\x8b\xff\xff\xff\x7f\x01.", "an integer in it has 2,147,483,647 bytes"),
    "a name without end": (b"c" + b"a" * 1000 + b"\n\n.", "a name in it has no end"),
    "a name that is too long": (b"c" + b"a" * 300 + b"\n" + b"b" * 300 + b"\n.", "is too long"),
    "a name that is not UTF-8": (b"c\xff\n\xff\n.", "not UTF-8"),
    "a name by numbers": (b"K\1K\1\x93.", "no texts"),
    "a call of a number": (b"K\1)R.", "calls something without a name"),
    "a call without arguments": (b"ca\nb\nK\1R.", "calls something without a name"),
    "an append to a number": (b"K\1K\1a.", "appends to something that is no list"),
    "an entry of a number": (b"K\1K\1K\1s.", "no dict"),
    "a key without a value": (b"}(K\1u.", "no dict"),
    "attributes of a list": (b"]}b.", "no instance"),
    "a reference": (b"NQ.", "something outside"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_damage_is_reported_with_its_place(kind: str) -> None:
    data, sentence = DAMAGED[kind]
    with pytest.raises(
        ValueError, match=rf"The file's pickle cannot be read: .*{sentence}.* \(byte \d+\)\."
    ):
        read(data)


def test_the_number_of_steps_is_limited() -> None:
    most = torch_pickle.MOST_STEPS
    assert read(b"N" * most + b".") is None
    with pytest.raises(ValueError, match="more than 500,000 steps"):
        read(b"N" * (most + 1) + b".")
    name = b"c" + b"a" * 240 + b"\n" + b"b" * 240 + b"\n0"  # this name counts as 30 steps
    with pytest.raises(ValueError, match="more than 500,000 steps"):
        read(name * (most // 30) + b"N.")
    line = b"X\x00\x10\x00\x00" + b"a" * 4096 + b"0"  # a text of 4,096 bytes counts as 257 steps
    with pytest.raises(ValueError, match="more than 500,000 steps"):
        read(line * (most // 257) + b"N.")


INSTRUCTIONS = st.one_of(
    st.sampled_from([bytes([code]) for code in torch_pickle._ACTIONS]),
    st.sampled_from(
        [b"N", b"]", b"}", b")", b"(", b"K\1", b"ca\nb\n", b"X\1\0\0\0a", b"q\0", b"h\0"]
    ),
    st.binary(max_size=6),
)


@given(st.lists(INSTRUCTIONS, max_size=30).map(b"".join))
def test_any_instructions_give_a_value_or_a_sentence(data: bytes) -> None:
    with suppress(CheckpointError):
        read_pickle(memoryview(data), 0, lambda value: value)
