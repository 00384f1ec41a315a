"""Finds the matrices whose names match a typed text."""

import re

from ...board import stages
from ...board.stages.sheet import Viewport
from ...explain import labels
from ...manifest import MatrixEntry
from ...session.state import AppState
from .go_to import GoTo, Named

MOST = 12  # the largest number of suggestions

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


class GoToView:
    """Suggests matrices of the open view, including those in folded parts and hidden layers."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.go_to = GoTo(on_find=self.find)

    def find(self, text: str) -> list[Named]:
        """Return the matrices that match a text, best first; for an empty text, the first few."""
        words = [_letters(word) for word in text.split()]
        ranked = [(_rank(words, named), named) for named in self._all()]
        fitting = [(rank, named) for rank, named in ranked if rank is not None]
        return [named for _, named in sorted(fitting, key=lambda each: each[0])][:MOST]

    def _all(self) -> list[Named]:
        """Return all matrices of the open view, in the order of the computation."""
        trace, scenario = self.state.trace, self.state.scenario
        kinds = {_kind(entry["path"]) for entry in self._drawn()}
        found = []
        for path, tensor in trace.tensors.items():
            heads = tensor.shape[0] if "head" in tensor.dims else 0
            views = [tensor.head(k) for k in range(heads)] or [tensor]
            for view in views:
                if _kind(view.path) not in kinds:
                    continue
                symbol = view.symbol if scenario.settings.heads > 1 else trace[path].symbol
                named = Named(view.path, labels.plain(symbol), labels.place_words(view.path))
                found.append(named)
        return found

    def _drawn(self) -> list[MatrixEntry]:
        """Return the entries of the open view with all of its parts unfolded."""
        state = self.state
        scenario, trace = state.scenario, state.trace
        viewport = Viewport(state.layer_choice)
        if state.location.view != "picture":
            return stages.manifest(scenario, trace, 0, viewport)["matrices"]
        folded = stages.picture.manifest(scenario, trace, 0, (), viewport)
        parts = tuple(part["id"] for part in folded["whole"]["parts"])
        return stages.picture.manifest(scenario, trace, 0, parts, viewport)["matrices"]


def _kind(path: str) -> tuple[str, ...]:
    """Return a path without its numbers; it is the same for all layers and heads."""
    return tuple(part for part in path.split(".") if not part.isdecimal())


def _letters(text: str) -> str:
    """Normalize a text for comparison: lower case, without signs, subscripts as digits."""
    return re.sub(r"[\^_,]", "", text.lower().translate(_SUBSCRIPTS))


def _rank(words: list[str], named: Named) -> int | None:
    """Return the rank of a matrix for the words, 0 for the best; None if a word does not match."""
    symbol = _letters(named.symbol)
    leaf = named.path.rpartition(".")[2]
    rest = [_letters(word) for word in (leaf, *leaf.split("_"), *named.place.split())]
    worst = 0
    for word in words:
        if word in (symbol, symbol.rstrip("0123456789")):
            rank = 0
        elif symbol.startswith(word):
            rank = 1
        elif any(other.startswith(word) for other in rest):
            rank = 2
        else:
            return None
        worst = max(worst, rank)
    return worst
