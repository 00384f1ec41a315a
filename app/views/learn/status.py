"""What the player shows of a training."""

from __future__ import annotations

from typing import Any

from ...learning import texts
from ...learning.session import TrainingSession


def status(session: TrainingSession) -> dict[str, Any]:
    """What ``Player.shown`` takes."""
    run, inspection = session.run, session.inspection
    state = session.controller.state
    message, tone = texts.status_message(run, state, session.controller.ahead)
    return {
        "state": state.value,
        "step": run.step,
        "steps": run.steps,
        "facts": texts.progress_summary(run, state),
        "message": session.error or message,
        "tone": "bad" if session.error else tone,
        "asked": inspection.typed,
        "answer": inspection.example.reference,
        "letters": [list(letter) for letter in inspection.shown.letters],
        "options": inspection.options,
        "chosen": inspection.pair_number,
        "problem": inspection.problem,
    }
