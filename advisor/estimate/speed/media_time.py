"""Seconds of a denoising step and of a request, in parts, on one GPU or several together.

seconds = steps x step + request; step = multiplying + fixed + exchange, and weights that stream from the host.
The FLOPs and their shares: notes on throughput, section 7.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.estimate.diffusion import (
    PassFlops,
    backbone_hidden_size,
    backbone_layers,
    flops_per_pass,
    sequence_tokens,
)
from advisor.estimate.speed.rates import exchange_rate, reachable_bandwidth, reachable_flops, slot_bandwidth
from advisor.facts import Facts
from advisor.facts.media_constants import MediaCoefficients
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import MediaWork
from advisor.units import BITS_PER_BYTE, MILLISECOND, FloatArray

EXCHANGES_PER_LAYER = 4
"""All-to-all of queries, keys, values and result when a sequence is split over GPUs (Ulysses)."""

BF16_BYTES = 2.0
PROMPT_TOKENS = 512
"""Text tokens that the encoders read [tokens]."""

UNET_HIDDEN_SIZE = 640.0
UNET_LAYERS = 25.0
"""Width at half resolution and blocks of a Stable Diffusion UNet, for what patches of one image exchange."""

BOUNDS = np.array(["compute", "launch", "communication", "offload", "bandwidth"])


@dataclass(frozen=True, slots=True)
class MediaTime:
    """Seconds of one batch on one group of GPUs; arrays [D]. step parts are of one denoising step.

    compute, fixed, exchange, streaming: multiplying, launches, exchange between GPUs, weights that come from the host
    in every step; encoding, decoding, loading, request: once for each batch.
    """

    compute: FloatArray
    fixed: FloatArray
    exchange: FloatArray
    streaming: FloatArray
    overlaps: FloatArray
    encoding: FloatArray
    decoding: FloatArray
    loading: FloatArray
    request: FloatArray

    @property
    def step(self) -> FloatArray:
        """Return the time of one denoising step [s]."""
        together = np.maximum(self.compute, self.streaming)
        apart = self.compute + self.streaming
        return np.asarray(np.where(self.overlaps > 0, together, apart) + self.fixed + self.exchange)

    def total(self, steps: int) -> FloatArray:
        """Return the time of one batch [s]."""
        return np.asarray(steps * self.step + self.encoding + self.decoding + self.loading + self.request)

    def bound(self, steps: int) -> npt.NDArray[np.str_]:
        """Return the code of the largest part [D]."""
        host = steps * self.streaming + self.loading
        fixed = steps * self.fixed + self.request
        multiplying = steps * self.compute + self.encoding
        parts = np.stack([multiplying, fixed, steps * self.exchange, host, self.decoding])
        return np.asarray(BOUNDS[np.argmax(parts, axis=0)])


def media_time(work: MediaWork, hardware: Hardware, layout: Layout, facts: Facts) -> MediaTime:
    """Return the seconds of one batch in parts [D]; the GPUs of a context-parallel group share it."""
    reached = media_coefficients(work, hardware, facts)
    one_pass = flops_per_pass(work.model, work.width, work.height, work.frames, facts.unet_flops)
    passes = work.batch * (2 if work.guidance else 1)
    ranks = layout.context_parallel.astype(np.float64)
    reachable = reachable_flops(hardware, "16bit", facts)
    zero = np.zeros(len(hardware))
    backbone = work.model.backbone_parameters * work.backbone_bits / BITS_PER_BYTE
    encoders = work.model.text_encoder_parameters * work.text_encoder_bits / BITS_PER_BYTE
    slot = slot_bandwidth(hardware)
    encoder_flops = 2.0 * work.model.text_encoder_parameters * PROMPT_TOKENS * passes
    return MediaTime(
        compute=passes * pass_seconds(one_pass, work.compute, reachable, reached, hardware) / ranks,
        fixed=reached.step_ms * MILLISECOND,
        exchange=passes * _exchange_bytes(work, ranks) / _exchange_rate(hardware, ranks, reached),
        streaming=backbone / work.model.backbones_in_turn / slot if work.offload == "sequential" else zero,
        overlaps=reached.overlaps_offload,
        encoding=encoder_flops / (reachable * reached.matrix_share),
        decoding=_decode_bytes(work, reached) / reachable_bandwidth(hardware, facts),
        loading=(backbone + encoders) / slot if work.offload == "model" else zero,
        request=reached.request_ms * MILLISECOND,
    )


def media_coefficients(work: MediaWork, hardware: Hardware, facts: Facts) -> MediaCoefficients:
    """Return what the engine reaches with this backbone [D]."""
    engine, version = work.settings.engine, work.settings.version
    mode = "compiled" if work.compile or "compile" in version else "eager"
    backbone = "unet" if work.model.is_unet else "dit"
    names = (engine.id, engine.profile)
    return facts.media_speed.reached(names, backbone, work.model.id, mode, version, hardware.gpu_index)


def pass_seconds(
    one_pass: PassFlops, compute: str, reachable: FloatArray, reached: MediaCoefficients, hardware: Hardware
) -> FloatArray:
    """Return the multiplying time of one pass of the backbone over one image or clip on one GPU [D, s].

    Attention stays at 16 bit; matrix products gain where the chip multiplies in the weights' precision.
    """
    gains = {"fp8": reached.fp8_gain, "int8": reached.int8_gain, "fp4": reached.fp4_gain}
    gain = np.where(hardware.computes_natively(compute), gains[compute], 1.0) if compute in gains else 1.0
    matrices = one_pass.matrices / (reachable * reached.matrix_share * gain)
    return np.asarray(matrices + one_pass.attention / (reachable * reached.attention_share))


def _exchange_bytes(work: MediaWork, ranks: FloatArray) -> FloatArray:
    """Return what one GPU sends in one pass when `ranks` GPUs share the sequence [D, bytes]."""
    model = work.model
    tokens = float(sequence_tokens(model, work.width, work.height, work.frames))
    hidden, layers = backbone_hidden_size(model), backbone_layers(model)
    if model.is_unet:
        hidden, layers = UNET_HIDDEN_SIZE / 4, UNET_LAYERS
    sent = EXCHANGES_PER_LAYER * layers * BF16_BYTES * tokens * hidden
    return np.asarray(sent / ranks * (ranks - 1.0) / ranks)


def _exchange_rate(hardware: Hardware, ranks: FloatArray, reached: MediaCoefficients) -> FloatArray:
    return exchange_rate(hardware, ranks, reached.link_share, reached.pcie_share)


def _decode_bytes(work: MediaWork, reached: MediaCoefficients) -> FloatArray:
    """Return the memory traffic of decoding one batch [D, bytes]."""
    pixels = float(work.batch * work.width * work.height * work.frames)
    return np.asarray(pixels * reached.decode_bytes_per_pixel)
