"""The queue: jobs in Redis, chunks sent through Celery, results computed by the solver."""
