"""A running `sudokuq bridge`, and requests as the userscript for f-puzzles sends them."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from terminals import SUDOKUQ
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from solver.formats.objects.lzstring import compress

ORIGIN = "https://f-puzzles.com"
OTHER_ORIGIN = "http://localhost:5000"
_SECONDS = 60


@contextmanager
def running_bridge(*options: str) -> Iterator[int]:
    """Start a bridge with more options on a free port, yield the port, and kill the bridge."""
    process = subprocess.Popen(
        [*SUDOKUQ, "bridge", "--port", "0", *options],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": ""},
    )
    assert process.stderr is not None
    try:
        lines = iter(process.stderr.readline, "")
        found = next(filter(None, (re.search(r"ws://localhost:(\d+)", line) for line in lines)))
        yield int(found[1])
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def board(givens: str = "", *, size: int = 9, **rules: object) -> dict[str, Any]:
    """Return a puzzle as f-puzzles exports it.

    A dot in the givens is an empty cell, as are all cells after them. `rules` are more keys.
    """
    cells: list[dict[str, Any]] = [{} for _ in range(size * size)]
    for cell, symbol in zip(cells, givens, strict=False):
        if symbol != ".":
            cell |= {"value": int(symbol), "given": True}
    rows = [cells[start : start + size] for start in range(0, size * size, size)]
    return {"size": size, "title": "", "author": "", "ruleset": "", "grid": rows, **rules}


def packed(puzzle: dict[str, Any]) -> str:
    """Compress a puzzle as the userscript does."""
    return compress(json.dumps(puzzle))


class Editor:
    """A connection that numbers its requests as the userscript does."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.nonce = 0

    def send_text(self, text: str) -> None:
        """Send a message of any form."""
        self._connection.send(text)

    def send(self, command: str, puzzle: dict[str, Any] | None = None) -> None:
        """Send a request, with a puzzle unless the command is `cancel`."""
        self.nonce += 1
        message: dict[str, object] = {"nonce": self.nonce, "command": command}
        if puzzle is not None:
            message |= {"dataType": "fpuzzles", "data": packed(puzzle)}
        self.send_text(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        """Return the next response, or fail after 60 s without one."""
        response = json.loads(self._connection.recv(timeout=_SECONDS))
        assert isinstance(response, dict)
        return response

    def ask(self, command: str, puzzle: dict[str, Any]) -> dict[str, Any]:
        """Send a request, and return the first response to it that isn't marked as in progress."""
        self.send(command, puzzle)
        while True:
            response = self.receive()
            if response["nonce"] == self.nonce and not response.get("inProgress"):
                return response


@contextmanager
def editing(port: int, *, origin: str | None = ORIGIN) -> Iterator[Editor]:
    """Connect to a bridge as a page of the given origin does, or without an origin (None)."""
    allowed = None if origin is None else Origin(origin)
    with connect(f"ws://127.0.0.1:{port}", origin=allowed) as connection:
        yield Editor(connection)
