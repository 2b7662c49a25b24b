"""The techniques, from the tables of both programs, with an example and the drawing of a step."""

from docs_build.boards import drawn_step
from docs_build.markdown import block, code, joined
from web.api.techniques_json import techniques_json
from web.pages.technique_pictures import technique_pictures
from web.schemas.responses import Technique

_ON_FRONT = "0702"  # XY-Chain, whose picture has links and eliminations


def front_picture() -> str:
    """Return the drawing of a step for the first page."""
    picture = technique_pictures()[_ON_FRONT]
    return drawn_step(picture, "A step of an explanation, an XY-Chain")


def write() -> str:
    """Return an entry per technique: first HoDoKu's, then the other ones of Sudoku Explainer."""
    found = techniques_json()
    return joined(
        "## HoDoKu's solving order",
        "In this order, from easy to hard. `explain` uses these techniques by default.",
        *map(_entry, found.hodoku),
        "## Sudoku Explainer's other techniques",
        "By rating. Ratings use them, and so does `explain --order explainer`.",
        *map(_entry, found.explainer),
    )


def _entry(technique: Technique) -> str:
    example, pictures = technique.example, technique_pictures()
    facts = [f"Code {code(technique.code)}"]
    if technique.rating is not None:
        facts.append(f"SE rating {technique.rating:.1f}")
    if technique.score is not None:
        facts.append(f"HoDoKu score {technique.score}, {technique.level}")
    if not technique.usual:
        facts.append("off by default")
    return joined(
        f"### {technique.name}",
        drawn_step(pictures[technique.code], f"A step with {technique.name}") if example else "",
        f"Also called {', '.join(technique.other_names)}." if technique.other_names else "",
        " · ".join(facts),
        joined("A puzzle that needs it:", block(example, "{ .text .puzzle }")) if example else "",
    )
