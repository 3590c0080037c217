"""The long sweep: every model with twelve kinds of need; nothing crashes and no offer is lost."""

import numpy as np
import pytest

from advisor import Facts, Needs, Workload, rank
from tests.conftest import TODAY

pytestmark = pytest.mark.slow

SERVING_NEEDS = (
    Needs(),
    Needs(sort="value", countries=("EU",)),
    Needs(pricing="spot", somebody_waiting=False),
    Needs(pricing="cheapest", sort="speed", max_gpu_count=8),
    Needs(tokens_per_second=5_000),
    Needs(units_per_month=1e9, busy_share=0.2, bursts_per_month=100),
    Needs(job_units=1e8, deadline_hours=48),
    Needs(gpu_classes=("consumer",), max_usd_per_hour=2.0),
    Needs(provider_kinds=("hyperscaler",), link="nvswitch"),
    Needs(pricing="reserved", term_months=36),
    Needs(weights_allowed=("bf16", "fp8", "int4-awq")),
    Needs(storage_gb=2_000, egress_gb_per_month=5_000, sort="bandwidth-per-usd"),
)


def hold(workload: Workload, needs: Needs, facts: Facts) -> None:
    ranking = rank(workload, needs, facts, TODAY)
    assert ranking.total + sum(rejection.count for rejection in ranking.rejected) == len(facts.offers)
    if len(ranking):
        best = ranking.offer(ranking.cards.value)
        assert best.memory.needed_gib is not None
        assert best.memory.budget_gib is not None
        assert best.memory.needed_gib <= best.memory.budget_gib
        assert np.isfinite(best.total_usd)
        assert best.speed > 0


def language_models(facts: Facts) -> list[str]:
    return [row.id for row in facts.language_models.rows if row.has_architecture]


@pytest.mark.parametrize("number", range(len(SERVING_NEEDS)))
def test_serving_every_language_model(number: int, facts: Facts) -> None:
    for model in language_models(facts):
        hold(Workload(task="serve", model=model), SERVING_NEEDS[number], facts)


@pytest.mark.parametrize(
    ("task", "method"),
    [("finetune", "lora"), ("finetune", "qlora"), ("finetune", "full"), ("pretrain", None)],
)
def test_training_every_language_model(task: str, method: str | None, facts: Facts) -> None:
    for model in language_models(facts):
        hold(Workload(task=task, model=model, method=method, dataset_tokens=1e8), Needs(), facts)


def test_making_images_video_and_sound_with_every_model(facts: Facts) -> None:
    for model in facts.media_models.diffusion.values():
        for needs in (Needs(), Needs(job_units=100, deadline_hours=24), Needs(gpu_classes=("consumer",))):
            hold(Workload(task=model.kind, model=model.id), needs, facts)
        hold(Workload(task="finetune", model=model.id, method="lora", dataset_tokens=1e6), Needs(), facts)
    for sound in facts.media_models.audio.values():
        if sound.parameters:
            hold(Workload(task="audio", model=sound.id), Needs(job_units=3_600), facts)


@pytest.mark.parametrize("pattern", ["gguf-*", "exl2-*", "*"])
def test_every_weight_format(pattern: str, facts: Facts) -> None:
    for weights in facts.formats.matching(pattern):
        hold(Workload(task="serve", model="llama-3.1-8b", weights=weights), Needs(), facts)
        hold(Workload(task="serve", model="qwen3-30b-a3b", weights=weights), Needs(), facts)
