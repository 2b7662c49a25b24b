"""Real workers and web servers log JSON from the first line, with job ids, without repetition.

A worker whose consumer fails exits with an error.
"""

import json
import logging
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from breaking import TINY, submit
from redis.exceptions import ConnectionError as ConnectionLost
from running import Processes
from services import wait_for_job, wait_until

from web.commands.command_lines import web_command, worker_command
from worker.logs import LogFormat, Repeats, formatter, logging_about
from worker.process.heartbeat import Heartbeat
from worker.service import Service

pytestmark = pytest.mark.redis
AS_JSON = {"SUDOKUQ_LOG_FORMAT": "json"}
# A worker whose Celery consumer fails permanently.
BROKEN = """
from celery.worker.consumer.consumer import Consumer
def breaks(self):
    raise RuntimeError("a test")
Consumer.start = breaks
from web.commands.cli import main
main(["worker", "--concurrency", "1"])
"""


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_line_of_a_workers_log_is_json_and_names_its_chunk(
    queue: Service, crew: Processes, tmp_path: Path
) -> None:
    worker = crew.start(worker_command(concurrency=1), log="json.log", environment=AS_JSON)
    wait_until(lambda: queue.registry.slots() == 1)
    job_id = submit(queue, TINY)
    wait_for_job(queue, job_id)
    queue.app.send_task("sudokuq.solve_chunk", args=["bad"], queue="sudokuq.big")
    wait_until(lambda: "TypeError" in (tmp_path / "json.log").read_text())
    worker.terminate()
    assert worker.wait(60) == 0
    lines = lines_of(tmp_path / "json.log")
    assert any("shutdown" in line["message"] for line in lines)
    of_chunk = [line for line in lines if line.get("job") == job_id[:6] + "…"]
    assert [line["chunk"] for line in of_chunk][:2] == [0, 0]
    assert {"received", "succeeded"} <= {
        word for line in of_chunk for word in line["message"].split()
    }
    assert job_id not in (tmp_path / "json.log").read_text()


def test_every_line_of_a_web_server_that_cannot_listen_is_json(
    crew: Processes, tmp_path: Path, free_port: int
) -> None:
    with socket.create_server(("127.0.0.1", free_port)):
        command = web_command(address=f"127.0.0.1:{free_port}")
        web = crew.start(command, log="json.log", environment=AS_JSON)
        assert web.wait(60) != 0
    lines = lines_of(tmp_path / "json.log")
    assert {line["logger"] for line in lines} == {"gunicorn.error"}
    assert any("in use" in line["message"] for line in lines)


def test_heartbeat_messages_name_their_chunk(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def lost() -> bool:
        raise ConnectionLost("away")

    caplog.handler.setFormatter(formatter(LogFormat.JSON))
    with (
        logging_about("0123456789", chunk=3),
        Heartbeat(lost, lease=0.05),
        caplog.at_level(logging.WARNING),
    ):
        wait_until(lambda: caplog.records)
    line = json.loads(caplog.text.splitlines()[0])
    assert (line["job"], line["chunk"]) == ("012345…", 3)


def test_repeated_warnings_are_summarized_with_their_number() -> None:
    now = 0.0
    repeats = Repeats(clock=lambda: now)
    written = []
    for number in range(250):
        now = number / 10
        for level, text in ((logging.WARNING, "full"), (logging.INFO, "news")):
            record = logging.LogRecord("a", level, "", 0, "%s", (text,), None)
            if repeats.filter(record):
                written.append(record.getMessage())
    assert written.count("news") == 250
    warnings = [text for text in written if text != "news"]
    assert [text.partition(" (")[0] for text in warnings] == ["full"] * 3
    assert "99 more times" in warnings[1]
    for number in range(10_000):
        repeats.filter(logging.LogRecord("a", logging.ERROR, "", 0, str(number), (), None))
    assert len(repeats._written) < 1_000


def test_worker_that_starts_on_a_full_redis_logs_a_few_lines(
    queue: Service, crew: Processes, tmp_path: Path
) -> None:
    queue.redis.config_set("maxmemory", 1)
    worker = crew.start(worker_command(concurrency=1), log="json.log", environment=AS_JSON)
    log = tmp_path / "json.log"
    wait_until(lambda: "Cannot connect" in (log.read_text() if log.exists() else ""))
    time.sleep(12)
    assert len(lines_of(log)) < 12
    queue.redis.config_set("maxmemory", 0)
    wait_until(lambda: queue.registry.slots() == 1)
    assert worker.poll() is None


def test_worker_whose_consumer_fails_exits_with_an_error(crew: Processes, tmp_path: Path) -> None:
    worker: subprocess.Popen[bytes] = crew.start([sys.executable, "-c", BROKEN], log="broken.log")
    assert worker.wait(120) == 1
    assert "Unrecoverable" in (tmp_path / "broken.log").read_text()
