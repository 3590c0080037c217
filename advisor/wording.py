"""One English sentence for each code of `advisor.codes`, marked for gettext.

The sentences are the msgids of the catalogues; their fields are the value names of the code.
"""


def N_(text: str) -> str:  # noqa: N802 -- the name by which the extraction finds marked constants
    """Mark a constant for translation and return it unchanged."""
    return text


SENTENCES: dict[str, str] = {
    # errors
    "not-json": N_("{field} is not valid JSON."),
    "not-an-object": N_("{field} must be an object with named fields."),
    "unknown-field": N_("{field} is not a known field. Nearest: {accepted}."),
    "missing-field": N_("{field} is missing."),
    "wrong-type": N_("{field} must be {accepted}."),
    "unknown-value": N_("{field} cannot be “{given}”. Accepted: {accepted}."),
    "unknown-name": N_("{field}: “{given}” is not in the table. Nearest: {accepted}."),
    "ambiguous-name": N_("{field}: “{given}” could be any of {accepted}. Say which."),
    "out-of-range": N_("{field} is {given}; it must lie between {low} and {high}."),
    "model-not-for-task": N_("{field}: {given} cannot do this kind of work ({task})."),
    "model-without-shape": N_(
        "{field}: the table has no architecture for {given}, so it cannot be estimated."
    ),
    "bad-config": N_("{field} lacks {missing}."),
    "unknown-architecture": N_("{field}: the architecture “{given}” is not known."),
    "needs-network": N_("{field}: {given} is not in the table, and the Hugging Face Hub is not asked."),
    "format-not-for-task": N_("{field}: the format {given} cannot be used for this kind of work ({task})."),
    "layout-impossible": N_("{field} is {given}, which does not divide {gpu_count} GPUs."),
    "nothing-observed": N_("{field} needs at least one measured speed: {accepted}."),
    "missing-table": N_("The table {field} is missing."),
    "missing-column": N_("The column {field} is missing."),
    "bad-cell": N_("{field} is “{given}”; accepted: {accepted}."),
    "internal-fault": N_("{field} met a fault of this program and has no answer."),
    # warnings
    "context-above-maximum": N_(
        "The context of {context_tokens} tokens is longer than the {maximum_tokens} this model was made for."
    ),
    "first-estimate": N_(
        "First estimate: this kind of work is not yet checked against measurements ({task})."
    ),
    "not-measured": N_("Not measured: no figures for {group}, so the interval is wide."),
    "no-figure-for-gpu": N_("There is no figure for {gpu}, so its speed is not estimated."),
    "peak-crosses-over": N_("Here {method} needs more memory at its peak than {other_method}."),
    # assumptions
    "default": N_("usual value"),
    "native-format": N_("the format the model was published in"),
    "format-default": N_("usual for this weight format"),
    "engine-default": N_("usual engine for this work"),
    "gpu-variant": N_("the name fits several variants; the most cautious one"),
    "link-by-form-factor": N_("usual for this form factor"),
    "as-many-as-fit": N_("as many as fit"),
    "family-profile": N_("this engine has no profile of its own; that of its family"),
    "smallest-that-fits": N_("the fewest GPUs per copy that hold the work"),
    "model-default": N_("usual for this model"),
    "fabric-by-provider": N_("usual for this provider"),
    "method-default": N_("usual for this method"),
    "training-recipe": N_("weights, gradients and optimizer of one trained parameter together"),
    # rejections
    "filter-commitment": N_(
        "It is not sold the way you want to rent (capacity blocks and serverless compete only when asked for)."
    ),
    "filter-provider": N_("Not one of the providers you chose."),
    "filter-provider-kind": N_("Not the kind of provider you chose."),
    "filter-provider-kind-unknown": N_("The kind of this provider is not known."),
    "filter-region": N_("Not in the regions you chose."),
    "filter-region-unknown": N_("The source does not state its region."),
    "filter-country": N_("Not in the countries you chose."),
    "filter-country-unknown": N_("The source does not state its country."),
    "filter-class": N_("Not the class of card you chose."),
    "filter-gpu-count": N_("It has more GPUs than you allow."),
    "filter-link": N_("Its GPUs are not joined the way you asked."),
    "filter-link-unknown": N_("The source does not state how its GPUs are joined."),
    "engine-not-supported": N_("The engine does not run on this GPU."),
    "format-not-supported": N_("This weight format does not run on this GPU."),
    "no-price": N_("It has no price of this kind."),
    "does-not-fit": N_("It does not fit: the work needs {value_gib} a GPU, and {limit_gib} can be used."),
    "no-figure-for-this-gpu": N_("There are no figures for its speed, so it is not estimated."),
    "too-slow": N_("It gives each reader {value_tokens_per_second}, less than {limit_tokens_per_second}."),
    "first-token-too-late": N_("The first token comes after {value_ms}, later than {limit_ms}."),
    "misses-deadline": N_("It takes {value_hours}, longer than {limit_hours}."),
    "needs-too-many-machines": N_(
        "It would take {value_count} machines; more than {limit_count} are not proposed."
    ),
    "over-budget-hour": N_("It costs {value_usd_per_hour}, over your limit of {limit_usd_per_hour}."),
    "over-budget-month": N_("It costs {value_usd_per_month}, over your limit of {limit_usd_per_month}."),
    # causes of slow tokens
    "bandwidth-ceiling": N_(
        "You are at the ceiling: {share_percent} of what memory of {bandwidth_gb_per_second} allows."
    ),
    "small-batch": N_(
        "With {concurrency} in flight the GPU reads all weights for few tokens: it waits for memory, not for work."
    ),
    "eager-launches": N_("Launching kernels one by one takes {launch_percent} of each step."),
    "pcie-all-reduce": N_("Talking between the GPUs takes {communication_percent} of each step."),
    "host-offload": N_(
        "The work needs {needed_gib} and {budget_gib} can be used, so part of it is read from the host."
    ),
    "format-kernel": N_(
        "The kernels for {weights} may be slow here: this GPU stores the format and unpacks it."
    ),
    "cache-thrash": N_(
        "{concurrency} are asked for at once, but the cache holds {max_concurrency}: requests wait or are recomputed."
    ),
    "throttling": N_(
        "The clock is at {clock_percent} of its usual rate: the card is hot or limited in power."
    ),
    "compute-ceiling": N_("You are at the ceiling of what the GPU can calculate: {share_percent}."),
    "prefill-interference": N_(
        "Prompts of {prompt_tokens} tokens are read between the steps and hold up the answers."
    ),
    "above-ceiling": N_("You measure {share_percent} of the ceiling we calculate: check engine and format."),
    "unexplained": N_(
        "{gap_percent} of each step is explained by nothing you stated: look for layers on the CPU, a power or heat limit, another program on the GPU, long prompts."
    ),
    # remedies
    "faster-memory": N_("{gpu}, with faster memory"),
    "lower-precision": N_("weights in {weights}"),
    "quantized-cache": N_("KV cache in {kv_cache}"),
    "larger-batch": N_("{concurrency} at once"),
    "cuda-graphs": N_("CUDA graphs, or an engine that uses them ({engine})"),
    "fewer-gpus": N_("{tensor_parallel} GPUs per copy instead of more"),
    "nvlink": N_("GPUs joined by NVLink"),
    "keep-on-gpu": N_("a card that holds everything"),
    "shorter-context": N_("a context of {context_tokens} tokens"),
    "check-clocks": N_("cooling and the power limit"),
    # changes that need less memory
    "shrink-weights": N_("weights in {weights}"),
    "shrink-cache-format": N_("KV cache in {kv_cache}"),
    "shrink-context": N_("{context_tokens} tokens per conversation"),
    "shrink-concurrency": N_("{concurrency} conversations at once"),
    "shrink-method": N_("{method} instead"),
    "shrink-optimizer": N_("{optimizer} optimizer"),
    "shrink-loss": N_("fused cross-entropy"),
    "shrink-checkpointing": N_("gradient checkpointing"),
    "shrink-sequence": N_("samples of {sequence_tokens} tokens"),
    "shrink-offload": N_("{offload} offload to the host"),
    "shrink-tiling": N_("VAE tiling"),
    # verdicts on spot
    "spot-suitable": N_("Spot suits this work: an interruption costs only a restart."),
    "spot-with-checkpoints": N_("Spot suits this work as long as it saves checkpoints."),
    "spot-only-with-fallback": N_("Spot only with on-demand machines to fall back on."),
    "spot-unsuitable": N_("Spot does not suit this work."),
    "spot-depends-on-rate": N_(
        "It depends on how often the provider interrupts: ask, or enter your own figure."
    ),
    # why not this one
    "recommended": N_("This is the recommended offer."),
    "price-too-old": N_("It would do, but its price is old or undated: check it before you count on it."),
    "price-is-floor": N_(
        "It would do at the least price seen in this marketplace; the price you get may be higher."
    ),
    "costs-more": N_("It would do, for {more_usd} more and {speed_factor} times the speed."),
    "costs-more-and-slower": N_(
        "It would do, for {more_usd} more, but the recommended one is {slower_factor} times as fast."
    ),
    "slower": N_("It would do, but the recommended one is {speed_factor} times as fast."),
    "less-for-the-money": N_("It would do, but at full load each unit costs {value_factor} times as much."),
    "as-good": N_("It would do just as well."),
    # single changes that save money
    "save-format": N_("weights in {weights}"),
    "save-anywhere": N_("renting anywhere"),
    "save-spot": N_("spot prices"),
    "save-reserved": N_("reserving for {term_months} months"),
    "save-switch-off": N_("switching it off while idle ({idle_percent} of the time)"),
    "save-context": N_("conversations of {context_tokens}"),
}
