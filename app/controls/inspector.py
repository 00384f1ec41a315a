"""The selected number: what it is, how it came about, and the means to change it."""

from pathlib import Path

import param

from app.controls.control import Control, styles
from app.esm import esm

HERE = Path(__file__).parent
BOARD = HERE.parent / "board" / "js"


class Inspector(Control):
    """Shows one cell and the prediction that follows from it.

    The value itself, and the bars of the next token, are read from the board
    in the browser at every paint, so they follow an oscillation at display
    rate; the server sends only what it alone knows, in `details`:

    `path`, `i`, `j`, `symbol` (TeX), `title`, `where`, `editable`, `edited`,
    `original`, `formula` (TeX), `arithmetic` (lines, without the result), `note`.

    All but the first three may be left out; an empty dict means that nothing
    is selected.  Changes go through `window.tinkerformer`, not through here.
    """

    details = param.Dict(default={}, doc="What is known of the selected cell.")

    numbers = param.Selector(
        default="scientific", objects=["scientific", "decimal"], doc="Notation of the large number."
    )

    _esm = esm(
        BOARD / "format.js",
        *(
            HERE / name
            for name in (
                "dom.js",
                "typeset.js",
                "inspector_value.js",
                "inspector_bars.js",
                "inspector.js",
            )
        ),
    )
    _stylesheets = styles("inspector.css")
