"""The messages of the protocol: requests from the userscript, and responses to them."""

from typing import Self

import msgspec

from solver.board.closest import unknown
from solver.estimating import Estimate

COMMANDS = ("truecandidates", "solve", "check", "count", "estimate", "solvepath", "step", "cancel")
DATA_TYPE = "fpuzzles"
_NORMAL_95 = 1.96  # standard errors on each side of a 95% confidence interval


class Request(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A request. `data` is an f-puzzles puzzle, compressed with lz-string. `cancel` has none."""

    nonce: int
    command: str
    data_type: str = ""
    data: str = ""


class Response(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base class of responses. `nonce` is that of the request."""

    nonce: int


class Canceled(Response, frozen=True, kw_only=True, tag="canceled"):
    """The response to a canceled request, and to the command `cancel`."""


class Refused(Response, frozen=True, kw_only=True, tag="invalid"):
    """A message instead of a result, which the userscript shows."""

    message: str


class Candidates(Response, frozen=True, kw_only=True, tag="truecandidates", rename="camel"):
    """The number of solutions for each value of each cell, cell by cell, up to the requested bound.

    With the setting `logical`, it is −1 for a value without a solution that logic doesn't exclude.
    """

    solutions_per_candidate: list[int]


class Solved(Response, frozen=True, kw_only=True, tag="solved"):
    """The values of one solution, by cell in reading order, from 1."""

    solution: list[int]


class Count(Response, frozen=True, kw_only=True, tag="count", rename="camel"):
    """The number of solutions, or of those found so far if the search is in progress."""

    count: int
    in_progress: bool


class Estimated(Response, frozen=True, kw_only=True, tag="estimate"):
    """An estimated number of solutions.

    `stderr` is its standard error, and `iterations` the number of probes. `ci95_lower` and
    `ci95_upper` are the limits of the 95% confidence interval. `relErrPercent` is half of this
    interval, in percent of the estimate.
    """

    estimate: float
    stderr: float
    iterations: int
    ci95_lower: float
    ci95_upper: float
    rel_err_percent: float = msgspec.field(name="relErrPercent")

    @classmethod
    def of(cls, estimate: Estimate, *, nonce: int) -> Self:
        """Return the response for an estimate.

        The lower limit of the interval is at least 0.
        """
        width = _NORMAL_95 * estimate.standard_error
        return cls(
            nonce=nonce,
            estimate=estimate.mean,
            stderr=estimate.standard_error,
            iterations=estimate.probes,
            ci95_lower=max(estimate.mean - width, 0.0),
            ci95_upper=estimate.mean + width,
            rel_err_percent=100 * width / estimate.mean if estimate.mean else 0.0,
        )


class LogicalCell(msgspec.Struct, frozen=True):
    """A cell of a position: its value, or 0 and its candidates."""

    value: int
    candidates: list[int]


class Logical(Response, frozen=True, kw_only=True, tag="logical", rename="camel"):
    """A position that the editor should show, with a text about the steps that lead to it."""

    cells: list[LogicalCell]
    message: str
    is_valid: bool = True


def read_request(text: str | bytes) -> Request | Refused:
    """Read a request of the userscript, or return a refusal if it is malformed or unknown."""
    try:
        request = msgspec.json.decode(text, type=Request)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Refused(nonce=_nonce_in(text), message=f"Malformed request: {error}.")
    if request.command not in COMMANDS:
        detail = unknown("command", request.command, COMMANDS)
        return Refused(nonce=request.nonce, message=f"{detail[:1].upper()}{detail[1:]}.")
    if request.command != "cancel" and request.data_type != DATA_TYPE:
        message = f"Unknown dataType {request.data_type!r}. Expected {DATA_TYPE!r}."
        return Refused(nonce=request.nonce, message=message)
    return request


class _Numbered(msgspec.Struct):
    nonce: int = 0


def _nonce_in(text: str | bytes) -> int:
    """Return the nonce of a malformed request, or 0 if it has none."""
    try:
        return msgspec.json.decode(text, type=_Numbered).nonce
    except (msgspec.DecodeError, UnicodeDecodeError):
        return 0


def written(response: Response) -> str:
    """Return a response as JSON."""
    return msgspec.json.encode(response).decode()
