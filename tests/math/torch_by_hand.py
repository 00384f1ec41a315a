"""Files of ``torch.save`` written instruction by instruction, so that any part can be wrong."""

import io
import struct
import zipfile
from collections.abc import Iterable

STOP = b"."
MAGIC = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."
BEFORE = MAGIC + b"\x80\x02M\xe9\x03." + b"\x80\x02}."  # version 1001, no computer named


def text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value: int) -> bytes:
    """Return LONG1, for a number of any size."""
    raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def named(name: str) -> bytes:
    module, _, own = name.rpartition(".")
    return f"c{module}\n{own}\n".encode()


def pack(*parts: bytes) -> bytes:
    return b"(" + b"".join(parts) + b"t"


def call(name: str, *args: bytes) -> bytes:
    return named(name) + pack(*args) + b"R"


def table(**entries: bytes) -> bytes:
    return b"}(" + b"".join(text(key) + value for key, value in entries.items()) + b"u"


def storage(key: str = "0", size: int = 4, kind: str = "torch.FloatStorage") -> bytes:
    return pack(text("storage"), named(kind), text(key), text("cpu"), number(size)) + b"Q"


def tensor(
    held: bytes, offset: int = 0, shape: Iterable[int] = (2, 2), strides: Iterable[int] = (2, 1)
) -> bytes:
    sizes = (pack(*map(number, part)) for part in (shape, strides))
    made = "torch._utils._rebuild_tensor_v2"
    return call(made, held, number(offset), *sizes, b"\x89", call("collections.OrderedDict"))


def zipped(value: bytes, **members: bytes) -> bytes:
    """Return the new format, from the instructions of a value and the other members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {"data.pkl": b"\x80\x02" + value + STOP, **members}.items():
            archive.writestr(zipfile.ZipInfo(f"model/{name}"), content)
    return out.getvalue()


def old(value: bytes, **storages: bytes) -> bytes:
    """Return the old format, from the instructions of a value and the float32 storages by key."""
    keys = b"]" + b"".join(text(key) + b"a" for key in storages)
    sized = (struct.pack("<q", len(raw) // 4) + raw for raw in storages.values())
    return BEFORE + b"\x80\x02" + value + STOP + b"\x80\x02" + keys + STOP + b"".join(sized)


DATA = struct.pack("<4f", 1, 2, 3, 4)
GOOD = table(weight=tensor(storage()))


def both(value: bytes, data: bytes = DATA) -> dict[str, bytes]:
    """Return a value with one storage in both formats."""
    return {"zip": zipped(value, **{"data/0": data}), "old": old(value, **{"0": data})}
