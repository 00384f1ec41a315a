"""A health check for process supervisors and load balancers."""

from tornado.web import RequestHandler

PLACE = "/liveness"


class Liveness(RequestHandler):
    """Responds whenever the event loop runs, without opening a session or reading the request.

    Panel's own liveness endpoint runs the page's code, whoever sends the request.
    """

    def get(self) -> None:
        self.set_header("Content-Type", "text/plain")
        self.set_header("Cache-Control", "no-store")
        self.write("ok\n")
