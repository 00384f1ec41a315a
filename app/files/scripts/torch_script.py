"""Generates the forward pass as a script in PyTorch, with ``torch.nn.functional``."""

from __future__ import annotations

from .dialect import Dialect
from .pass_snapshot import PassSnapshot
from .script import write

_LOAD = '''
def load(name):
    """Reads a safetensors file: the length of a JSON header, the header, the numbers."""
    data = bytearray((pathlib.Path(__file__).parent / name).read_bytes())
    start = 8 + int.from_bytes(data[:8], "little")
    found = {}
    for path, entry in json.loads(data[8:start]).items():
        if path != "__metadata__":
            first, end = entry["data_offsets"]
            kind = {"F32": torch.float32, "F64": torch.float64}[entry["dtype"]]
            numbers = torch.frombuffer(data[start + first : start + end], dtype=kind)
            found[path] = numbers.reshape(entry["shape"])
    return found
'''

DIALECT = Dialect(
    name="PyTorch",
    prefix="torch",
    imports="import torch\nimport torch.nn.functional as F",
    softmax='''
def softmax(x):
    """Each row as shares that sum to 1."""
    return F.softmax(x, dim=-1)
''',
    softmax_padded='''
def softmax(x):
    """Each row as shares that sum to 1; a row of nothing but −∞ gives zeros."""
    return F.softmax(x, dim=-1).nan_to_num(0)
''',
    layer_norm='F.layer_norm(x, (d_model,), P[at + "gamma"], P[at + "beta"], {epsilon})',
    sample_norm="y = x - x.mean(-1, keepdim=True)\n"
    "deviation = x.std(-1, keepdim=True) + {epsilon}\n"
    'P[at + "gamma"] * y / deviation + P[at + "beta"]',
    activations={
        "relu": "F.relu(hidden)",
        "gelu": "F.gelu(hidden)",
        "gelu_tanh": 'F.gelu(hidden, approximate="tanh")',
        "silu": "F.silu(hidden)",
        "tanh": "torch.tanh(hidden)",
        "identity": "hidden",
    },
    erf="",
    sinusoidal='''
def sinusoids(n):
    """Section 3.5: sine at even, cosine at odd dimensions."""
    pair = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = torch.arange(n)[:, None] / 10000 ** (pair / d_model)
    table = torch.empty(n, d_model, dtype=dtype)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle[:, : d_model // 2].cos()
    return table
''',
    halves='''
def sinusoids(n):
    """Section 3.5, with all sines first and the cosines after them."""
    pair = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = torch.arange(n)[:, None] / 10000 ** (pair / d_model)
    return torch.cat([angle.sin(), angle[:, : d_model // 2].cos()], dim=1).to(dtype)
''',
    all_seen="torch.zeros((len(ids), len(ids)), dtype=dtype)",
    look_ahead="torch.full((len(ids), len(ids)), -math.inf, dtype=dtype).triu(1)",
    padding="torch.tensor([-math.inf if token == {pad} else 0.0 for token in {side}], dtype=dtype)",
    unpack="""
def array(shape, text):
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=dtype).reshape(shape)
""",
    bits="""
def bits(shape, text):
    found = [byte >> k & 1 for byte in base64.b64decode(text) for k in range(7, -1, -1)]
    return torch.tensor(found[: math.prod(shape)], dtype=dtype).reshape(shape)
""",
    copy="clone",
    from_file=_LOAD.strip(),
)


def script(snapshot: PassSnapshot) -> str:
    """Generate a script that prints the probabilities of the pass."""
    return write(snapshot, DIALECT)
