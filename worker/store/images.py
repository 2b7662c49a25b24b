"""Store the images that a job's pages draw instead of the values in cells."""

from typing import cast

from redis import Redis

from solver.board.layout import MAX_SIZE
from worker.store import keys
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts


class ImageStore:
    """Images by job and value. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._scripts = Scripts(redis)

    def replace(self, job_id: str, images: list[bytes]) -> None:
        """Store the images of a job's values 1, 2, …, in this order, and remove all earlier images.

        An empty list only removes the earlier images. Stores nothing if the job doesn't exist.
        """
        job = JobKeys(job_id)
        part = job.new_part()
        if images:
            with self._redis.pipeline() as pipe:
                pipe.delete(part)  # written by an earlier attempt whose response was lost
                pipe.rpush(part, *images)
                pipe.expire(part, keys.TAKEN_WITHIN)
                pipe.execute()
        self._scripts.run("replace_images", job, part=part)

    def get(self, job_id: str, value: int) -> bytes | None:
        """Return the image of a value (from 1), or None if the value has no image."""
        if not 1 <= value <= MAX_SIZE:
            return None
        return cast("bytes | None", self._redis.lindex(JobKeys(job_id).pictures, value - 1))

    def count(self, job_id: str) -> int:
        """Return the number of a job's values that have images.

        They are the values from 1 to this number.
        """
        return self._redis.llen(JobKeys(job_id).pictures)
