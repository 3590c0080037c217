"""Requirements 23 to 26 of users of comparable tools: images and video, a test each."""

from typing import Any

import pytest

from advisor import Facts
from advisor.units import GB, GIB
from tests.estimate.media_cases import known, make


def test_r23_memory_is_given_by_precision_and_offload(facts: Facts) -> None:
    # black-forest-labs/flux#7: 44.5, 24 and 16 GB were all reported for one model.
    needs = {
        (weights, offload): known(
            make(facts, "image", "flux.1-dev", weights=weights, offload=offload).memory.needed_gib
        )
        for weights in ("bf16", "fp8", "nf4")
        for offload in ("none", "model", "sequential")
    }
    assert len({round(need, 1) for need in needs.values()}) >= 7
    assert 33 < needs["bf16", "none"] < 44.5
    assert 22 < needs["bf16", "model"] < 26
    assert needs["nf4", "none"] < 16
    assert needs["bf16", "sequential"] < 4


def test_r24_text_encoders_are_part_of_the_total(facts: Facts) -> None:
    # vllm-project/vllm-omni#1629: FLUX.2 loads 112.6 GB and runs out of memory on 80 GB.
    memory = make(facts, "image", "flux.2-dev", {"gpu": "h100-sxm-80gb"}).memory
    assert known(memory.weights_gib) * GIB / GB == pytest.approx(112.6, abs=0.1)
    assert known(memory.needed_gib) > known(memory.budget_gib)


@pytest.mark.parametrize("model", ["sdxl-base-1.0", "flux.1-dev", "wan-2.2-ti2v-5b"])
def test_r25_resolution_and_batch_move_the_number(facts: Facts, model: str) -> None:
    task = facts.media_models.diffusion[model].kind
    sizes: list[dict[str, Any]] = [
        {"width": 768, "height": 768},
        {"width": 1536, "height": 1536},
        {"width": 768, "height": 768, "batch": 4},
    ]
    base, larger, several = (known(make(facts, task, model, **size).memory.needed_gib) for size in sizes)
    assert larger > base + 1
    assert several > base + 1


def test_r26_lora_and_full_training_of_image_models_are_told_apart(facts: Facts) -> None:
    # XLabs-AI/x-flux#157: full training of FLUX needs more than 80 GB.
    lora, full = (
        make(facts, "finetune", "flux.1-dev", {"gpu": "h100-sxm-80gb"}, method=method).memory
        for method in ("lora", "full")
    )
    assert known(lora.needed_gib) < 48
    assert known(full.needed_gib) > 80
    assert known(lora.adapters_gib) > 0
    assert full.adapters_gib == 0
    assert known(full.optimizer_gib) == pytest.approx(11_901_408_320 * 8 / GIB)
