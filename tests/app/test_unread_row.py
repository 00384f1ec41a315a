import pytest
from tinkerformer.explain.unread_row import unread_row
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.resolved_cell import resolve


@pytest.mark.parametrize("table", ["source.W_e", "target.W_e"])
def test_a_row_of_a_table_is_unread_if_its_word_is_not_in_the_text(table):
    scenario = catalog.first("phrases")
    trace = ForwardPassRunner().trace(scenario)
    read = set(trace[table.replace("W_e", "ids")].value.tolist())
    for row, word in enumerate(scenario.vocabulary_of(table)):
        said = unread_row(scenario, trace, resolve(trace, CellAddress(table, row, 3)))
        assert (said == "") == (row in read), word
        assert said == "" or word in said


def test_test_rows_of_other_matrices_and_of_a_tied_table_are_never_unread():
    scenario = catalog.first("phrases")
    trace = ForwardPassRunner().trace(scenario)
    for path in ("output.W_out", "source.embedding", "encoder.0.self_attn.head.1.weights"):
        assert unread_row(scenario, trace, resolve(trace, CellAddress(path, 0, 0))) == ""
    tied = scenario.with_setting("tie_output", True)
    trace = ForwardPassRunner().trace(tied)
    for row in range(len(tied.target_vocabulary)):
        assert unread_row(tied, trace, resolve(trace, CellAddress("target.W_e", row, 0))) == ""
