"""Image, video and audio models: what their cells mean."""

import pytest

from advisor import Facts


@pytest.mark.parametrize(
    ("model", "pixels_per_token", "temporal", "layers", "hidden"),
    [
        ("flux.1-dev", 16, 1, 57, 3072),
        ("flux.2-dev", 16, 1, 56, 6144),
        ("auraflow-0.3", 16, 1, 36, 3072),
        ("sana-1.6b", 32, 1, 20, 2240),
        ("wan-2.2-ti2v-5b", 32, 4, 30, 3072),
        ("hunyuanvideo-1.5", 16, 4, 54, 2048),
        ("mochi-1-preview", 16, 6, 48, 3072),
        ("stable-video-diffusion-xt", 8, 1, 0, 0),
    ],
)
def test_geometry_of_latents_and_layers(
    facts: Facts, model: str, pixels_per_token: int, temporal: int, layers: int, hidden: int
) -> None:
    row = facts.media_models.diffusion[model]
    assert row.pixels_per_token == pixels_per_token
    assert row.temporal_downsample == temporal
    assert (row.layers, row.hidden_size) == (layers, hidden)


def test_experts_in_turn_and_experts_of_a_token_are_told_apart(facts: Facts) -> None:
    wan, hidream = (facts.media_models.diffusion[name] for name in ("wan-2.2-t2v-a14b", "hidream-i1-full"))
    assert (wan.backbones_in_turn, wan.experts_per_token) == (2, 1)
    assert (hidream.backbones_in_turn, hidream.experts_per_token) == (1, 2)


def test_kinds_of_backbone(facts: Facts) -> None:
    rows = facts.media_models.diffusion
    assert {name for name, row in rows.items() if row.is_unet} == {
        "animatediff-v3-sd1.5",
        "kolors",
        "sdxl-base-1.0",
        "sdxl-lightning",
        "sdxl-turbo",
        "stable-diffusion-1.5",
        "stable-diffusion-2.1",
        "stable-video-diffusion-xt",
    }
    assert rows["sana-video-2b"].has_linear_attention
    assert rows["z-image-turbo"].has_joint_text
    assert not rows["wan-2.1-t2v-14b"].has_joint_text


@pytest.mark.parametrize(
    ("model", "encoder", "backbone", "depth"),
    [
        ("whisper-large-v3-turbo", (32, 1280), (4, 1280), (0, 0)),
        ("dia-1.6b", (12, 1024), (18, 2048), (0, 0)),
        ("voxtral-mini-3b", (32, 1280), (30, 3072), (0, 0)),
        ("csm-1b-sesame", (0, 0), (16, 2048), (4, 1024)),
        ("moshi-7b", (0, 0), (32, 4096), (6, 1024)),
        ("orpheus-3b", (0, 0), (28, 3072), (0, 0)),
    ],
)
def test_stacks_of_an_audio_model(
    facts: Facts, model: str, encoder: tuple[int, int], backbone: tuple[int, int], depth: tuple[int, int]
) -> None:
    row = facts.media_models.audio[model]
    assert (row.encoder_layers, row.encoder_hidden_size) == encoder
    assert (row.layers, row.hidden_size) == backbone
    assert (row.depth_layers, row.depth_hidden_size) == depth


def test_denoising_and_recognition_are_told_from_autoregressive_models(facts: Facts) -> None:
    rows = facts.media_models.audio
    assert {name for name, row in rows.items() if row.is_denoising} == {
        "ace-step-1.5-dit",
        "ace-step-v1-3.5b",
        "audioldm-2",
        "diffrhythm",
        "f5-tts",
        "kokoro-82m",
        "minimax-music-3",
        "stable-audio-open-1.0",
    }
    assert sum(row.is_recognition for row in rows.values()) == 16
