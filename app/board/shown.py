"""The matrices that the browser shows, and the matrices whose values it needs."""

from collections.abc import Iterable

from ..manifest import Manifest, MatrixChange

# The first frame includes all matrices of a small model, even off screen, so that no matrix is
# empty when it scrolls into view.
_FIRST_FRAME_CELLS = 1 << 16


class Shown:
    """The matrices of one structure, by their index in the manifest."""

    def __init__(self, manifest: Manifest, seen: Iterable[str] = ()):
        """Create the matrices of a structure; ``seen`` are the paths that were on screen before."""
        self.manifest = manifest
        self.paths = [matrix["path"] for matrix in manifest["matrices"]]
        before = {*seen}
        # A path may appear several times; its values are sent under its first index.
        first: dict[str, int] = {}
        for index, path in enumerate(self.paths):
            first.setdefault(path, index)
        self._first = list(first.values())
        self._pinned = [first[self.paths[k]] for k in manifest.get("pinned", ())]
        self._visible = [first[path] for path in first if path in before]
        self._small: list[int] | None = None  # indices of a first frame; None until computed

    @property
    def version(self) -> int:
        return self.manifest["version"]

    def see(self, indices: Iterable[int]) -> None:
        """Set which matrices are on or near the screen."""
        self._visible = [k for k in indices if 0 <= k < len(self.paths)]

    def move(self, path: str, entry: MatrixChange) -> int:
        """Replace the shown part of a matrix by another part; return the matrix's index."""
        self._small = None
        for index, matrix in enumerate(self.manifest["matrices"]):
            if matrix["path"] == path:
                matrix.update(entry)
                self.paths[index] = entry["path"]
        return self.paths.index(entry["path"])

    def wanted(self, selected: str | None, moved: Iterable[int]) -> list[int]:
        """Return the indices of matrices on or near the screen, pinned, selected or just moved."""
        of_selection = [self.paths.index(selected)] if selected in self.paths else []
        return list(dict.fromkeys([*self._visible, *self._pinned, *of_selection, *moved]))

    def small_enough(self, wanted: list[int]) -> list[int]:
        """Return the wanted matrices, and all others that a first frame includes."""
        if self._small is None:
            self._small = self._first_frame()
        return list(dict.fromkeys([*wanted, *self._small]))

    def _first_frame(self) -> list[int]:
        found, cells = [], 0
        for index in self._first:
            matrix = self.manifest["matrices"][index]
            cells += matrix["rows"] * matrix["cols"]
            if cells > _FIRST_FRAME_CELLS:
                break
            found.append(index)
        return found
