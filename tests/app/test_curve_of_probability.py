from tinkerformer.features.inspector.view import InspectorView
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.session.state import AppState


def test_a_probability_has_no_curve_and_its_logit_has_one():
    state = AppState()
    inspector = InspectorView(state).inspector
    state.selection = CellAddress("output.logits", 1, 2)
    assert inspector.curve["probabilities"]
    state.selection = CellAddress(PROBABILITIES, 1, 2)
    assert inspector.curve == {}
