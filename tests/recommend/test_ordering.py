"""Ties within 1 % count as equal, measured from the best of each run."""

import numpy as np

from advisor.recommend.ordering import tie_numbers


def test_figures_within_one_percent_are_one_run() -> None:
    key = np.array([100.0, 100.9, 101.0, 101.1, 102.2, 103.0])
    tier = np.zeros(6, dtype=np.int64)
    assert tie_numbers(key, tier).tolist() == [0, 0, 0, 1, 2, 2]


def test_a_tier_never_ties_with_another() -> None:
    assert tie_numbers(np.array([100.0, 100.0]), np.array([0, 1])).tolist() == [0, 1]


def test_negative_keys_tie_too() -> None:
    assert tie_numbers(np.array([-100.0, -99.5, -98.0]), np.zeros(3, dtype=np.int64)).tolist() == [0, 0, 1]
