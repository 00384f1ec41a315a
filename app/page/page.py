"""The page: every region's view in its place. What carries it to a browser is not known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..components.component import Placed
from ..components.tabs.tabs import Tabs
from ..files.place import VIEWS
from ..learning import TrainingSession
from ..learning.controller import Environment
from ..runtime import concurrency
from ..runtime.page_session import PageSession
from ..state import AppState
from ..views.charts.view import ChartsView
from ..views.decode.view import DecodeView
from ..views.explore.view import ON_BOARD, ExploreView
from ..views.exports import ExportsView
from ..views.guide import GuideView
from ..views.header import HeaderView
from ..views.inspector import InspectorView
from ..views.learn.view import LearnView
from ..views.models import ModelsView
from ..views.notice import NoticeView
from ..views.plane import PlaneView
from ..views.prediction import PredictionView
from ..views.settings import SettingsView
from ..views.share import ShareView
from ..views.tokens import TokensView
from ..views.training import TrainingView
from ..views.translate import TranslateView

# Views that stand under More at any width.
RARE = ("positions", "cost")


class Page(NamedTuple):
    """What a page is made of.

    Attributes:
        regions: the components of each region, from left to right or top to bottom.
        title: its heading, and its name in the browser's tab.
    """

    regions: Mapping[str, Sequence[Placed]]
    title: str = "Tinkerformer"


def _training_session(state: AppState, page: PageSession) -> TrainingSession:
    """The training of this page's model, as long as somebody has it open."""
    session = TrainingSession(
        state,
        Environment(
            concurrency.training_queue(),
            concurrency.run_in_thread,
            page.turn,
            concurrency.tuned_for_training,
            has_viewers=lambda: page.has_viewers,
        ),
    )
    page.on_close(session.controller.close)
    return session


def create_page(session: PageSession | None = None) -> Page:
    """A page of its own for each user.

    Args:
        session: of the browser's page that it is for; None: everything happens at once.
    """
    session = session or PageSession()
    state = AppState()
    is_open = state.place.view

    def choose(name: str) -> None:
        explore.board.component.visible = name in ON_BOARD
        learn.show(name == "learn")
        training.show(name == "learn")
        plane.show(name in ON_BOARD)
        if name in ON_BOARD:
            explore.show_view(name)
        charts.show(name)
        decode.show(name == "decode")

    def open_tab(name: str) -> None:
        state.go("view", name)

    def show_place(_event: object) -> None:
        nonlocal is_open
        if is_open != state.place.view:
            is_open = tabs.value = state.place.view
            choose(is_open)

    def set_dark(dark: bool) -> None:
        charts.set_dark(dark)
        learn.set_dark(dark)

    # The board first: views hear of a change in the order in which they were made.
    explore, inspector = ExploreView(state, session), InspectorView(state)
    charts = ChartsView(state)
    run = _training_session(state, session)
    training, learn = TrainingView(state, run), LearnView(state, run, session)
    plane = PlaneView(state)
    decode = DecodeView(state, lambda: open_tab("attention"))
    tabs = Tabs(tabs=list(VIEWS.items()), rare=list(RARE), value=state.place.view)
    tabs.param.watch(lambda event: open_tab(event.new), "value")
    # Hears also of what is the same as before: a restore that was broken off has opened a view.
    state.param.watch(show_place, "place", onlychanged=False)
    tabs.param.watch(lambda event: set_dark(event.new), "dark")
    translate, notice = TranslateView(state), NoticeView(state)
    tokens, settings, header = TokensView(state), SettingsView(state), HeaderView(state)
    regions = {
        "model": [ModelsView(state).models, settings.button],
        "views": [tabs],
        "actions": [header.form],
        "files": [
            ShareView(state, explore.board.rehearse).share,
            ExportsView(state).exports,
        ],
        "menu": [header.menu, settings.display],
        "sentence": [tokens.tokens],
        "next": [PredictionView(state).prediction],
        "bar": [training.bar, plane.line],
        "left": [translate.form, settings.form, tokens.answers],
        "main": [
            explore.board.component,
            learn.column,
            charts.column,
            decode.column,
            notice.notice,
        ],
        "right": [inspector.inspector],
        "guide": [GuideView(state, session).guide],
    }
    return Page(regions)
