"""What an estimate of training says beside its figures: the recipe it counted with, and where QLoRA does not save."""

import dataclasses

import numpy as np

from advisor.codes import Assumption, Message, message
from advisor.estimate.memory.training import training_memory
from advisor.estimate.memory.training_state import full_recipe
from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import TrainingWork
from advisor.units import FloatArray

UNQUANTIZED_FORMAT = "bf16"


def recipe_assumptions(work: TrainingWork, facts: Facts) -> tuple[Assumption, ...]:
    """Return the bytes one trained parameter takes in full training: 8, 12, 16 or 18 and their like."""
    if work.method != "full":
        return ()
    recipe = full_recipe(work, facts.training_profiles.find(work.settings.engine.profile))
    return (Assumption("bytes_per_parameter", recipe.bytes_per_parameter, "training-recipe"),)


def crossover_warnings(
    work: TrainingWork, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> tuple[Message, ...]:
    """Return the warning that QLoRA peaks above LoRA here.

    Its fp32 embeddings, residual stream and logits cost more than four-bit matrices save: small models, large
    vocabularies, long sequences.
    """
    if work.method != "qlora":
        return ()
    lora = dataclasses.replace(
        work, method="lora", weights=facts.formats.weight_format(UNQUANTIZED_FORMAT, work.model)
    )
    other = training_memory(lora, hardware, layout, facts)
    if not np.any(memory.peak_gib > other.peak_gib):
        return ()
    return (message("peak-crosses-over", method="QLoRA", other_method="LoRA"),)
