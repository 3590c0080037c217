"""Six starts with one click: complete answers, spelled as an address spells them."""

from dataclasses import dataclass

from advisor.facts import Facts
from advisor.ui.answers import Answers, decode
from advisor.wording import N_


@dataclass(frozen=True, slots=True)
class Example:
    """One start: its name, and the address that it stands for."""

    label: str
    address: tuple[tuple[str, str], ...]


EXAMPLES = (
    Example(N_("Chat with an 8B model for a small team"), (("conc", "4"), ("busy", "0.2"))),
    Example(
        N_("A 70B service for many readers"),
        (("model", "llama-3.3-70b"), ("weights", "fp8"), ("conc", "64"), ("tps", "20"), ("busy", "0.6")),
    ),
    Example(
        N_("A code assistant with long context"),
        (("model", "qwen3-coder-30b-a3b"), ("ctx", "131072"), ("conc", "4"), ("tps", "40")),
    ),
    Example(N_("QLoRA of an 8B model"), (("task", "finetune"), ("method", "qlora"), ("data", "20000000"))),
    Example(N_("Ten thousand pictures"), (("task", "image"), ("job", "10000"))),
    Example(N_("Five-second videos"), (("task", "video"), ("job", "500"))),
)


def example_answers(example: Example, facts: Facts) -> Answers:
    """Return the answers of an example."""
    return decode(dict(example.address), facts)[0]
