"""Turns an upload into blocks of records, whose size depends on the options of the job.

It decompresses the upload, converts it to UTF-8, recognizes its format, and splits it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from solver.formats import HEAD_BYTES, Splitter, recognize
from solver.formats.format import Block, Context, Recognized, Unreadable
from worker.folders import FolderRecorder
from worker.ingest.decompress import decompress
from worker.ingest.encoding import Charset, or_western, to_utf8
from worker.ingest.upload_budget import UploadBudget
from worker.job import JobOptions
from worker.options import read_options
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.settings import Settings

RECORDS_WITH_LOGIC = 128
# Blocks of large uploads grow up to this factor in records, and up to this many bytes.
_GROWTH = 8
_MAX_BLOCK_BYTES = 2 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """An upload whose format has been recognized, and whose content can be read once.

    `content` is the upload from its beginning, decompressed and in UTF-8. `charset` is the charset
    from which `or_western` converts it, if any. It is known when the first non-ASCII characters
    have been read. `recorder` has the folders of the files in an archive, as far as it has been
    read.
    """

    recognized: Recognized
    options: JobOptions
    settings: Settings
    content: Iterable[bytes]
    charset: Charset
    recorder: FolderRecorder

    @property
    def format(self) -> str:
        """The name of the recognized format."""
        return self.recognized.format.name

    @property
    def context(self) -> Context:
        """The details from the head of the upload that the format requires to read the rest."""
        return self.recognized.context

    def blocks(self) -> Iterator[Block]:
        """Yield the upload's records in blocks. It can be called only once.

        Raises Rejected if the upload can't be read, contains no puzzles, or has more puzzles than a
        job may have.
        """
        limit = self.settings.max_puzzles
        records, growth = block_size(self.recognized.block_records, self.options)
        splitter = Splitter(
            self.recognized,
            max_records=records,
            max_bytes=_MAX_BLOCK_BYTES,
            growth=growth,
            max_record_bytes=self.settings.max_record_bytes,
        )
        total = 0
        for block in _split(splitter, self.content):
            total += block.records
            if total > limit:
                detail = f"the upload exceeds the limit of {limit:,} puzzles per job; split it"
                raise Rejected(RejectionKind.TOO_LARGE, detail)
            yield self.with_charset(block)
        if total == 0:
            raise Rejected(RejectionKind.UNREADABLE, "the input contains no puzzles")

    def with_charset(self, block: Block) -> Block:
        """Return a block that also records the charset from which `or_western` converts the upload.

        The block is unchanged if the upload isn't converted, or if this isn't known yet.
        """
        name = self.charset.name
        return block if name is None else replace(block, charset=name)


def block_size(block_records: int, options: JobOptions) -> tuple[int, int]:
    """Return the number of records of a job's first blocks, and the factor by which it may grow.

    `block_records` is the number that suits the puzzles if they are only solved.

    Options that need more time or space per record make the blocks smaller. If they make results
    large, blocks don't grow.
    """
    # Listing solutions makes results larger and slower, so blocks are smaller. Human techniques
    # take milliseconds per puzzle, while solving takes microseconds.
    listed = options.limit if options.lists else 2
    records = max(block_records * 2 // listed, 1)
    if options.studies:
        records = min(records, RECORDS_WITH_LOGIC)
    # Ratings take long, but they are small, so a chunk can have many of them.
    is_large = options.explain or options.true_candidates or options.lists
    return records, 1 if is_large else _GROWTH


def open_stream(
    pieces: Iterable[bytes],
    *,
    options: JobOptions,
    settings: Settings,
    budget: UploadBudget | None = None,
) -> Stream | Rejection:
    """Decompress and decode the beginning of an upload, and recognize its format.

    Returns a stream of the whole content. Returns a rejection if no format matches, if an option is
    unsuitable for the content, or if the beginning can't be read. `budget` limits the CPU time of
    an upload that arrives in a request.
    """
    charset, recorder = Charset(), FolderRecorder()
    decompressed = decompress(
        pieces,
        max_bytes=settings.max_upload_bytes,
        budget=budget or UploadBudget(),
        recorder=recorder,
    )
    content = or_western(to_utf8(decompressed), charset)
    try:
        head, final = _head(content)
    except Rejected as rejected:
        return rejected.rejection
    recognized = recognize(head, final=final, options=read_options(options))
    if not isinstance(recognized, Unreadable):
        return Stream(recognized, options, settings, chain((head,), content), charset, recorder)
    if recognized.option is not None:
        return Rejection(RejectionKind.BAD_OPTION, recognized.detail, field=recognized.option)
    return Rejection(
        RejectionKind.UNREADABLE, recognized.detail, recognized.line, recognized.column
    )


def _head(content: Iterator[bytes]) -> tuple[bytes, bool]:
    """Return the beginning of an upload, and whether it is the whole upload.

    The beginning has at least `HEAD_BYTES` bytes unless it is the whole upload. It is removed from
    `content`.
    """
    head = b""
    for piece in content:
        head += piece
        if len(head) >= HEAD_BYTES:
            return head, False
    return head, True


def _split(splitter: Splitter, content: Iterable[bytes]) -> Iterator[Block]:
    for piece in content:
        yield from splitter.feed(piece)
    yield from splitter.close()
