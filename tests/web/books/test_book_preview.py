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


def test_cover_is_in_the_middle_of_its_row_and_fills_it_on_phones(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{EASY}\n" * 6)
    wide, narrow = picture(http, path), picture(http, path, "narrow=true")
    places = (0.1, 0.3, 0.7, 0.9)
    assert [is_paper(wide, x, 100) for x in places] == [False, True, True, False]
    assert all(is_paper(narrow, x, 100) for x in places)
    assert wide.width == narrow.width
    # The pages after the cover are the same in both.
    rows = [image.crop((0, image.height - 600, *image.size)) for image in (wide, narrow)]
    assert rows[0].tobytes() == rows[1].tobytes()
    page = http.get(f"{path}/book").text
    for image in (wide, narrow):
        assert f'width="{image.width}" height="{image.height}"' in page
    assert "narrow=true" in page
