"""A list of callbacks, declared as an attribute of a component's class."""

from collections.abc import Callable
from typing import Generic, ParamSpec, Self

P = ParamSpec("P")


class Callbacks(Generic[P]):
    """A list of functions; calling it with a function adds the function.

    `call` calls all functions in order. Each instance of the component has its own list.
    """

    def __init__(self) -> None:
        self._functions: list[Callable[P, object]] = []

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, _: type) -> Self:
        return self if instance is None else vars(instance).setdefault(self._name, type(self)())

    def __call__(self, function: Callable[P, object]) -> None:
        self._functions.append(function)

    def call(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for function in self._functions:
            function(*args, **kwargs)
