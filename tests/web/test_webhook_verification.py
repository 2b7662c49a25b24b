"""Receivers verify notifications with `sudokuq.verify_webhook`."""

import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from documented import documented_program
from receiver import SECRET
from standardwebhooks import Webhook

import sudokuq
from sudokuq import InvalidWebhook, verify_webhook

JOB = {"id": "a", "state": "finished"}
BODY = json.dumps(JOB)
OTHER = "whsec_b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldA=="


def signed(body: str = BODY, *, secret: str = SECRET, at: float = 0.0) -> dict[str, str]:
    """Return the headers that the reference implementation makes for a notification.

    It is sent `at` seconds from now.
    """
    moment = datetime.fromtimestamp(int(time.time() + at), UTC)
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(int(moment.timestamp())),
        "Webhook-Signature": Webhook(secret).sign("msg_1", moment, body),
    }


@pytest.mark.parametrize("body", [BODY, BODY.encode()])
def test_authentic_notification_is_returned_as_its_job(body: str | bytes) -> None:
    assert verify_webhook(body, signed(), SECRET) == JOB
    assert verify_webhook(body, signed(), SECRET.removeprefix("whsec_")) == JOB


def test_one_of_several_signatures_suffices() -> None:
    headers = signed()
    headers["Webhook-Signature"] = f"v2,x v1,AAAA {headers['Webhook-Signature']}"
    assert verify_webhook(BODY, headers, SECRET) == JOB


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"Webhook-Id": "msg_2"}, "signature"),
        ({"Webhook-Id": ""}, "no header webhook-id"),
        ({"Webhook-Timestamp": "1"}, "signature"),
        ({"Webhook-Timestamp": "soon"}, "isn't a number"),
        ({"Webhook-Timestamp": "²"}, "isn't a number"),
        ({"Webhook-Signature": ""}, "no header webhook-signature"),
        ({"Webhook-Signature": "v1,AAAA"}, "signature"),
        ({"Webhook-Signature": "v1,ä"}, "signature"),
    ],
)
def test_changed_header_is_rejected(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(InvalidWebhook, match=reason):
        verify_webhook(BODY, signed() | changes, SECRET)


def test_changed_body_and_other_secret_are_rejected() -> None:
    with pytest.raises(InvalidWebhook, match="signature"):
        verify_webhook(BODY + " ", signed(), SECRET)
    with pytest.raises(InvalidWebhook, match="signature"):
        verify_webhook(BODY, signed(secret=OTHER), SECRET)


@pytest.mark.parametrize("at", [-400.0, 400.0])
def test_recorded_notification_is_rejected_after_the_tolerance(at: float) -> None:
    headers: Any = signed(at=at)
    with pytest.raises(InvalidWebhook, match="the limit is 300 s"):
        verify_webhook(BODY, headers, SECRET)
    assert verify_webhook(BODY, headers, SECRET, tolerance=500) == JOB


def test_malformed_secret_is_an_error_of_the_receiver() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(BODY, signed(), "secret")


def test_verification_needs_only_the_standard_library() -> None:
    code = (
        "import sys, sudokuq; sudokuq.verify_webhook; "
        "assert not {'httpx', 'msgspec', 'numpy', 'redis'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert {"verify_webhook", "InvalidWebhook"} <= set(dir(sudokuq))


def test_the_documented_view_for_flask_accepts_only_authentic_notifications(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    names: dict[str, Any] = {"__name__": "app"}
    exec(documented_program("how-to/webhooks.md", "flask"), names)
    body = json.dumps(JOB | {"outcomes": {"solved": 1}})
    http = names["app"].test_client()
    assert http.post("/sudoku", data=body, headers=signed(body)).status_code == 204
    rejected = http.post("/sudoku", data=BODY, headers=signed(body))
    assert (rejected.status_code, "the signature doesn't match" in rejected.text) == (400, True)
