"""Defines the differences between the generated scripts in NumPy and in PyTorch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """The parts of a script whose source code differs between NumPy and PyTorch.

    Attributes:
        name: the name of the library.
        prefix: the name that the library is imported as.
        imports: the import lines.
        softmax: definition of ``softmax``, or of ``softmax_padded`` for rows that may be all −∞.
        layer_norm: lines of layer normalization, with {epsilon}; the last line is its value.
        sample_norm: the same with the standard deviation of a sample.
        activations: name -> expression for the activation of ``hidden``.
        erf: definition of the error function; empty if the library has it.
        sinusoidal: definition of ``sinusoids(n)``; ``halves`` is the other layout.
        look_ahead: expression for the look-ahead mask (n, n) of the target.
        all_seen: expression for a mask (n, n) that hides nothing.
        padding: expression for the mask (n,) of tokens equal to {pad}.
        unpack: definition of ``array(shape, text)``, which decodes weights.
        bits: definition of ``bits(shape, text)``, which decodes a dropout mask.
        copy: the name of the method that copies an array.
        from_file: definition of ``load(name)``.
    """

    name: str
    prefix: str
    imports: str
    softmax: str
    softmax_padded: str
    layer_norm: str
    sample_norm: str
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
