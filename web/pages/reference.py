"""Reference pages: all rules, all techniques, and the data that the service keeps."""

from collections.abc import Iterator

from flask import Blueprint, render_template, request

from solver.logic.rating.difficulty import LEVEL_WORDS, WORDS, word_for
from solver.logic.technique_table import GUESS, RULE_TECHNIQUES, Level
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web.access.job_owner import COOKIE
from web.api.techniques_json import techniques_json
from web.http import request_context
from web.pages.rule_pictures import rule_groups, rule_picture
from web.pages.rule_puzzles import rule_puzzles
from web.pages.search import has_words
from web.pages.technique_pictures import technique_pictures
from web.pages.technique_sentences import technique_sentence
from web.pages.variant_pictures import variant_pictures
from web.schemas.responses import Technique

_FROM_RULES = "steps from rules"  # the title of a group
_FOR_SUMS = ("3000", "3001", "3002", "3003")  # techniques for cages, which follow the others


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/rules")(rules)
    pages.get("/techniques")(techniques)
    pages.get("/privacy")(privacy)


def rules() -> str:
    """Show each rule with its picture, its sentence, and its JSON. Anchors are rule names.

    With the query parameter `q`, shows only rules whose names and sentence contain all its words.
    """
    query = request.args.get("q", "").strip()[:100]
    pictures = {name: picture for name, (_, picture) in variant_pictures().items()}
    groups = {
        title: [rule for rule in group if has_words(_searched(rule), query)]
        for title, group in ({"Whole grid": list(VARIANTS.values())} | rule_groups()).items()
    }
    for group in groups.values():
        for rule in group:
            if rule.name not in pictures:
                pictures[rule.name] = rule_picture(rule.name)
    return render_template(
        "rules.html",
        groups=groups,
        pictures=pictures,
        puzzles=rule_puzzles(),
        variants=VARIANTS,
        query=query,
    )


def _searched(rule: Rule | Variant) -> str:
    names = " ".join(rule.wording.other_names)
    return f"{rule.name} {rule.title} {names} {rule.wording.with_note}"


def techniques() -> str:
    """Show each technique with a picture, a sentence, and its ratings. Anchors are their codes.

    Guessing is left out. In each group, techniques for cages follow those for classic puzzles. The
    few without a picture come last, so that the cards of a row are equally high. The last group has
    the steps from rules of variants, which have no ratings. With the query parameter `q`, shows
    only techniques whose names and sentence contain all its words.
    """
    query = request.args.get("q", "").strip()[:100]
    groups: dict[str, list[tuple[Technique, str]]] = {word: [] for word in WORDS}
    found = techniques_json()
    for each in (*found.hodoku, *found.explainer):
        sentence = technique_sentence(each.code, each.name)
        searched = f"{each.name} {' '.join(each.other_names)} {sentence}"
        if each.code != GUESS and has_words(searched, query):
            groups[_word(each)].append((each, sentence))
    groups[_FROM_RULES] = [
        (each, sentence)
        for each, sentence in _steps_from_rules()
        if has_words(f"{each.name} {' '.join(each.other_names)} {sentence}", query)
    ]
    pictures = technique_pictures()
    for group in groups.values():
        group.sort(key=lambda entry: (entry[0].code not in pictures, entry[0].code in _FOR_SUMS))
    return render_template("techniques.html", groups=groups, pictures=pictures, query=query)


def _steps_from_rules() -> Iterator[tuple[Technique, str]]:
    """Yield the steps that only variants and boards that aren't classic need, with sentences."""
    for entry in RULE_TECHNIQUES.values():
        technique = Technique(
            code=entry.code, name=entry.name, other_names=entry.aliases, score=None, level=None,
            rating=None, usual=True, example=None,
        )  # fmt: skip
        yield technique, technique_sentence(entry.code, entry.name)


def _word(technique: Technique) -> str:
    """Return the difficulty word of a puzzle whose hardest step needs a technique.

    As for puzzles, it depends on Sudoku Explainer's rating, or else on HoDoKu's level.
    """
    if technique.rating is not None or technique.level is None:
        return word_for(technique.rating or 0)
    return LEVEL_WORDS[Level[technique.level.upper()]]


def privacy() -> str:
    """Show which data the service keeps about its users, and for how long."""
    settings = request_context.service().settings
    return render_template("privacy.html", settings=settings, cookie=COOKIE)
