"""The deployment, from names to numbers: which GPU, how many, joined how."""

from dataclasses import dataclass

import numpy as np

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.facts.gpus import Gpu
from advisor.resolve.filling import Filling
from advisor.resolve.hardware import FABRICS, LINKS, UNKNOWN_FABRIC_BANDWIDTH, Hardware
from advisor.units import GB
from advisor.workload import Deployment

SCALE_UP_PARTS = ("nvswitch", "infinity-fabric", "ici", "neuronlink", "ethernet")
"""Links that are soldered to the part; a bridge between PCIe cards is optional and never assumed."""


CLUSTER_FABRIC_BANDWIDTH = 50 * GB
"""One 400 Gb/s port for each GPU, as in training clusters of SXM parts [bytes/s]."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One deployment with its GPU known. The parallel degrees stay open (None) where a person left them so."""

    gpu: Gpu
    hardware: Hardware
    stated: Deployment


def resolve_placement(deployment: Deployment, facts: Facts, filling: Filling) -> Placement | None:
    """Return the placement, or None when no GPU was named; raises AdvisorError for impossible layouts."""
    if deployment.gpu is None:
        return None
    gpu, assumed_variant = facts.gpus.find(deployment.gpu)
    if assumed_variant:
        filling.assume("gpu", gpu.id, "gpu-variant")
    gpu_count = filling.fill("gpu_count", deployment.gpu_count, implied_gpu_count(deployment))
    nodes = filling.fill("nodes", deployment.nodes, 1)
    _check_layout(deployment, gpu_count, nodes)
    link = filling.fill("link", deployment.link, default_link(gpu), "link-by-form-factor")
    fabric, bandwidth = _fabric(deployment, gpu, gpu_count / nodes)
    if nodes > 1 and deployment.fabric is None:
        filling.assume("fabric", fabric, "link-by-form-factor")
    hardware = Hardware(
        facts.gpus,
        np.array([facts.gpus.index_of[gpu.id]]),
        np.array([gpu_count]),
        np.array([nodes]),
        np.array([LINKS.index(link)]),
        np.array([FABRICS.index(fabric)]),
        np.array([bandwidth]),
    )
    return Placement(gpu, hardware, deployment)


def _fabric(deployment: Deployment, gpu: Gpu, gpus_per_node: float) -> tuple[str, float]:
    """Return the network between machines and the rate of one GPU in it [bytes/s].

    Machines of soldered parts that somebody joins are clusters with a port for each GPU; of others nothing is known.
    """
    stated = (deployment.fabric_gb_per_second or 0) * GB
    if deployment.fabric is None and default_link(gpu) != "pcie":
        return "infiniband", stated or CLUSTER_FABRIC_BANDWIDTH
    return deployment.fabric or "unknown", stated or UNKNOWN_FABRIC_BANDWIDTH / gpus_per_node


def implied_gpu_count(deployment: Deployment) -> int:
    """Return the GPUs that the stated degrees need when no count is stated."""
    ranks = (
        (deployment.tensor_parallel or 1)
        * (deployment.pipeline_parallel or 1)
        * (deployment.data_parallel or 1)
    )
    return max(ranks, deployment.expert_parallel or 1, deployment.attention_data_parallel or 1)


def default_link(gpu: Gpu) -> str:
    """Return the link inside a node that comes with the part itself."""
    soldered = gpu.interconnect in SCALE_UP_PARTS or (
        gpu.interconnect == "nvlink" and gpu.form_factor.startswith(("SXM", "Superchip"))
    )
    return gpu.interconnect if soldered else "pcie"


def _check_layout(deployment: Deployment, gpu_count: int, nodes: int) -> None:
    degrees = {
        "nodes": nodes,
        "tensor_parallel": deployment.tensor_parallel,
        "pipeline_parallel": deployment.pipeline_parallel,
        "data_parallel": deployment.data_parallel,
        "context_parallel": deployment.context_parallel,
        "expert_parallel": deployment.expert_parallel,
        "attention_data_parallel": deployment.attention_data_parallel,
    }
    for field, degree in degrees.items():
        if degree and (degree > gpu_count or gpu_count % degree):
            values = {"given": degree, "gpu_count": gpu_count}
            raise AdvisorError("layout-impossible", f"deployment.{field}", (), values)
    shards = (deployment.tensor_parallel or 1) * (deployment.pipeline_parallel or 1)
    if shards > gpu_count:
        values = {"given": shards, "gpu_count": gpu_count}
        raise AdvisorError("layout-impossible", "deployment.tensor_parallel", (), values)
