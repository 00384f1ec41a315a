"""Shows the picture of one idea, a view in Explore."""

from ...components.layout import Column
from ...ideas.arrows.view import ArrowsPicture
from ...ideas.catalog import IDEA
from ...ideas.chain.view import ChainPicture
from ...ideas.clocks.view import PositionsPicture
from ...ideas.cost.view import CostPicture
from ...ideas.kit.picture import Around, IdeaPicture
from ...ideas.landscape.view import LandscapePicture
from ...ideas.looks.view import MaskPicture
from ...ideas.normalizing.view import LayerNormPicture
from ...ideas.running_sum.view import StreamPicture
from ...ideas.temperature.view import SoftmaxPicture
from ...ideas.words_map.view import WordsPicture
from ...learning import TrainingSession
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession

# In menu order.
_ALL = (
    WordsPicture,
    ArrowsPicture,
    MaskPicture,
    SoftmaxPicture,
    PositionsPicture,
    LayerNormPicture,
    StreamPicture,
    LandscapePicture,
    ChainPicture,
    CostPicture,
)
PICTURES: dict[str, type[IdeaPicture]] = {IDEA + picture.name: picture for picture in _ALL}


class IdeasView:
    """Shows one picture at a time; each is created when it is first opened."""

    def __init__(
        self, state: AppState, results: Results, page: PageSession, training: TrainingSession
    ) -> None:
        self._around = Around(state, results, page, training)
        self._made: dict[str, IdeaPicture] = {}
        self._open: IdeaPicture | None = None
        self._dark = False
        self.column = Column(visible=False)

    def show(self, view: str) -> None:
        """Open the picture of this view; any other view closes the open picture."""
        before, self._open = self._open, self._picture(view)
        if before is not None and before is not self._open:
            before.show(False)
        if self._open is not None:
            self._open.set_dark(self._dark)
            self._open.show(True)
        self.column.visible = self._open is not None

    def set_dark(self, dark: bool) -> None:
        """Set the light or dark theme; the colors of charts are set in Python."""
        self._dark = dark
        if self._open is not None:
            self._open.set_dark(dark)

    def _picture(self, view: str) -> IdeaPicture | None:
        if view not in PICTURES:
            return None
        if view not in self._made:
            self._made[view] = PICTURES[view](self._around)
            self.column.objects = [made.column for made in self._made.values()]
        return self._made[view]
