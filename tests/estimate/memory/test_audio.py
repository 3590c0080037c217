"""Memory of speech and music."""

import pytest

from advisor import AdvisorError, Facts
from advisor.units import GIB
from tests.estimate.media_cases import H100, known, make


def test_whisper_large_needs_its_weights_and_a_little_more(facts: Facts) -> None:
    memory = make(facts, "audio", "whisper-large-v3", audio_seconds=30).memory
    assert known(memory.weights_gib) == pytest.approx(1_543_490_560 * 2 / GIB, rel=1e-6)
    assert 3.5 < known(memory.needed_gib) < 5.5


def test_a_long_recording_is_read_in_windows_and_needs_no_more(facts: Facts) -> None:
    window = make(facts, "audio", "whisper-large-v3", audio_seconds=30).memory
    hours = make(facts, "audio", "whisper-large-v3", audio_seconds=9_000).memory
    assert hours.needed_gib == window.needed_gib


def test_cache_grows_with_the_clip_and_the_batch(facts: Facts) -> None:
    one = make(facts, "audio", "orpheus-3b", audio_seconds=10).memory
    # 28 layers, keys and values, 8 of 24 heads of a hidden size of 3,072, 84 steps a second, 16 bit.
    assert known(one.kv_cache_gib) * GIB == pytest.approx(28 * 2 * 1024 * 840 * 2, rel=1e-6)
    longer = make(facts, "audio", "orpheus-3b", audio_seconds=60).memory
    several = make(facts, "audio", "orpheus-3b", audio_seconds=60, batch=8).memory
    assert known(one.needed_gib) < known(longer.needed_gib) < known(several.needed_gib)


def test_every_audio_model_answers_or_says_that_its_size_is_not_known(facts: Facts) -> None:
    unknown = [model.id for model in facts.media_models.audio.values() if not model.parameters]
    assert unknown == ["indextts-2.5", "vibevoice-asr"]
    for model in facts.media_models.audio.values():
        if model.id in unknown:
            with pytest.raises(AdvisorError, match="model-without-shape"):
                make(facts, "audio", model.id, H100)
        else:
            memory = make(facts, "audio", model.id, H100).memory
            assert known(memory.needed_gib) > known(memory.weights_gib) > 0
