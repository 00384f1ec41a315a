"""The models whose numbers are stored: sizes are small, prime or unequal, never 1 or 0.

A swapped axis, a missing bias or gamma, a wrong depth or a wrong mask changes a shape or a number
in at least one of them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One model and its input; names are those of ``transformer_math.Config`` where it has them."""

    seed: int
    d_model: int
    heads: int
    d_ff: int
    encoder_layers: int
    decoder_layers: int
    source_vocabulary: int
    target_vocabulary: int
    norm: str
    activation: str
    source_length: int
    target_length: int
    batch: int = 1
    source_pads: tuple[int, ...] = ()  # the number of padding tokens at the end of each row
    target_pads: tuple[int, ...] = ()
    bias: bool = True
    final_norm: bool = True

    @property
    def source_pad(self) -> int | None:
        return self.source_vocabulary - 2 if self.source_pads else None

    @property
    def target_pad(self) -> int | None:
        return self.target_vocabulary - 3 if self.target_pads else None


CASES = {
    "torch_post_relu": Case(11, 14, 2, 11, 2, 1, 17, 19, "post", "relu", 5, 3),
    "torch_pre_relu": Case(12, 10, 5, 7, 1, 2, 13, 11, "pre", "relu", 3, 7),
    "torch_post_gelu_padded": Case(
        13, 14, 2, 17, 2, 1, 23, 19, "post", "gelu", 7, 5, 3, (0, 2, 5), (1, 0, 3)
    ),
    "torch_pre_gelu_padded": Case(
        14, 15, 3, 11, 1, 3, 19, 23, "pre", "gelu", 5, 4, 3, (2, 0, 3), (0, 2, 1)
    ),
    "torch_no_bias": Case(
        15, 21, 3, 13, 1, 1, 11, 13, "post", "relu", 5, 2, 2, (3, 0), (0, 1), bias=False
    ),
    "torch_encoder_only": Case(
        16, 15, 5, 13, 1, 0, 17, 17, "post", "relu", 7, 0, 3, (0, 4, 1), final_norm=False
    ),
    "torch_decoder_only": Case(17, 22, 2, 7, 0, 2, 13, 13, "pre", "gelu", 0, 5, 3, (), (0, 3, 1)),
}
