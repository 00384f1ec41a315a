import pytest
from tinkerformer.number_text import fixed, signed

from transformer_math.ops.loss import smallest_loss


@pytest.mark.parametrize(
    ("x", "digits", "text", "change"),
    [
        (0.25, 2, "0.25", "+0.25"),
        (-0.25, 2, "−0.25", "−0.25"),
        (-0.001, 2, "0.00", "+0.00"),
        (-0.0, 3, "0.000", "+0.000"),
        (-0.4, 0, "0", "+0"),
        (smallest_loss(0.0, "paper", 30), 2, "0.00", "+0.00"),
    ],
)
def test_there_is_no_minus_before_a_zero(x, digits, text, change):
    assert fixed(x, digits) == text
    assert signed(x, digits) == change
