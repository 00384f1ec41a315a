"""Decoding of targets token by token (Section 3.1): greedy, beam search, and sampling.

Encoder-only models have no target; they fill in blanks.
"""

from transformer_math.decoding.beam import beam_search
from transformer_math.decoding.fill import FillResult, fill_blanks
from transformer_math.decoding.greedy import GreedyResult, greedy_decode
from transformer_math.decoding.kv_cache import Decoder
from transformer_math.decoding.sampling import SampleResult, filtered, sample
from transformer_math.decoding.search_tree import BeamResult, Node, length_penalty
from transformer_math.decoding.settings import Decoding, Sampling

__all__ = [
    "BeamResult",
    "Decoder",
    "Decoding",
    "FillResult",
    "GreedyResult",
    "Node",
    "SampleResult",
    "Sampling",
    "beam_search",
    "fill_blanks",
    "filtered",
    "greedy_decode",
    "length_penalty",
    "sample",
]
