"""Which engine and format run on which GPU."""

import pytest

from advisor import Facts
from advisor.recommend.support import unsupported


@pytest.mark.parametrize(
    ("engine", "weights", "gpu", "code"),
    [
        ("vllm", "bf16", "h100-sxm-80gb", ""),
        ("vllm", "bf16", "t4", ""),  # the same bytes as fp16
        ("vllm", "fp8", "a100-sxm-80gb", ""),  # stored, not computed
        ("vllm", "fp8", "t4", "format-not-supported"),
        ("vllm", "nvfp4", "mi300x", "format-not-supported"),
        ("vllm", "gguf-q4_k_m", "h100-sxm-80gb", "format-not-supported"),
        ("vllm", "bf16", "p4", "engine-not-supported"),
        ("vllm", "bf16", "k80", "engine-not-supported"),
        ("llama.cpp", "gguf-q4_k_m", "p4", ""),
        ("tensorrt-llm", "fp8", "mi300x", "engine-not-supported"),
        ("neuron", "bf16", "inferentia2", ""),
        ("neuron", "int4-awq", "inferentia2", "format-not-supported"),
        ("exllamav2", "exl2-4", "rtx-4090", ""),
        ("maxtext", "bf16", "tpu-v5e", ""),
    ],
)
def test_support(engine: str, weights: str, gpu: str, code: str, facts: Facts) -> None:
    assert unsupported(facts.engines.rows[engine], weights, facts.gpus[gpu], facts) == code
