"""PDF books: the contents and order of their pages, margins, fonts, chapters, and errors."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pikepdf
import pypdfium2
import pytest
from http_jobs import post, work
from pdf_operations import operations

from solver.logic.rating.difficulty import WORDS
from web.books import kdp
from web.books.entries import Entry, make_chapters
from web.books.formats import book_title
from worker.service import Service

pytestmark = pytest.mark.redis

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SAMURAI = {"grids": ["r1c1", "r1c13", "r7c7", "r13c1", "r13c13"], "givens": "." * 441}
BOARDS = [
    {"puzzle": EASY},
    {"puzzle": EASY, "constraints": [
        {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 8},
        {"type": "thermo", "cells": ["r1c2", "r1c1", "r2c1"]},
        {"type": "arrow", "cells": ["r6c9", "r6c8", "r5c9"]},
        {"type": "white", "cells": ["r1c1", "r1c2"]},
    ]},
    {"puzzle": "1" + "." * 255},
    {"puzzle": "." * 36, "box": "2x3"},
    SAMURAI,
]  # fmt: skip


def make(http: Any, service: Service, puzzles: list[Any], **options: Any) -> str:
    """Create a job, finish it, and return the URL of its results. Its limit is 1 by default."""
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in puzzles)
    job_id = post(http, text, **{"limit": "1"} | options).json["id"]
    work(service)
    return f"/api/v1/jobs/{job_id}/results"


def book(http: Any, url: str, query: str = "") -> bytes:
    response = http.get(f"{url}?format=pdf&{query}")
    assert response.status_code == 200, response.text
    assert response.content_type == "application/pdf"
    return bytes(response.data)


def texts(data: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(data)]


def fonts(pdf: pikepdf.Pdf) -> list[Any]:
    return [each for each in pdf.objects if getattr(each, "Type", None) == "/Font"]


@pytest.fixture
def url(http: Any, service: Service) -> str:
    return make(http, service, BOARDS)


def test_every_kind_of_board_is_printed_with_embedded_fonts(http: Any, url: str) -> None:
    pdf = pikepdf.open(io.BytesIO(book(http, url)))
    assert len(pdf.pages) > len(BOARDS)
    found = fonts(pdf)
    assert found
    for font in found:
        assert "/FontFile2" in font.FontDescriptor
        # The names of embedded subsets have a prefix of six letters.
        assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont))
    assert not any("/Image" in str(getattr(each, "Subtype", "")) for each in pdf.objects)


def test_pages_have_the_trim_size_and_the_bleed(http: Any, url: str) -> None:
    pdf = pikepdf.open(io.BytesIO(book(http, url, "page=170x240mm&bleed=3")))
    for page in pdf.pages:
        media, trim = ([float(each) for each in page[name]] for name in ("/MediaBox", "/TrimBox"))
        assert media[2:] == pytest.approx([176 / 25.4 * 72, 246 / 25.4 * 72], abs=0.1)
        assert trim == pytest.approx([8.5, 8.5, media[2] - 8.5, media[3] - 8.5], abs=0.1)


def test_book_has_a_cover_puzzles_rules_and_solutions(http: Any, url: str) -> None:
    pages = texts(book(http, url, "title=Train+Sudoku&author=A.+Setter"))
    assert "Train Sudoku" in pages[0]
    assert "A. Setter" in pages[0]
    assert "5 puzzles" in pages[0]
    together = "\n".join(pages)
    assert all(f"Puzzle {number}" in together for number in range(1, 6))
    assert "Thermometer: Digits strictly increase from the bulb to the tip." in " ".join(
        together.split()
    )
    assert "Solutions" in pages[-1]


def test_solutions_are_at_the_end_upside_down_or_nowhere(http: Any, service: Service) -> None:
    url = make(http, service, [EASY])
    end = texts(book(http, url, "cover=0&heads=0"))
    assert "1" + SOLVED in "".join(re.findall(r"\d", end[1]))
    turned = texts(book(http, url, "cover=0&solutions=upside-down"))
    assert len(turned) == 1
    assert len(re.findall(r"\d", turned[0])) >= 81 + 30
    assert len(texts(book(http, url, "cover=0&solutions=none"))) == 1


def test_chapters_cut_the_puzzles_into_levels(http: Any, service: Service) -> None:
    hard = "14.678.....9.41.8.........456..9..3....56....9.3.8...7...8..96..76.2.3..........5"
    url = make(http, service, [hard, EASY], rate="1", explain="1", limit="2")
    pages = texts(book(http, url, "chapters=2&hints=hints&title=Both"))
    # A chapter starts on the right, so the back of the cover sheet is blank.
    assert pages[1] == ""
    assert [page.split()[:2] for page in pages[2:5:2]] == [["Level", "1"], ["Level", "2"]]
    assert "easy" in pages[3]
    (hints,) = [page for page in pages[5:] if "Hints" in page]
    assert re.search(r"1\s+(Naked|Hidden) Single: look at", hints)
    assert re.search(r"2\s+After \d+ singles?, [\w\s-]+: look at", hints)
    long = texts(book(http, url, "hints=explanations"))
    assert any("Explanations" in page and "r1c3" in page for page in long)


def test_solutions_of_boards_with_and_without_rules_share_a_page(
    http: Any, service: Service
) -> None:
    solved = EASY[:6] + "." + EASY[7:]
    caged = {"puzzle": solved, "constraints": [{"type": "killer", "cells": ["r1c1"], "sum": 5}]}
    pages = texts(book(http, make(http, service, [caged, EASY]), "cover=0"))
    assert len(pages) == 2
    assert "Solutions" in pages[1]


def test_selection_and_order_apply(http: Any, service: Service) -> None:
    url = make(http, service, [EASY, "none", EASY], rate="1", limit="2")
    assert "1 puzzle" in texts(book(http, url, "outcome=solved&sort=-rating&count=1"))[0]


@pytest.mark.parametrize("query", ["solutions=upside-down&per_page=4", "large_print=1"])
def test_kdp_books_keep_to_margins_fonts_and_lines(query: str, http: Any, service: Service) -> None:
    url = make(http, service, BOARDS * 8)
    data = book(http, url, f"preset=kdp&title=KDP&{query}")
    pdf = pikepdf.open(io.BytesIO(data))
    assert 24 <= len(pdf.pages) <= 150
    assert "/Outlines" not in pdf.Root
    assert not pdf.docinfo.get("/Title")
    for page in pdf.pages:
        assert page["/TrimBox"] == page["/MediaBox"]
        for name, numbers, scale in operations(page):
            if name == "w":
                assert numbers[0] * scale >= kdp.MIN_LINE - 0.001
            if name == "Tf":
                assert numbers[-1] >= kdp.MIN_FONT
    for number, (left, bottom, right, top) in enumerate(margins_of(data), 1):
        assert (left if number % 2 else right) >= 0.375 * 72 - 0.5
        assert min(left, bottom, right, top) >= 0.25 * 72 - 0.5


def test_margins_of_books_with_bleed_are_inside_the_trim_size(http: Any, url: str) -> None:
    data = book(http, url, "bleed=5&solutions=upside-down&per_page=4")
    bleed = 5 / 25.4 * 72
    assert min(min(margins) for margins in margins_of(data)) >= bleed + 0.45 * 72


def margins_of(data: bytes) -> Iterator[tuple[float, float, float, float]]:
    """Yield the space left, below, right, and above the contents of each page that has any."""
    for sheet in pypdfium2.PdfDocument(data):
        ink = [each.get_bounds() for each in sheet.get_objects(max_depth=1)]
        if ink:
            left, bottom = (min(box[place] for box in ink) for place in (0, 1))
            right, top = (max(box[place] for box in ink) for place in (2, 3))
            yield left, bottom, sheet.get_width() - right, sheet.get_height() - top


def test_emoji_are_printed(http: Any, service: Service) -> None:
    url = make(http, service, ["🐸🍎🫐🍋" + "_" * 12])
    pdf = pikepdf.open(io.BytesIO(book(http, url)))
    assert any("NotoEmoji" in str(font.BaseFont) for font in fonts(pdf))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("page=leter", "Did you mean 'letter'?"),
        ("page=1x900in", "must be from 3 to 20 inches"),
        ("solutions=upsidedown", "Did you mean 'upside-down'?"),
        ("per_page=5", "Expected one of: 1, 2, 4, 6, 9, 12"),
        ("chapters=4", "rate"),
        ("hints=hints", "without the option explain"),
        ("bleed=99", "'bleed' must be a whole number from 0 to 20, not '99'"),
        ("cover=maybe", "'cover' must be true or false, not 'maybe'"),
        ("preset=kdp", "Amazon KDP prints 24 to 828"),
        ("outcome=invalid", "none of the selected results can be printed"),
    ],
)
def test_books_that_cannot_be_made_are_explained(
    query: str, words: str, http: Any, url: str
) -> None:
    response = http.get(f"{url}?format=pdf&{query}")
    assert response.status_code == 422
    assert words in response.json["detail"]


def test_each_difficulty_word_has_its_chapter() -> None:
    entries: list[Any] = [
        Entry(number, None, None, None, None, level)  # type: ignore[arg-type]
        for number, level in enumerate(["extreme", *WORDS, ""], 1)
    ]
    chapters = make_chapters(entries, "difficulty")
    assert [chapter.title for chapter in chapters] == [
        "Easy", "Medium", "Hard", "Very hard", "Diabolical", "Extreme", "Unrated"
    ]  # fmt: skip
    assert [entry.number for chapter in chapters for entry in chapter.entries] == [*range(1, 9)]


def test_levels_of_equal_size_are_those_that_reports_propose() -> None:
    known = [(2.0, 90), (None, None), (1.2, 300), (2.0, 80), (2.0, None)]
    entries: list[Any] = [
        Entry(number, None, None, rating, score, "")  # type: ignore[arg-type]
        for number, (rating, score) in enumerate(known, 1)
    ]
    chapters = make_chapters(entries, "2")
    assert [chapter.title for chapter in chapters] == ["Level 1", "Level 2", "Unrated"]
    found = [[(entry.rating, entry.score) for entry in chapter.entries] for chapter in chapters]
    assert found == [[known[2], known[4]], [known[3], known[0]], [known[1]]]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("book.sdm", "book"),
        ("BOOK.SDM", "BOOK"),
        ("book.sdm, rated", "book"),
        ("weekly.txt.gz", "weekly"),
        ("20 hard 9×9 puzzles", "20 hard 9×9 puzzles"),
        ("Sudoku Vol. 2", "Sudoku Vol. 2"),
        (".txt", ".txt"),
    ],
)
def test_the_usual_title_of_a_book_has_no_file_extension(title: str, expected: str) -> None:
    assert book_title(title) == expected
