"""The machines of the catalogue as candidates: every distinct shape with every layout it may take."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.layouts import candidate_tensor_parallel, uniform_layout
from advisor.facts import Facts
from advisor.facts.offers import Shape
from advisor.resolve.hardware import FABRICS, LINKS, Hardware, Layout
from advisor.resolve.works import MediaWork, ServeWork, TrainingWork, Work
from advisor.units import IntArray
from advisor.workload import Deployment

CLUSTER_SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
"""Machines tried together for training; more are never proposed."""

FEWEST_GPUS_OF_A_CLUSTER_NODE = 4
"""Machines with fewer GPUs are not joined into a training cluster: no provider sells a fabric between them."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """D ways to run the work. shape: row of `Offers.shapes` [D]; instances: machines joined [D]."""

    shape: IntArray
    instances: IntArray
    hardware: Hardware
    layout: Layout


def candidates_for(
    work: Work, shapes: IntArray, concurrencies: tuple[float, ...], deployment: Deployment, facts: Facts
) -> Candidates:
    """Return the candidates of some shapes; `concurrencies`: to try on one instance (serving), fewest first."""
    rows: list[tuple[int, int, int, int, int]] = []
    for shape_row in shapes.tolist():
        shape = facts.offers.shapes[shape_row]
        rows.extend((shape_row, *layout) for layout in _layouts(work, shape, deployment))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5).repeat(len(concurrencies), axis=0)
    shape_column, instances, tensor, replicas, context = columns.T
    in_flight = np.tile(np.array(concurrencies), len(rows))
    layout = uniform_layout(len(columns), tensor, 1, replicas, 1, context, 1, in_flight)
    return Candidates(shape_column, instances, _hardware(shape_column, instances, facts), layout)


def _layouts(work: Work, shape: Shape, deployment: Deployment) -> list[tuple[int, int, int, int]]:
    """Return (instances, tensor parallel, replicas, context parallel) of one shape, the preferred ones first."""
    count = shape.gpu_count
    if isinstance(work, ServeWork):
        stated = deployment.tensor_parallel
        degrees = candidate_tensor_parallel(count, work.model.attention_heads)
        degrees = [degree for degree in degrees if stated in (None, degree)]
        return [(1, degree, count // degree, 1) for degree in degrees]
    if isinstance(work, TrainingWork):
        return [(nodes, 1, nodes * count, 1) for nodes in _cluster_sizes(shape)]
    if isinstance(work, MediaWork) and count > 1 and not work.method:
        return [(1, 1, count, 1), (1, 1, 1, count)]
    return [(1, 1, count, 1)]


def _cluster_sizes(shape: Shape) -> tuple[int, ...]:
    """Return the clusters to try: one machine only where the network between machines is not known to be fast."""
    few = shape.gpu_count < FEWEST_GPUS_OF_A_CLUSTER_NODE
    slow = shape.fabric == "unknown" or shape.link in ("", "pcie")
    return (1,) if few or slow else CLUSTER_SIZES


def _hardware(shape_column: IntArray, instances: IntArray, facts: Facts) -> Hardware:
    shapes = facts.offers.shapes
    gpu = np.array([facts.gpus.index_of[shape.gpu_id] for shape in shapes])
    count = np.array([shape.gpu_count for shape in shapes])
    link = np.array([LINKS.index(shape.link or "pcie") for shape in shapes])
    fabric = np.array([FABRICS.index(shape.fabric) for shape in shapes])
    bandwidth = np.array([shape.fabric_bandwidth / shape.gpu_count for shape in shapes])
    return Hardware(
        facts.gpus,
        gpu[shape_column],
        count[shape_column] * instances,
        instances,
        link[shape_column],
        fabric[shape_column],
        bandwidth[shape_column],
    )
