"""Where an answer is pulled: on the page's second line, whatever view is open."""

from __future__ import annotations

from .section import Section


class AnswerSection(Section):
    """Says where the experiment is that stands in no section."""

    title = "Pull an answer"
    question = (
        "What would have to be different for another word to come next? Drag the bar of a word "
        "under the next-token probabilities, at the top of the page, and watch which numbers move."
    )
