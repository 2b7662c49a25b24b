"""The problem types of the API: their stable names, what they mean, and what to do.

A problem document (RFC 9457) identifies its type by a URI, `/errors/NAME`, which is also a page.
Names never change, because programs compare them.
"""

from dataclasses import dataclass

PATH = "/errors"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of error, with its meaning and remedy in a few sentences (`help`)."""

    name: str
    status: int
    title: str
    help: str

    @property
    def uri(self) -> str:
        """The `type` in problem documents of this kind, and the path of the page about it."""
        return f"{PATH}/{self.name}"


def _type(name: str, status: int, title: str, help: str) -> ProblemType:
    return ProblemType(name, status, title, help)


# The first type with a given status is the default one of that status.
_TYPES = (
    _type("bad-request", 400, "Malformed request",
          "The request breaks the rules of HTTP, or one of its headers has an invalid value. "
          "The detail says which."),
    _type("unreadable-upload", 400, "Unreadable upload",
          "The upload couldn't be read as puzzles, or ended early. Where the place is known, the "
          "document has the members line and column. GET /api/v1/formats lists every format with "
          "an example."),
    _type("api-key-required", 401, "API key required",
          "This service needs an API key. Send it in the header Authorization: Bearer KEY."),
    _type("unknown-api-key", 401, "Unknown API key",
          "The API key isn't valid. Check that the key is complete, "
          "and that it hasn't been withdrawn."),
    _type("forbidden", 403, "Not permitted",
          "The caller may not send this request. An API key may be limited to reading or to "
          "writing, and pages of other sites may not send requests."),
    _type("forwarded-request", 403, "Forwarded request not permitted",
          "The service has no API keys and accepts only requests from its own machine, but a proxy "
          "forwarded this one. The operator can set SUDOKUQ_API_KEYS, or SUDOKUQ_OPEN=true if "
          "anybody may use the service."),
    _type("not-found", 404, "Not found",
          "Nothing has this URL. Check that it is complete. The API is described at "
          "/api/docs."),
    _type("job-not-found", 404, "Job not found",
          "No job has this id. Jobs expire, and anybody with the id of a job can delete it."),
    _type("puzzle-not-found", 404, "Puzzle not found",
          "The job has no puzzle with this number, or it was cancelled before the puzzle was "
          "solved. Puzzles are numbered from 1."),
    _type("method-not-allowed", 405, "Method not allowed",
          "This URL doesn't support the method. The Allow header lists the methods that it "
          "supports."),
    _type("conflict", 409, "Conflict",
          "The request conflicts with another one that is still running. Repeat it after the "
          "seconds in Retry-After."),
    _type("job-not-finished", 409, "Job not finished",
          "The result isn't available yet. Wait for the job with GET /api/v1/jobs/ID?wait=30, or "
          "get the results so far with partial=1."),
    _type("upload-in-progress", 409, "Upload in progress",
          "The first request with this Idempotency-Key is still uploading. Repeat the request "
          "after the seconds in Retry-After to get its job."),
    _type("job-gone", 409, "Job deleted during its upload",
          "The job was cancelled or deleted while its puzzles were being uploaded. Upload them "
          "again."),
    _type("precondition-failed", 412, "Precondition failed",
          "The job or the results have another ETag than If-Match names. Get the current "
          "version, then decide again."),
    _type("too-large", 413, "Too large",
          "The upload exceeds a limit, and would exceed it again. The detail has the limit and "
          "its value. Split the upload into several jobs, or send it in a streamed form: NDJSON, "
          "plain text, or a file in a multipart form."),
    _type("uri-too-long", 414, "URL too long",
          "The URL of the request is too long. Send long options in the body."),
    _type("unsupported-type", 415, "Unsupported media type",
          "The Content-Type or the Content-Encoding isn't supported. Send text, JSON, NDJSON, or "
          "a form, optionally compressed with gzip or zstd."),
    _type("range-not-satisfiable", 416, "Range not satisfiable",
          "The results end before the range begins. The Content-Range header has their "
          "length."),
    _type("expectation-failed", 417, "Expectation failed",
          "The Expect header has a value that isn't supported. Only 100-continue is."),
    _type("unknown-host", 421, "Unknown host name",
          "The service isn't available under the host name that was used. Use localhost or a "
          "loopback address on its own machine. The operator can add names to SUDOKUQ_HOSTS."),
    _type("invalid-value", 422, "Invalid option or parameter",
          "An option, a parameter, or a member of the body is unknown or has an invalid value. "
          "The member field names it."),
    _type("too-many-requests", 429, "Too many requests",
          "The caller sent more requests than it may send in a minute. Wait for the seconds in "
          "Retry-After."),
    _type("too-many-wrong-keys", 429, "Too many wrong API keys",
          "Too many wrong API keys came from the caller's address, so that no more are tried. Wait "
          "for the seconds in Retry-After, and correct the program that sends them."),
    _type("too-many-jobs", 429, "Too many unfinished jobs",
          "The caller has too many unfinished jobs, or too many puzzles that aren't solved yet. "
          "Wait for the seconds in Retry-After, or cancel a job."),
    _type("headers-too-large", 431, "Request headers too large",
          "The headers of the request are too large. Delete cookies, or send fewer headers."),
    _type("internal-error", 500, "Internal error",
          "This is a bug in the service. The log has an entry with the id that the document "
          "has as request_id. Please report it with that id."),
    _type("not-implemented", 501, "Not implemented",
          "The request uses a part of HTTP that this service doesn't support."),
    _type("unavailable", 503, "Service unavailable",
          "The service can't answer right now: Redis doesn't answer or is full, or no worker is "
          "ready. Repeat the request after the seconds in Retry-After."),
    _type("queue-full", 503, "Queue full",
          "Too many jobs of all callers together aren't finished. Repeat the request after the "
          "seconds in Retry-After."),
    _type("store-full", 503, "Store full",
          "Redis has too little memory left for another job. Old results expire and make room. "
          "Delete jobs that you no longer need, or repeat the request later."),
)  # fmt: skip

PROBLEM_TYPES = {each.name: each for each in _TYPES}
_DEFAULTS = {each.status: each for each in reversed(_TYPES)}


def default_type(status: int) -> ProblemType:
    """Return the most general problem type of an HTTP status.

    Statuses without a problem type count as 400 or 500.
    """
    known = _DEFAULTS.get(status)
    return known or _DEFAULTS[500 if status >= 500 else 400]
