"""What every section of one page run sees: facts, answers, the ranking and its recommended offer."""

import datetime
from dataclasses import dataclass
from functools import cached_property

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.recommend import RankedOffer, Ranking
from advisor.ui.address import Reading
from advisor.ui.answers import Answers, form_for, value_of
from advisor.ui.form import Form
from advisor.ui.questions import Value
from advisor.ui.rankings import ranking_of
from advisor.ui.requests import Request, request_of


@dataclass(frozen=True)
class Page:
    """One run of the page. today: the day on which prices are judged."""

    facts: Facts
    today: datetime.date
    reading: Reading

    @property
    def answers(self) -> Answers:
        """Return what was answered."""
        return self.reading.answers

    @cached_property
    def form(self) -> Form:
        """Return the questions as they stand for this work."""
        return form_for(self.answers, self.facts)

    @cached_property
    def request(self) -> Request:
        """Return the question to the core."""
        return request_of(self.answers, self.facts)

    @cached_property
    def _outcome(self) -> Ranking | AdvisorError:
        try:
            return ranking_of(self.request, self.facts, self.today)
        except AdvisorError as error:
            return error

    @property
    def ranking(self) -> Ranking | None:
        """Return the ranking; None where the question itself cannot be answered, see `error`."""
        return self._outcome if isinstance(self._outcome, Ranking) else None

    @property
    def error(self) -> AdvisorError | None:
        """Return why there is no ranking."""
        return self._outcome if isinstance(self._outcome, AdvisorError) else None

    @cached_property
    def best(self) -> RankedOffer | None:
        """Return the recommended offer; None where nothing does the work."""
        ranking = self.ranking
        if ranking is None or ranking.cards.value < 0:
            return None
        return ranking.offer(ranking.cards.value)

    def value(self, key: str) -> Value:
        """Return the answer that holds, set or suggested."""
        return value_of(self.answers, self.form, key)

    def number(self, key: str) -> float | None:
        """Return the answer that holds as a number."""
        value = self.value(key)
        return float(value) if isinstance(value, int | float) else None

    def is_set(self, key: str) -> bool:
        """Whether somebody set this answer."""
        return self.answers.is_set(key)

    def asks(self, key: str) -> bool:
        """Whether this work has the question."""
        return key in self.form.asked

    def steps_set(self) -> tuple[int, ...]:
        """Return the sections of which some answer was set."""
        asked = self.form.asked
        return tuple(sorted({asked[key].question.step for key, _ in self.answers.stated if key in asked}))
