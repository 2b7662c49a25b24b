"""The problem types of the API: their stable names, their meanings, and their remedies.

A problem document (RFC 9457) identifies its type by a URI, `/errors/NAME`, which is also a page.
Names never change, because programs compare them.
"""

from dataclasses import dataclass

PATH = "/errors"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of error. `status` is its HTTP status.

    `title` is its short name for people, and `help` is its meaning and remedy in a few sentences.
    """

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
          "The request isn't valid HTTP, or one of its headers has an invalid value. The "
          "detail names the part to correct."),
    _type("unreadable-upload", 400, "Unreadable upload",
          "The upload couldn't be read as puzzles, or ended early. If the place is known, the "
          "members line and column contain it. GET /api/v1/formats lists every format with an "
          "example."),
    _type("api-key-required", 401, "API key required",
          "This service requires an API key. Send yours in the header Authorization: Bearer KEY."),
    _type("unknown-api-key", 401, "Unknown API key",
          "The service doesn't accept this API key. Check that the key is complete, and ask the "
          "operator whether it was removed."),
    _type("forbidden", 403, "Not permitted",
          "You may not send this request. Either your API key is limited to reading or to writing, "
          "or the request comes from a page of another site."),
    _type("forwarded-request", 403, "Forwarded request not permitted",
          "The service has no API keys and accepts only requests from its own machine, but a proxy "
          "forwarded this one. The operator can set SUDOKUQ_API_KEYS, or SUDOKUQ_OPEN=true if "
          "anyone may use the service."),
    _type("not-found", 404, "Not found",
          "There is nothing at this URL. Check that it is complete. /api/docs lists the URLs of "
          "the API."),
    _type("job-not-found", 404, "Job not found",
          "No job has this id. Check that the id is complete. Jobs expire, and anyone who has a "
          "job's id can delete it."),
    _type("puzzle-not-found", 404, "Puzzle not found",
          "The job has no puzzle with this number, or it was canceled before the puzzle was "
          "solved. Puzzles are numbered from 1."),
    _type("webhook-not-found", 404, "No webhook",
          "The job has no webhook. Webhooks are requested when a job is created, with the option "
          "webhook."),
    _type("method-not-allowed", 405, "Method not allowed",
          "This URL doesn't support the method. Use one of the methods in the Allow header."),
    _type("conflict", 409, "Conflict",
          "Another request that conflicts with this one is still in progress. Send the request "
          "again after the number of seconds in Retry-After."),
    _type("job-not-finished", 409, "Job not finished",
          "The results aren't complete yet. Wait for the job with GET /api/v1/jobs/ID?wait=30, or "
          "get the results so far with partial=1."),
    _type("upload-in-progress", 409, "Upload in progress",
          "The first request with this Idempotency-Key is still uploading. To get its job, send "
          "the request again after the number of seconds in Retry-After."),
    _type("job-gone", 409, "Job deleted while it was created",
          "The job was canceled, was deleted, or expired before all of its puzzles were stored. "
          "Send the request again."),
    _type("precondition-failed", 412, "Precondition failed",
          "The job or its results have changed: their ETag isn't the one in If-Match. Get the "
          "current version, and decide whether the request still makes sense."),
    _type("too-large", 413, "Too large",
          "The upload exceeds a limit, which the detail names. Split the upload into several jobs. "
          "If it is JSON, you can also send it as NDJSON, as plain text, or as a file in a "
          "multipart form, which have a higher limit."),
    _type("uri-too-long", 414, "URL too long",
          "The URL of the request is too long. Send long options in a form or in JSON instead."),
    _type("unsupported-type", 415, "Unsupported media type",
          "The Content-Type or the Content-Encoding isn't supported. Send text, JSON, NDJSON, or "
          "a form, optionally compressed with gzip or zstd."),
    _type("range-not-satisfiable", 416, "Range not satisfiable",
          "The range in the Range header begins after the end of the results. Content-Range has "
          "their length in bytes."),
    _type("expectation-failed", 417, "Expectation failed",
          "The service supports only the value 100-continue in the Expect header. Omit the "
          "header."),
    _type("unknown-host", 421, "Unknown host name",
          "The service doesn't accept the host name in the URL. On its own machine, use localhost "
          "or 127.0.0.1. The operator can add names to SUDOKUQ_HOSTS."),
    _type("invalid-value", 422, "Invalid option or parameter",
          "An option, a parameter, or a member of the body is unknown or has an invalid value. "
          "The member field names it, and the detail has the values that are allowed."),
    _type("too-many-requests", 429, "Too many requests",
          "You sent more requests than you may send per minute. Send the request again after the "
          "number of seconds in Retry-After."),
    _type("too-many-wrong-keys", 429, "Too many wrong API keys",
          "Your IP address sent too many wrong API keys, so the service rejects all keys from it "
          "for a while. Correct the key, and try again after the number of seconds in "
          "Retry-After."),
    _type("too-many-jobs", 429, "Too many active jobs",
          "You have too many active jobs, or too many puzzles that aren't solved yet. Wait until "
          "some are finished, or cancel a job. Retry-After has a number of seconds to wait."),
    _type("headers-too-large", 431, "Request headers too large",
          "The headers of the request are too large. Delete cookies, or send fewer or shorter "
          "headers."),
    _type("internal-error", 500, "Internal error",
          "This is a bug in the service. Report it with the request_id, which the operator finds "
          "in the server log."),
    _type("not-implemented", 501, "Not implemented",
          "The request uses a feature of HTTP that this service doesn't support, such as an "
          "unknown method. Use one of the requests at /api/docs."),
    _type("unavailable", 503, "Service unavailable",
          "The service can't process the request now: Redis is unavailable or full, or no worker "
          "is ready. Send the request again after the number of seconds in Retry-After."),
    _type("queue-full", 503, "Queue full",
          "The service has too many active jobs of all clients together. Send the request again "
          "after the number of seconds in Retry-After."),
    _type("store-full", 503, "Store full",
          "Redis has too little memory left for another job. Delete jobs that you no longer need, "
          "or send the request again later, when old results have expired."),
)  # fmt: skip

PROBLEM_TYPES = {each.name: each for each in _TYPES}
_DEFAULTS = {each.status: each for each in reversed(_TYPES)}


def default_type(status: int) -> ProblemType:
    """Return the problem type that an HTTP status has by default.

    A status without a problem type counts as 400, or as 500 if it is 500 or more.
    """
    known = _DEFAULTS.get(status)
    return known or _DEFAULTS[500 if status >= 500 else 400]
