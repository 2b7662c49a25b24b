"""On phones, everything that can be tapped is 40 px high or more, apart from links in sentences."""

from collections.abc import Iterator

import httpx
import pytest
from browsing import CLASSIC, SLOW, TWICE
from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.redis]

MIRRORED = "".join(CLASSIC[start : start + 9][::-1] for start in range(0, 81, 9))

# Opens all sections, and returns the targets in them (or in an open menu) that are too small. What
# counts is the area where a tap has the same effect, which can be larger than what is drawn.
SMALL_TARGETS = """menu => {
    if (!menu) for (const part of document.querySelectorAll("details:not(.menu)")) part.open = true;
    const root = menu ? document.querySelectorAll("details.menu")[menu - 1] : document;
    const targets = "a[href], button, select, summary, textarea, input:not([type=hidden])";
    const effect = element => {
        const target = element?.closest(`${targets}, label`);
        return target?.href?.toString() ?? target?.control ?? target;
    };
    const isInSentence = link => {
        if (!link.matches("a") || getComputedStyle(link).display !== "inline") return false;
        return link.parentElement.textContent.trim() !== link.textContent.trim();
    };
    const heightOf = (element, block) => {
        element.scrollIntoView({ block, inline: "center" });
        const { left, width, top, height } = element.getBoundingClientRect();
        const x = left + width / 2, y = top + height / 2;
        const known = [element, ...element.labels ?? []].map(effect);
        const reacts = step => known.includes(effect(document.elementFromPoint(x, y + step)));
        if ([-19.5, 0, 19.5].every(reacts)) return 40;
        let [up, down] = [0, 0];
        while (up < 40 && reacts(-up)) up += 0.5;
        while (up + down < 40 && reacts(down)) down += 0.5;
        return up + down;
    };
    // Something can cover the middle of the window, such as a board that stays in view.
    const isLarge = element =>
        ["center", "end", "start"].some(block => heightOf(element, block) >= 39.5);
    const isShown = element => {
        const { width, height, right } = element.getBoundingClientRect();
        if (element.closest("[aria-hidden=true]")) return false;
        const isVisible = element.checkVisibility({ visibilityProperty: true });
        return isVisible && Math.min(width, height) > 1 && right > 0;
    };
    const small = [];
    for (const element of root.querySelectorAll(targets)) {
        if (!isShown(element) || element.disabled || isInSentence(element)) continue;
        if (menu && element.matches("details.menu > summary")) continue;
        const areas = [element, ...element.labels ?? []].filter(isShown);
        if (!areas.some(isLarge)) small.push(element.outerHTML.slice(0, 150));
    }
    return small;
}"""

OPEN_MENU = "menu => { document.querySelectorAll('details.menu')[menu - 1].open = true }"


@pytest.fixture
def phone(site: str, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def small_targets(page: Page, path: str) -> list[tuple[str, str]]:
    """Return the small targets of a page and of its first menus, each with the page's path."""
    page.goto(path)
    small = page.evaluate(SMALL_TARGETS, 0)
    for menu in range(1, min(page.locator("details.menu").count(), 3) + 1):
        page.evaluate(OPEN_MENU, menu)
        small += page.evaluate(SMALL_TARGETS, menu)
        page.keyboard.press("Escape")
    return [(path, target) for target in small]


@pytest.fixture(scope="module")
def job(site: str) -> str:
    """Return the path of a finished job with all kinds of results, and with duplicates."""
    records = {"Alpha": CLASSIC, "Beta": SLOW, "Gamma": TWICE, "Delta": f"1{'.' * 80}"}
    text = "puzzle,name\n" + "".join(f"{puzzle},{name}\n" for name, puzzle in records.items())
    text += f"{MIRRORED},Alpha mirrored\n" + f"{SLOW},more\n" * 60
    options = {"name": "book.csv", "rate": "true", "minlex": "true", "metadata[book]": "winter"}
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", params=options, content=text.encode()).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
    return f"/jobs/{job_id}"


@pytest.mark.parametrize(
    "path",
    ["/", "/make", "/my-jobs", "/workers", "/rules", "/techniques", "/formats", "/privacy",
     "/api/docs", "/errors", "/sign-in", "/jobs/nothing", "{job}", "{job}?view=gallery",
     "{job}?sort=-rating&offset=50", "{job}?search=nothing", "{job}/report", "{job}/duplicates",
     "{job}/book", "{job}/puzzles/1", "{job}/puzzles/3", "{job}/puzzles/4"],
)  # fmt: skip
def test_targets_are_large_enough_for_a_finger(phone: Page, job: str, path: str) -> None:
    assert small_targets(phone, path.format(job=job)) == []
