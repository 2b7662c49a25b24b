"""Measure the gain from more worker processes, and the load that they put on Redis.

python benchmarks/scaling.py [--workers 1,2,4,8] [--puzzles 200000] [--namespaces]

For each number of workers, with one slot each, this runs Redis, the web server, and the workers on
this machine. It uploads 17-clue puzzles, each of which is solved and verified, and prints the wall
time, and the CPU seconds of each part per million records. If the machine has fewer cores than
workers, the wall time means little, but the CPU seconds show the demand of each part.

With `--namespaces` (root on Linux, with `ip`), each worker has a separate network namespace and
connects to Redis with TCP over a virtual cable, as if it ran on another machine.
"""

import argparse
import os
import secrets
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from fairness import seventeens
from running import Processes, await_slots, descendants, find_port

from web.commands.command_lines import worker_command
from worker.private_redis import find_server

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and all its descendants, even those that ended."""
    ticks = sum(
        int(field)
        for number in (pid, *descendants(pid))
        if (stat := Path(f"/proc/{number}/stat")).exists()
        for field in stat.read_text().rpartition(")")[2].split()[11:15]
    )
    return ticks / _TICKS


@contextmanager
def namespace(number: int) -> Iterator[tuple[str, list[str]]]:
    """Create a network namespace for the block, which serves as another machine. Needs root.

    Yields this machine's address in it, and the prefix of commands that run in it. It is deleted at
    the end.
    """
    name, cable, net = f"sudokuq{number}", f"sudokuq-v{number}", f"10.203.{number}"
    inside = ["ip", "netns", "exec", name]
    for command in (
        ["ip", "netns", "add", name],
        ["ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name],
        ["ip", "address", "add", f"{net}.1/24", "dev", cable],
        ["ip", "link", "set", cable, "up"],
        [*inside, "ip", "address", "add", f"{net}.2/24", "dev", "eth0"],
        [*inside, "ip", "link", "set", "eth0", "up"],
        [*inside, "ip", "link", "set", "lo", "up"],
    ):
        subprocess.run(command, check=True)
    try:
        yield f"{net}.1", inside
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


def run(*, workers: int, puzzles: str, apart: bool) -> None:
    """Solve the puzzles with some workers, and print a row with the times.

    `puzzles` is the text of an upload. If `apart`, each worker has a separate network namespace.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        port, password = find_port(), secrets.token_hex(16)

        def address(host: str) -> str:
            return f"redis://:{password}@{host}:{port}/0"

        processes = Processes(address("127.0.0.1"), Path(folder))
        stack.callback(processes.stop)
        redis = processes.start(
            [str(find_server()), "--port", str(port), "--bind", "0.0.0.0" if apart else "127.0.0.1",
             "--requirepass", password, "--dir", folder, "--save", "", "--appendonly", "yes"],
            log="redis.log",
        )  # fmt: skip
        web_port = find_port()
        web = processes.web(port=web_port)
        pids = []
        for number in range(workers):
            host, inside = (
                stack.enter_context(namespace(number)) if apart else ("127.0.0.1", list[str]())
            )
            command = [*inside, *worker_command(concurrency=1)]
            worker = processes.start(
                command, log="worker.log", environment={"REDIS_URL": address(host)}
            )
            pids.append(worker.pid)
        url = f"http://127.0.0.1:{web_port}"
        await_slots(url, workers)
        parts = {"workers": pids, "Redis": [redis.pid], "web": [web.pid]}
        before = {name: sum(map(processor_seconds, pids)) for name, pids in parts.items()}
        began = time.monotonic()
        job = httpx.post(f"{url}/api/v1/jobs", content=puzzles, timeout=600).json()
        while job["state"] != "finished":
            path = f"{url}/api/v1/jobs/{job['id']}"
            job = httpx.get(path, params={"wait": 30}, timeout=60).json()
        seconds = time.monotonic() - began
        assert job["outcomes"]["solved"] == job["total"]
        millions = job["total"] / 1e6
        used = [
            f"{(sum(map(processor_seconds, pids)) - before[name]) / millions:.1f}"
            for name, pids in parts.items()
        ]
        cells = [str(workers), f"{seconds:.1f}", f"{job['total'] / seconds:,.0f}", *used]
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--workers", default="1,2,4,8", help="numbers of workers (default: %(default)s)"
    )
    parser.add_argument(
        "--puzzles", type=int, default=200_000, help="number of puzzles (default: %(default)s)"
    )
    parser.add_argument(
        "--namespaces", action="store_true", help="use a network namespace per worker"
    )
    options = parser.parse_args()
    puzzles = seventeens(options.puzzles, 1)
    print(
        "| workers | s | records/s | CPU s of workers | of Redis | of the web, a million records |"
    )
    print("|---|---|---|---|---|---|")
    for workers in map(int, options.workers.split(",")):
        run(workers=workers, puzzles=puzzles, apart=options.namespaces)


if __name__ == "__main__":
    main()
