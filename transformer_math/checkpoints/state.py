"""Converts a state, the arrays of another library by name, to a config and parameters."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.checkpoints.arrays import Converter, as_array, mismatch
from transformer_math.checkpoints.assignment import Assignment, assign, has_marks, named_like
from transformer_math.checkpoints.buffers import is_look_ahead, is_weight, wave_of
from transformer_math.checkpoints.guess import around, words_of
from transformer_math.checkpoints.layouts import layouts
from transformer_math.checkpoints.layouts.layout import Layout, Orientation
from transformer_math.checkpoints.shapes import Sizes, orientation_of, width_of
from transformer_math.checkpoints.told import of_config_json
from transformer_math.checks import check_whole, plain
from transformer_math.config import Config
from transformer_math.suggestions import ALIASES, check_names

# Settings that the arrays always show.
SHOWN = (
    *("final_norm", "attention_bias", "feed_forward_bias", "embedding_norm", "output_bias"),
    *("output_transform", "tie_output", "share_embeddings"),
)
_TABLES = ("source.W_e", "target.W_e", "output.W_out")  # several of these can be the same table


class Wanted(ValueError):
    """No file shows a setting, and the caller did not give it.

    Attributes:
        setting: the name of the setting.
        choices: the possible values.
    """

    def __init__(self, setting: str, what: str, choices: list[Any]) -> None:
        listed = ", ".join(map(str, choices))
        super().__init__(f"{what}: give {setting}=, one of {listed}.")
        self.setting = setting
        self.choices = choices


@dataclass(frozen=True)
class ReadState:
    """A model read from a state.

    Attributes:
        config: its settings.
        parameters: path -> array.
        family: the name of the model's family.
        assumed: the settings that no file shows and the caller did not give, with assumed values.
        left_out: the names of arrays that the model does not need, such as masks, and rows of
            positions that only one of the stacks has.
    """

    config: Config
    parameters: dict[str, np.ndarray]
    family: str
    assumed: dict[str, Any]
    left_out: list[str]


def read_state(
    state: Mapping[str, Any],
    layout: Layout | None = None,
    *,
    config_json: Mapping[str, Any] | None = None,
    told: Mapping[str, Any] | None = None,
    heads: int | None = None,
    dtype: str | None = None,
    **settings: Any,
) -> ReadState:
    """Return the model of a state.

    Sizes, biases, norms, tied and shared tables follow from the arrays. Other settings are those of
    the caller, else of the files, else of the family.

    Args:
        state: name -> array or PyTorch tensor.
        layout: the family; by default that of the names.
        config_json: the content of Hugging Face's ``config.json``.
        told: settings of ``Config`` that a file contains besides the arrays.
        heads: the number of heads.
        dtype: by default float64 if any array has it, else float32.
        settings: settings of ``Config``.

    Raises:
        Wanted: the number of heads is not known.
        ValueError: the family is unknown, or an array is missing, has another shape, or is not
            used.
    """
    fields = [field.name for field in dataclasses.fields(Config)]
    check_names("A model that is read", settings, fields, ALIASES)
    if any(not isinstance(name, str) for name in state):
        raise ValueError("A state has names for keys.")
    arrays = {name: as_array(value) for name, value in state.items()}
    told = dict(told or {})
    layout = layout or layout_of(arrays)
    given = {**told, **settings}
    reader = _Reader(layout, arrays, _stack_of(given, arrays))
    if config_json is not None:
        told = {**of_config_json(layout, config_json, reader.shown), **told}
    if dtype is None:
        wide = any(array.dtype == np.float64 for array in arrays.values())
        dtype = told.pop("dtype", "float64" if wide else "float32")
    heads = plain(heads if heads is not None else told.pop("heads", None))
    told.pop("heads", None)
    return reader.read({**told, **settings, "dtype": dtype}, heads)


def layout_of(arrays: Mapping[str, np.ndarray]) -> Layout:
    """Return the family whose names and shapes a state has.

    Raises:
        ValueError: no family fits.
    """
    fitting = [each for each in layouts() if has_marks(each, arrays)]
    for layout in fitting if len(fitting) > 1 else ():
        if layout.orientation in (None, _orientation(layout, arrays)):
            return layout
    if fitting:
        return fitting[0]
    known = ", ".join(sorted({each.name for each in layouts()}, key=str.lower))
    raise ValueError(
        f"These names, such as {_listed(arrays, 2)}, are of no family known here ({known}): "
        "“tinkerformer names FILE” proposes a mapping for names=."
    )


def with_guesses(layout: Layout, found: Assignment, arrays: Mapping[str, np.ndarray]) -> Assignment:
    """Add guessed arrays outside of the layers to an assignment, if the layout allows guesses."""
    return around(found, arrays, width_of(found, arrays)) if layout.around else found


def _orientation(layout: Layout, arrays: Mapping[str, np.ndarray]) -> Orientation:
    """Return the axes of a state's stored matrices; those of PyTorch if all matrices are square."""
    found = assign(layout, arrays)
    return orientation_of(found, arrays, width_of(found, arrays)) or "out, in"


def _stack_of(given: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """Return the only stack of a state, by settings that are known besides the names."""
    if given.get("encoder_layers") is not None:
        return "encoder" if given["encoder_layers"] else "decoder"
    has_mask = any(is_look_ahead(array) for array in arrays.values())
    modules = {".".join(name.split(".")[:-2]) for name in arrays}
    has_name = any(word.startswith("dec") for name in modules for word in words_of(name))
    return "decoder" if given.get("causal_mask") or has_mask or has_name else "encoder"


class _Reader:
    """Reads one state."""

    def __init__(self, layout: Layout, arrays: dict[str, np.ndarray], stack: str) -> None:
        self.layout = layout
        self.arrays = arrays
        found = with_guesses(layout, assign(layout, arrays, stack), arrays)
        self.found = found
        if layout.is_mapping:
            self._check_mapping()
        shown = orientation_of(found, arrays, width_of(found, arrays))
        self.orientation = layout.orientation or shown or "out, in"
        self.waves = self._take_out_sinusoids()
        self.sizes = Sizes(found, arrays, self.orientation)
        self.shown = {**self.sizes.settings(), **self.waves}
        self.left_out = [name for name in found.rest if not is_weight(arrays[name])]
        rows = self.sizes.position_rows()
        self.longer = [path for path, n in rows.items() if n > min(rows.values())]

    def _take_out_sinusoids(self) -> dict[str, str]:
        """Remove stored tables of sinusoids, which are computed here; return their kind."""
        kinds = {}
        for path in ("source.W_p", "target.W_p"):
            if path in self.found.sources and path not in self.found.added:
                (source, *_) = self.found.sources[path]
                kinds[path] = wave_of(self.arrays[source.name])
        if len(set(kinds.values())) != 1 or None in kinds.values():
            return {}
        for path in kinds:
            del self.found.sources[path]
        return {"positions": next(kind for kind in kinds.values() if kind)}

    def read(self, given: dict[str, Any], heads: int | None) -> ReadState:
        """Return the model with the settings that are known besides the state."""
        defaults = {**self.layout.assumed, **self.layout.settings, **self.shown, **self._ties()}
        assumed = {
            name: value
            for name, value in self.layout.assumed.items()
            if name not in {**self.layout.settings, **self.shown, **given}
        }
        known = {**defaults, **given}
        known |= self._of_heads(known, heads)
        self._check_sizes(known)
        config = Config(**known)
        self._check_rest()
        parameters = self._parameters(config)
        left_out = self.left_out + [
            f"rows of {self.found.sources[path][0].name} from {config.max_positions}"
            for path in self.longer
        ]
        return ReadState(config, parameters, self.layout.name, assumed, left_out)

    def _of_heads(self, known: Mapping[str, Any], heads: int | None) -> dict[str, Any]:
        """Return the number of heads and their widths.

        Raises:
            Wanted: the number is not known.
            ValueError: the number does not divide the outputs for queries.
        """
        heads = heads if heads is not None else self.sizes.heads()
        total = self.sizes.outputs("W_q") or known["d_model"]
        choices = [h for h in range(1, min(total, 64) + 1) if total % h == 0]
        if heads is None:
            raise Wanted("heads", "No shape shows how many attention heads there are", choices)
        check_whole("heads", heads, 1)
        if total % heads:
            raise ValueError(
                f"The queries have {total} columns by the weights, no multiple of {heads} heads."
            )
        widths = self.sizes.head_widths(heads)
        return {"heads": heads, **{name: n for name, n in widths.items() if name not in known}}

    def _check_sizes(self, known: Mapping[str, Any]) -> None:
        """Check the numbers of layers and tokens here, where an error can name the array.

        Raises:
            ValueError: the numbers differ from those of the arrays.
        """
        for stack, side in (("encoder", "source"), ("decoder", "target")):
            there, asked = self.shown[f"{stack}_layers"], known[f"{stack}_layers"]
            if type(asked) is int and asked > there:
                raise self._missing(f"{stack}.{there}.self_attn.gamma")
            rows, asked = self.shown.get(f"{side}_vocabulary"), known.get(f"{side}_vocabulary")
            sources = self.found.sources.get(f"{side}.W_e")
            if sources and there and asked != rows:
                name = sources[0].name
                raise mismatch(name, self.arrays[name].shape, (asked, self.sizes.width))

    def _ties(self) -> dict[str, bool]:
        """Return the settings for shared and tied tables: whether they have equal numbers."""
        source, target = (self._table(f"{side}.W_e") for side in ("source", "target"))
        output = self._table("output.W_out")
        both = bool(self.shown["encoder_layers"] and self.shown["decoder_layers"])
        tied = target if target is not None else source
        return {
            "share_embeddings": both
            and source is not None
            and (target is None or same(source, target)),
            "tie_output": output is None or (tied is not None and same(output, tied)),
        }

    def _table(self, path: str) -> np.ndarray | None:
        """Return a table with a row for each token; None if the state lacks it."""
        if path not in self.found.sources:
            return None
        return self._oriented(path, self.found.sources[path][0].name)

    def _parameters(self, config: Config) -> dict[str, np.ndarray]:
        """Return path -> array.

        Raises:
            ValueError: an array is missing, has another shape, or is not used.
        """
        sources, shapes = self.found.sources, config.parameter_shapes()
        converter = Converter(self.arrays, self.orientation, self.longer)
        found = {}
        for path, shape in shapes.items():
            if not sources.get(path):
                found[path] = self._absent(path, shape, config.dtype)
                continue
            try:
                found[path] = converter.parameter(path, sources[path], shape)
            except ValueError as error:
                if not self.layout.is_mapping:
                    raise
                name = sources[path][0].name
                raise ValueError(f"names= maps {name} to {path}: {error}") from None
            for source in self.found.added.get(path, []):
                found[path] = found[path] + converter.row(source, shape)
        self._check_spare(shapes)
        return found

    def _absent(self, path: str, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        """Return the value of a parameter without an array: a bias, β or γ that no module has.

        Raises:
            ValueError: the parameter is no bias, β or γ, or some module has one of this name.
        """
        leaf = path.rpartition(".")[2]
        is_nowhere = not any(other.endswith(f".{leaf}") for other in self.found.sources)
        if is_nowhere and (leaf in ("gamma", "beta") or leaf.startswith("b_")):
            return np.full(shape, 1.0 if leaf == "gamma" else 0.0, dtype)
        raise self._missing(path, shape)

    def _missing(self, path: str, shape: tuple[int, ...] = ()) -> ValueError:
        if path in self.layout.required:
            return ValueError(self.layout.required[path])
        name = named_like(self.found, self.layout, path)
        if self.layout.is_mapping:
            asked = f", which asks for the shape {shape}" if shape and path not in _TABLES else ""
            return ValueError(f"names= maps no array to {path}{asked}{self._entry(name)}.")
        close = difflib.get_close_matches(name, self.found.rest, 3, 0.5)
        hint = f" Beside those that are known it has {', '.join(close)}." if close else ""
        return ValueError(f"The state has no {name}.{hint}")

    def _entry(self, name: str) -> str:
        """Return the end of a sentence with the mapping's entry for an array; empty if missing."""
        if name not in self.arrays:
            return ""
        path = self.layout.arrays.get(name, "null" if name in self.layout.left_out else "no path")
        return f"; it maps {name}, of the shape {self.arrays[name].shape}, to {path}"

    def _check_mapping(self) -> None:
        """Check that each entry of a mapping has an array and the path of a parameter.

        Raises:
            ValueError: an entry lacks an array or a path.
        """
        for name, path in self.layout.arrays.items():
            if name not in self.arrays and not re.search(r"[{*]", name):
                raise ValueError(f"names= maps {name} to {path}, and there is no such array.")
            if name in self.found.rest:
                shape = self.arrays[name].shape
                raise ValueError(
                    f"names= maps {name}, of the shape {shape}, to {path}, which is no path of a "
                    "parameter."
                )

    def _check_rest(self) -> None:
        """Check that all arrays with weights are used."""
        required = [path for path in self.layout.required if path not in self.found.sources]
        if required:
            raise self._missing(required[0])
        rest = [name for name in self.found.rest if name not in self.left_out]
        if rest:
            raise ValueError(
                f"The model has no place for {_listed(rest, 5)}; names= can map arrays to "
                "parameters, or to None to leave them out."
            )

    def _check_spare(self, shapes: Mapping[str, Any]) -> None:
        """Check that each duplicate array has the same numbers as the used array."""
        sources = self.found.sources
        used = {source.name for path in shapes for source in sources.get(path, [])}
        unused = [
            (path, each) for path, these in sources.items() if path not in shapes for each in these
        ]
        for path, source in (*unused, *self.found.spare):
            name, mine = source.name, self._oriented(path, source.name)
            if name in used:
                continue
            if path not in shapes and path not in _TABLES:
                raise ValueError(f"{name} is read as {path}, which this model does not have.")
            others = {
                p: sources[p][0].name
                for p in (_TABLES if path in _TABLES else (path,))
                if p in sources and sources[p][0].name in used
            }
            if not any(same(mine, self._oriented(*other)) for other in others.items()):
                listed = " and ".join(others.values())
                raise ValueError(
                    f"{name} has other numbers than {listed}, and there is one place for both."
                )

    def _oriented(self, path: str, name: str) -> np.ndarray:
        """Return a table with a row for each token; the output's may be stored transposed."""
        array = self.arrays[name]
        is_turned = array.ndim == 2 and array.shape[-1] != self.sizes.width
        return array.T if path == "output.W_out" and is_turned else array


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two arrays are the same or have the same numbers."""
    return one is other or np.array_equal(one, other)


def _listed(names: Iterable[str], count: int) -> str:
    return ", ".join(f"{name:.80}" for name in itertools.islice(sorted(names), count))
