"""What speculative decoding gains, and what it asks of a step: tokens that are checked and tokens that are kept."""

from advisor.resolve.works import Draft, ServeWork

BUILT_IN_DRAFT_COST = 0.05
"""Time of a built-in draft layer or an n-gram match, as a share of a step of the model, for each drafted token."""


def tokens_per_step(work: ServeWork) -> float:
    """Return the tokens that a step yields for each sequence, over the time of drafting; 1 without speculation.

    Expected accepted tokens (1 - a^(k+1))/(1 - a) of k drafted with acceptance a (Leviathan et al. 2023, eq. 1).
    """
    draft = work.draft
    if draft is None:
        return 1.0
    accepted = _accepted_tokens(draft.acceptance, draft.tokens)
    return accepted / (1.0 + draft.tokens * _draft_cost(work, draft))


def checked_tokens(work: ServeWork) -> float:
    """Return the tokens of each sequence that a step multiplies: the drafted ones and one more."""
    return 1.0 if work.draft is None else 1.0 + work.draft.tokens


def _accepted_tokens(acceptance: float, drafted: int) -> float:
    return float(sum(acceptance**position for position in range(drafted + 1)))


def _draft_cost(work: ServeWork, draft: Draft) -> float:
    """Return the time of one drafted token as a share of a step: the ratio of the weights that are read."""
    if draft.model is None:
        return BUILT_IN_DRAFT_COST if draft.kind == "mtp" else 0.0
    return draft.model.parameters_active / work.model.parameters_active
