"""Put the findings of a report into words, for the page that shows their puzzles."""

from web.report.patterns import LABELS

_WORDS = {
    "publishable": "publishable",
    "identical": "identical to an earlier puzzle",
    "equivalent": "the same as an earlier puzzle, even if turned, mirrored, or renumbered",
    "transformed": "turned, mirrored, or renumbered copy of an earlier puzzle",
    "disagrees": "claimed level doesn’t fit the difficulty",
    "undecided": "not known to be unique",
    "wrong-solution": "wrong solution in the upload",
    "unrated": "not rated",
    "minimal": "minimal",
    "not-minimal": "not minimal",
    "givens-outliers": "unusual number of givens",
    "rating-outliers": "unusual rating",
    "symmetry-outliers": "without the usual symmetry",
    "minimality-outliers": "minimal or not, unlike most puzzles",
}


def describe(finding: str) -> str:
    """Return a finding in words. Unknown findings are returned unchanged."""
    key, _, value = finding.partition(":")
    words = {
        "givens": f"{value} givens",
        "symmetry": f"symmetry: {LABELS.get(value, value)}",
        "hardest": f"{value} is the hardest technique",
        "unrated": f"{value}, on other boards",
        "claim": f"claimed level {value}",
        "level": f"level {value.replace('/', ' of ')}",
        "against": "also in the other collection",
    }
    return words.get(key) or _WORDS.get(finding, finding)
