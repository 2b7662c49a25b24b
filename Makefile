# `make run` and `make test` need only make, and Python 3.11 or newer with its venv module.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL = @echo "Installing into $(VENV), which takes one to five minutes …"; $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

.DEFAULT_GOAL := run
.PHONY: help run free-port test test-without-patches coverage chaos test-compose test-clients clients docs lint lock audit clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: free-port $(VENV)/installed ## Install what is missing and start the service with a sample
	$(BIN)/sudokuq up --sample

# The installation takes minutes, so a port in use is reported before it.
free-port: | $(BIN)/python
	@$(BIN)/python -m web.commands.listening

# Many tests wait for a service or a browser, so three processes suit two CPUs.
test: $(VENV)/installed-dev ## Run all tests
	$(BIN)/sudokuq prepare
	$(BIN)/python -m pytest --numprocesses=3 --dist=loadfile $(PYTEST_OPTIONS)

# Without the patches, the general engine takes more than seven minutes to compile.
test-without-patches: $(VENV)/installed-dev ## Run a short suite on an unpatched Numba
	SUDOKUQ_NUMBA_PATCHES=0 $(BIN)/python -m pytest tests/solver/compiling tests/solver/engines/test_classic_engine.py -k "not general and not public_sets and not lanes" $(PYTEST_OPTIONS)

# Browsers and whole services run hardly any Python code that other tests don't.
coverage: $(VENV)/installed-dev ## Measure which code the tests run, and fail below the floor in pyproject.toml
	$(BIN)/sudokuq prepare
	$(BIN)/python -m pytest tests/solver tests/worker tests/web -m "not chaos and not npm and not browser" --numprocesses=3 --dist=loadfile --cov $(PYTEST_OPTIONS)

chaos: $(VENV)/installed-dev ## Break a running service in many ways, which takes ten minutes
	$(BIN)/python -m pytest tests/service/test_chaos*.py tests/worker/test_redis_urls.py -m "chaos or not chaos" $(PYTEST_OPTIONS)

test-compose: $(VENV)/installed-dev ## Build the image and run the compose file
	tests/service/compose.sh

test-clients: $(VENV)/installed-dev ## Lint the OpenAPI document and run clients made from it, with Node.js
	$(BIN)/python -m pytest tests/service/test_api_examples.py tests/service/test_generated_python_client.py tests/service/test_npm_clients.py -m "npm or not npm" $(PYTEST_OPTIONS)

clients: $(VENV)/installed-dev ## Generate the types of the TypeScript client again, with Node.js
	$(BIN)/python -c 'import json; from web.api.openapi import describe; from worker.settings import Settings; print(json.dumps(describe(Settings())))' > clients/typescript/openapi.json
	cd clients/typescript && npm install --no-audit --no-fund --no-package-lock --ignore-scripts && npm run generate

docs: $(VENV)/installed-docs ## Build the documentation, which the service then has under /docs
	$(BIN)/python -m docs_build

lint: $(VENV)/installed-dev ## Check style, types, imports, and the scripts in other languages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/shellcheck tests/service/compose.sh $(wildcard .ci/*)
	$(BIN)/oxlint --deny-warnings web/static
	.ci/lint-lua

lock: $(VENV)/installed-dev ## Update constraints.txt to the newest versions that pyproject.toml allows
	$(BIN)/python -m uv pip compile --quiet --universal --upgrade --python-version 3.11 --all-extras --no-annotate --custom-compile-command 'make lock' --output-file constraints.txt pyproject.toml

audit: $(VENV)/installed-dev ## Look for known vulnerabilities in the dependencies
	.ci/audit

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "sudokuq needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[service,parquet,pdf]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[dev]'
	@touch $@ $(VENV)/installed $(VENV)/installed-docs

$(VENV)/installed-docs: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[service,parquet,pdf,docs]'
	@touch $@ $(VENV)/installed

clean: ## Remove what was installed and built
	rm -rf $(VENV) build dist web/site *.egg-info
