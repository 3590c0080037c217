"""Coefficients of training speed by engine, version, GPU and kind of work: `speed_training.csv`."""

from dataclasses import dataclass, fields
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.coefficients import CoefficientTable, load_coefficients
from advisor.facts.families import GpuFamilies
from advisor.facts.gpus import Gpus
from advisor.units import BoolArray, FloatArray, IntArray

TRAINING_KEYS = ("engine", "method", "model", "precision", "mode")


@dataclass(frozen=True, slots=True, eq=False)
class TrainingCoefficients:
    """What an engine reaches in training; every array has shape [D].

    matrix_share: of what large matrix products of this GPU reach in the precision; attention_share: of what they reach
    at 16 bit, on causal FLOPs;
    traffic_copies: 16-bit hidden vectors that element-wise work moves for a token and layer, forward and backward;
    expert_copies: the same for each expert a token is sent to, over the link between GPUs;
    recompute_share: of a forward pass that full checkpointing repeats; launch_us: fixed time of a layer in a
    micro-batch [us]; bubble_share: of the pipeline's (stages - 1) / micro-batches that stays idle;
    link_share, pcie_share: of the rate of a link, as far as exchange is not hidden behind compute (above 1 where most
    is); fabric_share: the same between machines;
    counts_attention: 1 where the engine's own figures count attention in full, 0.5 where they count the causal half;
    unpacked_share: real tokens among padded ones where samples are not packed and no mean length is stated;
    rollout_factor: time of reinforcement learning with its generations over that of training alone.
    """

    matrix_share: FloatArray
    attention_share: FloatArray
    traffic_copies: FloatArray
    expert_copies: FloatArray
    recompute_share: FloatArray
    launch_us: FloatArray
    bubble_share: FloatArray
    link_share: FloatArray
    pcie_share: FloatArray
    fabric_share: FloatArray
    counts_attention: FloatArray
    unpacked_share: FloatArray
    rollout_factor: FloatArray


DECISIVE = ("matrix_share",)
"""The coefficients that decide most of a step."""

TRAINING_QUANTITIES = tuple(spec.name for spec in fields(TrainingCoefficients))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSpeed:
    """The table of training coefficients."""

    table: CoefficientTable

    def reached(
        self, engines: tuple[str, str], keys: tuple[str, str, str, str], version: str, gpu_index: IntArray
    ) -> TrainingCoefficients:
        """Return the coefficients of some accelerators [D].

        engines: id and profile; keys: method (full, lora, qlora), model (dense, moe, hybrid), precision (16bit, fp8,
        int8, fp4), mode (eager, compiled).
        """
        engine = self.table.named(0, engines)
        columns = self.table.columns((engine, *keys), version)
        return TrainingCoefficients(*columns[:, gpu_index])

    def fitted(
        self, engines: tuple[str, str], keys: tuple[str, str, str, str], version: str, gpu_index: IntArray
    ) -> BoolArray:
        """Return where the share of matrix products was fitted to cases on such a GPU, and is not a prior [D]."""
        engine = self.table.named(0, engines)
        return self.table.fitted((engine, *keys), version, DECISIVE)[gpu_index]


def load_training_speed(
    folder: Path, gpus: Gpus, families: GpuFamilies
) -> tuple[TrainingSpeed, list[AdvisorError]]:
    """Read `speed_training.csv`; returns the table and the refused rows."""
    table, refused = load_coefficients(
        folder, "speed_training", TRAINING_QUANTITIES, TRAINING_KEYS, gpus, families
    )
    return TrainingSpeed(table), refused
