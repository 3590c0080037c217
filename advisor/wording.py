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
    "model-without-shape": N_("{field}: the table has no architecture for {given}, so it cannot be estimated."),
    "bad-config": N_("{field} lacks {missing}."),
    "unknown-architecture": N_("{field}: the architecture “{given}” is not known."),
    "needs-network": N_("{field}: {given} is not in the table, and the Hugging Face Hub is not asked."),
    "format-not-for-task": N_("{field}: the format {given} cannot be used for this kind of work ({task})."),
    "layout-impossible": N_("{field} is {given}, which does not divide {gpu_count} GPUs."),
    "nothing-observed": N_("{field} needs at least one measured speed: {accepted}."),
    "missing-table": N_("The table {field} is missing."),
    "missing-column": N_("The column {field} is missing."),
    "bad-cell": N_("{field} is “{given}”; accepted: {accepted}."),
    # warnings
    "context-above-maximum": N_(
        "The context of {context_tokens} tokens is longer than the {maximum_tokens} this model was made for."
    ),
    "first-estimate": N_("First estimate: this kind of work is not yet checked against measurements ({task})."),
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
}
