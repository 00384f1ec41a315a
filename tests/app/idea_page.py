"""A page that shows the picture of an idea, and the messages of its browser."""

from collections.abc import Iterator
from typing import Any

from tinkerformer.files import catalog
from tinkerformer.ideas.kit.picture import Around, IdeaPicture
from tinkerformer.ideas.settings import IdeaSettings
from tinkerformer.learning import TrainingSession
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.address import page_address
from tinkerformer.session.results import Results
from tinkerformer.session.state import AppState
from tinkerformer.shell.page import create_page
from tinkerformer.transport.runtime.page_session import PageSession

DRAG = {"press": 1, "held": True}
KEY = {"press": 0, "held": False}
PHRASES = catalog.first("phrases")
MODELS = {
    "usual": Scenario(),
    "decoder-only": Scenario().with_setting("encoder_layers", 0),
    "encoder-only": Scenario().with_setting("decoder_layers", 0),
    "no positions": Scenario().with_setting("norm", "pre").with_setting("positions", "none"),
    "heads of one number": Scenario().with_setting("heads", 8),
    "heads of two numbers": Scenario().with_setting("heads", 4),
    "one token": Scenario(source=("a",), target=("<sos>",), answers=("<sos>", "a")),
    "dates": catalog.first("dates"),
}


class IdeaPage:
    """A page that shows one picture.

    Attributes:
        placed: all components in the picture.
        control: the component that moves the numbers, if its class is given.
    """

    def __init__(self, idea: str, control: type | None = None, **arguments: Any) -> None:
        scenario, lock = arguments.pop("scenario", PHRASES), arguments.pop("lock", "")
        address = page_address(f"view=idea:{idea}&lock={lock}" if lock else f"view=idea:{idea}")
        self.page = create_page(address=address, scenario=scenario)
        self.state = self.page.state
        self.state.ideas = IdeaSettings(**arguments)
        self.placed = [
            each
            for column in self.page.regions["main"]
            if not hasattr(column, "hears")
            for each in below(column)
        ]
        self.control: Any = next(
            (x for x in self.placed if control and isinstance(x, control)), None
        )

    def say(self, kind: str, **fields: Any) -> Any:
        return self.control.receive({"type": kind, **fields})

    def move(self, index: int, to: Any, press: int = 1, held: bool = True) -> Any:
        place = {"x": float(to[0]), "y": float(to[1])}
        return self.say("move", index=index, **place, press=press, held=held)

    @property
    def sentence(self) -> Any:
        return next(x.object for x in self.placed if "status" in str(getattr(x, "object", "")))


def picture_around(kind: type[IdeaPicture], state: AppState) -> IdeaPicture:
    """Return an open picture alone, without a page."""
    page = PageSession()
    picture = kind(Around(state, Results(), page, TrainingSession(state, page)))
    picture.show(True)
    return picture


def below(placed: Any) -> Iterator[Any]:
    """Yield the components of a column, at any depth."""
    for each in getattr(placed, "objects", []):
        yield each
        yield from below(each)


def opened(kind: type[IdeaPicture], scenario: Scenario = PHRASES) -> Any:
    """Return the state and the picture of a page that shows the phrases, or a scenario."""
    state = AppState(scenario)
    return state, picture_around(kind, state)


def said(picture: Any) -> str:
    return picture.said.object


def choose(picture: Any, name: str, value: Any) -> None:
    picture.choices.form.receive({"type": "change", "name": name, "value": value})


def fields(picture: Any) -> dict[str, Any]:
    return {field["name"]: field for field in picture.choices.form.fields}
