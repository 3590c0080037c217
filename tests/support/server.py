"""The page served on a free port of this machine, for tests, screenshots and benchmarks."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 60
FIXED_DAY = "2026-12-01"
APP_ENVIRONMENT = {"ADVISOR_TODAY": FIXED_DAY}
"""The page lives on the day of the tests: prices age from it."""


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def running_app(
    log: Path, environment: Mapping[str, str] | None = None, script: str = "app.py"
) -> Iterator[str]:
    """Serve a page as `make run` serves app.py and yield its address; the output goes to `log`."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1"]
    with log.open("w", encoding="utf-8") as output:
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **APP_ENVIRONMENT, **(environment or {})},
            stdout=output,
            stderr=output,
        )
        try:
            wait_for_health(server, f"http://127.0.0.1:{port}", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=10)


def wait_for_health(server: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    """Return when the server answers; raises RuntimeError with its log when it ends or stays silent."""
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the page did not start: {log.read_text('utf-8')}")
