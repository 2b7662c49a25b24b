"""The reference has an entry for everything that the code declares.

Its entries show defaults, units, types, and pictures, and name functions as users import them. The
JSON of rules can be parsed.
"""

import json
import re

import msgspec
import pytest
from paths import ROOT

from docs_build.pages.result_fields import TYPES
from docs_build.reference import PARTS, fill
from solver import Puzzle, parse
from solver import __all__ as python_names
from solver.formats import FORMATS
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web.api.openapi import describe
from web.api.techniques_json import techniques_json
from web.commands.cli import main
from web.results.rows import RATED_FIELDS, Row
from web.schemas.problem_types import PROBLEM_TYPES
from worker.settings import Settings

TECHNIQUES = techniques_json()
EVERY_RULE: list[Variant | Rule] = [*VARIANTS.values(), *RULES.values()]
DECLARED = {
    "http-api": [f"`{path}`" for path in describe(Settings())["paths"]],
    "python": [
        f"### `{name}`"
        for name in (*python_names, "Client", "AsyncClient")
        if name != "__version__"
    ],
    "command-line": [f"## `sudokuq {name}`" for name in main.list_commands(None)],  # type: ignore[arg-type]
    "settings": [f"### {variable.name} {{" for variable, _ in Settings.declared().values()],
    "result-fields": [f"| `{name}` |" for name in (*Row.__struct_fields__, *RATED_FIELDS)],
    "errors": [f"## `{name}`" for name in PROBLEM_TYPES],
    "rules": [f"### {rule.title} {{ #{rule.name} }}" for rule in EVERY_RULE],
    "formats": [f"### `{each.name}`" for each in FORMATS],
    "techniques": [f"### {each.name}" for each in (*TECHNIQUES.hodoku, *TECHNIQUES.explainer)],
}


@pytest.mark.parametrize("name", PARTS)
def test_page_has_an_entry_for_each_declaration(name: str) -> None:
    page = fill((ROOT / "docs" / "reference" / f"{name}.md").read_text("utf-8"))
    assert [entry for entry in DECLARED[name] if entry not in page] == []
    assert "<!--" not in page


@pytest.mark.parametrize(("title", "type_"), TYPES.items())
def test_table_has_all_members_of_a_type(title: str, type_: type[msgspec.Struct]) -> None:
    entry = PARTS["result-fields"]().partition(f"## {title}\n")[2].partition("\n## ")[0]
    inherited = Row.__struct_fields__ if type_ is not Row and issubclass(type_, Row) else ()
    listed = re.findall(r"^\| `(\w+)` \|", entry, re.MULTILINE)
    assert listed == [name for name in type_.__struct_fields__ if name not in inherited]
    assert ("[a result](#a-result)" in entry) == bool(inherited)


def test_requests_list_the_job_options_that_they_take() -> None:
    entries = PARTS["http-api"]().split("\n### ")
    (preview,) = (entry for entry in entries if entry.startswith("POST `/api/v1/look`"))
    assert "[job options](#job-options): `format`, `box`, `variant`, `symbols`, `blank`." in preview


def test_defaults_of_python_functions_are_values() -> None:
    page = PARTS["python"]()
    assert "most_deductions: int = 10000," in page
    assert not re.search(r"^ .*= _\w", page, re.MULTILINE)


def test_python_functions_are_named_as_users_import_them() -> None:
    page = PARTS["python"]()
    assert "source           as for `sudokuq.solve`" in page
    assert "`solver.solve" not in page
    assert "`solver.explain`" not in page


def test_python_coroutines_are_shown_with_await() -> None:
    page = PARTS["python"]()
    assert "await AsyncClient.wait(job_id: str) -> Job\n" in page
    assert "\nAsyncClient.watch(job_id: str) -> AsyncGenerator[Job, None]\n" in page
    assert "\nClient.watch(job_id: str) -> Iterator[Job]\n" in page


def test_python_classes_that_functions_return_or_raise_have_entries() -> None:
    page = PARTS["python"]()
    returned = ("Difficulty", "Explanation", "Ending", "Position", "Step", "TrueCandidates")
    for name in (*returned, "Failure", "InvalidWebhook"):
        assert f"\n### `{name}`\n" in page
    assert "`Job` and `ResultFields` are dictionaries with the members of the HTTP API" in page


def test_types_of_nested_alternatives_are_unambiguous() -> None:
    assert "| `grid` | list of (list of (string or null)) or null |" in PARTS["http-api"]()


def test_settings_have_their_defaults_units_and_ranges() -> None:
    page = PARTS["settings"]()
    entries = dict(re.findall(r"^### (\w+) .*?^(Default: .*?)$", page, re.MULTILINE | re.DOTALL))
    assert entries["PORT"] == "Default: 8000 · Range: 0 to 65535"
    assert entries["REDIS_URL"] == "Default: none"
    week = "Default: 604800 s (7 days) · Range: 1 to 3153600000 s (100 years)"
    assert entries["SUDOKUQ_RETENTION"] == week
    assert entries["SUDOKUQ_MAX_WAITING"] == "Default: none · Range: at least 1"
    assert entries["SUDOKUQ_TRUSTED_PROXIES"] == "Default: `127.0.0.0/8,::1`"
    assert entries["SUDOKUQ_OPEN"] == "Default: `false`"
    assert entries["SUDOKUQ_LOG_FORMAT"] == "Default: `text`"


def test_settings_are_in_sections() -> None:
    page = PARTS["settings"]()
    assert page.startswith("## ")
    sections = [section.count("### ") for section in page.split("\n## ")]
    assert len(sections) == 9
    assert max(sections) <= 8


def entries_of_rules() -> dict[str, str]:
    """Return the entry of each rule on the page, by the name of the rule."""
    entries = PARTS["rules"]().split("\n### ")[1:]
    return {re.findall(r"\{ #(\w+) \}", entry)[0]: entry for entry in entries}


def test_index_of_rules_links_to_every_entry() -> None:
    index = PARTS["rules"]().partition("## Variants")[0]
    assert [rule for rule in EVERY_RULE if f"[{rule.title}](#{rule.name})" not in index] == []


def test_rules_have_pictures() -> None:
    assert [name for name, entry in entries_of_rules().items() if "<svg" not in entry] == []


def test_json_of_rules_can_be_parsed() -> None:
    for name, entry in entries_of_rules().items():
        constraint = json.loads(re.findall(r"``` json\n(.*?)\n```", entry, re.DOTALL)[0])
        board: dict[str, object] = {"puzzle": "." * 81}
        if name == "doppelganger":
            board = {"shape": "9x9", "size": 10, "lowest": 0}
        if name == "chaosconstruction":  # its cells are variables, one per cell of the grid
            board = {"shape": "2x2", "variables": constraint["cells"]}
        assert isinstance(parse(json.dumps({**board, "constraints": [constraint]}))[0], Puzzle)


def test_techniques_have_the_picture_of_a_step_and_the_text_of_their_example() -> None:
    entries = PARTS["techniques"]().split("\n### ")[1:]
    examples = {each.name: each.example for each in (*TECHNIQUES.hodoku, *TECHNIQUES.explainer)}
    for entry in entries:
        name = entry.partition("\n")[0]
        assert (f'aria-label="A step with {name}"' in entry) == bool(examples[name])
        assert f"\n{examples[name] or ''}" in entry
