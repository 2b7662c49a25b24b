"""The picture of the first pages of a book."""

import io

import pytest
from flask.testing import FlaskClient
from http_jobs import finished
from PIL import Image

from worker.service import Service

pytestmark = pytest.mark.redis

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def picture(http: FlaskClient, path: str, query: str = "") -> Image.Image:
    answer = http.get(f"{path}/book/preview.png?{query}")
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.data))


def is_paper(image: Image.Image, x: float, y: int) -> bool:
    """Return whether a page covers a point of the image.

    `x` is a share of the image's width, and `y` is in pixels from the top.
    """
    pixel = image.getpixel((int(x * image.width), y))
    assert isinstance(pixel, tuple)
    return pixel[3] > 0


def test_cover_is_next_to_the_first_pages_and_larger_pages_are_below(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{EASY}\n" * 6)
    image = picture(http, path)
    small, large = 100, image.height - 100
    assert [is_paper(image, x, small) for x in (0.01, 0.2, 0.345, 0.5, 0.8)] == [
        False, True, False, True, True
    ]  # fmt: skip
    assert [is_paper(image, x, large) for x in (0.01, 0.1, 0.4, 0.6, 0.9)] == [False] + [True] * 4
    page = http.get(f"{path}/book").text
    assert f'width="{image.width}" height="{image.height}"' in page
