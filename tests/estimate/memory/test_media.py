"""Memory of images and video: parts, moments, offload, sharding; literal values from published measurements."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Facts
from advisor.units import GB, GIB
from tests.estimate.media_cases import H100, known, make


def test_flux_dev_loads_31_gib_of_which_9_are_its_large_text_encoder(facts: Facts) -> None:
    memory = make(facts, "image", "flux.1-dev").memory
    assert known(memory.weights_gib) == pytest.approx(31.42, abs=0.01)
    assert known(memory.weights_gib) * GIB / GB == pytest.approx(33.74, abs=0.01)
    t5_parameters = 4_762_310_656
    assert t5_parameters * 2 / GIB == pytest.approx(8.87, abs=0.01)
    assert facts.media_models.diffusion["flux.1-dev"].text_encoder_parameters == t5_parameters + 123_060_480


@pytest.mark.parametrize(("size", "peak_gib"), [(1024, 33.83), (1008, 33.75)])
def test_flux_peak_is_its_weights_and_decoding_the_image(facts: Facts, size: int, peak_gib: float) -> None:
    memory = make(facts, "image", "flux.1-dev", {"gpu_count": 4}, width=size, height=size).memory
    assert known(memory.peak_gib) == pytest.approx(peak_gib, rel=0.003)


@pytest.mark.parametrize(
    ("model", "weights", "width", "height", "offload", "gpu_count", "peak_gib"),
    [
        ("wan-2.2-t2v-a14b", "bf16", 1280, 720, "model", 1, 59.8),
        ("wan-2.2-t2v-a14b", "bf16", 832, 480, "model", 1, 41.3),
        ("wan-2.2-t2v-a14b", "fp32", 1280, 720, "none", 8, 37.0),
        ("wan-2.2-t2v-a14b", "fp32", 832, 480, "none", 4, 40.9),
        ("wan-2.1-t2v-14b", "fp32", 1280, 720, "model", 1, 69.1),
        ("wan-2.1-i2v-14b", "fp32", 1280, 720, "none", 2, 59.8),
        ("wan-2.1-t2v-1.3b", "fp32", 832, 480, "none", 8, 12.2),
        ("wan-2.1-t2v-1.3b", "fp32", 832, 480, "model", 1, 8.19),
    ],
)
def test_wan_on_one_card_and_sharded_is_as_published(
    facts: Facts,
    model: str,
    weights: str,
    width: int,
    height: int,
    offload: str,
    gpu_count: int,
    peak_gib: float,
) -> None:
    deployment: dict[str, Any] = {"gpu": "h20-96gb", "gpu_count": gpu_count, "engine": "wan-repo"}
    if gpu_count > 1:
        deployment["sharding"] = "fsdp"
    memory = make(
        facts,
        "video",
        model,
        deployment,
        weights=weights,
        width=width,
        height=height,
        frames=81,
        offload=offload,
    ).memory
    assert known(memory.peak_gib) == pytest.approx(peak_gib, rel=0.065)


def test_two_experts_that_work_in_turn_need_one_of_them_with_offload(facts: Facts) -> None:
    both = make(facts, "video", "wan-2.2-t2v-a14b").memory
    one = make(facts, "video", "wan-2.2-t2v-a14b", offload="model").memory
    backbone_gib = 28_576_983_168 * 2 / GIB
    assert known(both.weights_gib) > backbone_gib
    assert known(one.weights_gib) == pytest.approx(backbone_gib / 2, rel=1e-6)


def test_context_parallel_does_not_shrink_weights(facts: Facts) -> None:
    one = make(facts, "image", "flux.1-dev", H100).memory
    four = make(facts, "image", "flux.1-dev", {**H100, "gpu_count": 4}).memory
    assert four.weights_gib == one.weights_gib


@pytest.mark.parametrize("model", ["flux.1-dev", "sdxl-base-1.0", "cogvideox-5b", "wan-2.1-t2v-14b"])
def test_each_step_of_the_offload_ladder_needs_less_of_the_card_and_asks_the_host(
    facts: Facts, model: str
) -> None:
    task = facts.media_models.diffusion[model].kind
    ladder = [make(facts, task, model, offload=offload).memory for offload in ("none", "model", "sequential")]
    needs = [known(memory.needed_gib) for memory in ladder]
    assert needs == sorted(needs, reverse=True)
    assert needs[0] > needs[1]
    assert ladder[0].host_gib == 0
    assert known(ladder[1].host_gib) == known(ladder[0].weights_gib)


def test_tiling_lowers_the_peak_of_decoding(facts: Facts) -> None:
    whole = make(facts, "image", "sdxl-base-1.0", width=2048, height=2048).memory
    tiled = make(facts, "image", "sdxl-base-1.0", width=2048, height=2048, vae_tiling=True).memory
    assert known(tiled.needed_gib) < 0.75 * known(whole.needed_gib)


def test_quantized_pipelines_load_text_encoders_quantized_and_decode_at_16_bit(facts: Facts) -> None:
    model = facts.media_models.diffusion["flux.1-dev"]
    fp8 = known(make(facts, "image", "flux.1-dev", weights="fp8").memory.weights_gib)
    assert fp8 * GIB == pytest.approx(
        model.backbone_parameters + model.text_encoder_parameters + 2 * model.vae_parameters, rel=1e-3
    )
    kept = known(
        make(facts, "image", "flux.1-dev", weights="fp8", text_encoder_weights="bf16").memory.weights_gib
    )
    assert (kept - fp8) * GIB == pytest.approx(model.text_encoder_parameters, rel=1e-3)


@given(
    model=st.sampled_from(
        ["flux.1-dev", "stable-diffusion-1.5", "qwen-image", "wan-2.2-ti2v-5b", "cogvideox-2b"]
    ),
    offload=st.sampled_from(["none", "model", "sequential"]),
    width=st.integers(256, 1536),
    height=st.integers(256, 1536),
    more=st.integers(0, 512),
    batch=st.integers(1, 4),
)
def test_a_larger_picture_or_batch_never_needs_less(
    facts: Facts, model: str, offload: str, width: int, height: int, more: int, batch: int
) -> None:
    task = facts.media_models.diffusion[model].kind
    small = make(facts, task, model, offload=offload, width=width, height=height).memory
    large = make(
        facts, task, model, offload=offload, width=width + more, height=height + more, batch=batch
    ).memory
    assert known(large.needed_gib) >= known(small.needed_gib)


def test_every_image_and_video_model_answers_with_and_without_a_card(facts: Facts) -> None:
    for model in facts.media_models.diffusion.values():
        for deployment in ({}, H100, {"gpu": "rtx-4090", "gpu_count": 2}):
            memory = make(facts, model.kind, model.id, deployment).memory
            assert known(memory.needed_gib) > known(memory.peak_gib) > 0
            assert (memory.budget_gib is None) == (not deployment)
