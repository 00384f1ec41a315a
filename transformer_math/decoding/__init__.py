"""Decoding: a target is written token by token (Section 3.1), greedily, by beams or by chance."""

from transformer_math.decoding.beam import beam_search
from transformer_math.decoding.cache import Decoder
from transformer_math.decoding.greedy import Greedy, greedy_decode
from transformer_math.decoding.sampling import Sample, filtered, sample
from transformer_math.decoding.tree import Beam, Node, length_penalty

__all__ = [
    "Beam",
    "Decoder",
    "Greedy",
    "Node",
    "Sample",
    "beam_search",
    "filtered",
    "greedy_decode",
    "length_penalty",
    "sample",
]
