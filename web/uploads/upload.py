"""What a request asks for, whatever its body was."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from worker.intake.effort import Effort
from worker.job import JobOptions
from worker.options import parse_options
from worker.refused import Refused
from worker.settings import Settings


class Upload:
    """The option fields, then the puzzles piece by piece; they may raise Refusal.

    All that is done with them draws on the CPU budget of the request, `effort`.
    """

    def __init__(
        self, fields: Mapping[str, object], name: str, pieces: Iterable[bytes], *, effort: Effort
    ) -> None:
        self.effort = effort
        self.name = str(fields.get("name") or name)
        self._fields = fields
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self.effort.bounded(self._pieces)

    def options(self, settings: Settings) -> JobOptions | Refused:
        """Return the options of the job, if they can be used."""
        fields = {field: value for field, value in self._fields.items() if field != "name"}
        return parse_options(fields, settings=settings)

    def digested(self) -> Callable[[], str]:
        """Have what is read from now on digested; return what says the digest when all is read.

        It is the same for the same options and puzzles. A digest of the body would not be: a
        form that is sent again has another boundary.
        """
        puzzles = hashlib.sha256()
        self._pieces = _into(puzzles, self._pieces)
        asked = msgspec.json.encode(sorted(self._fields.items()))
        return lambda: hashlib.sha256(asked + puzzles.digest()).hexdigest()


def _into(digest: "hashlib._Hash", pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        digest.update(piece)
        yield piece
