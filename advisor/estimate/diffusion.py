"""Geometry of image and video models: latent tokens, and the FLOPs of one pass over them."""

import math
from dataclasses import dataclass

from advisor.facts.media import DiffusionModel
from advisor.facts.media_constants import UnetFlops

JOINT_TEXT_TOKENS = 512
"""Text tokens that attend jointly with the image: T5's limit in FLUX, SD3, HunyuanVideo and CogVideoX pipelines."""

ATTENTION_MATRICES = 4
"""Query, key, value and output projections, each hidden x hidden."""

FEED_FORWARD_MATRICES = 8
"""Two matrices of hidden x 4 hidden; a gated one of three smaller matrices comes to the same."""

CROSS_ATTENTION_MATRICES = 2
"""Query and output projection of the attention to the text; its keys and values are computed for text tokens alone."""

KNOWN_SHARE_PER_TOKEN = 0.85
"""Share of a backbone that acts on every token, for rows that state no layers: median of the rows that do."""

LAYER_ASPECT = 80
"""Hidden size over layers of the transformers in the table (51 to 128), used where a row states neither."""


@dataclass(frozen=True, slots=True, eq=False)
class PassFlops:
    """FLOPs of one pass of the backbone over one image or clip: matrix products by token, and attention [FLOP]."""

    matrices: float
    attention: float

    @property
    def total(self) -> float:
        """Return both together [FLOP]."""
        return self.matrices + self.attention


def latent_tokens(model: DiffusionModel, width: int, height: int, frames: int) -> int:
    """Return the latent tokens of one image or clip [tokens].

    (width / side) x (height / side) x ((frames - 1) / t + 1): notes/memory.md section 9.
    """
    side = model.pixels_per_token
    latent_frames = (frames - 1) // model.temporal_downsample + 1
    return math.ceil(width / side) * math.ceil(height / side) * latent_frames


def sequence_tokens(model: DiffusionModel, width: int, height: int, frames: int) -> int:
    """Return the tokens that attend to each other: the latent ones, and the text where it is joined [tokens]."""
    text = JOINT_TEXT_TOKENS if model.has_joint_text else 0
    return latent_tokens(model, width, height, frames) + text


def parameters_per_token(model: DiffusionModel) -> float:
    """Return the parameters that act on every token [parameters].

    The table's figure where it has one; else from the layers, which leaves out modulation and the second stream of a
    double block (FLUX: 57 x 12 x 3072^2 = 6.46e9 of 11.9e9), never more than the backbone.
    """
    if model.backbone_parameters_per_token:
        return float(model.backbone_parameters_per_token)
    backbone = model.backbone_parameters / model.backbones_in_turn
    if not model.layers:
        return KNOWN_SHARE_PER_TOKEN * backbone
    experts = model.experts_per_token + (1 if model.experts_per_token > 1 else 0)
    matrices = ATTENTION_MATRICES + FEED_FORWARD_MATRICES * experts
    if not model.has_joint_text:
        matrices += CROSS_ATTENTION_MATRICES
    return min(backbone, float(matrices * model.layers * model.hidden_size**2))


def backbone_layers(model: DiffusionModel) -> float:
    """Return the layers of the transformer, from its size where the table has none."""
    return model.layers or backbone_hidden_size(model) / LAYER_ASPECT


def backbone_hidden_size(model: DiffusionModel) -> float:
    """Return the hidden size of the transformer, from its size where the table has none.

    N = 12 hidden^2 layers with layers = hidden / 80.
    """
    if model.hidden_size:
        return float(model.hidden_size)
    matrices = ATTENTION_MATRICES + FEED_FORWARD_MATRICES
    return float((model.backbone_parameters * LAYER_ASPECT / matrices) ** (1 / 3))


def flops_per_pass(
    model: DiffusionModel, width: int, height: int, frames: int, unet_flops: UnetFlops
) -> PassFlops:
    """Return the FLOPs of one pass over one image or clip [FLOP].

    Transformer: 2 N_token s + 4 L s^2 hidden; linear attention leaves out the second term. UNet: measured FLOPs of its
    own shape, scaled by pixels and frames (notes/throughput.md section 7).
    """
    if model.is_unet:
        return PassFlops(_unet_flops(model, width, height, frames, unet_flops), 0.0)
    tokens = sequence_tokens(model, width, height, frames)
    attention = 0.0
    if not model.has_linear_attention:
        attention = 4 * backbone_layers(model) * float(tokens) ** 2 * backbone_hidden_size(model)
    return PassFlops(2 * parameters_per_token(model) * tokens, attention)


def _unet_flops(model: DiffusionModel, width: int, height: int, frames: int, unet_flops: UnetFlops) -> float:
    return model.backbone_parameters * width * height * frames * unet_flops.per_parameter_and_pixel(model)


ADAPTED_HIDDEN_SIZES = 18
"""Inputs and outputs of the matrices of one transformer layer, in hidden sizes: attention 8, feed-forward 10."""

ADAPTED_WIDTH = 640.0
"""Typical width of a UNet: n parameters in square matrices of width w have 2 n / w inputs and outputs."""


def adapter_parameters(model: DiffusionModel, rank: int) -> float:
    """Return the parameters of LoRA adapters on all matrices: rank x (inputs + outputs) of each [parameters]."""
    if model.is_unet:
        return 2.0 * rank * model.backbone_parameters / ADAPTED_WIDTH
    return ADAPTED_HIDDEN_SIZES * rank * backbone_hidden_size(model) * backbone_layers(model)
