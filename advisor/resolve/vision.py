"""Tokens that pictures add to a request of a vision-language model."""

import math

from advisor.facts.models import ModelShape
from advisor.workload import Workload

PIXELS_PER_TOKEN_SIDE = {"Qwen": 28, "Llama": 28, "Gemma": 0, "Mistral": 28}
"""Side of the square of pixels that becomes one token after the patch merger [pixels]; 0 = a fixed count an image."""

FIXED_TOKENS_PER_IMAGE = {"Gemma": 256}
DEFAULT_IMAGE_SIDE = 1_024
DEFAULT_SIDE_PER_TOKEN = 28


def image_tokens_per_request(workload: Workload, model: ModelShape) -> int:
    """Return the vision tokens of one request: images x tokens of one image [tokens]."""
    if not workload.images_per_request:
        return 0
    if model.family in FIXED_TOKENS_PER_IMAGE:
        return workload.images_per_request * FIXED_TOKENS_PER_IMAGE[model.family]
    side = PIXELS_PER_TOKEN_SIDE.get(model.family) or DEFAULT_SIDE_PER_TOKEN
    columns = math.ceil((workload.image_width or DEFAULT_IMAGE_SIDE) / side)
    rows = math.ceil((workload.image_height or DEFAULT_IMAGE_SIDE) / side)
    return workload.images_per_request * columns * rows
