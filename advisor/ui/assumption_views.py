"""What was assumed because nobody said otherwise, and what it was taken to be."""

import dataclasses
from dataclasses import dataclass
from functools import lru_cache

from advisor.codes import Assumption
from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.resolve import resolve
from advisor.ui.context import Page
from advisor.ui.formatting import plain_number
from advisor.ui.labels import format_name, option_label, yes_no
from advisor.ui.language import _
from advisor.ui.questions import BY_KEY
from advisor.ui.requests import Request
from advisor.wording import N_, SENTENCES

FIELD_LABELS = {
    "prompt_tokens": N_("Tokens of the prompt"),
    "output_tokens": N_("Tokens of the answer"),
    "flash_attention": N_("Flash attention"),
    "sharding": N_("Sharding"),
    "engine_profile": N_("Figures of the engine"),
    "engine_version": N_("Version of the engine"),
    "width": N_("Width, pixels"),
    "height": N_("Height, pixels"),
    "tensor_parallel": N_("GPUs per copy"),
    "fabric": N_("Network between machines"),
    "nodes": N_("Machines"),
    "gpu_count": N_("GPUs"),
    "gpu": N_("Variant of the GPU"),
    "reference_model": N_("Reference model"),
    "bytes_per_parameter": N_("Bytes for each trained parameter"),
}


@dataclass(frozen=True, slots=True)
class AssumptionRow:
    """One assumption as text: what, its value, why."""

    what: str
    value: str
    why: str


@lru_cache(maxsize=256)
def _assumed(request: Request, gpu: str, gpu_count: int, facts: Facts) -> tuple[Assumption, ...]:
    deployment = request.deployment
    if gpu:
        deployment = dataclasses.replace(deployment, gpu=gpu, gpu_count=gpu_count)
    return resolve(request.workload, deployment, facts).assumed


def assumption_rows(page: Page) -> tuple[AssumptionRow, ...]:
    """Return what the core assumed, then the suggested values that nobody changed."""
    best = page.best
    try:
        assumed = _assumed(
            page.request, best.gpu.id if best else "", best.gpu_count if best else 1, page.facts
        )
    except AdvisorError:
        assumed = ()
    rows = [_row(assumption, page) for assumption in assumed]
    known = {assumption.field for assumption in assumed}
    for key, asked in page.form.asked.items():
        if asked.question.sent and not page.is_set(key) and key not in known and asked.default is not None:
            rows.append(_row(Assumption(key, asked.default, "default"), page))
    return tuple(rows)


def _row(assumption: Assumption, page: Page) -> AssumptionRow:
    field = assumption.field
    question = BY_KEY.get(field)
    if question is not None:
        what = _(question.label_for(page.answers.task) if page.answers.task in question.tasks else field)
    else:
        what = _(FIELD_LABELS[field]) if field in FIELD_LABELS else field.replace("_", " ")
    return AssumptionRow(what, _value(assumption, page), _(SENTENCES[assumption.reason]))


def _value(assumption: Assumption, page: Page) -> str:
    value = assumption.value
    question = BY_KEY.get(assumption.field)
    if value is None:
        return _("as many as fit")
    if isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, int | float):
        return plain_number(value / question.scale if question else value)
    if assumption.field in ("engine", "engine_profile") and value in page.facts.engines.rows:
        return page.facts.engines.rows[str(value)].name
    return option_label(assumption.field, str(value)) if question else format_name(str(value))
