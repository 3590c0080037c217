"""The command line: JSON lines in and out, a readable table on a terminal. English only."""

import argparse
import os
import sys
from collections.abc import Sequence

from advisor.cli import check_data, diagnose, estimate, gpus, models, rank
from advisor.cli.sentences import error_sentence
from advisor.errors import AdvisorError

OK, SOME_ERRORS, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130

DESCRIPTION = """\
How much GPU memory a generative model needs, how fast it runs, and which cloud offer to rent for it.

Commands read questions as JSON, one object a line, from standard input or from files, and answer each with one line
of JSON. On a terminal they print a readable table instead; --json and --table choose. A question that cannot be
answered gives an object with `error`, the others go on, and the exit status is 1.
"""

EXAMPLES = """\
examples:
  What does Llama 3.1 8B need on an H100, and how fast does it answer?
    echo '{"workload": {"task": "serve", "model": "llama-3.1-8b"}, "deployment": {"gpu": "h100"}}' \\
      | python -m advisor estimate

  What should I rent for it?
    echo '{"workload": {"task": "serve", "model": "llama-3.1-8b"}}' | python -m advisor rank --limit 5

  Which names can I use?
    python -m advisor models llama 8b
    python -m advisor gpus --memory-at-least 80

`python -m advisor COMMAND --help` explains a command with examples of its own.
"""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="python -m advisor",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (estimate, rank, diagnose, models, gpus, check_data):
        module.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, 1 when a question had an error, 2 when nothing could be run."""
    options = build_parser().parse_args(arguments)
    try:
        return SOME_ERRORS if options.run(options) else OK
    except AdvisorError as error:
        sys.stderr.write(error_sentence(error) + "\n")
        return CANNOT_RUN
    except BrokenPipeError:
        # The reader has seen enough (`| head`); Python would complain again while closing the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        sys.stderr.write(f"{error.filename or 'The input'}: {error.strerror}.\n")
        return CANNOT_RUN
    except KeyboardInterrupt:
        return INTERRUPTED
