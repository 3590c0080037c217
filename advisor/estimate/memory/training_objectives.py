"""What preference and reinforcement learning hold besides the trained model: companions, and generations."""

from dataclasses import dataclass

from advisor.estimate.memory.training_activations import sequence_length, sequences_at_once
from advisor.estimate.memory.training_state import BF16_BYTES, FP32_BYTES, Part, TrainingState
from advisor.resolve.works import TrainingWork

ROLLOUT_OBJECTIVES = ("grpo", "ppo")


@dataclass(frozen=True, slots=True, eq=False)
class Companions:
    """Further models of an objective: frozen copies, and how many models of the trained kind there are.

    frozen: copies of the weights at 16 bit on the GPU; on_host: copies in host memory; trained: 2 where a value
    model of the same size is trained too, else 1.
    """

    frozen: int
    on_host: int
    trained: int


def companions(work: TrainingWork) -> Companions:
    """Return the models that the objective needs besides the trained one (TRL's trainers).

    DPO and GRPO compare with a reference; PPO adds a frozen reward model and, in full training, a trained value model.
    """
    if work.objective == "sft":
        return Companions(0, 0, 1)
    reference = int(work.reference_model == "resident")
    on_host = int(work.reference_model == "offloaded")
    if work.objective == "ppo":
        return Companions(reference + 1, on_host, 2 if work.method == "full" else 1)
    return Companions(reference, on_host, 1)


def reference_weights(work: TrainingWork, state: TrainingState) -> Part:
    """Return one frozen companion: as the trained weights are stored, 16 bit in full training [bytes]."""
    return state.trainable.times(BF16_BYTES) if work.method == "full" else state.weights


def generation_bytes(work: TrainingWork) -> float:
    """Return the cache and the last logits while answers are generated; 0 where none are [bytes]."""
    if work.objective not in ROLLOUT_OBJECTIVES:
        return 0.0
    model, length = work.model, sequence_length(work)
    window = min(length, model.sliding_window or length)
    cache = model.kv_bytes_per_token_full_bf16 * length + model.kv_bytes_per_token_sliding_bf16 * window
    last_logits = FP32_BYTES * model.vocabulary
    return sequences_at_once(work) * (cache + model.state_bytes_per_sequence + last_logits)
