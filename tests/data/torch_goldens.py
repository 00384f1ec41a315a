"""The constant-weight values that PyTorch's own tests print for one encoder or decoder layer.

d_model 4, 2 heads, d_ff 16, every parameter cos(0), cos(1), ... in the order of its memory. Layers
are post-norm. The printed six digits are PyTorch's; the stored float64 results carry the rest.
"""

import torch
from store import save
from torch import Tensor, nn

FIVE_BY_TWO = [  # (position, batch, feature): PyTorch's tests put the batch second
    [[0.7462, 0.6653, 0.5679, 0.4891], [0.5387, 0.1655, 0.3565, 0.0471]],
    [[0.8335, 0.2799, 0.5031, 0.2947], [0.1402, 0.0318, 0.7636, 0.1346]],
    [[0.6333, 0.9344, 0.1376, 0.9938], [0.8924, 0.2872, 0.6692, 0.2944]],
    [[0.9897, 0.6915, 0.3154, 0.1733], [0.8645, 0.3513, 0.3064, 0.0767]],
    [[0.8117, 0.2366, 0.4838, 0.7881], [0.3718, 0.4945, 0.9511, 0.0864]],
]
THREE_BY_TWO = [
    [[0.4517, 0.6793, 0.5313, 0.0034], [0.2678, 0.3677, 0.4459, 0.7166]],
    [[0.8100, 0.3716, 0.4096, 0.1976], [0.6958, 0.8844, 0.6081, 0.8315]],
    [[0.0494, 0.9343, 0.5955, 0.3830], [0.5404, 0.3464, 0.9378, 0.6200]],
]
PADDING = [[0, 1, 0, 0, 0], [0, 0, 0, 1, 1]]  # (batch, position), 1 is padding

ENCODER = {  # name: (activation, input, padding, printed)
    "encoder_one_token": (
        "relu",
        [[[20, 30, 40, 50]]],
        None,
        [[[2.258703, 0.127985, -0.697881, 0.170862]]],
    ),
    "encoder_two_tokens": (
        "relu",
        [[[1, 2, 3, 4]], [[5, 6, 7, 8]]],
        None,
        [[[2.272644, 0.119035, -0.691669, 0.153486]]] * 2,
    ),
    "encoder_two_tokens_padded": (
        "relu",
        [[[1, 2, 3, 4]], [[5, 6, 7, 8]]],
        [[1, 0]],
        [[[2.301516, 0.092249, -0.679101, 0.103088]]] * 2,
    ),
    "encoder_five_tokens": (
        "relu",
        FIVE_BY_TWO,
        None,
        [
            [
                [2.428589, 0.020835, -0.602055, -0.085249],
                [2.427987, 0.021213, -0.602496, -0.084103],
            ],
            [
                [2.424689, 0.019155, -0.604793, -0.085672],
                [2.413863, 0.022211, -0.612486, -0.072490],
            ],
            [
                [2.433774, 0.021598, -0.598343, -0.087548],
                [2.425104, 0.019748, -0.604515, -0.084839],
            ],
            [
                [2.436185, 0.022682, -0.596625, -0.087261],
                [2.433556, 0.021891, -0.598509, -0.086832],
            ],
            [
                [2.416246, 0.017512, -0.610712, -0.082961],
                [2.422901, 0.024187, -0.606178, -0.074929],
            ],
        ],
    ),
    "encoder_five_tokens_padded": (
        "relu",
        FIVE_BY_TWO,
        PADDING,
        [
            [
                [2.429026, 0.020793, -0.601741, -0.085642],
                [2.428811, 0.021445, -0.601912, -0.084252],
            ],
            [
                [2.425009, 0.019155, -0.604566, -0.085899],
                [2.415408, 0.022490, -0.611415, -0.073000],
            ],
            [
                [2.434199, 0.021682, -0.598039, -0.087699],
                [2.425980, 0.019941, -0.603896, -0.085091],
            ],
            [
                [2.436457, 0.022736, -0.596430, -0.087360],
                [2.434021, 0.022093, -0.598179, -0.086790],
            ],
            [
                [2.416531, 0.017498, -0.610513, -0.083181],
                [2.424200, 0.024653, -0.605266, -0.074959],
            ],
        ],
    ),
    "encoder_one_token_gelu": (
        "gelu",
        [[[20, 30, 40, 50]]],
        None,
        [[[2.249815, 0.131006, -0.702199, 0.177868]]],
    ),
    "encoder_five_tokens_gelu": (
        "gelu",
        FIVE_BY_TWO,
        None,
        [
            [
                [2.421632, 0.032272, -0.607142, -0.059081],
                [2.421513, 0.033022, -0.607225, -0.057627],
            ],
            [
                [2.419268, 0.029740, -0.608795, -0.062127],
                [2.416264, 0.035394, -0.610878, -0.049786],
            ],
            [
                [2.423828, 0.032189, -0.605596, -0.060736],
                [2.419835, 0.030853, -0.608401, -0.060464],
            ],
            [
                [2.425007, 0.033289, -0.604764, -0.059533],
                [2.423798, 0.032906, -0.605618, -0.059401],
            ],
            [
                [2.413839, 0.026863, -0.612564, -0.063807],
                [2.420003, 0.038009, -0.608248, -0.047549],
            ],
        ],
    ),
}
DECODER = {  # name: (input, memory, printed); PyTorch's test gives these no look-ahead mask
    "decoder_one_token": (
        [[[20, 30, 40, 50]]],
        [[[60, 70, 80, 90]]],
        [[[2.314351, 0.094805, -0.671322, 0.101977]]],
    ),
    "decoder_two_tokens_one_memory": (
        [[[9, 10, 11, 12]], [[11, 12, 13, 14]]],
        [[[1, 2, 3, 4]]],
        [[[2.422245, 0.051716, -0.606338, -0.024756]]] * 2,
    ),
    "decoder_two_tokens": (
        [[[1, 2, 3, 4]], [[5, 6, 7, 8]]],
        [[[9, 10, 11, 12]], [[11, 12, 13, 14]]],
        [[[2.343536, 0.085561, -0.654954, 0.074991]]] * 2,
    ),
    "decoder_three_tokens": (
        THREE_BY_TWO,
        FIVE_BY_TWO,
        [
            [
                [2.430065, 0.027862, -0.601136, -0.073096],
                [2.431935, 0.028907, -0.599809, -0.072488],
            ],
            [
                [2.428457, 0.027053, -0.602275, -0.073462],
                [2.431970, 0.029387, -0.599789, -0.071621],
            ],
            [
                [2.431934, 0.028196, -0.599802, -0.073809],
                [2.432306, 0.028858, -0.599542, -0.072846],
            ],
        ],
    ),
}


def constant(layer: nn.Module) -> nn.Module:
    """Every parameter cos(0), cos(1), ...; training mode keeps PyTorch off its fast path."""
    for parameter in layer.parameters():
        parameter.data.copy_(torch.cos(torch.arange(parameter.numel())).view(parameter.shape))
    return layer.train()


def batch_first(rows: list) -> Tensor:
    """(position, batch, feature) -> (batch, position, feature)"""
    return torch.tensor(rows, dtype=torch.float64).transpose(0, 1).contiguous()


def save_goldens() -> None:
    """Reproduce each printed value to its last digit, then store it with PyTorch's float64."""
    shape = {"d_model": 4, "nhead": 2, "dim_feedforward": 16, "dropout": 0.0, "batch_first": True}
    arrays: dict[str, Tensor] = {}

    def put(name: str, printed: list, result: Tensor, **inputs: Tensor) -> None:
        torch.testing.assert_close(result, batch_first(printed), rtol=0, atol=1.1e-6)
        arrays.update({f"{name}/{key}": value for key, value in inputs.items()})
        arrays[f"{name}/printed"] = batch_first(printed)
        arrays[f"{name}/result"] = result.detach()

    for name, (activation, rows, padding, printed) in ENCODER.items():
        layer = constant(nn.TransformerEncoderLayer(**shape, activation=activation))
        x = batch_first(rows)
        masks = {} if padding is None else {"padding": torch.tensor(padding, dtype=torch.bool)}
        result = layer(x, src_key_padding_mask=masks.get("padding"))
        put(name, printed, result, input=x, **masks)
        arrays |= {f"state/encoder.layers.0.{key}": v for key, v in layer.state_dict().items()}
    for name, (rows, memory_rows, printed) in DECODER.items():
        layer = constant(nn.TransformerDecoderLayer(**shape))
        x, memory = batch_first(rows), batch_first(memory_rows)
        put(name, printed, layer(x, memory), input=x, memory=memory)
        arrays |= {f"state/decoder.layers.0.{key}": v for key, v in layer.state_dict().items()}
    settings = {
        "d_model": 4,
        "heads": 2,
        "d_ff": 16,
        "activation": {name: case[0] for name, case in ENCODER.items()}
        | dict.fromkeys(DECODER, "relu"),
        "torch": torch.__version__,
    }
    save("torch_goldens", settings, {key: value.numpy() for key, value in arrays.items()})
