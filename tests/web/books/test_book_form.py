"""The forms of the book page and the report page: each button sends what the form contains."""

import html
import re
from urllib.parse import parse_qsl, urlsplit

import pypdfium2
import pytest
from flask.testing import FlaskClient
from http_jobs import finished

from worker.service import Service

pytestmark = pytest.mark.redis

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_book_is_downloaded_with_the_options_in_the_form(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{EASY}\nnone")
    assert f'formaction="{path}/book/download"' in http.get(f"{path}/book").text
    # A form sends empty fields, "false" before each box, and the view of the list of results.
    form = "outcome=solved&view=gallery&title=The+20+hardest&author=&page=&cover=false&rules=false"
    query = f"{form}&rules=true"
    response = http.get(f"{path}/book/download?{query}", follow_redirects=True)
    assert response.status_code == 200, response.text
    assert "attachment" in response.headers["Content-Disposition"]
    book = pypdfium2.PdfDocument(response.data)
    assert book.get_metadata_value("Title") == "The 20 hardest"
    assert "puzzles" not in book[0].get_textpage().get_text_bounded()  # there is no cover sheet


def test_book_without_puzzles_leads_back_to_the_form_with_the_reason(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, EASY)
    query = "outcome=multiple&title=The+20+hardest"
    response = http.get(f"{path}/book/download?{query}", follow_redirects=True)
    assert response.request.path == f"{path}/book"
    assert "No puzzles are selected." in response.text
    assert 'value="The 20 hardest"' in response.text


def test_leaving_out_unfit_puzzles_keeps_the_options_in_the_form(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{EASY}\n{EASY}\nnone", minlex="true")
    assert (
        "Print only puzzles with one solution, each once</button>" in http.get(f"{path}/book").text
    )
    response = http.get(f"{path}/book?title=The+20+hardest&author=&unfit=without")
    url = urlsplit(response.headers["Location"])
    assert url.path == f"{path}/book"
    assert dict(parse_qsl(url.query)) == {
        "title": "The 20 hardest",
        "outcome": "solved",
        "duplicates": "without",
    }


def test_report_is_printed_with_the_options_of_the_page(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, f"{EASY}\nnone", rate="true")
    assert f'href="{path}/report.pdf"' in http.get(f"{path}/report").text
    other = finished(http, service, EASY, name="last book")
    page = http.get(f"{path}/report?against=http://localhost{other}&levels=").text
    [url] = re.findall(r'href="([^"]*/report.pdf[^"]*)"', page)
    response = http.get(html.unescape(url))
    assert response.status_code == 200, response.text
    texts = [
        page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(response.data)
    ]
    assert "last book" in " ".join(texts)
