"""What the work must reach, with the defaults that hold when somebody waits."""

import math
from dataclasses import dataclass

from advisor.resolve.works import AudioWork, MediaWork, ServeWork, TrainingWork, Work
from advisor.units import HOURS_PER_MONTH, SECONDS_PER_HOUR, SECONDS_PER_MINUTE
from advisor.workload import Needs

READING_SPEED_TOKENS_PER_SECOND = 10.0
FIRST_TOKEN_MS = 5_000.0
MILLION = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """Limits on speed and the load to carry; 0 or infinity where there is none.

    units_per_second: total rate to carry, in the unit of the work [1/s]; job_units: size of a job, NaN without one;
    busy_share: part of the hours in which the stated concurrency is in flight.
    """

    somebody_waiting: bool
    tokens_per_second_per_request: float
    time_to_first_token_ms: float
    units_per_second: float
    job_units: float
    deadline_hours: float
    hours_per_month: float
    busy_share: float

    @property
    def has_job(self) -> bool:
        """Whether the work ends: then cost is per run, else per month."""
        return not math.isnan(self.job_units)


def targets_of(work: Work, needs: Needs) -> Targets:
    """Return the targets of one question."""
    job = _job_units(work, needs)
    serving = isinstance(work, ServeWork)
    waiting = serving and math.isnan(job) if needs.somebody_waiting is None else needs.somebody_waiting
    polite = serving and waiting
    hours = needs.hours_per_month or HOURS_PER_MONTH
    share = needs.busy_share or 1.0
    return Targets(
        somebody_waiting=waiting,
        tokens_per_second_per_request=_or(
            needs.tokens_per_second_per_request, READING_SPEED_TOKENS_PER_SECOND if polite else 0.0
        ),
        time_to_first_token_ms=_or(needs.time_to_first_token_ms, FIRST_TOKEN_MS if polite else math.inf),
        units_per_second=_units_per_second(work, needs, job, hours * share),
        job_units=job,
        deadline_hours=needs.deadline_hours or math.inf,
        hours_per_month=hours,
        busy_share=share,
    )


def unit_of(work: Work, targets: Targets) -> str:
    """Return the code of the unit that costs are divided by."""
    if isinstance(work, TrainingWork) or (isinstance(work, MediaWork) and work.method):
        return "run" if targets.has_job else "million-tokens"
    if isinstance(work, ServeWork):
        return "million-output-tokens"
    if isinstance(work, AudioWork):
        return "minute-of-audio"
    return "image" if work.task == "image" else "second-of-video"


def units_in_one(unit: str, targets: Targets) -> float:
    """Return how many work units (tokens, images, seconds) one unit of the cost holds."""
    sizes = {
        "million-output-tokens": MILLION,
        "million-tokens": MILLION,
        "minute-of-audio": SECONDS_PER_MINUTE,
    }
    return targets.job_units if unit == "run" else sizes.get(unit, 1.0)


def _or(given: float | None, default: float) -> float:
    return default if given is None else given


def _job_units(work: Work, needs: Needs) -> float:
    """Return tokens, images or seconds of the job; a training job is its data set times the epochs."""
    if isinstance(work, TrainingWork):
        return needs.job_units or work.dataset_tokens * work.epochs
    return _or(needs.job_units, math.nan)


def _units_per_second(work: Work, needs: Needs, job: float, busy_hours: float) -> float:
    """Return the largest of the stated loads, in work units a second [1/s]."""
    loads = [
        needs.tokens_per_second or 0.0,
        (needs.images_per_minute or 0.0) / SECONDS_PER_MINUTE,
        (needs.video_seconds_per_hour or 0.0) / SECONDS_PER_HOUR,
        (needs.units_per_month or 0.0) / (busy_hours * SECONDS_PER_HOUR),
    ]
    if needs.deadline_hours and not math.isnan(job) and not isinstance(work, TrainingWork):
        loads.append(job / (needs.deadline_hours * SECONDS_PER_HOUR))
    return max(loads)
