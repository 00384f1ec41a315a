"""Creates the views of a page and places them in its regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..board.component import BoardComponent
from ..board.messages import PullMessage
from ..board.structure import ON_BOARD
from ..board.view import ExploreView
from ..components.component import Component, Placed
from ..components.panel_button.panel_button import PanelButton
from ..features.decode.view import DecodeView
from ..features.dropout.view import DropoutView
from ..features.exports.view import ExportsView
from ..features.film.view import FilmView
from ..features.go_to.view import GoToView
from ..features.guide.view import GuideView
from ..features.header.view import HeaderView
from ..features.ideas.view import IdeasView
from ..features.inspector.inspector import Inspector
from ..features.inspector.view import InspectorView
from ..features.learn.view import LearnView
from ..features.lens.view import LensView
from ..features.lessons.view import LessonsView
from ..features.measure.view import Asks, ExperimentsView
from ..features.models.view import ModelsView, OnFiles
from ..features.notice.view import NoticeView
from ..features.patch_map.view import PatchMapView
from ..features.plane.plane import Plane
from ..features.plane.view import PlaneView
from ..features.prediction.view import PredictionView
from ..features.pull.view import PullView
from ..features.settings.view import SettingsView
from ..features.share.view import ShareView
from ..features.tokens.tokens import Tokens
from ..features.tokens.view import TokensView
from ..features.training.view import TrainingView
from ..features.translate.view import TranslateView
from ..ideas.catalog import IDEA
from ..learning import TrainingSession
from ..learning.controller import Environment
from ..model.scenario.lock import ALL, SETTINGS
from ..model.scenario.scenario import Scenario
from ..session.address import PageAddress
from ..session.results import Results
from ..session.state import AppState
from ..transport.runtime import concurrency
from ..transport.runtime.page_session import PageSession
from ..transport.runtime.program_session import ProgramSession
from .navigation import Navigation
from .status import Status

AT_REST = "For the number at rest: it oscillates now."
LEARNS = "From a moment ago: the model is learning now."

# The regions for components; the HTML template has an element for each.
REGIONS = (
    *("rooms", "model", "actions", "share", "files", "menu"),
    *("sentence", "next", "bar", "pull", "left", "dropout", "show", "texts"),
    *("lesson", "forms", "main", "curves", "room", "drawer", "right", "guide", "film"),
)


class Page(NamedTuple):
    """The parts of a page.

    Attributes:
        regions: the components of each region, from left to right or top to bottom.
        state: the state of the page.
        results: the results that its views share.
        status: the status for the page's port.
    """

    regions: Mapping[str, Sequence[Placed]]
    state: AppState
    results: Results
    status: Status


def _training_session(state: AppState, results: Results, page: PageSession) -> TrainingSession:
    """Return a training session for the page's model, which ends when the page is closed."""
    session = TrainingSession(
        state,
        Environment(
            concurrency.training_queue(),
            concurrency.run_in_thread,
            page.turn,
            concurrency.tuned_for_training,
            has_viewers=lambda: page.has_viewers,
            person=page.person,
        ),
    )
    page.on_close(session.controller.close)

    def show_checked(_event: object = None) -> None:
        if results.checked != session.right:
            results.checked = session.right

    session.listen(show_checked)
    state.watch(show_checked, "scenario")
    return session


def create_page(
    session: PageSession | None = None,
    address: PageAddress | None = None,
    scenario: Scenario | None = None,
) -> Page:
    """Create a page with its own state.

    Args:
        session: the session of the browser's page; None runs everything synchronously.
        address: the options in the page's address; None shows everything.
        scenario: the initial scenario; None for the default, which translates phrases.
    """
    session, address = session or PageSession(), address or PageAddress()
    state = AppState(scenario, address)
    if not isinstance(session, ProgramSession):  # a program expects results immediately
        state.pending.compute_beside(session)
    results = Results()
    regions: dict[str, list[Placed]] = {name: [] for name in REGIONS}
    # An embedded page has only the parts that its author requested; no others are created.
    inspector = InspectorView(state, session) if address.shows("inspector") else None
    if inspector is not None:
        regions["right"] = [inspector.inspector]
    explore = ExploreView(state, session, results)
    pull = PullView(state, results, session)
    if inspector is not None and _shows_pulls(address):
        inspector.on_wish(pull.make_written)
    regions["main"] = [explore.board.component]
    run = _training_session(state, results, session)
    training = TrainingView(state, run, repeats_alone=address.is_one_view)
    regions["bar"] = [training.bar]
    learn = None
    if address.is_one_view:
        explore.show_view(state.location.view)
    else:
        film = FilmView(state, session)
        regions["film"] = [film.player]
        learn = _add_views(regions, state, results, explore, session, pull, film, training)
    regions["main"] += (NoticeView(state).notice, GoToView(state).go_to)
    _add_controls(regions, state, explore, session, pull, learn, run)
    if address.parts is None:
        regions["guide"] = [GuideView(state, session, run, training.press).guide]
    if address.lock:
        _lock(regions, address.lock)
    return Page(regions, state, results, Status(state, explore.board))


def _add_views(  # noqa: PLR0913 -- the views share these
    regions: dict[str, list[Placed]],
    state: AppState,
    results: Results,
    explore: ExploreView,
    session: PageSession,
    pull: PullView,
    film: FilmView,
    training: TrainingView,
) -> LearnView:
    """Create the views, place them, and connect them with each other.

    Returns:
        The Train room, which also opens files.
    """
    run = training.session
    ideas = IdeasView(state, results, session, run)
    learn = LearnView(state, run, session)
    plane = PlaneView(state, results)
    patches, lens = PatchMapView(state, results, session), LensView(state, results, session)
    explore.offer_training(training.offered, training.begin)
    decode = DecodeView(state, lambda: state.go("view", "attention"), session)
    lessons = LessonsView(state, results, training.train, film.open, session)
    asks = Asks(pull.pull_word, pull.make_written, patches.ask, lens.ask)
    experiments = ExperimentsView(state, results, session, asks)

    def choose(name: str, held: str) -> None:
        explore.board.component.visible = name in ON_BOARD
        learn.show(name == "train")
        training.show(name == "train")
        plane.show(name in ON_BOARD)
        # Train shows the picture and the map of words.
        if name in ON_BOARD:
            explore.show_view("picture" if name == "train" else name)
        ideas.show(IDEA + "words" if name == "train" else name)
        lessons.list_view.show(name == "lessons")
        decode.show(held == "writing")
        experiments.show(held == "measure")

    navigation = Navigation(state, choose, ideas.set_dark)
    regions["rooms"], regions["forms"] = navigation.rooms, navigation.forms
    regions["drawer"] = [decode.column, experiments.column]
    _dim_while_numbers_move(state, regions["drawer"])
    regions["lesson"] = [lessons.panel]
    regions["bar"] = [learn.line, *regions["bar"], plane.line]
    regions["main"].append(ideas.column)  # second, as page.css places it beside the board in Train
    regions["curves"], regions["room"] = [learn.curves], [learn.column, lessons.list_view.column]
    return learn


def _dim_while_numbers_move(state: AppState, drawer: Sequence[Placed]) -> None:
    """Show the drawer as pending while a number oscillates or the model learns.

    The contents are computed for a number at rest, and in training a few times a second.
    """

    def dim(*_: object) -> None:
        for column in drawer:
            column.pending = AT_REST if state.oscillation.on else LEARNS if state.learning else ""

    state.watch(dim, ["oscillation", "learning"])


def _shows_pulls(address: PageAddress) -> bool:
    """Return whether the page has the line for pulled words; otherwise no word can be pulled."""
    return address.shows("answer") or not address.only


def _add_controls(  # noqa: PLR0913 -- the views share these
    regions: dict[str, list[Placed]],
    state: AppState,
    explore: ExploreView,
    session: PageSession,
    pull: PullView,
    learn: LearnView | None,
    training: TrainingSession,
) -> None:
    """Create the controls around the view that the address requests."""
    shows = state.address.shows
    tokens = TokensView(state) if shows("tokens") or shows("settings") else None
    settings = SettingsView(state) if shows("settings") or shows("tools") else None
    if tokens is not None and shows("tokens"):
        regions["sentence"] = [tokens.tokens]
    explore.board.handle(PullMessage, pull.pull_link)
    if _shows_pulls(state.address):
        regions["pull"] = [pull.line]
    if shows("answer"):
        prediction = PredictionView(state).prediction
        regions["next"] = [prediction]
        prediction.on_pull(pull.pull_word)
        prediction.on_wish(pull.make_written)
    rehearse = explore.board.frames.rehearse
    share = ShareView(state, rehearse, session, training) if shows("tools") else None
    others: dict[str, OnFiles] = {}
    if share is not None:
        others["session"] = share.opening
    if learn is not None:
        others |= {"data": learn.open_data, "run": learn.open_run}
    if tokens is not None and settings is not None and shows("settings"):
        regions["model"] = [ModelsView(state, session, others).models]
        regions["left"] = [settings.form]
        regions["texts"] = [TranslateView(state).form, tokens.answers]
    if settings is not None:
        regions["model"].append(settings.button)
    if settings is not None and share is not None:
        header = HeaderView(state)
        regions["actions"], regions["share"] = [header.form], [share.line]
        regions["files"] = [share.share, ExportsView(state, session).exports]
        regions["show"] = [header.show, settings.display]
        dropout = DropoutView(state, session)
        regions["dropout"] = [dropout.form, dropout.rates]
        regions["menu"] = [header.menu]


def _lock(regions: dict[str, list[Placed]], lock: str) -> None:
    """Disable the controls of locked parts; the state refuses their changes, too."""
    closed = ["model", "left", "texts"]
    if lock != SETTINGS:
        closed += ["bar", "pull", "guide"]
    for component in (each for name in closed for each in regions[name]):
        if isinstance(component, Component) and not isinstance(component, Plane | PanelButton):
            component.disabled = True
    if lock == ALL:
        for component in (each for region in regions.values() for each in region):
            if isinstance(component, BoardComponent | Tokens | Inspector):
                component.locked = True
