"""A receiver of webhooks whose responses the test scripts."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook

SECRET = "whsec_c3Vkb2t1cS10ZXN0cy1zaWduLXdpdGgtdGhpcw=="


@dataclass
class Received:
    """One request, with the names of its headers in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def job(self) -> Any:
        """Verify the signature with the reference implementation, and return the job.

        Raises an exception if the signature is wrong.
        """
        return Webhook(SECRET).verify(self.body, self.headers)


@dataclass
class Receiver:
    """A server that records POST requests.

    `statuses` are those of its next responses, after which all are 204. A status of 0 closes the
    connection without a response. `headers` are added to each response. While the server is
    blocked, it doesn't respond for up to 30 s.
    """

    port: int = 0
    url: str = ""
    received: list[Received] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    blocked: bool = False
    _released: threading.Event = field(default_factory=threading.Event)

    def block(self) -> None:
        """Stop responding to requests."""
        self.blocked = True
        self._released.clear()

    def unblock(self) -> None:
        """Respond to all requests that wait, and to later ones."""
        self.blocked = False
        self._released.set()

    def await_release(self) -> None:
        """Wait until the receiver responds, at most for 30 s."""
        if self.blocked:
            self._released.wait(30)

    def jobs(self) -> list[str]:
        """Verify each received request, and return "ID STATE" for its job, in order."""
        return [f"{job['id']} {job['state']}" for job in (each.job() for each in self.received)]


@contextlib.contextmanager
def receiver(*, port: int = 0) -> Iterator[Receiver]:
    """Run a receiver on a loopback port, by default a free one, until the end of the block."""
    made = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.received.append(Received(self.path, headers, body))
            made.await_release()
            status = made.statuses.pop(0) if made.statuses else 204
            if status == 0:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in made.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def handle(self) -> None:
            with contextlib.suppress(OSError):  # the sender was killed
                super().handle()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    made.port = server.server_port
    made.url = f"http://127.0.0.1:{made.port}/hook"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        made.unblock()
        server.shutdown()
        thread.join()
        server.server_close()
