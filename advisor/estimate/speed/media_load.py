"""What making an image or a clip asks of the GPUs: FLOPs of a pass, what is exchanged, decoded and loaded."""

from dataclasses import dataclass, fields

import numpy as np

from advisor.estimate.diffusion import (
    backbone_hidden_size,
    backbone_layers,
    flops_per_pass,
    sequence_tokens,
)
from advisor.estimate.speed.communication import over_pcie
from advisor.estimate.speed.rates import reachable_bandwidth, reachable_flops, slot_bandwidth
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import MediaWork
from advisor.units import BITS_PER_BYTE, FloatArray

Amount = float | FloatArray

EXCHANGES_PER_LAYER = 4
"""All-to-all of queries, keys, values and result when a sequence is split over GPUs (Ulysses)."""

BF16_BYTES = 2.0
PROMPT_TOKENS = 512
"""Text tokens that the encoders read [tokens]."""

UNET_EXCHANGED_HIDDEN = 160.0
UNET_LAYERS = 25.0
"""Width over latent cells and blocks of a Stable Diffusion UNet, for what patches of one image exchange."""


@dataclass(frozen=True, slots=True, eq=False)
class MediaLoad:
    """What one batch asks for: floats of one work, or arrays [D] of several.

    passes: of the backbone in one denoising step over the whole batch; matrix_flops, attention_flops: of one pass
    [FLOP]; layers: of the transformer, 0 for UNets; encoder_flops: of the text encoders for the batch [FLOP];
    sent_bytes: exchanged in one pass by all GPUs that share it [bytes]; pixels: decoded in the batch [pixels];
    streamed_bytes: weights from the host in every step [bytes]; loaded_bytes: weights from the host once for each
    batch [bytes]; fp8, int8, fp4: 1 for the precision of the weights.
    """

    passes: Amount
    matrix_flops: Amount
    attention_flops: Amount
    layers: Amount
    encoder_flops: Amount
    sent_bytes: Amount
    pixels: Amount
    streamed_bytes: Amount
    loaded_bytes: Amount
    fp8: Amount
    int8: Amount
    fp4: Amount


@dataclass(frozen=True, slots=True, eq=False)
class MediaMachine:
    """The GPUs of D deployments; every array has shape [D].

    flops: what large products reach at 16 bit [FLOP/s]; bandwidth: what large reads of memory reach [bytes/s];
    fp8, int8, fp4: 1 where the GPU multiplies in that precision; link, fabric, slot: nominal rates of a GPU inside and
    between machines and to the host [bytes/s]; by_pcie: 1 where GPUs talk over PCIe; ranks: GPUs that share one batch.
    """

    flops: FloatArray
    bandwidth: FloatArray
    fp8: FloatArray
    int8: FloatArray
    fp4: FloatArray
    link: FloatArray
    fabric: FloatArray
    slot: FloatArray
    by_pcie: FloatArray
    gpus_per_node: FloatArray
    ranks: FloatArray


LOAD_FIELDS = tuple(spec.name for spec in fields(MediaLoad))
MACHINE_FIELDS = tuple(spec.name for spec in fields(MediaMachine))


def media_load(work: MediaWork, facts: Facts) -> MediaLoad:
    """Return what one batch of the work asks for, floats."""
    model = work.model
    one_pass = flops_per_pass(model, work.width, work.height, work.frames, facts.unet_flops)
    passes = float(work.batch * (2 if work.guidance else 1))
    backbone = model.backbone_parameters * work.backbone_bits / BITS_PER_BYTE
    encoders = model.text_encoder_parameters * work.text_encoder_bits / BITS_PER_BYTE
    return MediaLoad(
        passes=passes,
        matrix_flops=one_pass.matrices,
        attention_flops=one_pass.attention,
        layers=0.0 if model.is_unet else backbone_layers(model),
        encoder_flops=2.0 * model.text_encoder_parameters * PROMPT_TOKENS * passes,
        sent_bytes=sent_bytes(work),
        pixels=float(work.batch * work.width * work.height * work.frames),
        streamed_bytes=backbone / model.backbones_in_turn if work.offload == "sequential" else 0.0,
        loaded_bytes=backbone + encoders if work.offload == "model" else 0.0,
        fp8=float(work.compute == "fp8"),
        int8=float(work.compute == "int8"),
        fp4=float(work.compute == "fp4"),
    )


def sent_bytes(work: MediaWork) -> float:
    """Return what the GPUs that share a sequence exchange in one pass, together [bytes]: 4 L s hidden at 16 bit."""
    model = work.model
    tokens = float(sequence_tokens(model, work.width, work.height, work.frames))
    hidden, layers = backbone_hidden_size(model), backbone_layers(model)
    if model.is_unet:
        hidden, layers = UNET_EXCHANGED_HIDDEN, UNET_LAYERS
    return EXCHANGES_PER_LAYER * layers * BF16_BYTES * tokens * hidden


def media_machine(hardware: Hardware, layout: Layout, facts: Facts) -> MediaMachine:
    """Return the machine of D deployments."""
    return MediaMachine(
        flops=reachable_flops(hardware, "16bit", facts),
        bandwidth=reachable_bandwidth(hardware, facts),
        fp8=hardware.computes_natively("fp8").astype(np.float64),
        int8=hardware.computes_natively("int8").astype(np.float64),
        fp4=hardware.computes_natively("fp4").astype(np.float64),
        link=hardware.link_bandwidth,
        fabric=hardware.fabric_bandwidth,
        slot=slot_bandwidth(hardware),
        by_pcie=over_pcie(hardware).astype(np.float64),
        gpus_per_node=hardware.gpus_per_node.astype(np.float64),
        ranks=layout.context_parallel.astype(np.float64),
    )
