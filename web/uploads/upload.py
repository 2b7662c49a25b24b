"""What a request asks for, whatever its body was."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from worker.job import JobOptions
from worker.options import parse_options
from worker.refused import Refused
from worker.settings import Settings


class Upload:
    """The option fields, then the puzzles piece by piece; they may raise Refusal."""

    def __init__(self, fields: Mapping[str, object], name: str, pieces: Iterable[bytes]) -> None:
        self.name = str(fields.get("name") or name)
        self._fields = fields
        self._pieces = pieces
        self._hash = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._hash.update(piece)
            yield piece

    def options(self, settings: Settings) -> JobOptions | Refused:
        """Return the options of the job, if they can be used."""
        fields = {field: value for field, value in self._fields.items() if field != "name"}
        return parse_options(fields, settings=settings)

    def digest(self) -> str:
        """Return what is the same for the same options and puzzles, when all are read.

        Not a digest of the body: a form that is sent again has another boundary.
        """
        asked = msgspec.json.encode(sorted(self._fields.items()))
        return hashlib.sha256(asked + self._hash.digest()).hexdigest()
