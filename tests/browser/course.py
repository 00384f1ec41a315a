"""Pages of others, on origins of their own, for the page to stand in frames of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

from tests.browser.conftest import Server


class Course:
    """A file host at an origin that is not the page's: another host name, another port."""

    def __init__(self, pages: Mapping[str, str] | None = None, folder: Path | None = None) -> None:
        """Args: HTML by its path; a folder of files for all other paths."""
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
        """What stands at a path: status, type and bytes."""
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
        return 204, "text/plain", b""  # a browser asks for more than a page names

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
    """The page served by the command that the manual gives, for a course of ours."""

    def __init__(self, course: Course) -> None:
        super().__init__()
        self.course = course
        self.url = f"http://localhost:{self.port}/"

    def command(self) -> list[str]:
        return ["tinkerformer", "--no-show", "--allow-parent", self.course.origin]
