"""The parameters of the state of a page."""

import param

from ..decoding.settings import DecodingSettings
from ..ideas.settings import IdeaSettings
from ..model.matrices.address import CellAddress
from ..model.matrices.attention import AttentionFocus
from ..model.matrices.extent import LayerChoice
from ..model.matrices.oscillation import Oscillation
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_checksum import RepeatedTraining
from ..view_model.page_location import PageLocation
from ..view_model.state import SETTABLE
from .lesson_progress import LessonProgress
from .offer import Offer
from .session_json import SavedSession

# Parameters that are saved with a session, and others that affect the drawing.
KEPT = (
    *("scenario", "selection", "baseline", "attention_focus", "location", "layer_choice", "decode"),
    *("ideas", "lesson", "before_lesson", "before_experiment"),
)
DRAWN = ("oscillation", "reach", "covered", "to_read")
# The parameters that mirror fields of `State`.
SHOWN = (*sorted(SETTABLE), "position", "editing")


class StateParameters(param.Parameterized):
    """The choices and facts that views can watch."""

    scenario = param.ClassSelector(class_=Scenario, doc="The chosen model, texts and settings.")
    selection = param.ClassSelector(class_=CellAddress, allow_None=True, doc="The selected cell.")
    position = param.Integer(default=0, doc="The position whose next word is shown; see `Row`.")
    answer = param.Tuple(
        length=2, allow_None=True, doc="The position and word whose probability the curve shows."
    )
    reach = param.Boolean(
        default=False, doc="Whether the cells that the selected cell affects are marked."
    )
    notice = param.String(default="", doc="A sentence for the user, shown once.")
    shared = param.ClassSelector(
        class_=Scenario, allow_None=True, doc="What a link opened, while the page describes it."
    )
    offer = param.ClassSelector(class_=Offer, allow_None=True, doc="A sentence with a button.")
    is_computing = param.Boolean(default=False, doc="Whether a change is being computed.")
    steps = param.Integer(default=0, doc="The number of steps that were begun, undone or redone.")
    fresh_starts = param.Integer(default=0, doc="The number of times that everything was reset.")
    oscillation = param.ClassSelector(class_=Oscillation, doc="How the selected cell oscillates.")
    attention_focus = param.ClassSelector(
        class_=AttentionFocus,
        allow_None=True,
        doc="The head and pair of words that are shown in detail.",
    )
    layer_choice = param.ClassSelector(
        class_=LayerChoice, doc="The layers, head and tokens of a large model that are drawn."
    )
    decode = param.ClassSelector(class_=DecodingSettings, doc="How the model writes.")
    ideas = param.ClassSelector(class_=IdeaSettings, doc="The settings of the pictures of ideas.")
    location = param.ClassSelector(
        class_=PageLocation, doc="The view, the camera and the followed word."
    )
    lesson = param.ClassSelector(
        class_=LessonProgress, doc="The open lesson, its step and the finished items."
    )
    before_lesson = param.ClassSelector(
        class_=SavedSession, allow_None=True, doc="The state of the page before the open lesson."
    )
    windows = param.Dict(default={}, doc="Path -> the shown part of a large matrix.")

    before_experiment = param.ClassSelector(
        class_=Scenario,
        allow_None=True,
        doc="The state before an experiment, until the user keeps the experiment.",
    )

    covered = param.ClassSelector(class_=tuple, default=(), doc="The cells that a question hides.")

    to_read = param.ClassSelector(
        class_=tuple,
        default=(),
        doc="The cells that the user must read for a question; no sentence may state them.",
    )

    held = param.Boolean(
        default=False, doc="Whether a number is dragged, so that the written words stay."
    )

    dragging = param.Boolean(default=False, doc="Whether a pointer holds a number.")

    editing = param.Integer(default=0, doc="The number of the open edit, from 1; 0 without one.")

    learning = param.Boolean(default=False, doc="Whether training changes the numbers now.")

    baseline = param.ClassSelector(class_=Scenario, allow_None=True, doc="The pinned scenario.")

    repeated = param.ClassSelector(
        class_=RepeatedTraining, allow_None=True, doc="The training to repeat for the opened link."
    )

    film = param.Boolean(default=False, doc="Whether a film is open or about to open.")
