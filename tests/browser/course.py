"""Pages of other origins that have the page in a frame."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

from tests.browser.conftest import Server


class Course:
    """A file server at another origin than the page's: another host name, another port."""

    def __init__(self, pages: Mapping[str, str] | None = None, folder: Path | None = None) -> None:
        """Args: path -> HTML; a folder of files for all other paths."""
        self.pages = dict(pages or {})
        course = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                status, kind, body = course.answer(path)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.folder = folder
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.http.server_port}"

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Return the status, type and bytes of the answer for a path."""
        if path in self.pages:
            return 200, "text/html; charset=utf-8", self.pages[path].encode()
        kinds = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
        if self.folder:
            file = (self.folder / path.lstrip("/")).resolve()
            if file.is_dir():
                file /= "index.html"
            if file.is_file() and self.folder.resolve() in file.parents:
                kind = kinds.get(file.suffix, "application/octet-stream")
                return 200, kind, file.read_bytes()
        return 204, "text/plain", b""  # browsers also request files that no page names

    def __enter__(self) -> Course:
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.http.shutdown()
        self.http.server_close()


class Allowing(Server):
    """The page, served by the manual's command so that a ``Course`` may frame it."""

    def __init__(self, course: Course) -> None:
        super().__init__()
        self.course = course
        self.url = f"http://localhost:{self.port}/"

    def command(self) -> list[str]:
        return ["tinkerformer", "--no-show", "--allow-parent", self.course.origin]
