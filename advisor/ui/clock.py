"""The clock of the page: the only place where the product asks what day it is."""

import datetime
import os

VARIABLE = "ADVISOR_TODAY"


def today() -> datetime.date:
    """Return the day on which prices are judged; `ADVISOR_TODAY` fixes it, so that tests and pictures stay the same."""
    fixed = os.environ.get(VARIABLE, "")
    return datetime.date.fromisoformat(fixed) if fixed else datetime.datetime.now(datetime.UTC).date()
