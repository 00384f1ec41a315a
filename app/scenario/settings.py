"""Settings that are declared once: type, bounds, choices, label and a sentence of help.

From the declaration of a setting, a parameter of ``param``, come the check of what was typed and
its sentence, the JSON of links and files, the field of a form, and the help. A class of settings is
frozen and compared by its values, as the scenario that holds it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, NotRequired, Self, TypedDict

import param

_THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,29}", re.ASCII)
_REAL = re.compile(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)


class Field(TypedDict):
    """A setting as a form shows it."""

    name: str
    kind: str
    label: str
    value: Any
    help: NotRequired[str]
    minimum: NotRequired[float]
    maximum: NotRequired[float]
    step: NotRequired[float]
    options: NotRequired[list[list[Any]]]


class Limits(NamedTuple):
    """From where to where a number may be set; and why, for a sentence.

    ``step`` is what − and + of a form add; a whole number has to be a multiple of ``multiple``.
    """

    low: float | None
    high: float | None
    step: float = 1
    why: str = ""
    multiple: int = 1


class Settings(param.Parameterized):
    """The base of all settings. Every method gives new settings and leaves these as they are.

    The limits of what a user may set are a number's ``softbounds``: a model that is looked at as it
    is may lie beyond them. A parameter that may be None takes an emptied text for it.
    """

    # Values that depend on nothing outside and cannot change, in the order of the declaration.
    _values: tuple[Any, ...] | None = None
    _names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        names = self.names()
        self._values = tuple(getattr(self, name) for name in names)
        self.check()

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """All settings, in the order in which they were declared."""
        if "_names" not in cls.__dict__:
            cls._names = tuple(name for name in cls.param if name != "name")
        return cls._names

    def check(self) -> None:
        """See that the settings fit one another.

        Raises:
            ValueError: they do not; one sentence.
        """

    # -- a value like any other ------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if self._values is not None and name in self.names():
            raise AttributeError(f"Settings are frozen: use replace({name}=…).")
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        return self is other or (type(self) is type(other) and self._values == other._values)

    def __hash__(self) -> int:
        return hash((type(self), self._values))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        changed = self.to_dict(type(self)())
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.values())

    def values(self) -> dict[str, Any]:
        """Name -> value."""
        assert self._values is not None
        return dict(zip(self.names(), self._values, strict=True))

    def replace(self, **changes: Any) -> Self:
        """The settings with some of them replaced.

        Raises:
            ValueError: a value is not of its kind, or they do not fit one another.
        """
        return type(self)(**{**self.values(), **changes})

    # -- what was typed --------------------------------------------------------------------------

    def limits(self, name: str) -> Limits:
        """Where a number may lie; other settings may narrow what its declaration allows."""
        return self.declared_limits(name)

    @classmethod
    def declared_limits(cls, name: str) -> Limits:
        """Where a number may lie by its declaration alone."""
        parameter = cls.param[name]
        low, high = parameter.softbounds or parameter.bounds or (None, None)
        return Limits(low, high, parameter.step or 1)

    def changed(self, name: str, raw: Any) -> Self:
        """The settings with one of them replaced; ``raw`` may be the text that was typed.

        Args:
            name: of a setting; ``group.name`` of one in a group of settings.
            raw: what it is to be.

        Raises:
            ValueError: one sentence that names the limit.
        """
        group, _, member = name.partition(".")
        self._known(group)
        settings = getattr(self, group)
        if isinstance(settings, Settings):
            return self.replace(**{group: settings.changed(member, raw)})
        self._known(name)
        return self.replace(**{name: self.parsed(name, raw)})

    def parsed(self, name: str, raw: Any) -> Any:
        """What was typed, as the value of a setting.

        Raises:
            ValueError: one sentence that names the limit.
        """
        parameter = self.param[name]
        if parameter.allow_None and (raw is None or not str(raw).strip()):
            return None
        if isinstance(parameter, param.Integer):
            return self.checked(name, _whole_number(raw), self.limits(name))
        if isinstance(parameter, param.Number):
            return self.checked(name, _real_number(raw), self.limits(name))
        return self.checked(name, raw)

    @classmethod
    def checked(cls, name: str, value: Any, limits: Limits | None = None) -> Any:
        """A value that a setting may be set to, for instance out of a link.

        Args:
            limits: of a number; those of its declaration if there are no others.

        Raises:
            ValueError: one sentence that names the setting and its limit.
        """
        parameter, label = cls.param[name], cls.label(name)
        if value is None and parameter.allow_None:
            return None
        if isinstance(parameter, param.Boolean):
            if not isinstance(value, bool):
                raise ValueError(f"{label} is either on or off.")
        elif isinstance(parameter, param.Selector):
            if not isinstance(value, str) or value not in parameter.objects:
                raise ValueError(f"{label} is one of {', '.join(parameter.objects)}.")
        elif isinstance(parameter, param.Number):
            _check_number(parameter, value, limits or cls.declared_limits(name))
        return value

    # -- links and files -------------------------------------------------------------------------

    def to_dict(self, default: Settings | None = None) -> dict[str, Any]:
        """The settings as JSON has them; with a default, those that differ from it."""
        found = {}
        for name, value in self.values().items():
            if default is None or value != getattr(default, name):
                found[name] = value.to_dict() if isinstance(value, Settings) else value
        return found

    def from_dict(self, raw: Any) -> Self:
        """These settings with what plain data says instead.

        Raises:
            ValueError: one sentence on the first setting that is wrong.
        """
        if not isinstance(raw, Mapping):
            raise ValueError("It is not a group of settings.")
        values = {}
        for name, value in raw.items():
            self._known(name)
            mine = getattr(self, name)
            if isinstance(mine, Settings):
                values[name] = self._group(name, mine, value)
            else:
                values[name] = self.checked(name, value)
        new = self.replace(**values)
        for name, value in values.items():  # what the others together allow may be less
            if isinstance(self.param[name], param.Number):
                self.checked(name, value, new.limits(name))
        return new

    def _group(self, name: str, settings: Settings, raw: Any) -> Settings:
        try:
            return settings.from_dict(raw)
        except ValueError as error:
            raise ValueError(f"{self.label(name)}: {error}") from None

    def _known(self, name: object) -> None:
        if name not in self.names():
            raise ValueError(f"There is no setting called “{str(name)[:40]}”.")

    # -- forms -----------------------------------------------------------------------------------

    @classmethod
    def label(cls, name: str) -> str:
        """How a setting is called on the page."""
        return str(cls.param[name].label)

    def field(self, name: str) -> Field:
        """A setting as a form shows it; ``group.name`` is one in a group of settings."""
        group, _, member = name.partition(".")
        if member:
            field: Field = getattr(self, group).field(member)
            field["name"] = name
            return field
        parameter = self.param[name]
        field = Field(name=name, kind="", label=self.label(name), value=getattr(self, name))
        if parameter.doc:
            field["help"] = " ".join(parameter.doc.split())
        if isinstance(parameter, param.Boolean):
            field["kind"], field["value"] = "switch", bool(field["value"])
        elif isinstance(parameter, param.Selector):
            field["kind"] = "choice"
            labels = {value: label for label, value in (parameter.names or {}).items()}
            field["options"] = [[x, labels.get(x, str(x))] for x in parameter.objects]
        else:
            limits = self.limits(name)
            field["kind"] = "integer" if isinstance(parameter, param.Integer) else "number"
            field["step"] = limits.step
            if limits.low is not None:
                is_open = not parameter.inclusive_bounds[0]
                field["minimum"] = limits.low + (limits.step if is_open else 0)
            if limits.high is not None:
                field["maximum"] = limits.high
        return field

    def fields(self, names: Iterable[str]) -> list[Field]:
        """Several settings as a form shows them."""
        return [self.field(name) for name in names]


def _again(cls: type[Settings], values: dict[str, Any]) -> Settings:
    return cls(**values)


def _whole_number(raw: Any) -> float:
    """The whole number that was typed, perhaps with commas between thousands; else NaN."""
    text = str(raw).strip().replace("−", "-")
    digits = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
    return int(digits) if _WHOLE.fullmatch(digits) else math.nan


def _real_number(raw: Any) -> float:
    """The number that was typed, with a point or a comma before its decimals; else NaN."""
    text = str(raw).strip().replace("−", "-").replace(",", ".")
    return float(text) + 0.0 if _REAL.fullmatch(text) else math.nan  # −0 is 0


def _check_number(parameter: param.Number, value: Any, limits: Limits) -> None:
    is_whole = isinstance(parameter, param.Integer)
    low, high = limits.low, limits.high
    above = not parameter.inclusive_bounds[0]
    fits = isinstance(value, int if is_whole else (int, float)) and not isinstance(value, bool)
    # A whole number may be beyond what a float holds.
    fits = fits and (isinstance(value, int) or math.isfinite(value))
    fits = fits and (high is None or value <= high)
    fits = fits and (low is None or (value > low if above else value >= low))
    if not fits or (is_whole and value % limits.multiple):
        what = "a whole number" if is_whole else "a number"
        if high is None:
            span = f"above {_shown(low)}" if above else f"from {_shown(low)} on"
        elif above:
            span = f"above {_shown(low)} and up to {_shown(high)}"
        else:
            span = f"from {_shown(low)} to {_shown(high)}"
        raise ValueError(f"{parameter.label} is {what} {span}{limits.why}.")


def _shown(number: float | None) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"
