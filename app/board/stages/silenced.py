"""The parts that are silenced, for the places where they are drawn."""

from ...explain import ablation
from ...manifest import SilencedPart
from ...model.scenario.scenario import Scenario


def silenced(scenario: Scenario) -> list[SilencedPart]:
    """All parts that are silenced and that this text has."""
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
