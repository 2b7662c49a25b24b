"""Formats whose records are lines that are read one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from solver.formats.format import Context, ReadOptions, Records, Segments
from solver.formats.reading.cells import Reading
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, most_look_right
from solver.formats.reading.text import decode


class Read(Protocol):
    """Reads one line."""

    def __call__(self, text: str, *, options: ReadOptions) -> Reading:
        """Return the puzzle, or what is wrong with it."""
        ...


@dataclass(slots=True, eq=False)
class OneALine(LineRecords):
    """A format with one puzzle a line; see `solver.formats.format.Format`.

    It is recognised where at least half of the lines at the head look right.
    """

    name: str
    description: str
    example: str
    looks_right: Callable[[str], bool]
    read: Read

    def recognise(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognise an upload by its first lines."""
        fits = most_look_right(head, self.looks_right, final=final)
        return {} if fits or options.format == self.name else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the lines one by one."""
        del context

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                yield row, self.read(decode(data[start:end]), options=options)

        return collect(segments.lines, readings())
