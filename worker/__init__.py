"""The queue: jobs in Redis, chunks through Celery, answers from the solver."""
