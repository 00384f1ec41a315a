"""The files that a user gives: a file, a folder, or content by name.

The kind of a file follows from its content, and never from its name. Names only decide between
several files of one kind in a folder, as in Hugging Face's libraries.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.torch_archive import LIMIT, kind_of, read_torch_file
from transformer_math.checks import NoSuchFile, WrongArgument, described

Files = str | PathLike[str] | Mapping[str, bytes]
Kind = Literal["safetensors", "torch", "json", "other"]

MAX_JSON = 32 << 20  # bytes of a config or a vocabulary
CONFIG, GENERATION = "config.json", "generation_config.json"
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")  # in the order of preference
_MAX_SHARDS = 1000
_HEAD = 512


class Weights(NamedTuple):
    """The arrays of the given files, and the other data in these files.

    Attributes:
        arrays: name -> array.
        metadata: name -> text, the metadata of safetensors files.
        values: the plain values in a PyTorch file, such as the settings of the model.
        other: a description of each other entry of a PyTorch file.
    """

    arrays: dict[str, np.ndarray]
    metadata: dict[str, str]
    values: dict[str, Any]
    other: list[str]


class GivenFiles:
    """Files whose content is read on demand.

    Attributes:
        names: the names of all files.
        folder: the name of the folder, if a folder was given; else empty.
        limit: the largest number of bytes of all weights.
    """

    def __init__(self, files: Files, limit: int | None = None) -> None:
        """List the files of a folder, a file, or the content by name.

        Args:
            files: the path, or the content by name.
            limit: the largest number of bytes of all weights; by default ``LIMIT`` for a path, and
                ``safetensors.MAX_BYTES`` for content, which is usually uploaded.

        Raises:
            NoSuchFile: there is no such path.
            WrongArgument: ``files`` is neither a path nor a mapping.
        """
        self._content: dict[str, bytes | Path] = {}
        self.folder = ""
        self._chosen: str | None = None  # the file that the user named
        if isinstance(files, Mapping):
            self._content |= files
            self.limit = safetensors.MAX_BYTES if limit is None else limit
        elif not isinstance(files, str | PathLike):
            given = described(files)
            raise WrongArgument(f"path is a path or a mapping of names to contents, not {given}.")
        else:
            self.limit = LIMIT if limit is None else limit
            path = Path(files)
            if path.is_dir():
                self.folder = path.resolve().name
                self._content |= {
                    each.name: each for each in sorted(path.iterdir()) if each.is_file()
                }
            elif path.is_file():
                self._chosen = path.name
                self._content[path.name] = path
            else:
                raise NoSuchFile(f"There is no file or folder {path}.")
            if path.is_file() and _is_of_hub(path.name):
                # Add the other files of a model of Hugging Face: its config, index and parts.
                beside = _files_of(path.parent)
                self._content |= {name: beside[name] for name in beside if _is_of_hub(name)}
        self.names = list(self._content)

    def has(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return name in self._content

    def kind(self, name: str) -> Kind:
        """Return the kind of a file, by its first bytes."""
        head = self._head(name)
        if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 1 << 32:
            return "safetensors"
        if head[:4] == b"PK\x03\x04" or (
            head[:1] == b"\x80" and head[1:2] in b"\x01\x02\x03\x04\x05"
        ):
            return "torch"
        return (
            "json" if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[") else "other"
        )

    def _head(self, name: str) -> bytes:
        content = self._content[name]
        if isinstance(content, bytes):
            return content[:_HEAD]
        with content.open("rb") as file:
            return file.read(_HEAD)

    def size(self, name: str) -> int:
        """Return the bytes of a file."""
        content = self._content[name]
        return len(content) if isinstance(content, bytes) else content.stat().st_size

    def read(self, name: str, limit: int = MAX_JSON) -> bytes:
        """Return the content of a file.

        Raises:
            CheckpointError: the file is missing or too large.
        """
        if name not in self._content:
            raise CheckpointError(f"{name} is missing.")
        size = self.size(name)
        if size > limit:
            raise CheckpointError(f"{name} has {size:,} bytes; at most {limit:,} are read.")
        content = self._content[name]
        return content if isinstance(content, bytes) else content.read_bytes()

    def json(self, name: str) -> Any:
        """Return the content of a JSON file.

        Raises:
            CheckpointError: the file is missing, too large or not JSON.
        """
        try:
            return json.loads(self.read(name).decode("utf-8-sig"))
        except CheckpointError:
            raise
        except (ValueError, RecursionError):
            raise CheckpointError(f"{name} is not JSON.") from None

    def object(self, name: str) -> dict[str, Any]:
        """Return the JSON object in a file.

        Raises:
            CheckpointError: the file is missing, too large or not a JSON object.
        """
        found = self.json(name)
        if not isinstance(found, dict):
            raise CheckpointError(f"{name} is no JSON object.")
        return found

    def config(self) -> dict[str, Any] | None:
        """Return the content of Hugging Face's ``config.json``; None if there is no such file.

        Raises:
            CheckpointError: a file of this name is damaged.
        """
        if CONFIG in self._content:
            return self.object(CONFIG)
        for _, found in self._objects():
            if isinstance(found.get("model_type"), str):
                return found
        return None

    def mapping(self) -> dict[str, Any] | None:
        """Return a mapping of names that ``tinkerformer names`` wrote; None if there is none."""
        mappings = (each for _, each in self._objects() if isinstance(each.get("arrays"), dict))
        return next(mappings, None)

    def _objects(self) -> list[tuple[str, dict[str, Any]]]:
        """Return name and content of each intact JSON object in a file up to ``MAX_JSON`` bytes."""
        small = (n for n in self.names if self.kind(n) == "json" and self.size(n) <= MAX_JSON)
        found = []
        for name in small:
            try:
                value = self.json(name)
            except CheckpointError:
                continue
            if isinstance(value, dict):
                found.append((name, value))
        return found

    def weights(self) -> Weights:
        """Return the arrays of all files with weights that belong to one model.

        Raises:
            CheckpointError: there are no weights or those of several models, or a file is damaged.
        """
        is_whole = self._chosen is not None and _part(self._chosen) == "whole"
        shards = None if is_whole else self._shards()
        if shards is None:
            return self._read_weights(self.weight_name())
        arrays: dict[str, np.ndarray] = {}
        metadata: dict[str, str] = {}
        left = self.limit
        for shard, names in shards.items():
            if shard not in self._content:
                raise CheckpointError(f"{shard} of this model is missing.")
            found = self._read_weights(shard, left)
            left -= self.size(shard)
            missing = next((name for name in names if name not in found.arrays), None)
            if missing is not None:
                raise CheckpointError(f"{shard} has no {missing:.80}, which the index names.")
            arrays |= {name: found.arrays[name] for name in names}
            metadata |= found.metadata
        return Weights(arrays, metadata, {}, [])

    def weight_name(self) -> str:
        """Return the name of the file with the weights; the first file, if they are in parts.

        Raises:
            CheckpointError: there is no such file, or there are several.
        """
        files = [name for name in self.names if self.kind(name) in ("safetensors", "torch")]
        if self._chosen in files:
            return self._chosen
        for usual in _WEIGHTS:
            if usual in files:
                return usual
        shard = next((name for name in self._shards() or () if name in files), None)
        if shard is not None:
            return shard
        if not files:
            if len(self.names) == 1 and self.kind(self.names[0]) == "other":
                return self.names[0]  # the reader reports the kind of this file
            needed = " or ".join(_WEIGHTS)
            raise CheckpointError(f"There are no weights among these files, such as {needed}.")
        if len(files) > 1:
            raise CheckpointError(f"There are several models: {', '.join(files[:5])}; open one.")
        return files[0]

    def _shards(self) -> dict[str, list[str]] | None:
        """Return file -> arrays for a model in several files; None for any other model.

        Raises:
            CheckpointError: the index is damaged.
        """
        for name in (f"{usual}.index.json" for usual in _WEIGHTS):
            if name not in self._content:
                continue
            where = self.object(name).get("weight_map")
            if not isinstance(where, dict) or not all(isinstance(x, str) for x in where.values()):
                raise CheckpointError(f"{name} does not name a file for each array.")
            shards: dict[str, list[str]] = {}
            for array, file in where.items():
                shards.setdefault(file, []).append(array)
            if len(shards) > _MAX_SHARDS:
                raise CheckpointError(f"{name} names more than {_MAX_SHARDS:,} files.")
            return shards
        return None

    def _read_weights(self, name: str, limit: int | None = None) -> Weights:
        limit = self.limit if limit is None else limit
        if self.kind(name) == "safetensors":
            found = safetensors.load(self.read(name, limit), limit, with_whole=True)
            return Weights(found.arrays, found.metadata, {}, [])
        if not self.size(name):
            raise CheckpointError(f"{name} is empty.")
        if self.kind(name) != "torch":
            raise CheckpointError(
                f"{name} is neither in the safetensors format nor a file of torch.save: "
                f"{kind_of(self._head(name))}."
            )
        torch = read_torch_file(self._content[name], limit=limit)
        return Weights(torch.state, {}, torch.values, torch.other)


def _part(name: str) -> Literal["whole", "index", "shard", "config", ""]:
    """Return the role of a file of a model by the name that Hugging Face's libraries give it."""
    if name in _WEIGHTS:
        return "whole"
    if name.removesuffix(".index.json") in _WEIGHTS:
        return "index"
    if "-of-" in name and name.endswith((".safetensors", ".bin")):
        return "shard"
    return "config" if name == CONFIG else ""


def _files_of(folder: Path) -> dict[str, Path]:
    return {each.name: each for each in sorted(folder.iterdir()) if each.is_file()}


def _is_of_hub(name: str) -> bool:
    return bool(_part(name))
