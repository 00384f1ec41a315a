"""The silenced parts of the model, for the manifest."""

from ...explain import ablation
from ...manifest import SilencedPart
from ...model.scenario.scenario import Scenario


def silenced(scenario: Scenario) -> list[SilencedPart]:
    """Return all silenced parts that exist for the current text."""
    found: list[SilencedPart] = []
    for each in scenario.silences:
        shape = scenario.part_shape(each.path)
        if shape is None or (each.row or 0) >= shape[0]:
            continue
        path, row, column, to = each
        found.append(
            {
                "path": path,
                "row": row,
                "column": column,
                "to": to,
                "label": ablation.label(scenario, each),
                "words": ablation.words(scenario, each),
                "unheard": each.unheard_heads(scenario.settings.heads),
            }
        )
    return found
