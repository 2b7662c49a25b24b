"""Return the client's limits and their current use, as JSON."""

from web.access.authentication import service
from web.access.quotas import Quota, explanation_quotas, request_quotas, upload_quotas
from web.schemas import responses
from worker.job_details import MAX_KEY_LENGTH, MAX_PAIRS, MAX_VALUE_LENGTH, longest_expiry


def limits_json() -> responses.Limits:
    """Return the quotas of the current request's client, and the maximum values of the service."""
    settings = service().settings
    quotas = request_quotas() + upload_quotas() + explanation_quotas()
    return responses.Limits(
        quotas=[_quota_json(quota) for quota in quotas],
        maximums=responses.Maximums(
            upload_bytes=settings.max_upload_bytes,
            puzzles=settings.max_puzzles,
            record_bytes=settings.max_record_bytes,
            limit=settings.max_limit,
            step_limit=settings.max_step_limit,
            rate_seconds=settings.max_rate_seconds,
            expires_in=longest_expiry(settings),
            metadata_keys=MAX_PAIRS,
            metadata_key_length=MAX_KEY_LENGTH,
            metadata_value_length=MAX_VALUE_LENGTH,
        ),
    )


def _quota_json(quota: Quota) -> responses.Quota:
    return responses.Quota(
        name=quota.name,
        limit=quota.limit,
        used=quota.used,
        remaining=quota.remaining,
        window_seconds=quota.window,
        resets_in_seconds=quota.resets_in,
    )
