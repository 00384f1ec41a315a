"""Settings declared once, each with its type, bounds, choices, label and help text.

Each setting is a parameter of ``param``. Its declaration determines the validation of typed input,
the JSON of links and files, the form field, and the help. A settings object is frozen and compared
by value, like the scenario that contains it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from typing import Annotated, Any, ClassVar, NamedTuple, NotRequired, Self, TypedDict

import param

from ...number_text import plain_number
from ...plain_data import Then, read, read_field

_THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,29}", re.ASCII)
_REAL = re.compile(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)


MAX_STRING = 100  # characters; a word from a file may be longer than one that can be typed


class Field(TypedDict):
    """One setting as a form field."""

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
    """The range of a number, and the reason for the range, for use in an error message.

    ``step`` is the increment of the form's − and + buttons; a whole number has to be a multiple of
    ``multiple``.
    """

    low: float | None
    high: float | None
    step: float = 1
    why: str = ""
    multiple: int = 1


class Settings(param.Parameterized):
    """The base class of all settings; methods that change a value return new settings.

    Methods derive everything from the declarations: limits, checks and their messages, labels,
    JSON, and equality.

    A number's ``softbounds`` limit what a user may enter; values of an existing model may lie
    beyond them. For a parameter that may be None, empty text means None.
    """

    # All values in order of declaration, cached because settings are immutable.
    _values: tuple[Any, ...] | None = None
    _names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        names = self.names()
        self._values = tuple(getattr(self, name) for name in names)
        self.check()

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all settings, in order of declaration."""
        if "_names" not in cls.__dict__:
            cls._names = tuple(name for name in cls.param if name != "name")
        return cls._names

    def check(self) -> None:
        """Raise ``ValueError`` with one sentence if the settings contradict one another."""

    # -- value semantics -------------------------------------------------------------------------

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

    def changes_from(self, before: Self, without: Collection[str] = ()) -> Iterator[str]:
        """Yield each setting that differs from an earlier value, as "label before → now"."""
        for name in self.names():
            was, now = getattr(before, name), getattr(self, name)
            if was == now or name in without:
                continue
            if isinstance(now, Settings):
                yield from now.changes_from(was)
            else:
                yield f"{self.label(name)} {_in_words(was)} → {_in_words(now)}"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        changed = self.to_dict(type(self)())
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.values()), ()

    def values(self) -> dict[str, Any]:
        """Return all values: name -> value."""
        assert self._values is not None
        return dict(zip(self.names(), self._values, strict=True))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some settings replaced; ``ValueError`` as for ``check``."""
        return type(self)(**{**self.values(), **changes})

    # -- parsing typed input ---------------------------------------------------------------------

    def limits(self, name: str) -> Limits:
        """Return the range of a number; other settings may narrow the declared range."""
        return self.declared_limits(name)

    @classmethod
    def declared_limits(cls, name: str) -> Limits:
        """Return the declared range of a number."""
        parameter = cls.param[name]
        low, high = parameter.softbounds or parameter.bounds or (None, None)
        return Limits(low, high, parameter.step or 1)

    def changed(self, name: str, raw: Any) -> Self:
        """Return a copy with one setting, or ``group.name``, replaced; ``raw`` may be typed text.

        Raise ``ValueError`` if the value is not allowed; one sentence names the limit.
        """
        group, _, member = name.partition(".")
        self._known(group)
        settings = getattr(self, group)
        if isinstance(settings, Settings):
            return self.replace(**{group: settings.changed(member, raw)})
        self._known(name)
        return self.replace(**{name: self.parsed(name, raw)})

    def parsed(self, name: str, raw: Any) -> Any:
        """Parse typed input into the value of a setting; ``ValueError`` as for ``changed``."""
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
        """Validate a value from outside, for instance from a link, and return it.

        Without ``limits``, a number has the declared range. Raise ``ValueError`` if the value is
        not allowed; the message names the setting and its limit.
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
        elif isinstance(parameter, param.String):
            if not isinstance(value, str) or len(value) > MAX_STRING:
                raise ValueError(f"{label} is a text of at most {MAX_STRING} characters.")
        elif isinstance(parameter, param.Number):
            _check_number(parameter, value, limits or cls.declared_limits(name))
        return value

    # -- links and files -------------------------------------------------------------------------

    def to_dict(self, default: Settings | None = None) -> dict[str, Any]:
        """Return the settings as JSON; with ``default``, only those that differ from it."""
        found: dict[str, Any] = {}
        if self == default:
            return found
        known = None if default is None else default.values()
        for name, value in self.values().items():
            if known is None or value != known[name]:
                found[name] = value.to_dict() if isinstance(value, Settings) else value
        return found

    def from_dict(self, raw: object) -> Self:
        """Return a copy with the values in plain data; ``PlainDataError`` if one is invalid."""
        values = read(self._declared(), raw)
        new = self.replace(**values)
        for name, value in values.items():  # other settings may narrow a range
            if isinstance(self.param[name], param.Number):
                read_field(name, partial(self.checked, name, limits=new.limits(name)), value)
        return new

    @classmethod
    @cache
    def _declared(cls) -> Any:
        """Return the settings as a declaration of plain data in which each key may be missing."""
        hints = {name: Annotated[object, Then(cls._reader(name))] for name in cls.names()}
        return TypedDict(cls.__name__, hints, total=False)  # type: ignore[operator]

    @classmethod
    def _reader(cls, name: str) -> Callable[[Any], Any]:
        default = cls.param[name].default
        return default.from_dict if isinstance(default, Settings) else partial(cls.checked, name)

    def _known(self, name: object) -> None:
        if name not in self.names():
            raise ValueError(f"There is no setting called “{str(name)[:40]}”.")

    # -- forms -----------------------------------------------------------------------------------

    @classmethod
    def label(cls, name: str) -> str:
        """Return the name of a setting on the page."""
        return str(cls.param[name].label)

    def field(self, name: str) -> Field:
        """Return the form field of a setting; ``group.name`` means a setting in a group."""
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
        elif isinstance(parameter, param.String):
            field["kind"] = "text"
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
        """Return the form fields of several settings."""
        return [self.field(name) for name in names]


def _whole_number(raw: Any) -> float:
    """Parse a whole number that may have commas between thousands; NaN if it is invalid."""
    text = str(raw).strip().replace("−", "-")
    digits = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
    return int(digits) if _WHOLE.fullmatch(digits) else math.nan


def _real_number(raw: Any) -> float:
    """Parse a number with a decimal point or comma; NaN if it is invalid."""
    text = plain_number(str(raw))
    return float(text) + 0.0 if _REAL.fullmatch(text) else math.nan  # turns −0 into 0


def _check_number(parameter: param.Number, value: Any, limits: Limits) -> None:
    is_whole = isinstance(parameter, param.Integer)
    low, high = limits.low, limits.high
    above = not parameter.inclusive_bounds[0]
    fits = isinstance(value, int if is_whole else (int, float)) and not isinstance(value, bool)
    # A whole number may exceed the range of a float.
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


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)
