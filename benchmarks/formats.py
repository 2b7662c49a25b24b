"""Measure how fast uploads are split into blocks and parsed, on one core.

    python benchmarks/formats.py [--mib 16]

Prints the table of benchmarks/results/formats.md, with one line per uncompressed file in
tests/data/uploads. Each file is repeated up to the given size in MiB. The fastest of three runs
counts. The time to split includes the time to recognize the format. The time to parse doesn't
include finding the records again, which a worker must do for each block.
"""

import argparse
import time
from pathlib import Path

from solver.formats import FORMATS, HEAD_BYTES, Splitter, read_block, recognize
from solver.formats.format import ReadOptions, Recognized

UPLOADS = Path(__file__).parent.parent / "tests" / "data" / "uploads"


def run(data: bytes) -> tuple[str, int, float, float]:
    """Split and parse an upload.

    Returns its format, its number of records, and the seconds to split it and to parse it.
    """
    options = ReadOptions()
    start = time.perf_counter()
    recognized = recognize(data[:HEAD_BYTES], final=len(data) <= HEAD_BYTES, options=options)
    assert isinstance(recognized, Recognized), recognized
    splitter = Splitter(recognized)
    blocks = [*splitter.feed(data), *splitter.close()]
    cut = time.perf_counter() - start
    name, context = recognized.format.name, recognized.context
    records = 0
    start = time.perf_counter()
    for block in blocks:
        records += len(read_block(block, format=name, context=context, options=options))
    return name, records, cut, time.perf_counter() - start


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--mib", type=int, default=16, help="size of each upload in MiB (default: %(default)s)"
    )
    arguments = parser.parse_args()
    known = {format_.name for format_ in FORMATS}
    speeds = "split, MB/s | parsed, MB/s | both, MB/s | both, µs per record"
    print(f"| file | format | records | {speeds} |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for path in sorted(UPLOADS.iterdir()):
        if path.suffix in (".gz", ".zst", ".zip"):
            continue
        data = path.read_bytes()
        data *= max((arguments.mib << 20) // len(data), 1)
        found = [run(data) for _ in range(3)]
        name, records, cut, parsed = min(found, key=lambda times: times[2] + times[3])
        assert name in known
        size = len(data) / 1e6
        print(
            f"| {path.name} | {name} | {records:,} | {size / cut:.0f} | {size / parsed:.0f} "
            f"| {size / (cut + parsed):.0f} | {(cut + parsed) / records * 1e6:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
