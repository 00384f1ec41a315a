"""The controls beside the board: settings, tokens, inspector, tabs and the map of the model."""

from app.controls.exports import Exports, File
from app.controls.figure import Figure
from app.controls.form import Form
from app.controls.inspector import Inspector
from app.controls.learn import OwnPairs, Player, Timeline
from app.controls.models import Models
from app.controls.share import Share
from app.controls.tabs import Tabs
from app.controls.tokens import Tokens

__all__ = [
    "Exports",
    "Figure",
    "File",
    "Form",
    "Inspector",
    "Models",
    "OwnPairs",
    "Player",
    "Share",
    "Tabs",
    "Timeline",
    "Tokens",
]
