"""Speed of images and video: geometry, FLOPs of a pass, what speeds a request up; literal values from publications."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Facts
from advisor.estimate.diffusion import (
    adapter_parameters,
    flops_per_pass,
    latent_tokens,
    parameters_per_token,
    sequence_tokens,
)
from advisor.units import TERA
from tests.estimate.media_cases import H100, known, make, speed_of


@pytest.mark.parametrize(
    ("model", "width", "height", "frames", "tokens"),
    [
        ("flux.1-dev", 1024, 1024, 1, 4_096),
        ("flux.2-dev", 1024, 1024, 1, 4_096),
        ("sana-1.6b", 4096, 4096, 1, 16_384),
        ("wan-2.1-t2v-14b", 1280, 720, 81, 75_600),
        ("wan-2.2-ti2v-5b", 1280, 704, 121, 27_280),
        ("hunyuanvideo", 1280, 720, 129, 118_800),
        ("ltx-video-2b-0.9.x", 704, 512, 161, 22 * 16 * 21),
    ],
)
def test_latent_tokens_follow_downsampling_patch_and_packing(
    facts: Facts, model: str, width: int, height: int, frames: int, tokens: int
) -> None:
    row = facts.media_models.diffusion[model]
    assert latent_tokens(row, width, height, frames) == tokens
    assert sequence_tokens(row, width, height, frames) == tokens + (512 if row.has_joint_text else 0)


@pytest.mark.parametrize(
    ("model", "billions"),
    [
        ("flux.1-dev", 6.46),
        ("hunyuanvideo", 6.80),
        ("wan-2.1-t2v-14b", 12.0),
        ("wan-2.2-ti2v-5b", 4.34),
        ("chroma1-hd", 6.46),
        ("cogvideox-5b", 4.76),
        ("pixart-sigma-xl-1024", 0.52),
    ],
)
def test_parameters_per_token_leave_out_modulation_and_the_other_stream(
    facts: Facts, model: str, billions: float
) -> None:
    assert parameters_per_token(facts.media_models.diffusion[model]) / 1e9 == pytest.approx(
        billions, rel=0.01
    )


def test_the_layer_formula_gives_the_published_figures(facts: Facts) -> None:
    flux = facts.media_models.diffusion["flux.1-dev"]
    assert flux.backbone_parameters_per_token == pytest.approx(12 * 57 * 3072**2, rel=0.002)


def test_flops_of_a_pass_are_matrices_and_attention(facts: Facts) -> None:
    flux = facts.media_models.diffusion["flux.1-dev"]
    one_pass = flops_per_pass(flux, 1024, 1024, 1, facts.unet_flops)
    assert one_pass.matrices / TERA == pytest.approx(2 * 6.46e9 * 4_608 / TERA, rel=1e-6)
    assert one_pass.attention / TERA == pytest.approx(4 * 57 * 4_608**2 * 3_072 / TERA, rel=1e-6)
    sana = facts.media_models.diffusion["sana-1.6b"]
    assert flops_per_pass(sana, 1024, 1024, 1, facts.unet_flops).attention == 0.0


@pytest.mark.parametrize(
    ("model", "size", "teraflops"),
    [("stable-diffusion-1.5", 512, 0.68), ("sdxl-base-1.0", 1024, 5.98), ("sdxl-base-1.0", 512, 5.98 / 4)],
)
def test_unets_scale_from_their_measured_flops(facts: Facts, model: str, size: int, teraflops: float) -> None:
    row = facts.media_models.diffusion[model]
    one_pass = flops_per_pass(row, size, size, 1, facts.unet_flops)
    assert one_pass.total / TERA == pytest.approx(teraflops, rel=1e-6)


def test_adapters_are_rank_times_inputs_and_outputs(facts: Facts) -> None:
    flux = facts.media_models.diffusion["flux.1-dev"]
    assert adapter_parameters(flux, 16) == 18 * 16 * 3_072 * 57


@pytest.mark.parametrize(
    ("model", "work", "deployment", "seconds"),
    [
        ("wan-2.1-t2v-14b", {"steps": 50}, {"gpu": "a100-sxm-80gb", "engine": "wan-repo"}, 3_342.6),
        (
            "wan-2.1-t2v-14b",
            {"steps": 50},
            {"gpu": "a100-sxm-80gb", "gpu_count": 8, "engine": "wan-repo"},
            469.9,
        ),
        ("hunyuanvideo", {}, {"gpu": "h100-sxm-80gb", "engine": "xdit"}, 1_904.1),
        ("hunyuanvideo", {}, {"gpu": "l20", "gpu_count": 4, "engine": "xdit"}, 2_080.1),
        ("cogvideox-5b", {"frames": 49}, {"gpu": "h100-sxm-80gb"}, 112.4),
    ],
)
def test_published_videos(
    facts: Facts, model: str, work: dict[str, int], deployment: dict[str, object], seconds: float
) -> None:
    speed = speed_of(make(facts, "video", model, deployment, **work))
    assert speed["seconds_per_video"] == pytest.approx(seconds, rel=0.15)


def test_images_a_second_count_the_copies_and_the_batch(facts: Facts) -> None:
    one = speed_of(make(facts, "image", "sdxl-base-1.0", H100))
    eight = speed_of(make(facts, "image", "sdxl-base-1.0", {**H100, "gpu_count": 8, "data_parallel": 8}))
    assert eight["images_per_second"] == pytest.approx(8 * one["images_per_second"], rel=1e-9)
    assert eight["seconds_per_image"] == pytest.approx(one["seconds_per_image"], rel=1e-9)
    batch = speed_of(make(facts, "image", "sdxl-base-1.0", H100, batch=8))
    # Launches and encoding are shared by the batch.
    assert one["images_per_second"] < batch["images_per_second"] < 8 * one["images_per_second"]


def test_a_small_unet_waits_for_launches_on_a_fast_card(facts: Facts) -> None:
    speed = speed_of(make(facts, "image", "stable-diffusion-1.5", H100))
    assert speed["bound"] == "launch"
    assert 40 < speed["steps_per_second"] < 70
    large = speed_of(make(facts, "image", "flux.1-dev", H100))
    assert large["bound"] == "compute"


def test_guidance_doubles_the_passes_and_steps_multiply(facts: Facts) -> None:
    plain = speed_of(make(facts, "video", "wan-2.1-t2v-14b", H100, guidance=False))
    guided = speed_of(make(facts, "video", "wan-2.1-t2v-14b", H100, guidance=True))
    assert guided["compute_seconds"] == pytest.approx(2 * plain["compute_seconds"], rel=1e-9)
    few = speed_of(make(facts, "video", "wan-2.1-t2v-14b", H100, guidance=True, steps=10))
    assert few["step_seconds"] == guided["step_seconds"]
    assert few["seconds_per_video"] < guided["seconds_per_video"] / 4


def test_eight_bit_gains_only_where_the_chip_multiplies_in_it(facts: Facts) -> None:
    for gpu, gains in (("h100-sxm-80gb", True), ("a100-sxm-80gb", False)):
        sixteen = speed_of(make(facts, "image", "flux.1-dev", {"gpu": gpu}))
        eight = speed_of(make(facts, "image", "flux.1-dev", {"gpu": gpu}, weights="fp8"))
        assert (eight["compute_seconds"] < 0.95 * sixteen["compute_seconds"]) is gains


def test_offload_costs_time(facts: Facts) -> None:
    resident, whole, blocks = (
        speed_of(make(facts, "image", "flux.1-dev", {"gpu": "rtx-4090"}, offload=offload))
        for offload in ("none", "model", "sequential")
    )
    assert resident["seconds_per_image"] < whole["seconds_per_image"] < blocks["seconds_per_image"]
    assert blocks["bound"] == "offload"


def test_nvlink_shares_a_video_better_than_pcie(facts: Facts) -> None:
    def speed_up(link: str) -> float:
        one = speed_of(make(facts, "video", "wan-2.1-t2v-14b", H100))
        eight = speed_of(make(facts, "video", "wan-2.1-t2v-14b", {**H100, "gpu_count": 8, "link": link}))
        return float(one["seconds_per_video"] / eight["seconds_per_video"])

    assert 5.5 < speed_up("nvswitch") < 8
    assert speed_up("pcie") < speed_up("nvswitch")


def test_compiling_is_faster(facts: Facts) -> None:
    eager = speed_of(make(facts, "image", "flux.1-dev", H100))
    compiled = speed_of(make(facts, "image", "flux.1-dev", H100, compile=True))
    assert compiled["seconds_per_image"] < 0.85 * eager["seconds_per_image"]


def test_fine_tuning_an_image_model_has_tokens_hours_and_checkpoints(facts: Facts) -> None:
    lora = speed_of(make(facts, "finetune", "flux.1-dev", H100, method="lora", dataset_tokens=4_096_000))
    full = speed_of(make(facts, "finetune", "flux.1-dev", H100, method="full", dataset_tokens=4_096_000))
    assert lora["training_tokens_per_second"] > full["training_tokens_per_second"]
    assert lora["images_per_second"] * 4_096 == pytest.approx(lora["training_tokens_per_second"])
    assert lora["hours"] == pytest.approx(4_096_000 / lora["training_tokens_per_second"] / 3_600)
    assert full["checkpoint_gib"] == pytest.approx(11_901_408_320 * 14 / 2**30)
    assert lora["checkpoint_gib"] < full["checkpoint_gib"] / 100


@given(
    gpu=st.sampled_from(["rtx-4090", "a100-sxm-80gb", "h100-sxm-80gb", "mi300x", "l4"]),
    model=st.sampled_from(["flux.1-dev", "sdxl-base-1.0", "wan-2.1-t2v-1.3b"]),
    width=st.integers(256, 1536),
    more=st.integers(0, 512),
    steps=st.integers(1, 60),
)
def test_more_pixels_or_steps_never_take_less_time(
    facts: Facts, gpu: str, model: str, width: int, more: int, steps: int
) -> None:
    task = facts.media_models.diffusion[model].kind
    small = make(facts, task, model, {"gpu": gpu}, width=width, height=512, steps=steps)
    large = make(facts, task, model, {"gpu": gpu}, width=width + more, height=512, steps=steps + 1)
    name = "seconds_per_image" if task == "image" else "seconds_per_video"
    assert speed_of(large)[name] > speed_of(small)[name]


def test_every_image_and_video_model_has_a_speed_with_its_interval(facts: Facts) -> None:
    for model in facts.media_models.diffusion.values():
        throughput = make(facts, model.kind, model.id, H100).throughput
        assert throughput is not None
        headline = known(getattr(throughput, throughput.headline))
        assert known(throughput.low) < headline < known(throughput.high)
