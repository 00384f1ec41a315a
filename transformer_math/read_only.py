"""A dict whose items cannot be changed."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(dict[K, V]):
    """A dict that raises an error with one sentence at every change.

    Attributes:
        instead: the sentence, which describes the alternative.
    """

    __slots__ = ("instead",)

    def __init__(self, items: dict[K, V], instead: str) -> None:
        super().__init__(items)
        self.instead = instead

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(self.instead)

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (ReadOnly, (dict(self), self.instead))
