"""Compresses responses for browsers that accept it; each file is compressed only once.

Tornado lets browsers cache addresses with `?v=` and a content hash for years. This module adds
`immutable`, so that browsers do not revalidate them on reload.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...cards.limits import LastUsed
from ..runtime.wrapping import Method, wrap_once

if TYPE_CHECKING:
    from tornado.httputil import HTTPHeaders

MOST_BYTES = 16 << 20  # size of the cache of compressed files, by ETag
FOR_GOOD = "public, max-age=31536000, immutable"
_OK = 200


class Compression:
    """Compresses one response as Tornado does, but takes files from the cache.

    Partial responses, and responses that are not files, are compressed by Tornado itself.
    """

    def __init__(self, files: LastUsed[str, bytes], request: Any) -> None:
        from tornado.web import GZipContentEncoding

        self._gzip = GZipContentEncoding(request)
        self._files = files
        self._is_taken = "gzip" in request.headers.get("Accept-Encoding", "")
        self._is_named = "v" in request.query_arguments
        self._compresses = self._is_whole = False
        self._etag = ""  # ETag of a file to be cached
        self._chunks: list[bytes] = []

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        """See Tornado's ``OutputTransform``."""
        if self._is_named and headers.get("Cache-Control", "").startswith("max-age="):
            headers["Cache-Control"] = FOR_GOOD
        if status_code != _OK or "Content-Encoding" in headers:
            return status_code, headers, chunk
        # Responses that are not files may contain one visitor's data, so they are not cached.
        is_file = "Last-Modified" in headers or headers.get("Cache-Control") == FOR_GOOD
        etag = headers.get("Etag", "") if is_file else ""
        kept = self._files.get(etag) if self._is_taken else None
        if kept is not None:
            headers["Vary"], headers["Content-Encoding"] = "Accept-Encoding", "gzip"
            headers["Content-Length"] = str(len(kept))
            self._is_whole, chunk = True, kept
        else:
            _, _, chunk = self._gzip.transform_first_chunk(status_code, headers, chunk, finishing)
            self._compresses = "Content-Encoding" in headers
            self._etag = etag if self._compresses else ""
            self._note(chunk, finishing)
        if "Content-Encoding" in headers:
            headers.pop("Accept-Ranges", None)  # byte ranges refer to the uncompressed file
            if "Etag" in headers:
                headers["Etag"] = f"W/{headers['Etag'].removeprefix('W/')}"
        return status_code, headers, chunk

    def transform_chunk(self, chunk: bytes, finishing: bool) -> bytes:
        """See Tornado's ``OutputTransform``."""
        if self._is_whole:
            return b""
        if self._compresses:
            chunk = self._gzip.transform_chunk(chunk, finishing)
            self._note(chunk, finishing)
        return chunk

    def _note(self, sent: bytes, finishing: bool) -> None:
        if self._etag:
            self._chunks.append(sent)
            if finishing:
                self._files.keep(self._etag, b"".join(self._chunks))


def compress_answers() -> None:
    """Compress all responses of this process; repeated calls have no effect.

    Tornado is imported inside the function because this module is also imported in Pyodide, which
    has no Tornado. `panel serve` has no option for compression.
    """
    from tornado.web import Application

    compression = partial(Compression, LastUsed(MOST_BYTES, size=len))

    def compressing(original: Method) -> Method:
        def find_handler(self: Any, *args: Any, **kwargs: Any) -> Any:
            if compression not in self.transforms:
                self.add_transform(compression)
            return original(self, *args, **kwargs)

        return find_handler

    wrap_once(Application, "find_handler", compressing)
