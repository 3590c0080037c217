"""The shape of the package: which part may import which, what importing it costs, and code for sentence."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from advisor.codes import KINDS, VALUES_OF
from advisor.wording import SENTENCES
from tools.locales import extract_template, sentences

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "advisor"

LAYERS = (
    {"paths", "units", "errors", "codes"},
    {"facts"},
    {"workload"},
    {"resolve"},
    {"estimate"},
    {"economics"},
    {"recommend", "diagnose"},
    {"sweeps", "savings"},
    {"sweeps", "savings"},
    {"__init__"},
    {"wording"},
    {"cli", "export", "ui"},
    {"__main__"},
)
LAYER_OF = {part: height for height, parts in enumerate(LAYERS) for part in parts}

PAGE_LIBRARIES = {"streamlit", "altair"}
FILE_MODULES = {
    *("csv", "io", "json", "pathlib", "os", "glob", "shutil", "tempfile", "tomllib", "pickle", "sqlite3"),
    *("gzip", "zipfile", "importlib", "urllib", "http", "socket", "requests", "pandas", "pyarrow"),
}
FILE_CALLS = {"open", "read_text", "read_bytes", "load", "loadtxt", "genfromtxt", "fromfile", "memmap"}

MODULES = sorted(PACKAGE.rglob("*.py"))
IMPORT_ALLOWANCE_SECONDS = 0.1
FACTS_ALLOWANCE_SECONDS = 0.15


def part_of(path: Path) -> str:
    """The name right below the package: `facts` for advisor/facts/gpus.py."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports anywhere in it, by full name; `from a import b` yields a and a.b."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_parts(path: Path) -> set[str]:
    """The parts of the package that a file imports; the package's own names count as `__init__`."""
    names = [
        name.split(".") for name in imported(path) if name.split(".")[0] == "advisor" and name != "advisor"
    ]
    return {name[1] if name[1] in LAYER_OF else "__init__" for name in names}


def by_name(path: Path) -> str:
    """The test id of a module."""
    return str(path.relative_to(PACKAGE))


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in MODULES} <= set(LAYER_OF)


@pytest.mark.parametrize("path", MODULES, ids=by_name)
def test_imports_run_one_way(path: Path) -> None:
    height = LAYER_OF[part_of(path)]
    assert {part for part in imported_parts(path) if LAYER_OF[part] > height} == set()


def test_parts_of_one_layer_do_not_import_in_a_circle() -> None:
    needs: dict[str, set[str]] = {}
    for path in MODULES:
        needs.setdefault(part_of(path), set()).update(imported_parts(path) - {part_of(path)})
    circles = [(one, other) for one in needs for other in needs[one] if one in needs.get(other, ())]
    assert circles == []


@pytest.mark.parametrize("path", [path for path in MODULES if part_of(path) != "ui"], ids=by_name)
def test_only_the_page_imports_streamlit_and_altair(path: Path) -> None:
    assert {name.split(".")[0] for name in imported(path)} & PAGE_LIBRARIES == set()


@pytest.mark.parametrize("path", [path for path in MODULES if part_of(path) == "estimate"], ids=by_name)
def test_estimators_read_no_files(path: Path) -> None:
    assert {name.split(".")[0] for name in imported(path)} & FILE_MODULES == set()
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    named = {call.id for call in calls if isinstance(call, ast.Name)}
    attributes = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    assert (named | attributes) & FILE_CALLS == set()


def run_python(code: str, cache: Path) -> str:
    """Return what code prints in a fresh interpreter that keeps its byte code in a folder of the test."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(cache)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_import_brings_numpy_and_nothing_heavier(tmp_path: Path) -> None:
    code = (
        "import sys, json, numpy; before = {name.split('.')[0] for name in sys.modules}; import advisor;"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules} - before)))"
    )
    brought = set(json.loads(run_python(code, tmp_path)))
    assert brought - set(sys.stdlib_module_names) == {"advisor"}


def least_cpu_seconds(code: str, cache: Path, enough: float, rounds: int = 15) -> float:
    """The least CPU time of fresh interpreters, until one is quick enough: a busy machine only ever adds to it."""
    least = float("inf")
    for _ in range(rounds):
        least = min(least, float(run_python(code, cache)))
        if least <= enough:
            break
    return least


def test_import_costs_little_beside_numpy(tmp_path: Path) -> None:
    code = (
        "import time, numpy; start = time.process_time(); import advisor;print(time.process_time() - start)"
    )
    seconds = least_cpu_seconds(code, tmp_path, IMPORT_ALLOWANCE_SECONDS)
    assert seconds <= IMPORT_ALLOWANCE_SECONDS


def test_facts_load_quickly(tmp_path: Path) -> None:
    code = (
        "import time, advisor; start = time.process_time(); advisor.load_facts();"
        "print(time.process_time() - start)"
    )
    seconds = least_cpu_seconds(code, tmp_path, FACTS_ALLOWANCE_SECONDS)
    assert seconds <= FACTS_ALLOWANCE_SECONDS


def test_a_code_belongs_to_one_kind() -> None:
    codes = [code for kind in KINDS.values() for code in kind]
    assert sorted(codes) == sorted(VALUES_OF)


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    assert set(SENTENCES) == set(VALUES_OF)


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_sentence_names_the_values_of_its_code(code: str) -> None:
    fields = {name for _, name, _, _ in Formatter().parse(SENTENCES[code]) if name is not None}
    assert fields == set(VALUES_OF[code])


def test_every_sentence_reaches_the_translators() -> None:
    marked = {message.id for message in sentences(extract_template())}
    assert set(SENTENCES.values()) - marked == set()
