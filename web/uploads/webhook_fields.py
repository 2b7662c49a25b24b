"""The fields of an upload that request a webhook."""

from collections.abc import Mapping

from solver.board.display import shown
from worker.rejection import Rejection, RejectionKind
from worker.settings import Settings
from worker.store.webhooks import NewWebhook
from worker.webhooks.signing import EXPECTED_SECRET, read_secret
from worker.webhooks.targets import read_target

_URL, _SECRET = "webhook", "webhook_secret"


def read_webhook(
    fields: Mapping[str, object], settings: Settings, *, service_url: str
) -> NewWebhook | Rejection | None:
    """Return the webhook in the fields of an upload, or None if they request none.

    Returns a rejection if the fields are invalid, if the settings don't allow the host, or if there
    is no secret to sign the notification with. A secret in the fields is preferred to the one in
    the settings. `service_url` is the URL under which the client reaches the service.
    """
    url, secret = fields.get(_URL) or None, fields.get(_SECRET) or None
    if url is None:
        if secret is None:
            return None
        return _reject(_SECRET, "'webhook_secret' needs the option 'webhook'")
    if not isinstance(url, str):
        return _reject(_URL, f"'webhook' must be a URL, not {shown(url)}")
    if not settings.webhook_hosts:
        detail = (
            "this service sends no webhooks; the operator can allow hosts with "
            "SUDOKUQ_WEBHOOK_HOSTS"
        )
        return _reject(_URL, detail)
    target = read_target(url, settings.hosts_for_webhooks())
    if isinstance(target, str):
        return _reject(_URL, f"'webhook': {target}")
    if secret is None and settings.webhook_secret is None:
        detail = f"'webhook' needs a 'webhook_secret' that signs it: {EXPECTED_SECRET}"
        return _reject(_SECRET, detail)
    secret = secret or settings.webhook_secret
    if not isinstance(secret, str) or read_secret(secret) is None:
        return _reject(_SECRET, f"'webhook_secret' must be {EXPECTED_SECRET}")
    return NewWebhook(url, secret, service_url)


def _reject(field: str, detail: str) -> Rejection:
    return Rejection(RejectionKind.BAD_OPTION, detail, field=field)
