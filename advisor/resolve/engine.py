"""Which engine runs the work, with what settings."""

from advisor.facts import Facts
from advisor.facts.engines import Engine
from advisor.resolve.filling import Filling
from advisor.resolve.works import EngineSettings
from advisor.workload import Deployment, Workload


def resolve_settings(
    workload: Workload, deployment: Deployment, format_id: str, method: str, facts: Facts, filling: Filling
) -> EngineSettings:
    """Return the engine, stated or usual for this work, and the stated settings; raises AdvisorError."""
    engine = _resolve_engine(workload, deployment, format_id, method, facts, filling)
    if engine.profile != engine.id:
        filling.assume("engine_profile", engine.profile, "family-profile")
    return EngineSettings(
        engine=engine,
        version=deployment.engine_version or "",
        memory_utilization=deployment.memory_utilization,
        max_concurrent_sequences=deployment.max_concurrent_sequences,
        max_batched_tokens=deployment.max_batched_tokens,
        cuda_graphs=deployment.cuda_graphs,
    )


def _resolve_engine(
    workload: Workload, deployment: Deployment, format_id: str, method: str, facts: Facts, filling: Filling
) -> Engine:
    if deployment.engine is not None:
        return facts.engines.find(deployment.engine)
    vendor = facts.gpus.find(deployment.gpu)[0].vendor if deployment.gpu else "NVIDIA"
    engine = facts.engines.default_for(workload.task, method, format_id, vendor)
    filling.assume("engine", engine.id, "engine-default")
    return engine
