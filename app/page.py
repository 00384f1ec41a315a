"""The page: every region's view in its place."""

from __future__ import annotations

import panel as pn

from app.board import send_small_messages_at_once
from app.controls import Tabs
from app.state import AppState
from app.template import PageTemplate
from app.views.explore import VIEWS, ExploreView
from app.views.exports import ExportsView
from app.views.header import HeaderView
from app.views.inspector import InspectorView
from app.views.map import MapView
from app.views.pictures import PicturesView
from app.views.settings import SettingsView
from app.views.share import ShareView
from app.views.tokens import TokensView


def create_page() -> PageTemplate:
    """A page of its own for each visitor."""
    send_small_messages_at_once()
    pn.extension("katex", browser_info=False)
    state = AppState()

    def choose(name: str) -> None:
        explore.board.component.visible = name in VIEWS
        if name in VIEWS:
            explore.show_view(name)
        pictures.show(name)

    # The board first: views hear of a change in the order in which they were made.
    explore, inspector = ExploreView(state), InspectorView(state)
    pictures = PicturesView(state)
    tabs = Tabs(
        tabs=[
            ("explore", "Explore"),
            ("attention", "Attention"),
            ("positions", "Positions"),
            ("cost", "Cost"),
        ],
        chosen="explore",
        on_choose=choose,
        on_theme=pictures.set_dark,
    )
    tokens, settings, figure = TokensView(state), SettingsView(state), MapView(state)
    return PageTemplate(
        header=[HeaderView(state).form, tabs, ShareView(state).share, ExportsView(state).exports],
        left=[tokens.tokens, settings.form, figure.figure],
        main=[explore.board.component, pictures.column],
        right=[inspector.inspector],
    )
