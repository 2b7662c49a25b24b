from pathlib import Path

import pytest

from worker.settings import BadSetting, Settings

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "http"), ("SUDOKUQ_MAX_LIMIT", "0"), ("SUDOKUQ_MAX_JOBS", "1.5"),
     ("SUDOKUQ_RETENTION", "inf"), ("SUDOKUQ_LEASE_SECONDS", "nan"),
     ("SUDOKUQ_MEMORY_WATERMARK", "1.1"), ("PORT", "65536")],
)  # fmt: skip
def test_setting_that_cannot_be_used_is_named(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=variable):
        Settings.from_environment({variable: value})


def test_settings_have_defaults_and_come_from_the_environment() -> None:
    assert Settings.from_environment({}).port == 8000
    found = Settings.from_environment({"PORT": "81", "SUDOKUQ_API_KEYS": "a, b"})
    assert (found.port, found.api_keys) == (81, ("a", "b"))
    assert found.service_url == "http://127.0.0.1:81"
    assert str(Settings.from_environment({"XDG_STATE_HOME": "/state"}).data) == "/state/sudokuq"


def test_readme_lists_every_setting_with_its_default_and_unit() -> None:
    rows = []
    for name, (variable, _) in Settings.declared().items():
        default = getattr(Settings(), name)
        if default in (None, ()):
            shown = "none"
        elif isinstance(default, (str, Path)):
            shown = f"`{default}`"
        else:
            shown = f"{default:.10g} {variable.unit}".strip()
        rows.append(f"| `{variable.name}` | {shown} | {variable.meaning} |")
    head = "| variable | default | meaning |\n|---|---|---|\n"
    table = README.read_text().partition(head)[2].partition("\n\n")[0]
    assert table.splitlines() == rows
