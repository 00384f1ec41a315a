"""Layouts: the array names of a family of models, and the settings that follow from them.

A layout is data. Its ``arrays`` map names in a state to parameters here:

- A name is a pattern: ``{n}`` is the number of a layer, ``{h}`` that of a head, ``{encoder}`` and
  ``{decoder}`` any word with ``enc`` or ``dec`` in it, ``{stack}`` either of them, and ``*`` any
  part of a word. Prefixes such as ``module.`` need not be named. In a path, ``{side}`` is
  ``source`` for the encoder, ``target`` for the decoder.
- A path that ends in ``q``, ``k``, ``v``, ``o``, ``1``, ``2``, ``t`` or ``out`` belongs to a linear
  map, in ``norm`` to a layer norm, and in ``e`` or ``p`` to a table of embeddings or positions.
  In these cases the name is that of a module, with a weight and perhaps a bias below it. Any other
  path ends in the name of a parameter, and the name is that of an array.
- ``qkv``, ``kv`` or another order of these letters is a packed map, whose outputs are split.
- Paths with commas between them have the same array. If several arrays match one path, that of the
  first pattern is used; each of the others must have the same numbers as some array in use.
- ``[2:]`` after a path takes the rows of a table from row 2 on; ``+`` before a path and ``[0]``
  after it adds row 0 to all rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Orientation = Literal["out, in", "in, out"]


@dataclass(frozen=True)
class Layout:
    """The array names of a family of models, and its settings.

    Attributes:
        name: the name of the family in messages.
        mark: a pattern that matches a name in every state of the family; several patterns have an
            ampersand between them.
        arrays: pattern of names -> path; see the module.
        without: a pattern that matches no name in any state of the family.
        types: the family's ``model_type`` in ``config.json``.
        orientation: the axes of stored matrices; by default read from the shapes, or ``out, in`` as
            in PyTorch if all matrices are square.
        settings: settings of ``Config`` that follow from the family.
        assumed: usual settings of the family that no array shows.
        refused: name in ``config.json`` -> an unsupported feature, which makes it an error to set
            the name; or the only supported value, and the feature that other values would need.
        required: path -> the error message if no array has it.
        left_out: patterns of arrays that the model does not need.
        around: whether embeddings, positions and output are also found by common names, because
            the family is a module without them.
        is_mapping: whether the layout was given by a user, as ``names=``.
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
