"""What the page says of decoding: greedy, by beams, or by chance. Pure: no panel."""

from .comparison import comparison
from .fields import fields
from .greedy import greedy
from .last_attention import last_listening
from .samples import samples
from .search import Search, search
from .settings import WAYS, DecodeSettings
from .task import Task, task_of, with_prefix

__all__ = [
    "WAYS",
    "DecodeSettings",
    "Search",
    "Task",
    "comparison",
    "fields",
    "greedy",
    "last_listening",
    "samples",
    "search",
    "task_of",
    "with_prefix",
]
