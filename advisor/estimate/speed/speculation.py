"""What speculative decoding gains: tokens that one step of the large model yields."""

from advisor.resolve.works import Draft, ServeWork

BUILT_IN_DRAFT_COST = 0.05
"""Time of a built-in draft layer or an n-gram match, as a share of a step of the model, for each drafted token."""


def tokens_per_step(work: ServeWork) -> float:
    """Return the gain of speculative decoding at small batch, 1 without it.

    Expected accepted tokens (1 - a^(k+1))/(1 - a) of k drafted with acceptance a (Leviathan et al. 2023, eq. 1), over
    the time of drafting.
    """
    draft = work.draft
    if draft is None:
        return 1.0
    accepted = _accepted_tokens(draft.acceptance, draft.tokens)
    return accepted / (1.0 + draft.tokens * _draft_cost(work, draft))


def _accepted_tokens(acceptance: float, drafted: int) -> float:
    return float(sum(acceptance**position for position in range(drafted + 1)))


def _draft_cost(work: ServeWork, draft: Draft) -> float:
    """Return the time of one drafted token as a share of a step: the ratio of the weights that are read."""
    if draft.model is None:
        return BUILT_IN_DRAFT_COST if draft.kind == "mtp" else 0.0
    return draft.model.parameters_active / work.model.parameters_active
