"""Starting the service with ports in use, existing folders, proxies, and any kind of URL.

Also tested are its log, its messages while it starts, and where compiled code is kept.
"""

import errno
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from paths import ROOT
from services import read_until, start_up

from web.client import Client, Failure
from web.commands import supervisor
from web.commands.cli import main
from web.commands.command_lines import address_of
from worker.private_redis import CannotStart, make_private
from worker.settings import Settings

NOBODY = "http://127.0.0.1:9"  # no server listens on this port


@pytest.mark.redis
@pytest.mark.usefixtures("on_path")
def test_up_starts_on_ipv6_with_proxies_in_the_environment(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not _has_ipv6():
        pytest.skip("this machine has no IPv6")
    monkeypatch.setenv("SUDOKUQ_HOST", "::1")
    monkeypatch.setenv("http_proxy", NOBODY)
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:9")
    service = start_up(tmp_path, free_port, "--sample")
    said = read_until(service, "Ctrl-C")
    assert f"web       http://[::1]:{free_port}\n" in said
    assert "500 puzzles: 500 solved" in said
    service.terminate()
    service.communicate()


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.redis
@pytest.mark.usefixtures("on_path")
def test_port_is_taken_before_the_web_has_started(tmp_path: Path, free_port: int) -> None:
    first = start_up(tmp_path / "first", free_port)
    read_until(first, "workers")
    second = start_up(tmp_path / "second", free_port)
    message = second.communicate(timeout=60)[1]
    assert "can't listen" in message
    assert "if sudokuq is already running there, use it or stop it" in message
    first.terminate()
    first.communicate()


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("[::1]", "[::1]:80"), ("a.b", "a.b:80")],
)
def test_addresses_of_ipv6_have_brackets(host: str, address: str) -> None:
    assert address_of(host, 80) == address


@pytest.mark.parametrize(
    "arguments",
    [("up", "--workers", "0"), ("up", "--port", "65536"), ("worker", "--concurrency", "-1"),
     ("web", "--port", "-1")],
)  # fmt: skip
def test_numbers_out_of_bounds_are_refused(arguments: tuple[str, ...]) -> None:
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 2
    assert f"Invalid value for '{arguments[1]}'" in found.stderr


@pytest.mark.parametrize(
    "url", ["localhost", "http://127.0.0.1:9", "redis://127.0.0.1:x/0", "redis://:a/b@127.0.0.1:9"]
)
@pytest.mark.parametrize("command", ["web", "worker", "up"])
def test_invalid_redis_url_is_reported(
    url: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    found = CliRunner().invoke(main, [command])
    assert found.exit_code == 2
    assert "REDIS_URL: expected redis://" in found.stderr
    assert url not in found.stderr


def test_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "below"):
        with pytest.raises(CannotStart, match=f"{folder} .*SUDOKUQ_DATA"):
            make_private(folder)


def test_folder_that_is_open_to_others_and_has_files_of_theirs_is_left_to_them(
    tmp_path: Path,
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    (shared / "theirs").touch()
    with pytest.raises(CannotStart, match="contains other files"):
        make_private(shared)
    assert shared.stat().st_mode & 0o777 == 0o755
    (shared / "lock").touch()  # an older version may have created it with wider permissions
    make_private(shared)
    assert shared.stat().st_mode & 0o777 == 0o700


def test_waiting_for_the_service_makes_only_one_http_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses = iter([503, 503, 200])
    clients = []
    make = httpx.Client

    def make_client(**options: object) -> httpx.Client:
        del options
        respond = httpx.MockTransport(lambda _: httpx.Response(next(statuses)))
        clients.append(make(transport=respond))
        return clients[-1]

    monkeypatch.setattr(httpx, "Client", make_client)
    supervisor._await_ready(NOBODY, [], tmp_path)
    assert len(clients) == 1
    assert next(statuses, None) is None


def test_slow_start_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses = iter([503, 200])
    respond = httpx.MockTransport(lambda _: httpx.Response(next(statuses)))
    client = httpx.Client(transport=respond)
    monkeypatch.setattr(httpx, "Client", lambda **_: client)
    monkeypatch.setattr(supervisor, "_MESSAGE_SECONDS", 0.0)
    supervisor._await_ready(NOBODY, [], tmp_path)
    message = capsys.readouterr().err
    assert "the first start compiles the engine for classic 9×9 puzzles" in message
    assert str(tmp_path) in message


def test_wait_for_the_web_server_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses: list[int] = []
    respond = httpx.MockTransport(lambda _: httpx.Response(statuses.pop(0)))
    make = httpx.Client
    monkeypatch.setattr(httpx, "Client", lambda **_: make(transport=respond))
    for moment, messages in ((0.0, 1), (60.0, 0)):
        statuses += [503, 503, 503, 200]
        monkeypatch.setattr(supervisor, "_MOMENT_SECONDS", moment)
        supervisor._await_ready(NOBODY, [], tmp_path)
        assert capsys.readouterr().err == "web       starting …\n" * messages


def test_make_run_checks_the_port_before_it_installs_anything() -> None:
    command = ["make", "--dry-run", "--always-make", "PYTHON=python3", "run"]
    plan = subprocess.check_output(command, cwd=ROOT, text=True)
    assert plan.index("web.commands.listening") < plan.index("pip install")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        variables = {"PORT": str(taken.getsockname()[1]), "SUDOKUQ_HOST": ""}
        check = subprocess.run(
            # With -S, no installed package can be imported.
            [sys.executable, "-S", "-m", "web.commands.listening"],
            env=os.environ | variables, cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert check.returncode == 1
    assert f"can't listen on 127.0.0.1:{variables['PORT']}" in check.stderr
    assert "if sudokuq is already running there, use it or stop it" in check.stderr


def test_log_that_cannot_be_copied_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    log = tmp_path / "web.log"
    log.write_bytes(b"long")
    monkeypatch.setattr(shutil, "copyfile", full)
    supervisor.rotate_log(log, max_bytes=3)
    assert log.read_bytes() == b"long"


def test_requests_to_this_machine_use_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, NOBODY)
    for url, direct, is_proxied in (
        ("http://127.0.0.1:8000", False, False),
        ("http://[::1]:8000", False, False),
        ("http://localhost:8000", False, False),
        ("http://sudoku.example", False, True),
        ("http://sudoku.example", True, False),
    ):
        with Client(url, direct=direct) as client:
            transport = client._http._transport_for_url(httpx.URL(url))
            assert (transport is not client._http._transport) == is_proxied, url


@pytest.mark.parametrize("url", ["sudoku.example", "127.0.0.1:8000", "ftp://a", "http://a:b"])
def test_invalid_service_url_is_reported(url: str) -> None:
    with pytest.raises(Failure, match="isn't a valid"):
        Client(url)


def test_proxies_and_certificates_that_cannot_be_used_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("all_proxy", "nonsense://x"), ("SSL_CERT_FILE", "/none")):
        with monkeypatch.context() as environment:
            environment.setenv(name, value)
            with pytest.raises(Failure, match="in the environment"):
                Client("https://sudoku.example")


def test_user_without_a_home_directory_is_asked_for_a_data_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", none)
    settings = Settings.from_environment({})
    with pytest.raises(CannotStart, match=r"no home .* SUDOKUQ_DATA"):
        make_private(settings.data)


_FOLDERS = """
import sys, warnings
from pathlib import Path
from solver.compiling import cache_folder
cache_folder._PACKAGE = Path("/proc/none")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    print(cache_folder.cache_folder(), len(said), cache_folder.cache_folder().is_dir())
"""


@pytest.mark.parametrize("home", ["", "/proc/none"])
def test_compiled_code_is_kept_for_a_while_where_no_folder_can_be_written_to(home: str) -> None:
    environment = {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": "/proc/none"}
    environment |= {"HOME": home, "XDG_CACHE_HOME": "/proc/none"}
    command = [sys.executable, "-c", _FOLDERS]
    folder, warned, was_there = subprocess.check_output(command, env=environment, text=True).split()
    assert (warned, was_there) == ("1", "True")
    assert not Path(folder).exists()
