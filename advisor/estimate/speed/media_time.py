"""Seconds of a denoising step and of a request, in parts, on one GPU or several together.

seconds = steps x step + request; step = multiplying + fixed + exchange, and weights that stream from the host.
The FLOPs and their shares: notes on throughput, section 7.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.estimate.speed.media_load import MediaLoad, MediaMachine
from advisor.estimate.speed.rates import PCIE_GPUS_AT_FULL_RATE
from advisor.facts import Facts
from advisor.facts.media_constants import MediaCoefficients
from advisor.resolve.hardware import Hardware
from advisor.resolve.works import MediaWork
from advisor.units import MICROSECOND, MILLISECOND, BoolArray, FloatArray

BOUNDS = np.array(["compute", "launch", "communication", "offload", "bandwidth"])


@dataclass(frozen=True, slots=True, eq=False)
class MediaTime:
    """Seconds of one batch on one group of GPUs; arrays [D]. Parts of a step: of one denoising step.

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

    def total(self, steps: float | FloatArray) -> FloatArray:
        """Return the time of one batch [s]."""
        return np.asarray(steps * self.step + self.encoding + self.decoding + self.loading + self.request)

    def bound(self, steps: int) -> npt.NDArray[np.str_]:
        """Return the code of the largest part [D]."""
        host = steps * self.streaming + self.loading
        fixed = steps * self.fixed + self.request
        multiplying = steps * self.compute + self.encoding
        parts = np.stack([multiplying, fixed, steps * self.exchange, host, self.decoding])
        return np.asarray(BOUNDS[np.argmax(parts, axis=0)])


def media_mode(work: MediaWork) -> str:
    """Return compiled or eager; a version that names torch.compile counts."""
    return "compiled" if work.compile or "compile" in work.settings.version else "eager"


def backbone_kind(work: MediaWork) -> str:
    """Return unet or dit, the kinds by which measured shares differ."""
    return "unet" if work.model.is_unet else "dit"


def media_coefficients(work: MediaWork, hardware: Hardware, facts: Facts) -> MediaCoefficients:
    """Return what the engine reaches with this backbone [D]."""
    return facts.media_speed.reached(*_coefficient_key(work), hardware.gpu_index)


def is_fitted(work: MediaWork, hardware: Hardware, facts: Facts) -> BoolArray:
    """Return where the engine's share was fitted to cases on such a GPU [D]."""
    return facts.media_speed.fitted(*_coefficient_key(work), hardware.gpu_index)


def _coefficient_key(work: MediaWork) -> tuple[tuple[str, str], tuple[str, str, str], str]:
    """Return what chooses the coefficients beside the GPU: engine, keys of the table, version."""
    engine = work.settings.engine
    keys = (backbone_kind(work), work.model.id, media_mode(work))
    return (engine.id, engine.profile), keys, work.settings.version


def media_time(load: MediaLoad, machine: MediaMachine, reached: MediaCoefficients) -> MediaTime:
    """Return the seconds of one batch in parts [D]; the GPUs of a group share the sequence, not the decoding."""
    compute = load.passes * pass_seconds(load, machine, reached) / machine.ranks
    # Kernels that are too short leave the GPU waiting for the next launch.
    waiting = np.maximum(0.0, load.layers * reached.layer_us * MICROSECOND - compute)
    return MediaTime(
        compute=compute,
        fixed=reached.step_ms * MILLISECOND + waiting,
        exchange=_exchange(load, machine, reached),
        streaming=np.asarray(load.streamed_bytes / machine.slot),
        overlaps=reached.overlaps_offload,
        encoding=load.encoder_flops / (machine.flops * reached.matrix_share),
        decoding=load.pixels * reached.decode_bytes_per_pixel / machine.bandwidth,
        loading=np.asarray(load.loaded_bytes / machine.slot),
        request=reached.request_ms * MILLISECOND,
    )


def pass_seconds(load: MediaLoad, machine: MediaMachine, reached: MediaCoefficients) -> FloatArray:
    """Return the multiplying time of one pass over one image or clip on one GPU [D, s].

    Attention stays at 16 bit; matrix products gain where the chip multiplies in the weights' precision.
    """
    gain = (
        1.0
        + load.fp8 * machine.fp8 * (reached.fp8_gain - 1.0)
        + load.int8 * machine.int8 * (reached.int8_gain - 1.0)
        + load.fp4 * machine.fp4 * (reached.fp4_gain - 1.0)
    )
    matrices = load.matrix_flops / (machine.flops * reached.matrix_share * gain)
    return np.asarray(matrices + load.attention_flops / (machine.flops * reached.attention_share))


def _exchange(load: MediaLoad, machine: MediaMachine, reached: MediaCoefficients) -> FloatArray:
    """Return the time in which one GPU sends its part to the others in a step [D, s].

    GPUs on PCIe share the host's paths; a group over several machines is held to the fabric.
    """
    ranks = machine.ranks
    sent = load.passes * load.sent_bytes / ranks * (ranks - 1.0) / ranks
    crowding = np.minimum(1.0, PCIE_GPUS_AT_FULL_RATE / ranks)
    share = np.where(machine.by_pcie > 0, reached.pcie_share * crowding, reached.link_share)
    inside = machine.link * share
    between = np.minimum(inside, machine.fabric * reached.link_share)
    return np.asarray(sent / np.where(ranks > machine.gpus_per_node, between, inside))
