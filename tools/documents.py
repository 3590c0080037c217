"""Keep the program's output in the documentation as the program writes it.

    python -m tools.documents update    run every command of a console block and put its output below it
    python -m tools.documents check     the same without writing; exit status 1 when a block is out of date

A console block begins with a line `$ command`, which may go on over lines that end in a backslash; the rest of the
block is the output.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (ROOT / "docs" / "cli.md",)
CONSOLE = re.compile(
    r"(?<=^```console\n)\$ (?P<command>(?:[^\n]*\\\n)*[^\n]*\n)(?P<output>(?:(?!```)[^\n]*\n)*)(?=```$)",
    re.MULTILINE,
)


def output_of(command: str) -> str:
    """Run a shell command as the reader would, with the interpreter that runs this."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.stderr:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def with_outputs(text: str) -> str:
    """Return a document with the present output under each command."""
    return CONSOLE.sub(lambda block: f"$ {block['command']}{output_of(block['command'])}", text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Keep the program's output in the documentation up to date.")
    parser.add_argument("action", choices=("update", "check"))
    action = parser.parse_args().action
    stale = []
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        present = with_outputs(text)
        if present != text:
            stale.append(path)
            if action == "update":
                path.write_text(present, "utf-8")
    for path in stale:
        print(f"{path.relative_to(ROOT)} {'brought up to date' if action == 'update' else 'is out of date'}")
    return int(action == "check" and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
