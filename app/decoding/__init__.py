"""Runs decoding for the page: greedy search, beam search, sampling and filling blanks."""

from .comparison import comparison
from .filling import Filling, filling, with_blank
from .greedy import DecodedText, greedy
from .last_attention import last_position_focus
from .samples import samples
from .search import NodeDetail, Search, search
from .settings import DecodingSettings
from .task import DecodingTask, decoding_task, scenario_after

__all__ = [
    "DecodedText",
    "DecodingSettings",
    "DecodingTask",
    "Filling",
    "NodeDetail",
    "Search",
    "comparison",
    "decoding_task",
    "filling",
    "greedy",
    "last_position_focus",
    "samples",
    "scenario_after",
    "search",
    "with_blank",
]
