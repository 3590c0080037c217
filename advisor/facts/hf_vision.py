"""The vision tower of a vision-language configuration: a transformer over patches, to a few per cent."""

from collections.abc import Mapping

from advisor.facts.hf_keys import ConfigKeys

GATED_TOWERS = ("qwen2_5_vl", "pixtral", "mistral3")
"""Towers with a gated feed-forward (three matrices)."""

MERGED_TOWERS = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_5")


def vision_parameters(config: Mapping[str, object], text_hidden: int) -> int:
    """Return the parameters of the vision tower and its projector, 0 for a text model [parameters]."""
    nested = config.get("vision_config")
    if not isinstance(nested, Mapping):
        return 0
    keys = ConfigKeys(nested)
    hidden = keys.optional("embed_dim") or keys.optional("hidden_size") or 1_024
    if keys.optional("embed_dim") and not keys.optional("intermediate_size"):
        intermediate = int(hidden * keys.number("mlp_ratio", 4.0))
    else:
        intermediate = keys.optional("intermediate_size") or 4 * hidden
    model_type = str(nested.get("model_type") or config.get("model_type") or "")
    matrices = 3 if model_type.startswith(GATED_TOWERS) else 2
    layers = keys.optional("depth", 0, 1_000) or keys.optional("num_hidden_layers", 24, 1_000)
    matrices_of_layer = 4 * hidden * hidden + matrices * hidden * intermediate
    biases_and_norms = intermediate + 9 * hidden
    return (
        layers * (matrices_of_layer + biases_and_norms)
        + _patches(keys, hidden)
        + _projector(keys, model_type, hidden, text_hidden)
    )


def _patches(keys: ConfigKeys, hidden: int) -> int:
    """Return the patch embedding and the positions of a fixed image size [parameters]."""
    patch = keys.optional("patch_size", 14, 1_024) or keys.optional("spatial_patch_size", 14, 1_024)
    frames = keys.optional("temporal_patch_size", 1, 64) or 1
    side = keys.optional("image_size", 0, 16_384) // max(1, patch)
    return 3 * frames * patch * patch * hidden + side * side * hidden


def _projector(keys: ConfigKeys, model_type: str, hidden: int, text_hidden: int) -> int:
    """Return what brings patches to the decoder's width: a merger, or one projection [parameters]."""
    if not model_type.startswith(MERGED_TOWERS):
        return hidden * text_hidden
    merged = hidden * (keys.optional("spatial_merge_size", 2, 16) or 2) ** 2
    deepstack = keys.value("deepstack_visual_indexes")
    mergers = 1 + (len(deepstack) if isinstance(deepstack, list) else 0)
    return mergers * (merged * merged + merged + merged * text_hidden + text_hidden)
