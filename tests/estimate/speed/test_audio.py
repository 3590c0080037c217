"""Speed of speech and music: seconds of sound a second of work."""

import pytest

from advisor import AdvisorError, Facts
from advisor.estimate.audio import audio_parts, decode_steps_per_audio_second
from tests.estimate.media_cases import H100, make, speed_of


def realtime(facts: Facts, model: str, deployment: dict[str, object] | None = None, **work: object) -> float:
    return float(speed_of(make(facts, "audio", model, deployment or H100, **work))["realtime_factor"])


@pytest.mark.parametrize(
    ("engine", "weights", "concurrency", "factor"),
    [
        ("openai-whisper", "fp16", 1, 5.45),
        ("transformers", "fp16", 1, 6.96),
        ("faster-whisper", "fp16", 1, 12.38),
        ("faster-whisper", "fp16", 8, 45.88),
        ("faster-whisper", "int8", 8, 48.75),
    ],
)
def test_whisper_on_a_small_card_is_as_published(
    facts: Facts, engine: str, weights: str, concurrency: int, factor: float
) -> None:
    found = realtime(
        facts,
        "whisper-large-v2",
        {"gpu": "rtx-3070-ti", "engine": engine},
        weights=weights,
        concurrency=concurrency,
        audio_seconds=780,
    )
    assert found == pytest.approx(factor, rel=0.12)


def test_whisper_is_split_into_encoder_and_decoder(facts: Facts) -> None:
    parts = audio_parts(facts.media_models.audio["whisper-large-v3"])
    assert parts.encoder == 12 * 32 * 1_280**2
    assert parts.encoder + parts.decoder == 1_543_490_560


@pytest.mark.parametrize(
    ("model", "steps"),
    [
        ("whisper-large-v3", 3.5),
        ("bark", 200),
        ("orpheus-3b", 84),
        ("musicgen-large", 50),
        ("csm-1b-sesame", 12.5),
    ],
)
def test_decode_steps_of_a_second_of_sound(facts: Facts, model: str, steps: float) -> None:
    constants = facts.audio_profiles.constants(("transformers", "transformers"))
    assert decode_steps_per_audio_second(facts.media_models.audio[model], constants) == steps


def test_fewer_decoder_layers_transcribe_faster(facts: Facts) -> None:
    factors = [
        realtime(facts, model)
        for model in ("whisper-large-v3", "whisper-large-v3-turbo", "distil-whisper-large-v3")
    ]
    assert factors == sorted(factors)
    assert factors[2] > 4 * factors[0]


def test_a_depth_decoder_slows_every_step(facts: Facts) -> None:
    # 32 depth steps of 4 layers for each of 12.5 steps of the 16-layer backbone.
    assert realtime(facts, "csm-1b-sesame") < 1
    assert realtime(facts, "csm-1b-sesame") < realtime(facts, "higgs-audio-v2")


def test_denoising_spreads_its_steps_over_the_clip(facts: Facts) -> None:
    short = realtime(facts, "stable-audio-open-1.0", audio_seconds=10)
    long = realtime(facts, "stable-audio-open-1.0", audio_seconds=47)
    assert long > 2 * short


def test_more_cards_and_more_at_once_make_more_sound(facts: Facts) -> None:
    one = realtime(facts, "whisper-large-v3")
    assert realtime(facts, "whisper-large-v3", {**H100, "gpu_count": 4}) == pytest.approx(4 * one)
    assert one < realtime(facts, "whisper-large-v3", concurrency=8) < 8 * one


def test_every_audio_model_has_a_speed_or_says_that_its_size_is_not_known(facts: Facts) -> None:
    for model in facts.media_models.audio.values():
        if model.parameters:
            assert realtime(facts, model.id) > 0
        else:
            with pytest.raises(AdvisorError, match="model-without-shape"):
                realtime(facts, model.id)
