"""Measure the CPU time and memory of single requests with adversarial bodies of up to 1 MiB.

    python benchmarks/request_costs.py [--seconds 600] [--seed 1] [--worst 20] [--file NAME …]

Each example file of tests/data/uploads is blown up in many ways, and so are payloads that no
example contains. Each body is split as the web server splits an upload, and previewed. Its first
blocks are read as a worker reads them. Each body has a separate process. Prints the slowest bodies
of each stage.
"""

import argparse
import gzip
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from limited_process import run_limited

from solver.formats import read_block
from solver.formats.objects.lzstring import compress
from web.uploads.preview import make_preview
from web.uploads.upload import Upload
from worker.ingest.stream import Stream, open_stream
from worker.ingest.upload_budget import UploadBudget
from worker.job import JobOptions
from worker.options import read_options
from worker.rejection import Rejected
from worker.settings import Settings

UPLOADS = Path(__file__).parent.parent / "tests" / "data" / "uploads"
BODY_BYTES = 1 << 20
MEMORY_BYTES = 4 << 30
CPU_SECONDS = 30
SLOW_SECONDS = 2.0  # bodies that take longer in any stage are printed at once
BLOCKS_READ = 4
STAGES = ("split", "preview", "block")
OPENERS = (b"[", b"{", b'{"a":', b"(", b"<a>", b"((.", b'["', b"{(", b"[[1],", b".Or", b"~1")
FILLERS = (
    b"1", b"9", b".", b" ", b",", b"\t", b"|", b"-", b"+", b"0", b"a", b"_", b"~", b"\n", b"\r\n",
    b'"', b"'", b"\\", b"&amp;", b"<", b"=", b":", b"1 ", b"1,", b"1\n", b"[1],", b"{}\n", b'""\n',
    b"1:2;", b"\xc3\xa9", b"\xf0\x9f\x90\xb8", b"\xff", b"\0", b"*-", b"|.", b".\n", b"--+",
    b"R1C1~", b"#\n", b"# a\n", b"//", b"/*", b"r1c1 ", b"(1)", b"A1=", b"1.5,", b"1e9,",
    b"NaN,", b"null,",
)  # fmt: skip


class Cost(NamedTuple):
    """The cost of a request body, and how its processing ended.

    split      CPU seconds to split it as an upload
    preview    CPU seconds to preview it
    block      CPU seconds to parse the slowest of its first blocks
    records    number of records
    outcome    the format, the reason of a rejection, or how the process failed
    megabytes  peak memory of the process
    """

    split: float
    preview: float
    block: float
    records: int
    outcome: str
    megabytes: int = 0


def measure(body: bytes) -> Cost:
    """Return the costs of a request body, which is read in a separate process.

    If the process fails, its total CPU time is returned for all stages.
    """
    ended = run_limited(lambda: read(body), memory_bytes=MEMORY_BYTES, cpu_seconds=CPU_SECONDS)
    if ended.failure:
        seconds = ended.seconds
        return Cost(seconds, seconds, seconds, 0, ended.failure, ended.megabytes)
    return Cost(*ended.result)._replace(megabytes=ended.megabytes)


def read(body: bytes) -> Cost:
    """Split and preview a request body, parse its first blocks, and return the costs.

    The outcome is the name of the format, or the reason why the body is rejected.
    """
    options, settings = JobOptions(), Settings()
    started = time.thread_time()
    budget = UploadBudget(seconds=settings.upload_seconds)
    budget.add_received(len(body))
    blocks = []
    outcome = "ok"
    stream = open_stream((body,), options=options, settings=settings, budget=budget)
    if isinstance(stream, Stream):
        outcome = stream.recognized.format.name
        try:
            blocks = list(stream.blocks())
        except Rejected as rejected:
            outcome = rejected.rejection.detail
    else:
        outcome = stream.detail
    split = time.thread_time() - started
    started = time.thread_time()
    make_preview(Upload({}, "", (body,), budget=UploadBudget(seconds=60)), settings, cut=False)
    preview = time.thread_time() - started
    slowest = 0.0
    for block in blocks[:BLOCKS_READ]:
        assert isinstance(stream, Stream)
        started = time.thread_time()
        read_block(
            block,
            format=stream.recognized.format.name,
            context=stream.recognized.context,
            options=read_options(options),
        )
        slowest = max(slowest, time.thread_time() - started)
    return Cost(split, preview, slowest, sum(block.records for block in blocks), outcome[:120])


def fill(text: bytes, *, size: int = BODY_BYTES) -> bytes:
    """Repeat a text as often as it fits into `size` bytes."""
    return text * (size // max(len(text), 1))


def payloads() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of adversarial bodies that no example contains.

    They are deeply nested, have tiny records, expand a lot when decompressed, or are random.
    """
    for opener in OPENERS:
        yield f"nested {opener!r}", fill(opener)
        yield f"nested JSON {opener!r}", b'{"puzzle": ' + fill(opener, size=BODY_BYTES - 20)
    for filler in FILLERS:
        yield f"filled with {filler!r}", fill(filler)
        yield f"one line of {filler!r}", b"1" * 81 + fill(filler, size=BODY_BYTES - 99) + b"\n"
        yield f"lines of {filler!r}", fill(filler * 40 + b"\n")
    yield "gzip bomb", gzip.compress(bytes(1 << 27))
    yield "gzip bomb of lines", gzip.compress(b"\n" * (1 << 27))
    yield "gzip bomb of puzzles", gzip.compress((b"1" + b"." * 80 + b"\n") * (1 << 20))
    chance = random.Random(1)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    noise = "".join(chance.choices(letters, k=BODY_BYTES - 40))
    bomb = compress('{"grid": [' + '{"value": 1},' * 60_000 + "1]}")
    wide = compress("".join(chr(chance.randrange(256, 55_000)) for _ in range(30_000)))
    for name, payload in (("noise", noise), ("bomb", bomb), ("wide", wide)):
        for prefix in (
            "https://sudokupad.app/scl",
            "https://www.f-puzzles.com/?load=",
            "fpuzzles",
            "scl",
        ):
            yield f"{prefix}{name}", f"{prefix}{payload}\n".encode()


def blown_up(data: bytes, chance: random.Random) -> bytes:
    """Return an example that is extended to about 64 KiB or 1 MiB by repeating something in it.

    At random, this is a part of the example, a filler, or both together, or the whole example
    without its line breaks.
    """
    kind = chance.randrange(5)
    if kind == 0:
        return fill(data.replace(b"\n", b""))
    start = chance.randrange(len(data))
    length = chance.choice((1, 2, 3, 5, 9, 20, 50, 81, 200, 1_000))
    part = data[start : start + length]
    if kind == 1:
        part = chance.choice(FILLERS)
    elif kind == 2:
        part += chance.choice(FILLERS)
    end = start + length if kind == 3 else start
    size = chance.choice((BODY_BYTES, BODY_BYTES, 1 << 16)) - len(data)
    return data[:start] + fill(part, size=max(size, 1)) + data[end:]


def main() -> None:
    """Measure requests with adversarial bodies for --seconds, and print the worst of each stage.

    With --keep, the bodies that are printed are also stored.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=600, help="how long to run (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    parser.add_argument("--file", nargs="*", help="names of example files (default: all)")
    parser.add_argument(
        "--worst", type=int, default=20, help="number of bodies to print (default: %(default)s)"
    )
    parser.add_argument("--keep", type=Path, help="folder for the worst bodies")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    examples = {path.name: path.read_bytes() for path in sorted(UPLOADS.iterdir())}
    examples = {name: examples[name] for name in arguments.file or examples}
    costs: list[tuple[Cost, str, bytes]] = []
    end = time.monotonic() + arguments.seconds

    def bodies() -> Iterator[tuple[str, bytes]]:
        fixed = [(name, fill(data)) for name, data in examples.items()]
        fixed += [] if arguments.file else payloads()
        yield from chance.sample(fixed, len(fixed))
        while True:
            name = chance.choice([*examples])
            yield f"blown-up {name}", blown_up(examples[name], chance)

    for name, body in bodies():
        cost = measure(body)
        costs.append((cost, name, body))
        if max(cost[:3]) > SLOW_SECONDS or cost.megabytes > 600:
            print(name, cost, flush=True)
        if time.monotonic() > end:
            break
    print(f"{len(costs):,} bodies")
    for stage in (*STAGES, "megabytes"):
        print(stage)
        worst = sorted(costs, key=lambda each: -getattr(each[0], stage))[: arguments.worst]
        for place, (cost, name, body) in enumerate(worst):
            print(f"  {getattr(cost, stage):.1f} {name}: {cost.records:,} records, {cost.outcome}")
            if arguments.keep:
                (arguments.keep / f"{stage}-{place}").write_bytes(body)


if __name__ == "__main__":
    main()
