"""The one table of questions: what the page asks, its code in the address, limits, default, label and help.

The codec, the widgets, the requests to the core, the tests and the docs read it; nothing is written twice.
Labels and helps are English msgids; `advisor.ui.language` translates them when they are drawn.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.wording import N_
from advisor.workload import (
    CACHE_FORMATS,
    CHECKPOINTING,
    GPU_CLASSES,
    LINKS,
    LORA_TARGETS,
    METHODS,
    OBJECTIVES,
    OPTIMIZERS,
    SORTS,
    TASKS,
    TRAINING_PRECISIONS,
)

Value = str | int | float | bool | tuple[str, ...] | None

SERVE, FINETUNE, PRETRAIN, IMAGE, VIDEO, AUDIO = TASKS
TRAINING = (FINETUNE, PRETRAIN)
DIFFUSION = (IMAGE, VIDEO)
MEDIA = (IMAGE, VIDEO, AUDIO)
MONTHLY = (SERVE, *MEDIA)

BY_MODEL = "by-model"
"""Stands for a default that `advisor.ui.form` reads from the chosen model or from the work."""

ANYWHERE = "any"
KINDS = ("hyperscaler", "neocloud", "marketplace")
PRICINGS = ("on-demand", "spot", "reserved", "cheapest")


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    key: the contract's field; code: its name in the address; step: section 1 to 5 that asks it;
    kind: choice, choices, whole, number, flag, size, format, engine, gpu or where;
    low, high, increment: in the unit shown; scale: contract units in one unit shown (percent: 0.01);
    default: a contract value, or one a task; None = open until somebody says;
    sent: the core is told the default too, because it has another one or none.
    """

    key: str
    code: str
    step: int
    kind: str
    label: str | Mapping[str, str]
    help: str
    tasks: tuple[str, ...] = TASKS
    expert: bool | tuple[str, ...] = False
    accepted: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    default: Value | Mapping[str, Value] = None
    sent: bool = False
    scale: float = 1
    increment: float = 1

    def label_for(self, task: str) -> str:
        """Return the msgid of the label."""
        return self.label if isinstance(self.label, str) else self.label[task]

    def default_for(self, task: str) -> Value:
        """Return the default of a task, or `BY_MODEL`."""
        return self.default.get(task) if isinstance(self.default, Mapping) else self.default

    def is_expert(self, task: str) -> bool:
        """Whether the question is folded away for this task."""
        return task in self.expert if isinstance(self.expert, tuple) else self.expert


# One question is one short paragraph of the table: the formatter would spread each over fifteen lines.
# fmt: off
MEMORY_QUESTIONS = (
    Question(
        "method", "method", 1, "choice", N_("How do you train?"),
        N_("LoRA trains small adapters; QLoRA also keeps the model in 4 bits; full trains every weight."),
        (FINETUNE,), accepted=METHODS, default="lora"),
    Question(
        "weights", "weights", 1, "format", N_("Weight format"),
        N_("Fewer bits take less memory and read faster; below 8 bits answers may lose some quality."),
        expert=TRAINING, default=BY_MODEL),
    Question(
        "context_tokens", "ctx", 1, "tokens", N_("Tokens per conversation"),
        N_("Prompt and answer together; a page of text is about 500 tokens."),
        (SERVE,), low=1, high=100_000_000, default=8_192, sent=True),
    Question(
        "concurrency", "conc", 1, "whole", N_("Conversations at once"),
        N_("Conversations that are being answered at the same moment, not registered users."),
        (SERVE,), low=1, high=512, default=8, sent=True),
    Question(
        "sequence_tokens", "seq", 1, "tokens", N_("Tokens per training sample"),
        N_("The packed or padded length of one sample."),
        TRAINING, low=1, high=100_000_000, default={FINETUNE: 2_048, PRETRAIN: 4_096}),
    Question(
        "micro_batch", "batch", 1, "whole", N_("Samples per GPU and pass"),
        N_("More samples at once use the GPU better and take more memory for activations."),
        TRAINING, low=1, high=1_024, default=1),
    Question(
        "size", "size", 1, "size", N_("Width × height, pixels"),
        N_("Larger pictures need more memory for activations and much more time."),
        DIFFUSION, default=BY_MODEL),
    Question(
        "frames", "frames", 1, "whole", N_("Frames per clip"),
        N_("Length of the clip times its frames per second."),
        (VIDEO,), low=1, high=2_000, default=BY_MODEL),
    Question(
        "audio_seconds", "seconds", 1, "number", N_("Seconds of sound per clip"),
        N_("Length of one clip that is made or transcribed in one go."),
        (AUDIO,), low=1, high=36_000, default=30),
    Question(
        "batch", "batch", 1, "whole",
        {IMAGE: N_("Pictures at once"), VIDEO: N_("Clips at once"), AUDIO: N_("Clips at once")},
        N_("Made together in one pass: more speed for each dollar, more memory."),
        MEDIA, (VIDEO,), low=1, high=256, default=1),
    Question(
        "steps", "steps", 1, "whole", N_("Denoising steps"),
        N_("Time grows with the steps; memory does not."),
        DIFFUSION, True, low=1, high=500, default=BY_MODEL),
    Question(
        "guidance", "guidance", 1, "flag", N_("Two passes per step (guidance)"),
        N_("Classifier-free guidance runs the model twice per step."),
        DIFFUSION, True, default=BY_MODEL),
    Question(
        "offload", "offload", 1, "choice", N_("Parts kept in host memory"),
        N_("Parts that wait in host memory free VRAM and cost time."),
        DIFFUSION, True, accepted=("none", "model", "sequential"), default="none"),
    Question(
        "vae_tiling", "tiling", 1, "flag", N_("Decode the picture in tiles"),
        N_("Tiles keep the last step, from latents to pixels, small."),
        DIFFUSION, True, default=False),
    Question(
        "output_tokens", "out", 1, "whole", N_("Of these, tokens of the answer"),
        N_("Empty: an eighth of the conversation, at most 1,024."),
        (SERVE,), True, low=1, high=10_000_000),
    Question(
        "shared_prefix_tokens", "prefix", 1, "whole", N_("Tokens that all conversations share"),
        N_("A common system prompt is cached once."),
        (SERVE,), True, low=0, high=10_000_000, default=0),
    Question(
        "kv_cache", "kv", 1, "choice", N_("KV cache format"),
        N_("Eight bits halve the cache."),
        (SERVE,), True, accepted=CACHE_FORMATS),
    Question(
        "engine", "engine", 1, "engine", N_("Engine"),
        N_("The program that runs the model."),
        expert=True),
    Question(
        "memory_utilization", "reserve", 1, "whole", N_("Share of the card the engine may take, %"),
        N_("What is left over is for the driver and other programs."),
        (SERVE,), True, low=30, high=99, scale=0.01),
    Question(
        "objective", "objective", 1, "choice", N_("Training objective"),
        N_("Preference and reinforcement training keep more models in memory."),
        (FINETUNE,), True, accepted=OBJECTIVES, default="sft"),
    Question(
        "lora_rank", "rank", 1, "whole", N_("Adapter rank"),
        N_("A higher rank trains more parameters."),
        (FINETUNE,), True, low=1, high=1_024, default=16),
    Question(
        "lora_targets", "targets", 1, "choice", N_("Layers with adapters"),
        N_("Which matrices get an adapter."),
        (FINETUNE,), True, accepted=LORA_TARGETS, default="all-linear"),
    Question(
        "optimizer", "optimizer", 1, "choice", N_("Optimizer"),
        N_("AdamW keeps two numbers for each trained weight; 8-bit variants keep them small."),
        TRAINING, True, accepted=OPTIMIZERS, default="adamw"),
    Question(
        "gradient_checkpointing", "checkpointing", 1, "choice", N_("Gradient checkpointing"),
        N_("Activations are computed again instead of kept: less memory, about a third more time."),
        TRAINING, True, accepted=CHECKPOINTING, default="full"),
    Question(
        "gradient_accumulation", "accumulation", 1, "whole", N_("Passes per optimizer step"),
        N_("Larger batches without more memory for activations."),
        TRAINING, True, low=1, high=4_096, default=1),
    Question(
        "training_precision", "precision", 1, "choice", N_("Training precision"),
        N_("Mixed keeps 32-bit master weights; pure BF16 does without."),
        TRAINING, True, accepted=TRAINING_PRECISIONS, default="mixed"),
    Question(
        "fused_cross_entropy", "fused", 1, "flag", N_("Fused loss, logits never whole in memory"),
        N_("Saves gigabytes with a large vocabulary and long samples."),
        TRAINING, True, default=False),
)

CARD_QUESTIONS = (
    Question(
        "tokens_per_second_per_request", "tps", 2, "number", N_("Lowest speed per reader, tokens/s"),
        N_("People read about five words a second: 10 tokens/s keeps ahead of most."),
        (SERVE,), low=0, high=2_000, default=BY_MODEL, increment=5),
    Question(
        "dataset_tokens", "data", 2, "number", N_("Data to train on, million tokens"),
        N_("Tokens of the whole data set, counted once."),
        TRAINING, low=0.001, high=1e9, default=BY_MODEL, sent=True, scale=1e6, increment=10),
    Question(
        "job_units", "job", 2, "number",
        {IMAGE: N_("Pictures to make"), VIDEO: N_("Seconds of video to make"),
         AUDIO: N_("Seconds of sound to make")},
        N_("Empty: the machine stays on all month."),
        MEDIA, low=1, high=1e12, increment=100),
    Question(
        "images_per_minute", "ipm", 2, "number", N_("Lowest speed, pictures per minute"),
        N_("Empty: any speed will do."),
        (IMAGE,), low=0, high=1e6),
    Question(
        "video_seconds_per_hour", "vph", 2, "number", N_("Lowest speed, seconds of video per hour"),
        N_("Empty: any speed will do."),
        (VIDEO,), low=0, high=1e6, increment=10),
    Question(
        "deadline_hours", "deadline", 2, "number", N_("Finish within, hours"),
        N_("Empty: no deadline."),
        (*TRAINING, *MEDIA), expert=MEDIA, low=0.1, high=100_000, increment=24),
    Question(
        "where", "where", 2, "where", N_("Where?"),
        N_("Offers whose place is not stated are left out once you choose one."),
        default=ANYWHERE),
    Question(
        "provider_kinds", "kinds", 2, "choices", N_("From whom?"),
        N_("Providers of a kind that is not known are left out once you choose."),
        expert=(*TRAINING, *MEDIA), accepted=KINDS, default=KINDS),
    Question(
        "epochs", "epochs", 2, "number", N_("Passes over the data"),
        N_("Cost and time grow with the passes."),
        TRAINING, True, low=0.1, high=1_000, default=1),
    Question(
        "time_to_first_token_ms", "ttft", 2, "whole", N_("Longest wait for the first token, ms"),
        N_("Reading a long prompt takes time before the first word appears."),
        (SERVE,), True, low=1, high=10_000_000, default=BY_MODEL, increment=500),
    Question(
        "tokens_per_second", "load", 2, "number", N_("Load to carry, tokens/s of all readers"),
        N_("Empty: what the conversations above need."),
        (SERVE,), True, low=0, high=1e9, increment=100),
    Question(
        "gpu_classes", "classes", 2, "choices", N_("Classes of GPU"),
        N_("Consumer cards are cheap; data-center cards have HBM and fast links."),
        expert=True, accepted=GPU_CLASSES, default=GPU_CLASSES),
    Question(
        "max_gpu_count", "gpus", 2, "whole", N_("At most this many GPUs"),
        N_("Empty: as many as it takes."),
        expert=True, low=1, high=1_024),
    Question(
        "link", "link", 2, "choice", N_("Link between the GPUs"),
        N_("Offers that do not state their link are left out once you choose one."),
        expert=True, accepted=("nvswitch", "nvlink", "pcie", "infinity-fabric")),
)

SPOT_QUESTIONS = (
    Question(
        "somebody_waiting", "wait", 3, "flag", N_("Is somebody waiting for the answer?"),
        N_("An interruption that nobody notices costs only a restart."),
        default={task: task == SERVE for task in TASKS}, sent=True),
    Question(
        "interruptible", "resume", 3, "flag", N_("Can the work resume where it stopped?"),
        N_("From a checkpoint, or because each piece is short enough to repeat."),
        default={task: task != SERVE for task in TASKS}, sent=True),
    Question(
        "hours_per_month", "hours", 3, "slide", N_("Hours on per month"),
        N_("730 hours are a whole month; 176 are eight hours on 22 days."),
        MONTHLY, low=1, high=730, default=730, sent=True),
    Question(
        "busy_share", "busy", 3, "slide", N_("Part of these hours in use, %"),
        N_("The rest is paid and idle."),
        MONTHLY, low=1, high=100, scale=0.01, sent=True,
        default={task: 0.4 if task == SERVE else 1.0 for task in MONTHLY}),
    Question(
        "bursts_per_month", "bursts", 3, "whole", N_("Bursts of work per month"),
        N_("With long pauses a machine that stops between bursts, or serverless, may cost less."),
        MONTHLY, True, low=0, high=1_000_000, increment=10),
    Question(
        "storage_gb", "storage", 3, "number", N_("Data kept in the cloud, GB"),
        N_("Empty: the weights alone."),
        expert=True, low=0, high=1e7, increment=100),
    Question(
        "egress_gb_per_month", "egress", 3, "number", N_("Data leaving the cloud per month, GB"),
        N_("Some providers charge for it, some do not."),
        expert=True, low=0, high=1e7, default=0, increment=100),
    Question(
        "pricing", "pricing", 3, "choice", N_("Prices that compete"),
        N_("Which list prices the ranking compares."),
        expert=True, accepted=PRICINGS, default="on-demand"),
    Question(
        "term_months", "term", 3, "number", N_("Length of a reservation, months"),
        N_("Counts with reserved prices only."),
        expert=True, low=1, high=60),
    Question(
        "mean_hours_between_interruptions", "between", 3, "number", N_("Hours between interruptions"),
        N_("Your own figure for this region beats any published one."),
        expert=True, low=0.05, high=10_000),
    Question(
        "checkpoint_gib", "ckpt", 3, "number", N_("Size of a checkpoint, GiB"),
        N_("Empty: what the training state amounts to."),
        expert=True, low=0, high=100_000),
    Question(
        "checkpoint_interval_minutes", "interval", 3, "number", N_("Minutes between checkpoints"),
        N_("Empty: the interval that wastes least."),
        expert=True, low=0.5, high=10_000, increment=5),
    Question(
        "restart_minutes", "restart", 3, "number", N_("Minutes to restart"),
        N_("From losing the machine to working again, without the wait for a new one."),
        expert=True, low=0, high=10_000),
)

SLOW_QUESTIONS = (
    Question(
        "running_gpu", "gpu", 4, "gpu", N_("GPU in use"),
        N_("Empty: the one recommended above.")),
    Question(
        "seen", "seen", 4, "number",
        {
            SERVE: N_("Tokens/s you see, all conversations together"),
            FINETUNE: N_("Training tokens/s you see"),
            PRETRAIN: N_("Training tokens/s you see"),
        },
        N_("What your engine or your log reports."),
        (SERVE, *TRAINING), low=0.01, high=1e9),
    Question(
        "running_concurrency", "at", 4, "whole", N_("Conversations at once while measuring"),
        N_("One reader alone sees the speed that memory bandwidth allows."),
        (SERVE,), low=1, high=4_096, default=1),
    Question(
        "gpu_utilization", "util", 4, "whole", N_("GPU use you see, %"),
        N_("As nvidia-smi shows it: the share of time in which anything ran."),
        (SERVE, *TRAINING), True, low=0, high=100, scale=0.01),
    Question(
        "running_gpu_count", "count", 4, "whole", N_("GPUs in use"),
        N_("Empty: as many as one copy takes."),
        expert=True, low=1, high=1_024),
    Question(
        "running_link", "wire", 4, "choice", N_("Link between them"),
        N_("Empty: the usual one for this GPU."),
        expert=True, accepted=LINKS),
)

OFFER_QUESTIONS = (
    Question("sort", "sort", 5, "choice", N_("Sort by"), "", accepted=SORTS, default="cost"),
    Question(
        "max_usd_per_month", "budget", 5, "number", N_("Budget per month, US$"),
        N_("Empty: no limit."),
        MONTHLY, low=1, high=1e9, increment=100),
    Question(
        "max_usd_per_hour", "hourly", 5, "number", N_("Budget per hour, US$"),
        N_("Empty: no limit."),
        TRAINING, low=0.01, high=1e7),
)
# fmt: on

QUESTIONS = MEMORY_QUESTIONS + CARD_QUESTIONS + SPOT_QUESTIONS + SLOW_QUESTIONS + OFFER_QUESTIONS
BY_KEY = {question.key: question for question in QUESTIONS}

STEPS = (1, 2, 3, 4)

DEFAULT_MODELS = {
    SERVE: "llama-3.1-8b",
    FINETUNE: "llama-3.1-8b",
    PRETRAIN: "llama-3.1-8b",
    IMAGE: "flux.1-dev",
    VIDEO: "wan-2.2-ti2v-5b",
    AUDIO: "whisper-large-v3",
}
