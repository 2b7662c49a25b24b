"""Feed broken uploads to the formats for a while. No exception, hang, or lost record may occur.

    python benchmarks/fuzz_formats.py [--seconds 60] [--seed 1]
    python benchmarks/fuzz_formats.py --atheris [--seconds 60]

The first command changes the example files at random. The second one uses Google's Atheris (pip
install atheris) to find inputs that reach new lines of the parsers. Both print how many uploads
were read, and stop at the first failure.
"""

import argparse
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from solver.formats import FORMATS, HEAD_BYTES, Splitter, read_block, recognize
from solver.formats.format import ReadOptions, Unreadable

UPLOADS = Path(__file__).parent.parent / "tests" / "data" / "uploads"
SLOWEST = 5.0  # limit in seconds for one upload of a few kilobytes, including compilation
PIECES = [
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"\n", b" ", b",", b";", b"\t", b"#", b"|",
    b"[", b"]", b"{", b"}", b'"', b"'", b"<game data=", b"<!--", b"]]>", b":", b"+", b"=1+1", b"0",
    b"9", b"16", b"99", b"x", b"Z", b"\xc3\xa9", b"\xf0\x9f\x90\xb8", b"\xe2\x80\x8d", b"null",
    b"1e999", b"9" * 5_000, b"1:" * 5_000, b"-1", b"Grid 01\n",
    b"[State]\n", b"---+---\n", b"." * 81, b"\\ud800",
]  # fmt: skip


class _Reraise(logging.Handler):
    """Log handler that raises exceptions that are only logged, so that they end the run."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None:
            raise AssertionError(record.getMessage()) from record.exc_info[1]


def read(data: bytes, *, format: str = "auto", piece: int = 1 << 18) -> str:
    """Read an upload as the web server and the workers do, and return the detected format.

    `format` is the requested format, and `piece` the size in bytes of the pieces in which the
    splitter processes the upload. Returns "rejected" if no format matches. Raises AssertionError if
    any record is lost or duplicated.
    """
    options = ReadOptions(format=format)
    recognized = recognize(data[:HEAD_BYTES], final=len(data) <= HEAD_BYTES, options=options)
    if isinstance(recognized, Unreadable):
        return "rejected"
    splitter = Splitter(recognized, piece_bytes=piece)
    name, context = recognized.format.name, recognized.context
    for blocks in (splitter.feed(data), splitter.close()):
        for block in blocks:
            records = read_block(block, format=name, context=context, options=options)
            rows = [row for group in records.groups for row in group.rows.tolist()]
            if sorted([*rows, *records.invalid]) != list(range(block.records)):
                raise AssertionError(f"records of a block of {name} are missing or duplicated")
    return name


def mutate(data: bytes, chance: random.Random, corpus: list[bytes]) -> bytes:
    """Return a copy of an upload with up to eight random changes, cut to 40,000 bytes.

    `corpus` contains other uploads, from which a change may insert a part.
    """
    text = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place = chance.randint(0, len(text))
        end = min(place + chance.choice((1, 1, 2, 9, 81)), len(text))
        kind = chance.randrange(6)
        if kind == 0:
            del text[place:end]
        elif kind == 1:
            text[place:place] = chance.choice(PIECES)
        elif kind == 2:
            text[place:end] = bytes(chance.randrange(256) for _ in range(end - place))
        elif kind == 3:
            text[place:place] = text[place:end] * chance.randint(1, 5)
        elif kind == 4:
            other = chance.choice(corpus)
            start = chance.randint(0, len(other))
            text[place:place] = other[start : start + 200]
        elif len(text) > 1 and chance.random() < 0.3:
            del text[place:]
    return bytes(text[:40_000])


def at_random(seconds: float, seed: int) -> None:
    """Read randomly changed example files until the time is up, and print the number of uploads.

    Raises an exception if an upload can't be read properly, or takes more than five seconds.
    """
    chance = random.Random(seed)
    corpus = [path.read_bytes() for path in sorted(UPLOADS.iterdir())]
    corpus += [known.example.encode() for known in FORMATS]
    names = ["auto", "auto", "auto", *(known.name for known in FORMATS)]
    runs: Counter[str] = Counter()
    slowest = 0.0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutate(chance.choice(corpus), chance, corpus)
        start = time.monotonic()
        try:
            runs[
                read(data, format=chance.choice(names), piece=chance.choice((64, 1000, 1 << 18)))
            ] += 1
        except Exception:
            print(f"failed with {data!r}", file=sys.stderr)
            raise
        slowest = max(slowest, time.monotonic() - start)
        if slowest > SLOWEST:
            raise AssertionError(f"{slowest:.1f} s for {data!r}")
    print(f"{sum(runs.values()):,} uploads, the slowest took {slowest * 1000:.0f} ms")
    print(", ".join(f"{name} {count:,}" for name, count in sorted(runs.items())))


def guided(seconds: float) -> None:
    """Let Atheris search for inputs that crash the parsers, for some seconds. Ends the process."""
    import atheris

    names = ["auto", *(known.name for known in FORMATS)]

    def one_input(data: bytes) -> None:
        if data:
            read(data[1:], format=names[data[0] % len(names)], piece=1 << 18)

    atheris.instrument_all()
    options = [f"-max_total_time={seconds:.0f}", "-max_len=2000", "-print_final_stats=1"]
    # Atheris writes its findings to the first folder.
    folders = [tempfile.mkdtemp(), str(UPLOADS)]
    atheris.Setup([sys.argv[0], *options, *folders], one_input)
    atheris.Fuzz()


def main() -> None:
    """Parse the command line, and fuzz in the requested way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=60, help="how long to run (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    parser.add_argument("--atheris", action="store_true", help="search with Atheris")
    arguments = parser.parse_args()
    logging.getLogger("solver").addHandler(_Reraise())
    if arguments.atheris:
        guided(arguments.seconds)
    else:
        at_random(arguments.seconds, arguments.seed)


if __name__ == "__main__":
    main()
