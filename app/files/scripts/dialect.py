"""How the libraries differ, for the scripts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """How a library says what the two say differently.

    Attributes:
        name: the library.
        prefix: what it is imported as.
        imports: its import lines.
        softmax: a function of that name; ``softmax_padded`` for rows that may be all −∞.
        layer_norm: the lines of it, with {epsilon}; the last is the value.
        activations: name -> the activation of ``hidden``.
        erf: the error function, where the library has none.
        sinusoidal: the function ``sinusoids(n)``; ``halves`` for the other layout.
        look_ahead: the mask (n, n) of the target.
        all_seen: the same where it hides nothing.
        padding: the mask (n,) of tokens that are {pad}.
        unpack: the function ``array(shape, text)``.
        bits: the function ``bits(shape, text)``.
        copy: the method that copies.
        from_file: the function ``load(name)``.
    """

    name: str
    prefix: str
    imports: str
    softmax: str
    softmax_padded: str
    layer_norm: str
    activations: dict[str, str]
    erf: str
    sinusoidal: str
    halves: str
    look_ahead: str
    all_seen: str
    padding: str
    unpack: str
    bits: str
    copy: str
    from_file: str
