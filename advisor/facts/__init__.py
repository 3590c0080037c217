"""The facts: immutable tables of GPUs, models, formats, engines, offers and providers, loaded once and shared."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.audio_constants import AudioProfiles, load_audio_profiles
from advisor.facts.currency import Currency, load_currencies
from advisor.facts.engine_memory import EngineMemories, load_engine_memories
from advisor.facts.engines import Engines, load_engines
from advisor.facts.fabric import Fabric, load_fabrics
from advisor.facts.families import GpuFamilies, load_families
from advisor.facts.formats import Formats, load_formats
from advisor.facts.gpus import Gpus, load_gpus
from advisor.facts.intervals import Intervals, load_intervals
from advisor.facts.media import MediaModels, load_media_models
from advisor.facts.media_constants import (
    MediaMemory,
    MediaSpeed,
    UnetFlops,
    load_media_memory,
    load_media_speed,
    load_unet_flops,
)
from advisor.facts.models import LanguageModels, load_language_models
from advisor.facts.offers import Offers, load_offers
from advisor.facts.providers import Provider, load_providers
from advisor.facts.speed import ServingSpeed, load_serving_speed
from advisor.facts.training_memory import TrainingProfiles, load_training_profiles
from advisor.facts.training_speed import TrainingSpeed, load_training_speed
from advisor.paths import data_folder


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """All tables of one catalogue. `version` changes with the offers; `refused` names the rows left out."""

    version: str
    gpus: Gpus
    language_models: LanguageModels
    media_models: MediaModels
    formats: Formats
    engines: Engines
    providers: dict[str, Provider]
    currencies: dict[str, Currency]
    fabrics: tuple[Fabric, ...]
    offers: Offers
    engine_memories: EngineMemories
    memory_intervals: Intervals
    speed_intervals: Intervals
    families: GpuFamilies
    serving_speed: ServingSpeed
    media_speed: MediaSpeed
    media_memory: MediaMemory
    unet_flops: UnetFlops
    audio_profiles: AudioProfiles
    training_speed: TrainingSpeed
    training_profiles: TrainingProfiles
    refused: tuple[AdvisorError, ...]

    def __hash__(self) -> int:
        """Hash by version, so that rankings can be cached under the facts they were made from."""
        return hash(self.version)

    def __eq__(self, other: object) -> bool:
        """Compare by version."""
        return isinstance(other, Facts) and self.version == other.version


def load_facts(folder: Path | None = None) -> Facts:
    """Load the tables of a folder, by default the embedded catalogue.

    A row with a wrong cell is refused by name and listed in `refused`; a missing table or column raises AdvisorError.
    """
    folder = folder or data_folder()
    gpus, refused = load_gpus(folder)
    language_models, refused_models = load_language_models(folder)
    media_models, refused_media = load_media_models(folder)
    formats, refused_formats = load_formats(folder)
    engines, refused_engines = load_engines(folder)
    providers, refused_providers = load_providers(folder)
    currencies, refused_currencies = load_currencies(folder)
    fabrics, refused_fabrics = load_fabrics(folder)
    offers, refused_offers = load_offers(folder, gpus, fabrics)
    engine_memories, refused_profiles = load_engine_memories(folder)
    refused += refused_profiles
    memory_intervals, refused_memory = load_intervals(folder, "memory_intervals")
    speed_intervals, refused_speed = load_intervals(folder, "speed_intervals")
    families, refused_families = load_families(folder, gpus)
    serving_speed, refused_serving = load_serving_speed(folder, gpus, families)
    refused += refused_families + refused_serving
    media_speed, refused_media_speed = load_media_speed(folder, gpus, families)
    unet_flops, refused_unets = load_unet_flops(folder, media_models)
    media_memory, refused_media_memory = load_media_memory(folder, gpus, families)
    audio_profiles, refused_audio = load_audio_profiles(folder, gpus, families)
    training_speed, refused_training_speed = load_training_speed(folder, gpus, families)
    refused += (
        refused_training_speed + refused_audio + refused_media_speed + refused_media_memory + refused_unets
    )
    training_profiles, refused_training = load_training_profiles(folder)
    refused += refused_memory + refused_speed + refused_training
    refused += refused_models + refused_media + refused_formats + refused_engines
    refused += refused_currencies
    refused += refused_providers + refused_fabrics + refused_offers
    return Facts(
        version=hashlib.sha256((folder / "offers.csv").read_bytes()).hexdigest()[:12],
        gpus=gpus,
        language_models=language_models,
        media_models=media_models,
        formats=formats,
        engines=engines,
        providers=providers,
        currencies=currencies,
        fabrics=fabrics,
        offers=offers,
        engine_memories=engine_memories,
        memory_intervals=memory_intervals,
        speed_intervals=speed_intervals,
        families=families,
        serving_speed=serving_speed,
        media_speed=media_speed,
        media_memory=media_memory,
        unet_flops=unet_flops,
        audio_profiles=audio_profiles,
        training_speed=training_speed,
        training_profiles=training_profiles,
        refused=tuple(refused),
    )
