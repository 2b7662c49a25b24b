"""Read the secrets of webhooks, and sign notifications (https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac

_PREFIX = "whsec_"
_MIN_BYTES, _MAX_BYTES = 24, 64
EXPECTED_SECRET = f"{_PREFIX} and {_MIN_BYTES} to {_MAX_BYTES} random bytes in Base64"


def read_secret(text: str) -> bytes | None:
    """Return the key that a secret contains, or None if the secret is invalid.

    The prefix `whsec_` is optional, as in other implementations. The rest is the key in Base64,
    which must have 24 to 64 bytes.
    """
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except ValueError:  # binascii.Error is one
        return None
    return key if _MIN_BYTES <= len(key) <= _MAX_BYTES else None


def sign(key: bytes, *, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature`: `v1,` and an HMAC-SHA256 in Base64.

    `timestamp` is that of the header `webhook-timestamp`, in seconds since 1970.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"
