"""Collect what a library writes to a stream, so that it can be sent piece by piece."""

import io


class ByteSink(io.RawIOBase):
    """A stream for writing, without seeking. `taken` removes and returns what was written."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """Return True, as the interface requires."""
        return True

    def write(self, data: object) -> int:
        """Append some bytes, and return their number."""
        piece = bytes(data)  # type: ignore[call-overload]
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        """Return and remove the bytes written since the last call."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data
