"""What the page says of decoding: greedy, by beams, or by chance. Pure: no panel."""

from app.decoding.comparison import comparison
from app.decoding.fields import fields
from app.decoding.greedy import greedy
from app.decoding.listening import last_listening
from app.decoding.samples import samples
from app.decoding.search import Search, search
from app.decoding.settings import WAYS, DecodeSettings
from app.decoding.task import Task, task_of, with_prefix

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
