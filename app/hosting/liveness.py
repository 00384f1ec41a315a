"""Whether this process answers, for whatever starts it again or sends visitors elsewhere."""

from tornado.web import RequestHandler

PLACE = "/liveness"


class Liveness(RequestHandler):
    """Says that the event loop runs. It opens no session and reads nothing of what is asked.

    Panel has one, too, which runs the page for whoever names it in the address.
    """

    def get(self) -> None:
        self.set_header("Content-Type", "text/plain")
        self.set_header("Cache-Control", "no-store")
        self.write("ok\n")
