"""Limits on the memory and time that one request may take in the web server."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import zstandard
from msgspec import UNSET

from solver import parse
from solver.board.puzzle import Invalid
from solver.board.result import Outcome
from solver.board.text_lines import Lines
from solver.formats.objects.lzstring import decompress
from web.results.rows import Row
from web.results.writers import select
from web.uploads.forms import Form
from worker.records.chunk_result import ChunkResult

MIB = 1 << 20
TINY = "12.4...2....4..1"


def peak(do: Callable[[], object]) -> int:
    """Run a function and return its peak memory in bytes."""
    gc.collect()
    tracemalloc.start()
    try:
        do()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def one_with_many_solutions() -> ChunkResult:
    number = np.ones(1, np.int64).tobytes()
    return ChunkResult(
        lines=number,
        outcomes=bytes([Outcome.MULTIPLE]),
        counts=np.full(1, 2_000, np.int64).tobytes(),
        steps=number,
        puzzles=Lines("." * 625),
        solutions=Lines("1" * 625),
        listed={0: [f"{n:0625}" for n in range(2_000)]},
    )


def test_a_page_of_results_does_not_hold_the_solutions_that_are_listed() -> None:
    def page(*, listed: bool) -> list[Row]:
        parts = ((n + 1, one_with_many_solutions()) for n in range(50))
        pages = select(parts, limit=10_000, listed=listed)
        return [row for page in pages for row, _ in page.with_boards()]

    assert peak(lambda: page(listed=False)) < 8 * MIB < 50 * MIB < peak(lambda: page(listed=True))
    assert all(row.all_solutions is UNSET for row in page(listed=False))


def test_long_form_text_is_held_once_in_memory() -> None:
    content = f"{TINY}\n".encode() * (16 * MIB // 17) + "\N{FROG FACE}\n".encode()

    def body() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        for start in range(0, len(content), MIB // 8):
            yield content[start : start + MIB // 8]
        yield b"\r\n--x--\r\n"

    form = Form(body(), boundary="x")
    assert peak(lambda: list(form)) < 32 * MIB
    assert form.text == content


@pytest.mark.redis
def test_zstandard_with_a_large_window_is_refused(http: Any) -> None:
    for window, status in ((23, 202), (24, 400), (27, 400)):
        parameters = zstandard.ZstdCompressionParameters(window_log=window)
        compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
        packed = compressor.compress(f"{TINY}\n".encode() * 1000) + compressor.flush()
        answer = http.post("/api/v1/jobs", data=packed)
        assert answer.status_code == status, answer.text


def packed_letters(count: int) -> str:
    """Return at least `count` letters "a", compressed by lz-string.

    Each phrase is one letter longer than the one before.
    """
    bits = [0, 0, *(ord("a") >> place & 1 for place in range(8))]
    phrases, length = 4, 1
    while length < count:
        width = max(3, phrases.bit_length())
        bits += [phrases >> place & 1 for place in range(width)]
        length += phrases - 2
        phrases += 1
    width = max(3, phrases.bit_length())
    bits += [2 >> place & 1 for place in range(width)] + [0] * 6
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return "".join(
        alphabet[int("".join(map(str, bits[start : start + 6])), 2)]
        for start in range(0, len(bits) - 5, 6)
    )


def test_payload_with_an_extreme_compression_ratio_is_not_decompressed() -> None:
    payload = packed_letters(MIB)
    unpacked = decompress(payload, most=4 * MIB)
    assert unpacked is not None
    assert len(unpacked) >= MIB > 200 * len(payload)
    (record,) = parse(f"fpuzzles{payload}\n", format="sudokupad")
    assert isinstance(record, Invalid)
    assert "can't be decompressed" in record.detail
