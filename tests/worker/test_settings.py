import pytest

from worker.setting_values import BadSetting
from worker.settings import Settings


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "http"), ("SUDOKUQ_MAX_LIMIT", "0"), ("SUDOKUQ_MAX_JOBS", "1.5"),
     ("SUDOKUQ_RETENTION", "inf"), ("SUDOKUQ_LEASE_SECONDS", "nan"),
     ("SUDOKUQ_MEMORY_WATERMARK", "1.1"), ("PORT", "65536")],
)  # fmt: skip
def test_invalid_setting_is_named(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=variable):
        Settings.from_environment({variable: value})


def test_settings_have_defaults_and_come_from_the_environment() -> None:
    assert Settings.from_environment({}).port == 8000
    found = Settings.from_environment({"PORT": "81", "SUDOKUQ_API_KEYS": "a, b"})
    assert (found.port, found.api_keys) == (81, ("a", "b"))
    assert found.service_url == "http://127.0.0.1:81"
    assert str(Settings.from_environment({"XDG_STATE_HOME": "/state"}).data) == "/state/sudokuq"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]"])
def test_on_loopback_no_key_is_needed(host: str) -> None:
    Settings().check_access(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.org", ""])
def test_elsewhere_a_key_is_needed_unless_it_is_waived(host: str) -> None:
    with pytest.raises(BadSetting, match="SUDOKUQ_API_KEYS"):
        Settings().check_access(host)
    Settings(api_keys=("k",)).check_access(host)
    Settings.from_environment({"SUDOKUQ_OPEN": "true"}).check_access(host)
    Settings(published="127.0.0.1").check_access(host)


def test_a_port_published_elsewhere_needs_a_key() -> None:
    with pytest.raises(BadSetting, match="reach 192"):
        Settings(published="192.0.2.1").check_access("127.0.0.1")
