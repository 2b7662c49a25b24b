"""Measure how fast uploads are cut into blocks and parsed, format by format, on one core.

    python benchmarks/formats.py [--mib 16]

Prints a table for the README: records, bytes, µs a record, MB/s. Every format's example file
is repeated to the size asked for; the fastest of three runs counts.
"""

import argparse
import time
from pathlib import Path

from solver.formats import FORMATS, HEAD_BYTES, Splitter, read_block, recognise
from solver.formats.format import ReadOptions, Recognised

UPLOADS = Path(__file__).parent.parent / "tests" / "data" / "uploads"


def run(data: bytes) -> tuple[str, int, float]:
    """Return format, records and seconds of one upload, cut and parsed."""
    options = ReadOptions()
    start = time.perf_counter()
    recognised = recognise(data[:HEAD_BYTES], final=len(data) <= HEAD_BYTES, options=options)
    assert isinstance(recognised, Recognised), recognised
    splitter = Splitter(recognised)
    name, context = recognised.format.name, recognised.context
    records = 0
    for blocks in (splitter.feed(data), splitter.close()):
        for block in blocks:
            records += len(read_block(block, format=name, context=context, options=options))
    return name, records, time.perf_counter() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=16, help="size of each upload")
    arguments = parser.parse_args()
    known = {format_.name for format_ in FORMATS}
    print("| file | format | records | MB | µs a record | MB/s |")
    print("|---|---|--:|--:|--:|--:|")
    for path in sorted(UPLOADS.iterdir()):
        if path.suffix in (".gz", ".zst", ".zip"):
            continue
        data = path.read_bytes()
        data *= max((arguments.mib << 20) // len(data), 1)
        name, records, seconds = min((run(data) for _ in range(3)), key=lambda found: found[2])
        assert name in known
        size = len(data) / 1e6
        print(
            f"| {path.name} | {name} | {records:,} | {size:.1f} "
            f"| {seconds / records * 1e6:.2f} | {size / seconds:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
