"""The installed package finds its data and its languages without a checkout around it."""

import subprocess
import sys
from pathlib import Path

import pytest

from advisor import Facts

ROOT = Path(__file__).parent.parent


def pip(*arguments: str | Path) -> None:
    """Run pip quietly; its words are shown when it fails."""
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], cwd=ROOT, check=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel brings it."""
    folder = tmp_path_factory.mktemp("installed")
    pip("wheel", "--no-deps", "--wheel-dir", folder / "dist", ROOT)
    pip("install", "--no-deps", "--target", folder / "site", next((folder / "dist").glob("*.whl")))
    return folder / "site"


def answer(installed: Path, code: str) -> str:
    """Run code far from the checkout with the installed package first on the path."""
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(installed)!r}); {code}"]
    done = subprocess.run(command, cwd=installed.parent, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.slow
def test_data_is_the_same_as_in_the_checkout(installed: Path, facts: Facts) -> None:
    assert answer(installed, "import advisor; print(advisor.__file__)").startswith(str(installed))
    assert answer(installed, "import advisor; print(advisor.load_facts().version)") == facts.version


@pytest.mark.slow
def test_languages_are_in_it(installed: Path) -> None:
    code = (
        "from advisor.paths import locales_folder; print(sorted(p.name for p in locales_folder().iterdir()))"
    )
    assert answer(installed, code) == "['advisor.pot', 'it', 'pt_BR']"


@pytest.mark.slow
def test_licences_are_in_it(installed: Path) -> None:
    names = {path.name for path in installed.glob("*.dist-info/licenses/**/*") if path.is_file()}
    assert names == {"LICENSE", "NOTICE.md"}
