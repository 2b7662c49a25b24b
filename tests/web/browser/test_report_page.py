"""The page with the report on a job in a real browser."""

import httpx
import pytest
from browsing import CLASSIC, SLOW, TWICE
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

SAME = "".join(CLASSIC[start : start + 9][::-1] for start in range(0, 81, 9))
TABLE = (
    "puzzle,level,name\n"
    f"{CLASSIC},easy,Alpha\n{SLOW},hard,Beta\n{TWICE},easy,Gamma\n1{'.' * 80},easy,Delta\n"
    f"{SAME},easy,Mirrored\n{CLASSIC},hard,Again\n"
)


@pytest.fixture(scope="module")
def job(site: str) -> str:
    """Return the path of a finished job with several kinds of problems."""
    options = {"name": "book.csv", "rate": "true", "minlex": "true"}
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", params=options, content=TABLE.encode()).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    return f"/jobs/{job_id}"


def test_numbers_of_the_report_lead_to_the_puzzles_that_they_count(page: Page, job: str) -> None:
    page.goto(job)
    page.get_by_role("link", name="Report", exact=True).click()
    expect(page.get_by_role("heading", name="Report on book.csv")).to_be_visible()
    for label, names in (
        ("Publishable", ["Alpha", "Beta"]),
        ("Several solutions", ["Delta"]),
        ("Duplicates", ["Mirrored", "Again"]),
        ("Claimed level doesn’t fit", ["Again"]),
    ):
        number = page.locator(".findings div").filter(has_text=label).get_by_role("link")
        expect(number).to_have_text(str(len(names)))
        number.click()
        expect(page.locator("#results .name")).to_have_text(names)
        page.go_back()


def test_report_explains_problems_and_prints_as_pdf(page: Page, job: str) -> None:
    page.goto(f"{job}/report")
    problems = page.locator("#problems")
    expect(problems).to_contain_text("Two solutions differ in")
    expect(problems.get_by_role("row", name="Gamma")).to_contain_text("twice")
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
    file = page.request.get(f"{job}/report.pdf")
    assert file.headers["content-type"] == "application/pdf"
    assert file.body().startswith(b"%PDF-")


def test_puzzles_without_further_facts_are_listed_in_a_line(page: Page, site: str) -> None:
    text = "\n".join(["1" + "." * 80] * 3)
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", content=text).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    page.goto(f"/jobs/{job_id}/report")
    listed = page.get_by_role("list", name="Several solutions: 3 puzzles").get_by_role("link")
    expect(listed).to_have_text(["1", "2", "3"])
    boxes = [link.bounding_box() for link in listed.all()]
    assert len({box["y"] for box in boxes if box}) == 1


def test_report_compares_with_another_job(page: Page, job: str) -> None:
    page.goto(f"{job}/report")
    page.get_by_label("Compare with another job").fill(page.url)
    page.get_by_role("button", name="Compare").click()
    shared = page.locator(".findings div").filter(has_text="Also in the other collection")
    expect(shared.get_by_role("link")).to_have_text("6")


def test_tables_of_claimed_levels_fit_into_the_width_of_a_phone(page: Page, site: str) -> None:
    levels = ("easy", "medium", "hard", "very hard", "diabolical")
    values = str.maketrans("123456789", "234567891")
    puzzles, lines = [CLASSIC, SLOW], []
    for number in range(30):
        puzzles[number % 2] = puzzles[number % 2].translate(values)
        lines.append(f"{puzzles[number % 2]},{levels[number % 5]},No {number}")
    text = "\n".join(["puzzle,level,name", *lines])
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", params={"rate": "true"}, content=text).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/jobs/{job_id}/report")
    tables = page.locator("#claims .report-table")
    expect(tables).to_have_count(2)
    assert tables.evaluate_all("all => all.every(each => each.scrollWidth <= each.clientWidth)")


def test_long_lists_of_techniques_are_folded_on_screens_and_whole_on_paper(
    page: Page, site: str
) -> None:
    with httpx.Client(base_url=site, timeout=60) as http:
        body = {"count": 60, "seed": 7, "options": {"rate": True}}
        job_id = http.post("/api/v1/generate", json=body).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    page.goto(f"/jobs/{job_id}/report")
    techniques = page.locator("#techniques .report-table").filter(has_text="All techniques")
    shown = techniques.locator("tbody tr:visible")
    expect(shown).to_have_count(10)
    summary = techniques.locator("summary")
    number = int((summary.text_content() or "").split(",")[0].removeprefix("All "))
    assert number > 10
    summary.click()
    expect(shown).to_have_count(number)
    summary.click()
    page.emulate_media(media="print")
    expect(shown).to_have_count(number)


def test_numbers_and_sections_of_the_report_take_a_row_each_on_phones(page: Page, job: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{job}/report")
    for parts in (".findings div", ".chips a"):
        boxes = [box for each in page.locator(parts).all() if (box := each.bounding_box())]
        assert len({box["y"] for box in boxes}) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390
