# Targets for people and for CI; `make` alone lists them. Needs Python 3.11 or newer and nothing else beforehand.

PORT ?= 8501
ADDRESS ?= 127.0.0.1
PICTURES ?= screenshots
WORKERS ?= 2
# The first interpreter that runs and is new enough: a name on PATH may be a shim without a Python behind it.
PYTHON ?= $(shell for name in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
BESIDE := $(VENV)/beside
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS)

.DEFAULT_GOAL := help
.PHONY: help run test test-fast test-slow check format bench screenshots locales documents hooks wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(INSTALLED) ## Serve the page on $PORT (8501); ADDRESS=0.0.0.0 opens it to other machines
	$(BIN)/streamlit run app.py --server.port $(PORT) --server.address $(ADDRESS) --server.headless true

test: $(INSTALLED_DEV) ## Run every test but the slow ones; browser tests need a Chromium
	$(PYTEST)

test-fast: $(INSTALLED_DEV) ## Run the unit tests only, without a browser
	$(PYTEST) -m "not browser and not slow"

test-slow: $(INSTALLED_DEV) ## Run the long sweeps: every model with every kind of need
	$(PYTEST) -m slow

check: $(INSTALLED_DEV) ## Check format, lint, types, spelling and that the translations are in step
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python -m tools.locales check

format: $(INSTALLED_DEV) ## Format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(INSTALLED_DEV) $(BESIDE) ## Measure accuracy, ranking speed and page load
	PYTHONPATH=$(BESIDE) $(BIN)/python -m benchmarks

screenshots: $(INSTALLED_DEV) ## Photograph the page in each language, width and theme into $PICTURES
	$(BIN)/python -m tools.screenshots $(PICTURES)

locales: $(INSTALLED_DEV) ## Collect the sentences of the code and bring every catalogue in step
	$(BIN)/python -m tools.locales update

hooks: $(INSTALLED_DEV) ## Run the checks before every commit from now on
	$(BIN)/pre-commit install

documents: $(INSTALLED_DEV) ## Write the program's output into docs/cli.md anew
	$(BIN)/python -m tools.documents update

wheel: $(INSTALLED) ## Build the installable package into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## Remove the environment, caches and everything built
	rm -rf $(VENV) dist build screenshots test-results .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer found; name one with PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# The stamps make a second run start at once; an edited requirements file installs again.
$(INSTALLED): requirements.txt | $(BIN)/python
	$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(INSTALLED_DEV): requirements-dev.txt $(INSTALLED)
	$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@

# What the ranking is timed beside. Not a development requirement: its package carries a top-level `tests` that hides ours.
$(BESIDE): | $(BIN)/python
	$(PIP_INSTALL) --no-deps --target $@ gpuhunt==0.1.34
	@rm -rf $@/tests
