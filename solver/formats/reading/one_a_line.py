"""Define formats with one puzzle per line, each by a function that reads a line."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.reading.cells import Reading
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, most_look_right
from solver.formats.reading.remarks import split_remark
from solver.formats.reading.text import decode


class Read(Protocol):
    """A function that reads one line."""

    def __call__(self, text: str, *, options: ReadOptions) -> Reading:
        """Return the puzzle, or an invalid reading with an error message."""
        ...


@dataclass(slots=True, eq=False)
class OneALine(LineRecords):
    """A format with one puzzle per line; see `solver.formats.format.Format`.

    It is recognized if `looks_right` is True for at least half of the first lines. `read` parses
    one line. A name may follow a puzzle after a space and a #.
    """

    name: str
    description: str
    example: str
    looks_right: Callable[[str], bool]
    read: Read

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return {} if at least half of the first lines look right, otherwise None.

        If the options name this format, any text is recognized.
        """
        fits = most_look_right(
            head, lambda line: self.looks_right(split_remark(line)[0]), final=final
        )
        return {} if fits or options.format == self.name else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the lines one by one. A name after a # replaces any other name of the puzzle."""
        del context

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                text, name = split_remark(decode(data[start:end]))
                reading = self.read(text, options=options)
                yield row, reading if name is None else replace(reading, name=name)

        return collect(segments.lines, readings())
