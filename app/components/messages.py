"""Declares and checks messages from a browser to a component.

A message that does not fit its declaration is refused and logged in one short line.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from ..plain_data import PlainDataError, Within, read
from ..transport.security.refusals import short, tell

Message = dict[str, Any]

REFUSED = "This was not accepted: a part of it is missing or too long."


class AnyMessage(TypedDict):
    """The base of all messages; also the declaration of a message with only its kind."""

    type: str


class StepMessage(AnyMessage):
    """A step of the training run; None for the last step."""

    step: Annotated[int, Within(0, 10_000_000)] | None


class RequestMessage(AnyMessage):
    """A request; its answer has the same ``id``."""

    id: int


def checked_message(
    data: object, declared: Mapping[str, type[Any]], receiver: str
) -> Message | None:
    """Return the message if it fits its declaration, else None.

    Args:
        data: the data from the browser.
        declared: the declarations of the accepted messages, by kind.
        receiver: the component's name, for the log.
    """
    kind = data.get("type") if isinstance(data, dict) else None
    declaration = declared.get(kind) if isinstance(kind, str) else None
    if declaration is None:
        tell(f"{receiver} takes no message {short(data if kind is None else kind)}")
        return None
    try:
        message: Message = read(declaration, data)
    except PlainDataError as error:
        tell(f"of a message {kind} to {receiver}: {short(error.place or error.what)}")
        return None
    return message
