"""The images that a job's pages draw instead of its values."""

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
        """Store the images of a job's values 1, 2, …, instead of any earlier ones.

        An empty list removes the images.
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
        """Return the image of a value (from 1), or None."""
        if not 1 <= value <= MAX_SIZE:
            return None
        return cast("bytes | None", self._redis.lindex(JobKeys(job_id).pictures, value - 1))

    def count(self, job_id: str) -> int:
        """Return the number of values that have images."""
        return self._redis.llen(JobKeys(job_id).pictures)
