"""Text in, answers out: no Redis, no Celery, no Flask, no clock, no network."""
