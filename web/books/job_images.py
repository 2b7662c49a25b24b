"""Read the images that a job's boards show instead of symbols."""

from web.boards.symbol_images import image_kind
from web.http import request_context
from worker.job import Job


def job_images(job: Job) -> list[tuple[str, bytes]]:
    """Return the media type and the bytes of the image for each value of a job's boards.

    The list is empty if the job has no images.
    """
    store = request_context.service().images
    found = (store.get(job.id, value) for value in range(1, store.count(job.id) + 1))
    return [(image_kind(data) or "image/png", data) for data in found if data is not None]
