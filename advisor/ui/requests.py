"""From answers to what the core takes: Workload, Needs, Deployment, Observed."""

import dataclasses
from dataclasses import dataclass

from advisor.facts import Facts
from advisor.ui.answers import Answers, form_for, value_of
from advisor.ui.form import Form
from advisor.ui.questions import ANYWHERE, SERVE, Value
from advisor.workload import Deployment, Needs, Observed, Workload

_WORKLOAD = {field.name for field in dataclasses.fields(Workload)}
_NEEDS = {field.name for field in dataclasses.fields(Needs)} - {"link"}
_SETTINGS = ("engine", "memory_utilization")


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the ranking; hashable, so that rankings can be cached under it."""

    workload: Workload
    needs: Needs
    deployment: Deployment


def request_of(answers: Answers, facts: Facts) -> Request:
    """Return the question that the answers ask: what was set, and the defaults that the core has not of its own."""
    form = form_for(answers, facts)
    told = {key: value_of(answers, form, key) for key in form.asked if _is_told(answers, form, key)}
    workload = {key: value for key, value in told.items() if key in _WORKLOAD}
    if "size" in told:
        workload["width"], workload["height"] = size_of(told["size"])
    needs = {key: value for key, value in told.items() if key in _NEEDS}
    if told.get("where", ANYWHERE) != ANYWHERE:
        needs["countries"] = (str(told["where"]),)
    if "link" in told:
        needs["link"] = told["link"]
    return Request(
        Workload.from_dict({"task": answers.task, "model": answers.model_id} | workload, "workload"),
        Needs.from_dict(needs, "needs"),
        Deployment.from_dict({key: told.get(key) for key in _SETTINGS}, "deployment"),
    )


def _is_told(answers: Answers, form: Form, key: str) -> bool:
    return answers.is_set(key) or (form.asked[key].question.sent and form.default(key) is not None)


def size_of(text: Value) -> tuple[int, int]:
    """Return width and height of «1024x768» [pixels]."""
    width, height = str(text).split("x")
    return int(width), int(height)


@dataclass(frozen=True, slots=True)
class Running:
    """A set-up that runs and was measured: section 4. observed: None until somebody types a speed."""

    workload: Workload
    deployment: Deployment
    observed: Observed | None


def running_of(answers: Answers, recommended_gpu: str, recommended_count: int, facts: Facts) -> Running:
    """Return the measured set-up; the GPUs are the recommended ones until others are named."""
    form = form_for(answers, facts)
    request = request_of(answers, facts)
    workload = request.workload
    if answers.task == SERVE:
        at_once = value_of(answers, form, "running_concurrency")
        workload = Workload.from_dict(workload.to_dict() | {"concurrency": at_once}, "workload")
    running = {
        "gpu": answers.get("running_gpu") or recommended_gpu or None,
        "gpu_count": _running_count(answers, recommended_count),
        "link": answers.get("running_link"),
    }
    deployment = Deployment.from_dict(request.deployment.to_dict() | running, "deployment")
    seen = answers.get("seen")
    observed = None
    if isinstance(seen, int | float):
        observed = Observed.from_dict(
            {"tokens_per_second": seen, "gpu_utilization": answers.get("gpu_utilization")}, "observed"
        )
    return Running(workload, deployment, observed)


def _running_count(answers: Answers, recommended_count: int) -> int:
    stated = answers.get("running_gpu_count")
    if isinstance(stated, int):
        return stated
    return 1 if answers.is_set("running_gpu") else recommended_count
