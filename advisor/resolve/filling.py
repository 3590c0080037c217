"""Keeping the record of what was left open and filled."""

from typing import TypeVar

from advisor.codes import Assumption, Message

Value = TypeVar("Value")


class Filling:
    """Collects assumptions and warnings while a workload is resolved."""

    def __init__(self) -> None:
        self.assumed: list[Assumption] = []
        self.warnings: list[Message] = []

    def fill(self, field: str, given: Value | None, default: Value, reason: str = "default") -> Value:
        """Return what was given, or the default, which is then recorded with its reason."""
        if given is not None:
            return given
        self.assume(field, default, reason)
        return default

    def assume(self, field: str, value: object, reason: str) -> None:
        """Record an assumption."""
        self.assumed.append(Assumption(field, value, reason))

    def warn(self, warning: Message) -> None:
        """Record a warning."""
        self.warnings.append(warning)
