"""Write the messages that `wire.test.js` reads: `python -m tests.js.wire_bytes`."""

import base64
import json
from pathlib import Path

import numpy as np
from tinkerformer.board import wire

FILE = Path(__file__).with_name("wire_bytes.json")


def messages() -> dict[str, bytes]:
    """Return a frame with flags and an infinity, an orbit with gradients, and a bare answer."""
    values = np.array([[0.5, -1.25, -np.inf], [3.0, 1e-7, 65504.0]])
    flags = np.array([[0, 1, 2], [4, 8, 7]])
    swung = np.arange(12.0).reshape(3, 2, 2)
    return {
        "frame": wire.pack(
            wire.FRAME,
            version=11,
            seq=13,
            entries=[
                wire.packed_matrix(4, values, flags),
                wire.packed_matrix(9, np.full((1, 2), 7.0)),
            ],
            holds=17,
        ),
        "orbit": wire.pack(wire.ORBIT, 2, 3, [wire.packed_matrix(5, swung, None, -swung)]),
        "answer": wire.pack(wire.FRAME, 1, 2, [], 5),
    }


def stored() -> dict[str, bytes]:
    """Return the messages as the file has them."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: base64.b64decode(text) for name, text in found.items()}


if __name__ == "__main__":
    texts = {name: base64.b64encode(found).decode() for name, found in messages().items()}
    FILE.write_text(json.dumps(texts, indent=2) + "\n", encoding="utf-8")
