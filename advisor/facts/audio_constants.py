"""Constants of speech and music by engine: `audio_constants.csv`."""

from dataclasses import dataclass, fields
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.coefficients import CoefficientTable, load_coefficients
from advisor.facts.families import GpuFamilies
from advisor.facts.gpus import Gpus


@dataclass(frozen=True, slots=True, eq=False)
class AudioConstants:
    """How one engine runs audio models.

    bandwidth_share: of what large reads of memory reach; compute_share: of what large matrix products reach;
    launch_us: fixed time of a decoder layer in a step [us]; sequence_us: time of a decoder layer for each
    sequence [us];
    text_tokens_per_audio_second: of recognised speech; audio_frames_per_second: of an audio encoder;
    default_*: where a model's row states none; guidance_passes: passes of a denoising step; flow_share: further time of
    a flow-matching or diffusion head, as a share of the autoregressive part;
    codec_gib: codec with its activations [GiB]; activation_copies: 16-bit copies of frames x hidden alive at once;
    slack_share: reserved but unused, of the peak; context_gib: of the process [GiB].
    """

    bandwidth_share: float
    compute_share: float
    launch_us: float
    sequence_us: float
    text_tokens_per_audio_second: float
    audio_frames_per_second: float
    default_decode_steps: float
    default_latent_rate: float
    default_denoising_steps: float
    guidance_passes: float
    default_layers: float
    flow_share: float
    codec_gib: float
    activation_copies: float
    slack_share: float
    context_gib: float


AUDIO_KEYS = ("engine",)
QUANTITIES = tuple(spec.name for spec in fields(AudioConstants))


@dataclass(frozen=True, slots=True, eq=False)
class AudioProfiles:
    """The table of audio constants."""

    table: CoefficientTable

    def constants(self, engines: tuple[str, str]) -> AudioConstants:
        """Return the constants of an engine, by id or by profile."""
        columns = self.table.columns((self.table.named(0, engines),), "")
        return AudioConstants(*(float(value) for value in columns[:, 0]))


def load_audio_profiles(
    folder: Path, gpus: Gpus, families: GpuFamilies
) -> tuple[AudioProfiles, list[AdvisorError]]:
    """Read `audio_constants.csv`; returns the table and the refused rows."""
    table, refused = load_coefficients(folder, "audio_constants", QUANTITIES, AUDIO_KEYS, gpus, families)
    return AudioProfiles(table), refused
