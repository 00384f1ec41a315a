"""Generates the forward pass as a script in plain NumPy."""

from __future__ import annotations

from .dialect import Dialect
from .pass_snapshot import PassSnapshot
from .script import write

_LOAD = '''
def load(name):
    """Reads a safetensors file: the length of a JSON header, the header, the numbers."""
    data = (pathlib.Path(__file__).parent / name).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    found = {}
    for path, entry in json.loads(data[8:start]).items():
        if path != "__metadata__":
            first, end = entry["data_offsets"]
            kind = {"F32": "<f4", "F64": "<f8"}[entry["dtype"]]
            numbers = np.frombuffer(data[start + first : start + end], kind)
            found[path] = numbers.reshape(entry["shape"])
    return found
'''

DIALECT = Dialect(
    name="NumPy",
    prefix="np",
    imports="import numpy as np",
    softmax='''
def softmax(x):
    """Each row as shares that sum to 1."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
''',
    softmax_padded='''
def softmax(x):
    """Each row as shares that sum to 1; a row of nothing but −∞ gives zeros."""
    e = np.exp(x - np.maximum(x.max(-1, keepdims=True), -1e38))
    return e / np.maximum(e.sum(-1, keepdims=True), 1)
''',
    layer_norm="y = x - x.mean(-1, keepdims=True)\n"
    "deviation = np.sqrt((y * y).mean(-1, keepdims=True) + {epsilon})\n"
    'P[at + "gamma"] * y / deviation + P[at + "beta"]',
    sample_norm="y = x - x.mean(-1, keepdims=True)\n"
    "deviation = x.std(-1, ddof=1, keepdims=True) + {epsilon}\n"
    'P[at + "gamma"] * y / deviation + P[at + "beta"]',
    activations={
        "relu": "np.maximum(hidden, 0)",
        "gelu": "hidden * 0.5 * (1 + erf(hidden / math.sqrt(2)))",
        "gelu_tanh": "0.5 * hidden * (1 + np.tanh(math.sqrt(2 / math.pi) "
        "* (hidden + 0.044715 * hidden * hidden * hidden)))",
        "silu": "hidden * (0.5 + 0.5 * np.tanh(0.5 * hidden))",
        "tanh": "np.tanh(hidden)",
        "identity": "hidden",
    },
    erf='''
def erf(x):
    """The error function; NumPy has none of its own."""
    return np.array([math.erf(value) for value in x.ravel()], x.dtype).reshape(x.shape)
''',
    sinusoidal='''
def sinusoids(n):
    """Section 3.5: sine at even, cosine at odd dimensions."""
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.empty((n, d_model), dtype)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle[:, : d_model // 2])
    return table
''',
    halves='''
def sinusoids(n):
    """Section 3.5, with all sines first and the cosines after them."""
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    waves = [np.sin(angle), np.cos(angle[:, : d_model // 2])]
    return np.concatenate(waves, axis=1).astype(dtype)
''',
    all_seen="np.zeros((len(ids), len(ids)), dtype)",
    look_ahead="np.where(np.tri(len(ids)), 0, -np.inf).astype(dtype)",
    padding="np.array([-np.inf if token == {pad} else 0 for token in {side}], dtype)",
    unpack="""
def array(shape, text):
    return np.frombuffer(base64.b64decode(text), dtype).reshape(shape)
""",
    bits="""
def bits(shape, text):
    found = np.unpackbits(np.frombuffer(base64.b64decode(text), np.uint8))
    return found[: math.prod(shape)].reshape(shape).astype(dtype)
""",
    copy="copy",
    from_file=_LOAD.strip(),
)


def script(snapshot: PassSnapshot) -> str:
    """Generate a script that prints the probabilities of the pass."""
    return write(snapshot, DIALECT)
