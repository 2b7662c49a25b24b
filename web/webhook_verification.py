"""Verification of notifications, for the programs that receive them.

Any library for Standard Webhooks (https://www.standardwebhooks.com) does the same.
"""

import hmac
import json
import time
from collections.abc import Iterable
from typing import Any, Protocol

from worker.webhooks.signing import EXPECTED_SECRET, read_secret, sign

_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


class InvalidWebhook(Exception):
    """A request isn't an authentic notification. The message contains the reason."""


class Headers(Protocol):
    """Headers of a request: a dictionary, or the object of a web framework."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Return the names and values."""


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    secret: str,
    *,
    tolerance: float = 300.0,
) -> dict[str, Any]:
    """Return the job in a notification after verifying that the service has signed it.

    `body` is the body of the request exactly as it was received. `headers` are its headers with
    names in any case, as a dictionary or as your web framework provides them. `secret` is the
    `webhook_secret` of the job, or the one in the service's settings. A notification that was sent
    more than `tolerance` seconds before or after now is rejected, because an attacker may have
    recorded it.

    Receivers can get a notification several times. The header `webhook-id` is then the same.

    Raises InvalidWebhook if the notification isn't authentic, and ValueError if the secret is
    malformed.
    """
    key = read_secret(secret)
    if key is None:
        raise ValueError(f"the secret must be {EXPECTED_SECRET}")
    given = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in _HEADERS if not given.get(name)]
    if missing:
        raise InvalidWebhook(f"the request has no header {missing[0]}")
    message_id, timestamp, signatures = (given[name] for name in _HEADERS)
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise InvalidWebhook(f"the header webhook-timestamp isn't a number: {timestamp!r}")
    content = body.encode() if isinstance(body, str) else body
    expected = sign(key, message_id=message_id, timestamp=int(timestamp), body=content)
    # There are several signatures while a sender replaces its secret.
    if not any(
        hmac.compare_digest(signature.encode(), expected.encode())
        for signature in signatures.split(" ")
    ):
        raise InvalidWebhook("the signature doesn't match; is it the job's webhook_secret?")
    seconds = abs(time.time() - int(timestamp))
    if seconds > tolerance:
        raise InvalidWebhook(
            f"the time of the notification differs from now by {seconds:,.0f} s; the limit is "
            f"{tolerance:g} s"
        )
    job: dict[str, Any] = json.loads(content)
    return job
