"""Find the place where an upload ends, for messages about truncated uploads."""

from solver.formats.reading.lines import BOM

_SHOWN = 200  # bytes


class EndOfText:
    """Track the line and column where a text that arrives in pieces ends, for error messages.

    Trailing white space is ignored.

    line  number of the last line that isn't blank, from 1
    tail  the last 200 bytes, including white space
    """

    def __init__(self) -> None:
        self.line = 1
        self.tail = b""
        self._head = b""
        self._column = 0
        self._next = (1, 0)  # line and column after the trailing white space

    def feed(self, data: bytes) -> None:
        """Update `line`, `tail`, and the column of the end with the next piece of the text."""
        if len(self._head) < len(BOM):
            self._head = (self._head + data)[: len(BOM)]
        text = data.rstrip()
        if text:
            self._next = self.line, self._column = _advance(*self._next, text)
        self._next = _advance(*self._next, data[len(text) :])
        self.tail = (self.tail + data[-_SHOWN:])[-_SHOWN:]

    def place(self, fault: str) -> str:
        """Return the message `fault` with the position of the text's last byte appended.

        The position is a line and a column in bytes, both from 1. White space at the end of the
        text and a byte order mark don't count.
        """
        marked = self.line == 1 and self._head == BOM
        column = self._column - (len(BOM) if marked else 0)
        return f"{fault} (line {self.line}, column {column})"


def _advance(line: int, column: int, data: bytes) -> tuple[int, int]:
    """Return the line and column after `data`, which begins at a given line and column."""
    breaks = data.count(b"\n")
    return line + breaks, (len(data) - data.rfind(b"\n") - 1) if breaks else column + len(data)
