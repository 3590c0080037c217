"""What the work runs on, as arrays over deployments [D]; a single deployment is D = 1."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from advisor.facts.gpus import Gpus
from advisor.units import GB, BoolArray, FloatArray, IntArray

LINKS = ("nvswitch", "nvlink", "pcie", "infinity-fabric", "ici", "neuronlink", "ethernet")
FABRICS = ("infiniband", "efa", "roce", "ethernet", "unknown")

PCIE_BANDWIDTH = np.array([12.0, 3.0, 6.0, 12.0, 25.0, 50.0, 100.0]) * GB
"""Usable rate of a x16 slot, one direction, by generation, the first where unknown [bytes/s]: about 0.8 of nominal."""

UNKNOWN_FABRIC_BANDWIDTH = 12.5 * GB
"""100 Gb/s Ethernet, assumed where nothing is known about the network between nodes [bytes/s, of a node]."""


@dataclass(frozen=True, eq=False)
class Hardware:
    """The accelerators of D deployments; every array has shape [D].

    gpu_index: row of the GPU table; gpu_count: of the whole deployment; nodes: machines;
    link: index into `LINKS`; fabric: index into `FABRICS`; fabric_bandwidth: of one GPU, one direction [bytes/s];
    memory_*: of one GPU [bytes]; memory_bandwidth [bytes/s]; *flops*: dense rate of one GPU [FLOP/s], NaN where absent.
    """

    gpus: Gpus
    gpu_index: IntArray
    gpu_count: IntArray
    nodes: IntArray
    link: IntArray
    fabric: IntArray
    fabric_bandwidth: FloatArray

    def __len__(self) -> int:
        """Return D."""
        return len(self.gpu_index)

    @cached_property
    def memory_bytes_allocatable(self) -> FloatArray:
        """What a process can get on one GPU [bytes]."""
        return self.gpus.memory_bytes_allocatable[self.gpu_index]

    @cached_property
    def memory_bytes_total(self) -> FloatArray:
        """What the driver shows for one GPU [bytes]."""
        return self.gpus.memory_bytes_total[self.gpu_index]

    @cached_property
    def memory_bandwidth(self) -> FloatArray:
        """Data-sheet memory bandwidth of one GPU [bytes/s]."""
        return self.gpus.memory_bandwidth[self.gpu_index]

    @cached_property
    def flops_16bit(self) -> FloatArray:
        """Dense BF16 rate of one GPU, FP16 where it has no BF16 [FLOP/s]."""
        return self.gpus.flops_16bit[self.gpu_index]

    def flops(self, compute: str) -> FloatArray:
        """Return the rate in a precision, the 16-bit one where the chip only stores the format [FLOP/s].

        compute: 16bit, fp8, int8 or fp4.
        """
        native = {
            "16bit": self.gpus.flops_16bit,
            "fp8": self.gpus.fp8_flops,
            "int8": self.gpus.int8_flops,
            "fp4": self.gpus.fp4_flops,
        }[compute][self.gpu_index]
        return np.where(np.isnan(native), self.flops_16bit, native)

    def computes_natively(self, compute: str) -> BoolArray:
        """Return where the chip multiplies in the precision itself."""
        if compute == "16bit":
            return np.ones(len(self), dtype=np.bool_)
        native = {"fp8": self.gpus.fp8_flops, "int8": self.gpus.int8_flops, "fp4": self.gpus.fp4_flops}
        return ~np.isnan(native[compute][self.gpu_index])

    @cached_property
    def link_bandwidth(self) -> FloatArray:
        """Nominal rate between two GPUs of a node, one direction [bytes/s]; PCIe where no faster link is stated."""
        scale_up = self.gpus.link_bandwidth[self.gpu_index]
        pcie = PCIE_BANDWIDTH[self.gpus.pcie_generation[self.gpu_index]]
        by_pcie = (self.link == LINKS.index("pcie")) | np.isnan(scale_up)
        return np.where(by_pcie, pcie, scale_up)

    @cached_property
    def gpus_per_node(self) -> IntArray:
        """GPUs of one machine."""
        return np.maximum(1, self.gpu_count // np.maximum(1, self.nodes))

    def take(self, rows: npt.NDArray[np.int64]) -> "Hardware":
        """Return the deployments of some rows, in that order."""
        return Hardware(
            self.gpus,
            self.gpu_index[rows],
            self.gpu_count[rows],
            self.nodes[rows],
            self.link[rows],
            self.fabric[rows],
            self.fabric_bandwidth[rows],
        )


@dataclass(frozen=True, eq=False)
class Layout:
    """How the work is laid over the GPUs of D deployments; every array has shape [D].

    replicas: independent copies of the served model (serving), or data-parallel ranks (training);
    concurrency: sequences in flight over the whole deployment, NaN = as many as fit.
    """

    tensor_parallel: IntArray
    pipeline_parallel: IntArray
    replicas: IntArray
    expert_parallel: IntArray
    context_parallel: IntArray
    attention_data_parallel: IntArray
    concurrency: FloatArray

    @cached_property
    def concurrency_per_replica(self) -> FloatArray:
        """Sequences in flight on the busiest replica."""
        return np.ceil(self.concurrency / self.replicas)

    def take(self, rows: npt.NDArray[np.int64]) -> "Layout":
        """Return the layouts of some rows, in that order."""
        return Layout(
            self.tensor_parallel[rows],
            self.pipeline_parallel[rows],
            self.replicas[rows],
            self.expert_parallel[rows],
            self.context_parallel[rows],
            self.attention_data_parallel[rows],
            self.concurrency[rows],
        )

    def with_concurrency(self, concurrency: FloatArray) -> "Layout":
        """Return the same layouts with other sequences in flight."""
        return Layout(
            self.tensor_parallel,
            self.pipeline_parallel,
            self.replicas,
            self.expert_parallel,
            self.context_parallel,
            self.attention_data_parallel,
            concurrency,
        )
