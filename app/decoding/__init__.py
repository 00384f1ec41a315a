"""What the page says of decoding: greedy, by beams, or by chance."""

from .comparison import comparison
from .fields import fields
from .greedy import DecodedText, greedy
from .last_attention import last_position_focus
from .samples import samples
from .search import NodeDetail, Search, search
from .settings import METHODS, DecodeSettings
from .task import DecodingTask, decoding_task, scenario_after

__all__ = [
    "METHODS",
    "DecodeSettings",
    "DecodedText",
    "DecodingTask",
    "NodeDetail",
    "Search",
    "comparison",
    "decoding_task",
    "fields",
    "greedy",
    "last_position_focus",
    "samples",
    "scenario_after",
    "search",
]
