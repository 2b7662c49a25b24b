"""A small HTTP service whose responses the test scripts."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def job(state: str) -> dict[str, Any]:
    state, _, without = state.partition(" ")  # for example, "cancelled without puzzles"
    outcomes = {"solved": int(state == "finished")}
    links = {"page": "http://x/jobs/j"}
    return {
        "id": "j",
        "state": state,
        "total": 0 if without else 1,
        "done": 0,
        "outcomes": outcomes,
        "links": links,
    }


@contextlib.contextmanager
def service(answers: Iterator[int | str], keys: list[str | None] | None = None) -> Iterator[str]:
    """Run a service whose responses to GET requests are those in `answers`, and yield its URL.

    A text is the state of the returned job, a number is an error status, and "" closes the
    connection. Each POST request, with a chunked body, gets a queued job. The Authorization header
    of each request, or None, is appended to `keys`.
    """

    sent = [] if keys is None else keys

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(self.headers["Authorization"])
            while size := int(self.rfile.readline(), 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
            self._send(202, job("queued"))

        def do_GET(self) -> None:
            sent.append(self.headers["Authorization"])
            answer = next(answers)
            if answer == "":
                self.connection.close()
            elif isinstance(answer, int):
                self._send(answer, {"detail": "not now"})
            else:
                self._send(200, job(answer))

        def _send(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data)

        def handle(self) -> None:
            with contextlib.suppress(OSError, ValueError):  # the dropped connection
                super().handle()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
