"""Layouts: what a family of models calls its arrays, and what follows from its names.

A layout is data. Its ``arrays`` map names in a state to parameters here:

- A name is a pattern: ``{n}`` is the number of a layer, ``{h}`` that of a head, ``{encoder}`` and
  ``{decoder}`` any word with ``enc`` or ``dec`` in it, ``{stack}`` either of them, and ``*`` any
  part of a word. Prefixes such as ``module.`` need not be named. In a path, ``{side}`` is
  ``source`` or ``target``, as the stack is the encoder or the decoder.
- A path that ends in ``q``, ``k``, ``v``, ``o``, ``1``, ``2``, ``t`` or ``out`` is of a linear map,
  one in ``norm`` of a layer norm, and one in ``e`` or ``p`` of a table of embeddings or positions.
  Then the name is that of a module, with a weight and perhaps a bias below it. Any other path ends
  in the name of a parameter, and the name is that of an array.
- ``qkv``, ``kv`` or another order of these letters is of a packed map, whose outputs are split.
- Paths with commas between them have the same array. If several arrays have one path, the first
  pattern wins, and the others have to have the same numbers as one of the arrays that are used.
- ``[2:]`` after a path takes the rows of a table from there; ``+`` before it and ``[0]`` after it
  adds that row to all rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Orientation = Literal["out, in", "in, out"]


@dataclass(frozen=True)
class Layout:
    """What a family of models calls its arrays.

    Attributes:
        name: what the family is called in messages.
        mark: a pattern of which every state of the family has a name; several with `` & `` between
            them.
        arrays: pattern of names -> path; see the module.
        without: a pattern of which no state of the family has a name.
        types: the family's ``model_type`` in ``config.json``.
        orientation: how matrices are stored; by default read off the shapes, or ``out, in`` as
            PyTorch has it if all are square.
        settings: settings of ``Config`` that follow from the family.
        assumed: settings that models of the family usually have and no array shows.
        refused: name in ``config.json`` -> what is not computed here if it is set; or the usual
            value and what any other asks for.
        required: path -> the error message if no array has it.
        left_out: patterns of arrays that the model does not need.
        around: whether embeddings, positions and output are also found by common names, because
            the family is a module that others put theirs around.
        is_mapping: whether a user wrote it, as ``names=``.
    """

    name: str
    mark: str
    arrays: Mapping[str, str]
    without: str = ""
    types: tuple[str, ...] = ()
    orientation: Orientation | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    assumed: Mapping[str, Any] = field(default_factory=dict)
    refused: Mapping[str, str | tuple[Any, str]] = field(default_factory=dict)
    required: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    around: bool = False
    is_mapping: bool = False
