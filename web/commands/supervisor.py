"""`sudokuq up`: runs a worker, the web server, and perhaps a private Redis under one supervisor."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import IO

import click
import httpx

from web.client import Client
from web.commands.command_lines import address_of, web_command, worker_command
from web.commands.compile_messages import Progress
from web.commands.listening import listen
from web.commands.remote import follow, upload
from worker.api_keys import first_key
from worker.connection import connect
from worker.private_redis import CannotStart, PrivateRedis, make_private
from worker.process_setup import die_with_parent
from worker.settings import Settings

# Maximum number of starts of a child before the service is ready.
_MAX_STARTS = 5
# If the service isn't ready after this time, a message states that the web server is starting.
_MOMENT_SECONDS = 3.0
# While the service starts, this message shows every minute that it isn't ready yet.
_MESSAGE_SECONDS = 60.0
_STILL_STARTING = "still starting; the first start compiles the engine for classic 9×9 puzzles"
# Time that a child has to shut down before it is killed.
_STOP_SECONDS = 30.0
# Pauses between checks of the running children, and of whether the service is ready.
_CHECK_SECONDS = 0.2
_READY_CHECK_SECONDS = 0.05
_MAX_LOG_BYTES = 64 << 20
# Maximum number of seconds between restarts of a child. One that ran longer than this restarts
# after a short pause again.
_LONGEST_PAUSE = 10.0
# Local addresses for a web server that listens on all interfaces.
_LOCAL = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


class _Stop(Exception):
    """Raised by signals that stop the service."""


@dataclass(slots=True)
class _Child:
    """A process of the service, which the supervisor restarts when it ends unexpectedly.

    files    descriptors that the process inherits
    pause    the minimum number of seconds between its last start and the next restart
    started  the monotonic time of its last start
    starts   how often it has been started
    """

    name: str
    command: list[str]
    log: IO[bytes]
    environment: dict[str, str]
    files: tuple[int, ...] = ()  # descriptors that the process inherits
    process: subprocess.Popen[bytes] | None = None
    pause: float = 0.5
    started: float = field(default=0.0)
    starts: int = 0

    def start(self) -> None:
        self.started = time.monotonic()
        self.starts += 1
        self.process = subprocess.Popen(
            self.command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            pass_fds=self.files,
            # In separate process groups, so that Ctrl-C reaches only the supervisor.
            process_group=0,
            preexec_fn=die_with_parent(),  # noqa: PLW1509 (one system call, no locks)
        )

    def restart_if_ended(self) -> None:
        """Restart the process if it has ended and its pause is over, and print a message about it.

        The pause grows with repeated failures. After the process has run for some time, it is short
        again.
        """
        if self.process is None or self.process.poll() is None:
            return
        if time.monotonic() - self.started > _LONGEST_PAUSE:
            self.pause = 0.5
        if time.monotonic() - self.started >= self.pause:
            self.pause = min(self.pause * 2, _LONGEST_PAUSE)
            click.echo(
                f"{self.name} ended unexpectedly (exit code {self.process.returncode}); "
                "restarting it",
                err=True,
            )
            self.start()

    def stop(self) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None


def run_up(settings: Settings, *, host: str, port: int, workers: int, sample: bool) -> None:
    """Run a worker and the web server until Ctrl-C, SIGTERM, or SIGHUP.

    Also runs a private Redis if the settings have no Redis URL. `workers` is the number of slow
    records on which the worker can work at the same time. If `sample`, the bundled sample is solved
    when the service is ready. Raises CannotStart or PortTaken if the service can't start.
    """
    # The supervisor keeps the socket open, so that no other program gets the port while the web
    # server starts or restarts.
    listener = listen(host.strip("[]"), port)
    # Only the owner may read puzzles, results, and logs, including those of the children.
    os.umask(0o077)
    _stop_on_signals()
    with ExitStack() as stack:
        try:
            _serve(stack, settings, listener=listener, workers=workers, sample=sample)
        except _Stop:
            click.echo("\nstopping …", err=True)


def _serve(
    stack: ExitStack, settings: Settings, *, listener: socket.socket, workers: int, sample: bool
) -> None:
    """Start a worker, the web server, and perhaps Redis, and restart those that end.

    This ends only with an exception. All that must be stopped or closed is added to `stack`.
    `listener` is the web server's socket. The other parameters are as in `run_up`.
    """
    make_private(settings.data)
    redis = None
    if settings.redis_url is None:
        redis = PrivateRedis(settings.data)
        click.echo(f"Redis     private, in {settings.data}", err=True)
        stack.callback(redis.stop)
        redis.start()
        settings = replace(settings, redis_url=redis.url)
    environment = os.environ | {"REDIS_URL": settings.redis_url or ""}
    descriptor = listener.fileno()
    commands = {
        "worker": (worker_command(concurrency=workers), ()),
        "web": (web_command(address=f"fd://{descriptor}"), (descriptor,)),
    }
    children = []
    for name, (command, inherited) in commands.items():
        log = stack.enter_context(_open_log(settings.data / f"{name}.log"))
        child = _Child(name, command, log, environment, inherited)
        stack.callback(child.stop)
        child.start()
        children.append(child)
    stack.enter_context(listener)  # no new connections while the web server stops
    click.echo(f"workers   {workers} processes, starting", err=True)
    host, port = listener.getsockname()[:2]
    url = f"http://{address_of(_LOCAL.get(host, host), port)}"
    _await_ready(url, children, settings.data)
    click.echo(f"web       {url}", err=True)
    if sample:
        _run_sample(url, settings)
    click.echo("Ctrl-C stops everything; jobs are kept.", err=True)
    progress = Progress(connect(settings.named_redis()))
    while True:
        time.sleep(_CHECK_SECONDS)
        if redis is not None and not redis.reachable:
            reason = "lost its socket" if redis.alive else "ended"
            click.echo(f"Redis {reason}; restarting it with its data", err=True)
            redis.restart()
        for child in children:
            child.restart_if_ended()
        progress.print_changes()
        for path in settings.data.glob("*.log"):
            rotate_log(path)


def _stop_on_signals() -> None:
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        for each in signals:  # a second signal must not interrupt the shutdown
            signal.signal(each, signal.SIG_IGN)
        raise _Stop

    for each in signals:
        if signal.getsignal(each) != signal.SIG_IGN:  # as with nohup
            signal.signal(each, stop)


def _open_log(path: Path) -> IO[bytes]:
    log = path.open("ab")
    path.chmod(0o600)  # an older version may have created it
    return log


def rotate_log(log: Path, *, max_bytes: int = _MAX_LOG_BYTES) -> None:
    """Copy a log to `.log.1` and empty it, if it is larger than `max_bytes`.

    The process that writes the log needn't reopen the file, because it appends. Errors are ignored.
    """
    with suppress(OSError):  # such as a full disk: the service continues
        if log.stat().st_size > max_bytes:
            shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)


def _await_ready(url: str, children: list[_Child], data: Path) -> None:
    """Wait until the service is ready, and restart processes that end until then.

    Compiling the engines may take minutes on a slow machine, so messages are printed meanwhile.
    Raises CannotStart if a process has ended too often. `data` is the folder with the logs, which
    messages mention.
    """
    began = time.monotonic()
    message_at = began + _MESSAGE_SECONDS
    is_announced = False
    with httpx.Client(timeout=5.0, trust_env=False) as client:  # making one takes 30 ms of CPU time
        while all(child.starts <= _MAX_STARTS for child in children):
            with suppress(httpx.TransportError):
                if client.get(f"{url}/readyz").is_success:
                    return
            for child in children:
                child.restart_if_ended()
            if not is_announced and time.monotonic() > began + _MOMENT_SECONDS:
                is_announced = True
                click.echo("web       starting …", err=True)
            if time.monotonic() > message_at:
                message_at += _MESSAGE_SECONDS
                click.echo(f"{_STILL_STARTING}; the logs are in {data}", err=True)
            time.sleep(_READY_CHECK_SECONDS)
    raise CannotStart(f"the service didn't start; see the logs in {data}")


def _run_sample(url: str, settings: Settings) -> None:
    """Solve the bundled sample, and print a summary and its page's URL to standard error."""
    client = Client(url, api_key=first_key(settings.api_keys), direct=True)
    with (files("solver") / "samples" / "sample.txt").open("rb") as file:
        job = upload(client, file, name="sample.txt", options={})
    job = follow(client, job["id"])
    outcomes = ", ".join(f"{n:,} {label}" for label, n in job["outcomes"].items() if n)
    click.echo(f"sample    {job['total']:,} puzzles: {outcomes}", err=True)
    click.echo(f"          {job['links']['page']}", err=True)
    sys.stderr.flush()
