"""Every rule of the check is shown to catch a damaged row, and to let the sound catalogue pass."""

import datetime
from collections.abc import Sequence
from pathlib import Path

import pytest

from advisor.facts.check import Content, Finding, check_data, check_tables
from tests.support.small_tables import TODAY, small_content, write_content

H100 = "h100-sxm-80gb"
SWEDEN = "aws/p5.48xlarge/eu-north-1/h100-sxm-80gb"
BRAZIL = "aws/p5.48xlarge/sa-east-1/h100-sxm-80gb"
COMMUNITY = "runpod/1xRTX-4090-community//rtx-4090"

CELLS: Sequence[tuple[str, str, str, str, str]] = [
    # table, key, column, damaged value, problem
    ("gpus", H100, "name", "", "is empty"),
    ("gpus", H100, "name", " H100", "has spaces around it or a control character in it"),
    ("gpus", H100, "name", "H100\x07", "has spaces around it or a control character in it"),
    ("gpus", H100, "notes", "None", "stands for «unknown»: leave the cell empty instead"),
    ("gpus", H100, "source", "http://vendor.example.org/sheet", "holds a link without https"),
    ("gpus", H100, "vendor", "Nvidia", "is none of NVIDIA, AMD, Intel, Google, AWS"),
    ("gpus", H100, "release_year", "2027", "is not between 2010 and 2026"),
    ("gpus", H100, "release_year", "2022.5", "is not a whole number"),
    ("gpus", H100, "segment", "server", "is none of datacenter, workstation, consumer"),
    ("gpus", H100, "memory_type", "SDRAM", "is not a type of memory"),
    ("gpus", H100, "memory_gb", "0", "is not above zero"),
    ("gpus", H100, "memory_bandwidth_gb_s", "3.35", "is not between 50 and 25000"),
    ("gpus", H100, "memory_bandwidth_gb_s", "3350000", "is not between 50 and 25000"),
    ("gpus", H100, "memory_bandwidth_gb_s", "3,350", "is not a number"),
    ("gpus", H100, "memory_bandwidth_gb_s", "inf", "is not a finite number"),
    ("gpus", H100, "bf16_dense_tflops", "989400", "is not between 0 and 50000"),
    ("gpus", H100, "supports_bf16", "true", "is none of yes, no"),
    ("gpus", H100, "interconnect", "NVSwitch", "is none of nvswitch, nvlink, pcie"),
    ("gpus", H100, "compute_capability", "Hopper", "is not a compute capability or a gfx name"),
    ("gpus", H100, "aliases", "H100 SXM;H100 SXM", "names a part twice"),
    ("gpus", H100, "memory_gib_usable", "80.5", "is more than the 80 GB on the name"),
    ("gpus", H100, "memory_gib_allocatable", "79.7", "is more than the 79.65 GiB of the card"),
    ("gpus", H100, "memory_gib_allocatable", "67", "is less than 85% of 80 GB"),
    ("gpus", H100, "fp8_dense_tflops", "800", "does not fit bf16_dense_tflops = 989.4"),
    ("gpus", H100, "fp8_dense_tflops", "3957.8", "is one of them a sparse figure?"),
    ("gpus", "rtx-4090", "aliases", "h100_SXM", "holds «h100_SXM», a name of h100-sxm-80gb already"),
    ("gpu_ambiguous", "H100", "assume_id", "rtx-4090", "is none of the candidates"),
    ("gpu_ambiguous", "H100", "candidate_ids", "h100-pcie-80gb;h100", "names «h100», which is not in"),
    ("gpu_ambiguous", "H100", "candidate_ids", "h100-pcie-80gb", "names fewer than two candidates"),
    (
        "gpu_efficiency",
        "hopper-sxm",
        "gpu_ids",
        "h200",
        "names «h200», which is not in the accelerator table",
    ),
    ("gpu_efficiency", "hopper-sxm", "mbu_decode_typ", "1.3", "is not between 0 and 1.2"),
    ("gpu_efficiency", "hopper-sxm", "mbu_decode_low", "0", "is not above zero"),
    ("gpu_efficiency", "hopper-sxm", "mbu_decode_typ", "0.5", "is less than mbu_decode_low = 0.55"),
    ("models_llm", "llama-3.1-8b", "native_dtype", "float16", "is none of bf16, fp16"),
    ("models_llm", "llama-3.1-8b", "released", "2027-01", "lies after today, 2026-12-01"),
    ("models_llm", "llama-3.1-8b", "released", "July 2024", "is not a year, a month or a day"),
    ("models_llm", "llama-3.1-8b", "tie_word_embeddings", "no", "is none of true, false"),
    (
        "models_llm",
        "llama-3.1-8b",
        "params_total",
        "8000000000",
        "is not the sum of the tensor groups, 8030261248",
    ),
    ("models_llm", "llama-3.1-8b", "params_active", "8030261249", "is more than all parameters, 8030261248"),
    ("models_llm", "llama-3.1-8b", "kv_heads", "7", "does not divide the 32 attention heads"),
    (
        "models_llm",
        "llama-3.1-8b",
        "kv_bytes_per_token_full_bf16",
        "131071",
        "is not what the shape gives, 131072",
    ),
    ("models_diffusion", "flux.1-dev", "aliases", "Llama 3.1_8B", "a name of llama-3.1-8b already"),
    ("models_llm", "deepseek-v3", "n_experts_per_token", "257", "is more than the 256 experts"),
    ("models_llm", "deepseek-v3", "p_experts", "0", "contradicts n_experts = 256"),
    (
        "models_llm",
        "deepseek-v3",
        "kv_bytes_per_token_full_bf16",
        "70271",
        "is not what the shape gives, 70272",
    ),
    ("models_llm", "gemma-3-27b", "sliding_window", "", "is unknown although some layers slide"),
    ("models_diffusion", "flux.1-dev", "kind", "picture", "is none of image, video"),
    ("models_diffusion", "flux.1-dev", "backbone_params", "11.9e9", "is not a whole number"),
    ("models_diffusion", "flux.1-dev", "default_resolution", "1 megapixel", "is not a size, width x height"),
    ("models_audio", "whisper-large-v3", "kind", "speech", "is none of music, tts, stt"),
    ("models_audio", "whisper-large-v3", "sample_rate", "16", "is not between 8000 and 192000"),
    ("formats", "fp8", "bits_per_quantized_weight", "64", "is not between 1 and 32"),
    ("formats", "fp8", "embed", "yes", "is not quantized or a kept format"),
    ("formats", "fp8", "kv_default", "int4", "is none of bf16, fp16, fp32, f16"),
    ("formats", "gguf-q6_k", "bits_per_quantized_weight", "6.5", "is not the width of q6_k, 6.5625 bits"),
    ("gguf_blocks", "Q6_K", "bits_per_weight", "-6.5625", "is not between 0 and 32"),
    ("gguf_mixing", "", "block_type", "Q7_K", "is not in the table of block types"),
    ("providers", "aws", "homepage", "aws.amazon.com", "is not a link that starts with https://"),
    ("providers", "aws", "homepage", "javascript:alert(1)", "is not a link that starts with https://"),
    ("providers", "aws", "facts_known", "yes", "is none of true, false"),
    ("providers", "aws", "source", "", "is empty although facts_known = true"),
    ("providers", "aws", "minimum_charge_seconds", "1 minute", "is not a whole number"),
    ("providers", "aws", "reserved_3y_discount_pct", "31", "is less than reserved_1y_discount_pct = 32"),
    ("providers", "runpod-community", "variant_of", "podrun", "is not in the provider table"),
    ("offers", SWEDEN, "provider", "amazon", "is not in the provider table"),
    ("offers", SWEDEN, "gpu_id", "h100-sxm", "is not in the accelerator table"),
    ("offers", SWEDEN, "gpu_count", "0", "is not between 1 and 1000"),
    ("offers", SWEDEN, "form_factor_stated", "yes", "is none of true, false"),
    ("offers", SWEDEN, "on_demand_usd_per_hour", "0", "is not above zero"),
    ("offers", SWEDEN, "on_demand_usd_per_hour", "-56", "is not between 0 and 100000"),
    ("offers", SWEDEN, "on_demand_usd_per_hour", "nan", "stands for «unknown»: leave the cell empty instead"),
    ("offers", SWEDEN, "spot_usd_per_hour", "inf", "is not a finite number"),
    ("offers", BRAZIL, "on_demand_usd_per_hour", "", "is empty, and so is the spot price"),
    ("offers", SWEDEN, "country", "SW", "is not an ISO 3166-1 alpha-2 country code"),
    ("offers", SWEDEN, "country", "EU", "is not an ISO 3166-1 alpha-2 country code"),
    ("offers", SWEDEN, "link", "NVSwitch", "is none of nvswitch, nvlink, pcie"),
    ("offers", SWEDEN, "link_basis", "", "does not fit link = «nvswitch»: both are known or neither"),
    ("offers", SWEDEN, "commitment", "spot", "is none of on-demand, capacity-block"),
    ("offers", SWEDEN, "as_of", "2026-12-02", "lies after today, 2026-12-01"),
    ("offers", SWEDEN, "as_of", "05/07/2026", "is not a date, year-month-day"),
    ("offers", SWEDEN, "as_of", "20260705", "is not a date, year-month-day"),
    ("offers", SWEDEN, "source_id", "price-lists", "names «price-lists», which is not in the source table"),
    ("fabric", "aws/p5.48xlarge|p5e.*|p5en.*", "fabric", "InfiniBand", "is none of infiniband, efa"),
    ("fabric", "aws/p5.48xlarge|p5e.*|p5en.*", "gpu_ids", "h100", "names «h100», which is not in"),
    ("fabric", "aws/p5.48xlarge|p5e.*|p5en.*", "provider", "amazon", "is not in the provider table"),
    ("aws_spot_advisor", "", "label", ">20%", "is not the label of bucket"),
    ("aws_spot_advisor", "", "savings_pct", "101", "is not between -100 and 100"),
    ("aws_spot_advisor", "", "gpu_id", "h100", "is not in the accelerator table"),
    ("spot_observations", "", "p_high", "1.5", "is not between 0 and 1"),
    ("spot_observations", "", "hazard_per_h_high", "0", "is less than hazard_per_h_low"),
    ("glossary", "VRAM", "it", "", "is empty"),
    ("sources", "price-list", "url", "ftp://prices.example.org", "is not a link that starts with https://"),
    ("engines", "vllm", "unsupported_on", "AMD:int3", "names «int3», which fits no format"),
    ("engines", "vllm", "unsupported_on", "int3", "is not vendor:format"),
    ("format_support", "fp8/NVIDIA", "formats", "fp6*", "names «fp6*», which fits no format"),
    ("engines", "vllm", "profile", "vlm", "is not in the engine table"),
    ("engines", "vllm", "tasks", "serve;chat", "has a part «chat» that is none of serve, finetune"),
    ("engines", "vllm", "formats", "bf16;int3*", "names «int3*», which fits no format"),
    ("engine_defaults", "serve/*/*/*", "engine", "sglang", "is not in the engine table"),
    ("format_support", "fp8/NVIDIA", "native_from", "sm90", "is not a number"),
    ("speed_intervals", "*", "low_factor", "0", "is not above zero"),
    ("efficiency", "", "gpu_id", "h100", "is not in the accelerator table"),
    ("efficiency", "", "value", "84", "is not between 0 and 1.5"),
]

DOUBTS: Sequence[tuple[str, str, str, str, str]] = [
    ("gpus", H100, "aliases", "h_1-0 0", "holds «h_1-0 0», read like the ambiguous «H100», which wins"),
    ("models_llm", "llama-3.1-8b", "license", "", "is unknown"),
    ("models_llm", "llama-3.1-8b", "aliases", "Llama-3.1-8B; 3.1", "is it the rest of a longer name?"),
    ("models_llm", "llama-3.1-8b", "layers", "33", "is not the sum of the kinds of layers, 32 or 64"),
    (
        "models_llm",
        "gemma-3-27b",
        "kv_bytes_per_token_sliding_bf16",
        "425983",
        "is not what the shape gives, 425984",
    ),
    (
        "models_llm",
        "gemma-3-27b",
        "kv_bytes_per_token_sliding_bf16",
        "0",
        "is zero although some layers slide",
    ),
    ("models_audio", "whisper-large-v3", "params", "", "is unknown"),
    ("providers", "aws", "kind", "cloud", "it counts as unknown"),
    ("providers", "aws", "egress_usd_per_gb", "by zone", "is not a number: it counts as unknown"),
    ("offers", SWEDEN, "spot_usd_per_hour", "57", "is above the on-demand price, 56"),
    ("offers", COMMUNITY, "gpu_memory_gb", "48", "differs from the 24 GB of rtx-4090, in 1 offers"),
    ("memory_intervals", "*", "low_factor", "1.1", "to 1.25 does not hold the estimate itself"),
]


def row_of(content: dict[str, Content], table: str, key: str) -> dict[str, str]:
    """Return the row whose first key cells are these; the first row when no key is given."""
    rows = content[table][1]
    wanted = key.split("/") if key else []
    keys = {
        "offers": ("provider", "instance_type", "region", "gpu_id"),
        "fabric": ("provider", "match"),
        "engine_defaults": ("task", "method", "formats", "vendor"),
        "format_support": ("formats", "vendor"),
    }
    columns = keys.get(table, (content[table][0][0],))
    return next(row for row in rows if not wanted or [row[column] for column in columns] == wanted)


def damage(table: str, key: str, column: str, value: str) -> tuple[Finding, ...]:
    """Return what the check finds after one cell of the sound catalogue was changed."""
    content = small_content()
    row_of(content, table, key)[column] = value
    return check_tables(content, TODAY)


def problems_of(found: Sequence[Finding], table: str, column: str, value: str, refused: bool) -> list[str]:
    """Return the problems named for one cell."""
    cell = (table, column, value, refused)
    return [one.problem for one in found if (one.table, one.column, one.value, one.refused) == cell]


def test_sound_catalogue_has_only_its_one_dear_spot_offer() -> None:
    assert check_tables(small_content(), TODAY) == (
        Finding(
            table="offers",
            key="lambda/gpu_1x_h100_pcie/global/h100-pcie-80gb",
            column="spot_usd_per_hour",
            value="2.5",
            problem="is above the on-demand price, 2",
            line=6,
            refused=False,
        ),
    )


@pytest.mark.parametrize(("table", "key", "column", "value", "problem"), CELLS)
def test_damaged_cell_is_refused_by_name(table: str, key: str, column: str, value: str, problem: str) -> None:
    problems = problems_of(damage(table, key, column, value), table, column, value, refused=True)
    assert any(problem in one for one in problems), problems


@pytest.mark.parametrize(("table", "key", "column", "value", "problem"), DOUBTS)
def test_doubtful_cell_is_named_and_kept(table: str, key: str, column: str, value: str, problem: str) -> None:
    found = damage(table, key, column, value)
    problems = problems_of(found, table, column, value, refused=False)
    assert any(problem in one for one in problems), problems
    assert not [one for one in found if one.refused]


@pytest.mark.parametrize(
    ("table", "key", "column", "value", "blamed", "problem"),
    [
        ("models_llm", "llama-3.1-8b", "tie_word_embeddings", "true", "p_lm_head", "the output is tied"),
        ("training_mfu", "", "mfu_p10", "0.9", "mfu_median", "is less than mfu_p10 = 0.9"),
        ("gpus", H100, "supports_fp8", "no", "fp8_dense_tflops", "is not used, because supports_fp8 = no"),
        ("gpus", "rtx-4090", "id", "rtx-4080", "gpu_id", "is not in the accelerator table"),
        ("providers", "aws", "provider", "amazon", "provider", "is not in the provider table"),
        ("spot_observations", "", "p_low", "0.16", "p_high", "is less than p_low = 0.16"),
        ("engines", "vllm", "id", "vllm-1", "engine", "is not in the engine table"),
    ],
)
def test_damage_is_found_where_another_cell_shows_it(
    table: str, key: str, column: str, value: str, blamed: str, problem: str
) -> None:
    found = damage(table, key, column, value)
    assert [one for one in found if one.column == blamed and problem in one.problem]


def test_one_region_lies_in_one_country() -> None:
    content = small_content()
    row_of(content, "offers", SWEDEN)["region"] = "sa-east-1"
    row_of(content, "offers", BRAZIL)["instance_type"] = "p5e.48xlarge"
    problems = problems_of(check_tables(content, TODAY), "offers", "country", "BR", refused=True)
    assert problems == ["differs from «SE», the country of sa-east-1 in an earlier row"]


def test_accelerator_has_one_family() -> None:
    content = small_content()
    row_of(content, "gpu_efficiency", "rtx-4090")["gpu_ids"] = H100
    found = problems_of(check_tables(content, TODAY), "gpu_efficiency", "gpu_ids", H100, refused=True)
    assert found == ["holds h100-sxm-80gb, which is in the family hopper-sxm already"]


def test_ambiguous_name_has_one_meaning() -> None:
    content = small_content()
    other = {**row_of(content, "gpu_ambiguous", "H100"), "alias": "h-100", "assume_id": H100}
    content["gpu_ambiguous"][1].append(other)
    found = problems_of(check_tables(content, TODAY), "gpu_ambiguous", "alias", "h-100", refused=True)
    assert found == ["is read like an earlier alias with another meaning"]


def test_second_row_with_a_key_is_refused() -> None:
    content = small_content()
    content["offers"][1].append(dict(row_of(content, "offers", SWEDEN)))
    found = [one for one in check_tables(content, TODAY) if one.refused]
    assert [(one.key, one.line, one.problem) for one in found] == [
        (SWEDEN, 7, "belongs to a row whose key an earlier row has")
    ]


def test_network_rules_end_in_one_for_every_offer() -> None:
    content = small_content()
    content["fabric"][1].pop()
    assert [one.problem for one in check_tables(content, TODAY) if one.table == "fabric"] == [
        "does not end in a rule that fits every offer"
    ]


def test_intervals_have_a_root() -> None:
    content = small_content()
    row_of(content, "memory_intervals", "*")["group"] = "serve"
    assert [one.problem for one in check_tables(content, TODAY) if one.refused] == ["has no group «*»"]


def test_head_line_lacks_a_column_and_has_a_strange_one() -> None:
    content = small_content()
    rows = [{"en": "VRAM", "pt_BR": "VRAM", "it": "VRAM", "de": "VRAM"}]
    content["glossary"] = (("en", "pt_BR", "it", "de"), rows)
    found = [one for one in check_tables(content, TODAY) if one.table == "glossary"]
    assert [(one.problem, one.refused) for one in found] == [
        ("has no column «note»", True),
        ("has a column «de» that nobody checks", False),
    ]


@pytest.mark.parametrize("line", ["a,b,c,d,e", "a,b"])
def test_row_of_another_length_than_the_head_is_refused(tmp_path: Path, line: str) -> None:
    write_content(tmp_path, small_content())
    with (tmp_path / "glossary.csv").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    found = [one for one in check_data(tmp_path, TODAY) if one.table == "glossary"]
    assert [(one.line, one.problem) for one in found] == [(4, "has more or fewer cells than the head line")]


def test_folder_is_checked_with_its_evidence(tmp_path: Path) -> None:
    content = small_content()
    write_content(tmp_path, content)
    assert [one.refused for one in check_data(tmp_path, TODAY)] == [False]
    row_of(content, "efficiency", "")["gpu_id"] = "h100"
    write_content(tmp_path, content)
    assert [one.table for one in check_data(tmp_path, TODAY) if one.refused] == ["efficiency"]


def test_missing_table_is_named(tmp_path: Path) -> None:
    write_content(tmp_path, small_content())
    (tmp_path / "formats.csv").unlink()
    (tmp_path / "engines.csv").unlink()
    missing = [one for one in check_data(tmp_path, TODAY) if one.problem == "is missing"]
    assert missing == [Finding("formats", "", "", "", "is missing")]


def test_date_is_judged_by_the_day_that_is_passed_in() -> None:
    found = check_tables(small_content(), datetime.date(2026, 7, 5))
    future = [one.value for one in found if one.table == "offers" and one.column == "as_of"]
    assert future == ["2026-08-22", "2026-08-22"]


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (
            Finding("offers", COMMUNITY, "on_demand_usd_per_hour", "0", "is not above zero", 2),
            "offers.csv line 2: «runpod/1xRTX-4090-community//rtx-4090», on_demand_usd_per_hour = «0» "
            "is not above zero (refused).",
        ),
        (
            Finding("gpus", H100, "aliases", "x" * 70, "names a part twice", 3, refused=False),
            f"gpus.csv line 3: «h100-sxm-80gb», aliases = «{'x' * 60}…» names a part twice (kept, doubtful).",
        ),
        (Finding("formats", "", "", "", "is missing"), "formats.csv: is missing (refused)."),
    ],
)
def test_finding_reads_as_a_sentence(finding: Finding, sentence: str) -> None:
    assert finding.sentence() == sentence
