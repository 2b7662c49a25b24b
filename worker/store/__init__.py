"""Everything that is stored in Redis, except for Celery's queues."""
