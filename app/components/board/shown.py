"""Which matrices the browser shows, and which of them it is to have the numbers of."""

from collections.abc import Iterable

from ...manifest import Manifest, MatrixChange

# With the first frame go all matrices of a small model, on screen or not: nothing then scrolls into
# view empty.
_FIRST_FRAME_CELLS = 1 << 16


class Shown:
    """The matrices of one structure, by the index that each has for the browser."""

    def __init__(self, manifest: Manifest, seen: Iterable[str] = ()):
        """``seen`` are the paths that were on the screen before."""
        self.manifest = manifest
        self.paths = [matrix["path"] for matrix in manifest["matrices"]]
        before = {*seen}
        # A path may stand in several places; its values travel under the first index it has.
        first: dict[str, int] = {}
        for index, path in enumerate(self.paths):
            first.setdefault(path, index)
        self._first = list(first.values())
        self._pinned = [first[self.paths[k]] for k in manifest.get("pinned", ())]
        self._visible = [first[path] for path in first if path in before]

    @property
    def version(self) -> int:
        return self.manifest["version"]

    def see(self, indices: Iterable[int]) -> None:
        """These are on or near the screen now."""
        self._visible = [k for k in indices if 0 <= k < len(self.paths)]

    def move(self, path: str, entry: MatrixChange) -> int:
        """Another part stands in the place of one: ``entry`` is what is new about it."""
        for index, matrix in enumerate(self.manifest["matrices"]):
            if matrix["path"] == path:
                matrix.update(entry)
                self.paths[index] = entry["path"]
        return self.paths.index(entry["path"])

    def wanted(self, selected: str | None, moved: Iterable[int]) -> list[int]:
        """Those on or near the screen, the pinned ones, the selected one, and those that moved."""
        of_selection = [self.paths.index(selected)] if selected in self.paths else []
        return list(dict.fromkeys([*self._visible, *self._pinned, *of_selection, *moved]))

    def small_enough(self, wanted: list[int]) -> list[int]:
        """These matrices, and of the others as many as are no burden."""
        found = list(wanted)
        cells = 0
        for index in self._first:
            matrix = self.manifest["matrices"][index]
            cells += matrix["rows"] * matrix["cols"]
            if cells > _FIRST_FRAME_CELLS:
                break
            found.append(index)
        return list(dict.fromkeys(found))
