"""Determines the number of frames of a sweep that are computed together."""

from __future__ import annotations

from transformer_math.graph.trace import Trace

# A sweep has as many frames as fit the processor's cache, but enough for efficient products.
CACHE_BYTES, MIN_FRAMES = 2 << 20, 16


def frames_at_once(trace: Trace) -> int:
    """Return the number of frames of one sweep of a pass."""
    frame = sum(t.value.nbytes for t in trace.tensors.values() if not t.is_leaf)
    return max(MIN_FRAMES, CACHE_BYTES // max(1, frame))
