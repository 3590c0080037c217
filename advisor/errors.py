"""The one error a caller sees: a code, the field it is about, and what would be accepted."""

from collections.abc import Mapping, Sequence


class AdvisorError(ValueError):
    """Input, data or request that cannot be used.

    code: a key of `advisor.codes.ERRORS`; field: the input field or data cell, `table.key.column` for data;
    accepted: the values that would do, nearest first; values: what the sentence of the code names.
    """

    def __init__(
        self,
        code: str,
        field: str,
        accepted: Sequence[str] = (),
        values: Mapping[str, object] | None = None,
    ) -> None:
        self.code = code
        self.field = field
        self.accepted = tuple(accepted)
        self.values: dict[str, object] = {"field": field, "accepted": ", ".join(accepted), **(values or {})}
        super().__init__(f"{code}: {field}" + (f" (accepted: {', '.join(accepted)})" if accepted else ""))
