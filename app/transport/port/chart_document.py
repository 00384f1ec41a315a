"""The charts of a page: one Bokeh document, mirrored in the browser.

All charts are in one document, because they share ranges and data. Bokeh is imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.document.events import DocumentChangedEvent, DocumentPatchedEvent


class ChartDocument:
    """The Bokeh figures of a page and the changes to them."""

    def __init__(self, changed: Callable[[DocumentPatchedEvent], None]) -> None:
        """Create an empty document; ``changed`` gets each change that the browser must apply."""
        self._document: Document | None = None
        self._changed = changed

    def replace(self, old: Any, new: Any) -> str | None:
        """Replace a figure, or None, by another or None, and return the new figure's id."""
        if old is new:
            return new.id if new is not None else None
        document = self._open()
        with document.models.freeze():
            if old is not None:
                document.remove_root(old)
            if new is None:
                return None
            document.add_root(new)
            return str(new.id)

    def patch(self, events: list[DocumentPatchedEvent]) -> tuple[str, list[list[Any]]]:
        """Encode changes as text for BokehJS, with the binary buffers as pairs of id and bytes."""
        from bokeh.core.json_encoder import serialize_json
        from bokeh.core.serialization import Serializer

        models = self._open().models
        serializer = Serializer(references=models.synced_references)
        text = serialize_json({"events": serializer.encode(events)})
        models.flush_synced(lambda model: not serializer.has_ref(model))
        return text, [[buffer.id, buffer.to_bytes()] for buffer in serializer.buffers]

    def _open(self) -> Document:
        if self._document is None:
            from bokeh.document import Document

            self._document = Document()
            self._document.on_change(self._hear)
        return self._document

    def _hear(self, event: DocumentChangedEvent) -> None:
        from bokeh.document.events import DocumentPatchedEvent

        if isinstance(event, DocumentPatchedEvent):
            self._changed(event)
