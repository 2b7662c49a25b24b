"""Decompression of gzip, Zstandard, and zip, and its limits."""

import gzip
import io
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings, strategies

from worker.folders import FolderRecorder
from worker.ingest.decompress import decompress
from worker.ingest.upload_budget import UploadBudget
from worker.rejection import Rejected, RejectionKind

TINY = "12.4...2....4..1"
MIB = 1 << 20
PACKERS: list[Callable[[bytes], bytes]] = [gzip.compress, zstandard.compress]


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def opened(pieces: list[bytes], *, max_bytes: int) -> Iterator[bytes]:
    return decompress(pieces, max_bytes=max_bytes, budget=UploadBudget(), recorder=FolderRecorder())


def decompressed(pieces: list[bytes], *, max_bytes: int = 10_000) -> bytes:
    return b"".join(opened(pieces, max_bytes=max_bytes))


@pytest.mark.parametrize("pack", PACKERS)
@given(parts=strategies.lists(strategies.binary(min_size=1, max_size=300), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_concatenated_members_are_decompressed_in_order(pack: Any, parts: list[bytes]) -> None:
    packed = b"".join(map(pack, parts))
    crumbs = [packed[start : start + 7] for start in range(0, len(packed), 7)]
    assert decompressed(crumbs) == b"".join(parts)


@pytest.mark.parametrize("pack", PACKERS)
def test_truncated_compressed_data_is_rejected_at_every_length(pack: Any) -> None:
    packed = pack(b"".join(b"%d,%d\n" % (n, n * n) for n in range(300)))
    for end in range(4, len(packed)):
        with pytest.raises(Rejected):
            decompressed([packed[:end]], max_bytes=MIB)


def test_a_mebibyte_of_empty_gzip_members_takes_little_time() -> None:
    member = gzip.compress(b"")
    members = member * (MIB // len(member))
    started = time.thread_time()
    assert decompressed([members]) == b""
    assert time.thread_time() - started < 1


def test_zeros_after_gzip_data_are_padding() -> None:
    assert b"".join(opened([gzip.compress(b"data"), b"\0" * 512], max_bytes=100)) == b"data"


def test_files_of_a_zip_archive_are_decompressed_in_order() -> None:
    packed = zipped({"a.txt": TINY.encode(), "more/": b"", "more/b.txt": TINY.encode()})
    crumbs = [packed[start : start + 7] for start in range(0, len(packed), 7)]
    assert decompressed(crumbs).split() == [TINY.encode()] * 2


def test_system_files_in_zip_archives_are_skipped() -> None:
    puzzles = {"a.txt": TINY.encode(), "._b.sdm": TINY.encode()[:-1], "b/c._d": TINY.encode()}
    beside = dict.fromkeys(("__MACOSX/._a.txt", "b/.DS_Store", "b/Thumbs.db"), b"\0\5\x16\7" * 9)
    packed = zipped({**beside, **puzzles})
    assert decompressed([packed]).split() == [TINY.encode()] * 2
    bomb = zipped({"__MACOSX/._a.txt": bytes(1 << 27), "a.txt": b""})
    with pytest.raises(Rejected, match="system files"):
        decompressed([bomb], max_bytes=1 << 30)


def test_zip_archives_that_end_within_a_file_are_rejected() -> None:
    packed = zipped({"a.txt": bytes(range(256)) * 9})
    for end in range(4, packed.index(b"PK\x01\x02"), 5):
        with pytest.raises(Rejected) as found:
            decompressed([packed[:end]], max_bytes=MIB)
        assert found.value.rejection.kind is RejectionKind.UNREADABLE


@pytest.mark.parametrize("pack", [*PACKERS, lambda data: zipped({"bomb": data})])
def test_a_decompression_bomb_is_rejected_before_it_fills_the_memory(pack: Any) -> None:
    bomb = pack(b"\0" * 200_000_000)
    tracemalloc.start()
    with pytest.raises(Rejected) as found:
        decompressed([bomb], max_bytes=MIB)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value.rejection.kind is RejectionKind.TOO_LARGE
    assert peak < 40_000_000
