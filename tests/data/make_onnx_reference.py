"""Write ``onnx_*.npz``: the node cases of the ``onnx`` package that our operations can express.

    python tests/data/make_onnx_reference.py

needs ``onnx``; the tests need only what it writes. A case is chosen by the attributes of its node,
never by its name. Of ``Attention`` only plain cases are stored (see ``plain_attention``).
"""

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases
from store import save

OPERATORS = {  # operator: the number of cases of the package that are stored here
    "Attention": 25,
    "LayerNormalization": 19,
    "Softmax": 7,
    "LogSoftmax": 7,
    "Relu": 1,
    "Gelu": 4,
    "SoftmaxCrossEntropyLoss": 34,
    "Adam": 2,
}
FILE_NAMES = {
    "LayerNormalization": "layer_norm",
    "LogSoftmax": "log_softmax",
    "SoftmaxCrossEntropyLoss": "cross_entropy",
}
PLAIN_ATTRIBUTES = {"scale", "is_causal", "q_num_heads", "kv_num_heads"}


def attributes(node: onnx.NodeProto) -> dict[str, object]:
    """Return the node's attributes as plain Python values."""
    values = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return {name: v.decode() if isinstance(v, bytes) else v for name, v in values.items()}


def plain_attention(node: onnx.NodeProto, inputs: list[np.ndarray]) -> bool:
    """Return whether a node computes only softmax(QK^T * scale + mask)V.

    It has one result, no past keys, no number of valid keys, no soft cap, no window, full
    precision, and as many key heads as query heads.
    """
    found = attributes(node)
    if [name for name in node.output if name] != ["Y"]:
        return False
    if {name for name in node.input if name} - {"Q", "K", "V", "attn_mask"}:
        return False
    if set(found) - PLAIN_ATTRIBUTES or inputs[0].dtype != np.float32:
        return False
    if inputs[0].ndim == 3:
        return found["q_num_heads"] == found["kv_num_heads"]
    return inputs[0].shape[1] == inputs[1].shape[1]


def without_repeats(arrays: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Return each distinct array once, and for each copy the name of the original."""
    kept: dict[tuple, str] = {}
    same = {}
    for name, array in arrays.items():
        first = kept.setdefault((array.dtype.str, array.shape, array.tobytes()), name)
        if first != name:
            same[name] = first
    return {name: arrays[name] for name in kept.values()}, same


def main() -> None:
    """Sort the package's cases by operator, check their number, and store them."""
    cases: dict[str, dict[str, dict]] = {operator: {} for operator in OPERATORS}
    arrays: dict[str, dict[str, np.ndarray]] = {operator: {} for operator in OPERATORS}
    for case in collect_testcases(None):
        nodes = case.model.graph.node
        if len(nodes) != 1 or nodes[0].op_type not in OPERATORS:
            continue
        node, operator = nodes[0], nodes[0].op_type
        ((inputs, outputs),) = case.data_sets
        if operator == "Attention" and not plain_attention(node, inputs):
            continue
        cases[operator][case.name] = {
            "opset": case.model.opset_import[0].version,
            "attributes": attributes(node),
        }
        for names, values in ((node.input, inputs), (node.output, outputs)):
            for name, value in zip([n for n in names if n], values, strict=True):
                arrays[operator][f"{case.name}/{name}"] = value
    for operator, count in OPERATORS.items():
        assert len(cases[operator]) == count, (operator, len(cases[operator]))
        config = {"onnx": onnx.__version__, "cases": cases[operator]}
        if operator == "SoftmaxCrossEntropyLoss":  # its cases share large inputs
            arrays[operator], config["same"] = without_repeats(arrays[operator])
        save(f"onnx_{FILE_NAMES.get(operator, operator.lower())}", config, arrays[operator])


if __name__ == "__main__":
    main()
