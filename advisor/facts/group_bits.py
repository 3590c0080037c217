"""Bits a weight by tensor group."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class GroupBits:
    """Bits of one stored weight of each tensor group, scales included [bits]."""

    embedding: float
    lm_head: float
    attention: float
    linear_attention: float
    mlp: float
    experts: float
    shared_experts: float
    router: float
    norm: float
    vision: float
    other: float
