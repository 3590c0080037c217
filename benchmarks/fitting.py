"""Fitting positive coefficients to measured figures, in logarithms: damped Gauss-Newton, robust, drawn to priors.

Deterministic: the same cases and the same start give the same coefficients.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor.units import FloatArray

STEPS = 60
NUDGE = 1e-4
SMALLEST_MISS = 0.01
"""Misses below one per cent count alike, so that the robust weights stay finite."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """What is fitted, in logarithms; every array has shape [coefficient].

    start: where the fit starts and what the prior draws to; spread: standard deviation of the prior; low, high: bounds.
    """

    start: FloatArray
    spread: FloatArray
    low: FloatArray
    high: FloatArray


Predict = Callable[[FloatArray], FloatArray]
"""Logarithms of the predicted figures [case] from the logarithms of the coefficients [coefficient]."""


def fit(
    coefficients: Coefficients, predict: Predict, measured: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return the logarithms of the fitted coefficients [coefficient].

    measured: logarithms of the measured figures [case]; weights: of the cases, in units of the priors' squared spread.
    Minimises the weighted sum of absolute misses (by reweighted squares) plus the priors' squared distances.
    """
    values = coefficients.start.copy()
    damping = 1e-2
    miss = predict(values) - measured
    cost = _cost(coefficients, values, miss, weights)
    for _ in range(STEPS):
        trial = _bounded(coefficients, values + _step(coefficients, values, predict, miss, weights, damping))
        trial_miss = predict(trial) - measured
        trial_cost = _cost(coefficients, trial, trial_miss, weights)
        if trial_cost < cost:
            gained = cost - trial_cost
            values, miss, cost, damping = trial, trial_miss, trial_cost, max(damping / 4, 1e-6)
            if gained < 1e-4 * cost:
                break
        else:
            damping *= 6
            if damping > 1e8:
                break
    return values


def _bounded(coefficients: Coefficients, values: FloatArray) -> FloatArray:
    return np.clip(values, coefficients.low, coefficients.high)


def _cost(coefficients: Coefficients, values: FloatArray, miss: FloatArray, weights: FloatArray) -> float:
    drawn = ((values - coefficients.start) / coefficients.spread) ** 2
    return float(np.sum(weights * np.sqrt(miss**2 + SMALLEST_MISS**2)) + np.sum(drawn))


def _step(
    coefficients: Coefficients,
    values: FloatArray,
    predict: Predict,
    miss: FloatArray,
    weights: FloatArray,
    damping: float,
) -> FloatArray:
    """Return one damped Gauss-Newton step of the reweighted squares [coefficient]."""
    slopes = _slopes(values, predict)
    row_weights = weights / (2 * np.sqrt(miss**2 + SMALLEST_MISS**2))
    prior = 1 / coefficients.spread**2
    normal = slopes.T @ (slopes * row_weights[:, None]) + np.diag(prior)
    gradient = slopes.T @ (row_weights * miss) + prior * (values - coefficients.start)
    # A coefficient held at its bound and pushed outwards stays there.
    held = ((values <= coefficients.low) & (gradient > 0)) | ((values >= coefficients.high) & (gradient < 0))
    free = np.flatnonzero(~held)
    step = np.zeros_like(values)
    damped = normal[np.ix_(free, free)] + damping * np.diag(np.diag(normal)[free])
    step[free] = np.linalg.solve(damped, -gradient[free])
    return np.clip(step, -0.7, 0.7)


def _slopes(values: FloatArray, predict: Predict) -> FloatArray:
    """Return the derivatives of the predicted logarithms [case, coefficient], by forward differences."""
    base = predict(values)
    columns = []
    for index in range(len(values)):
        nudged = values.copy()
        nudged[index] += NUDGE
        columns.append((predict(nudged) - base) / NUDGE)
    return np.stack(columns, axis=1)
