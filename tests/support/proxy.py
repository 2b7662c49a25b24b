"""A network between a worker and Redis that tests can cut."""

import contextlib
import socket
import threading


class Proxy:
    """Forwards bytes from a TCP port to a Unix socket, or silently drops them after `cut`.

    It listens on a free port of 127.0.0.1 from its creation on.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._dropping: set[socket.socket] = set()
        self._refusing = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def cut(self, *, whole: bool = False) -> None:
        """Drop all traffic of the current connections and, if `whole`, of new ones."""
        self._refusing = whole
        self._dropping.update(self._sockets)

    def heal(self) -> None:
        """Forward the traffic of new connections. Those that were cut stay cut."""
        self._refusing = False

    def close(self) -> None:
        for end in (self._listener, *self._sockets):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._target)
                self._sockets += [near, far]
                if self._refusing:
                    self._dropping.update((near, far))
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if source not in self._dropping:
                    sink.sendall(data)
            if source not in self._dropping:
                sink.shutdown(socket.SHUT_WR)
