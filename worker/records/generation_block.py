"""Puzzles of a job that are to be generated."""

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from solver.formats.format import Context
from solver.generation.request import GenerationRequest, InvalidRequest, read_request

# The format of jobs whose puzzles are generated. The job's context has the request.
GENERATED = "generated"
_REQUEST = "request"


@dataclass(frozen=True, slots=True)
class GenerationBlock:
    """The puzzles of a generation request with the numbers first to first + records − 1.

    A request can have several parts. All of these puzzles belong to the same part.
    """

    first: int
    records: int

    @property
    def line(self) -> int:
        """The number of the first puzzle. It replaces the line number, which only uploads have."""
        return self.first


def context_of(request: str) -> Context:
    """Return the context of a job from the JSON text of its generation request."""
    return {_REQUEST: request}


def request_in(context: Context) -> GenerationRequest:
    """Return the generation request of a job. Raises ValueError if it is invalid."""
    return _read(str(context[_REQUEST]))


@lru_cache(maxsize=8)  # A process gets many blocks of a job, and a plan takes long to parse.
def _read(text: str) -> GenerationRequest:
    request = read_request(msgspec.json.decode(text))
    if isinstance(request, InvalidRequest):
        raise ValueError(request.detail)
    return request
