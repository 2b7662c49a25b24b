# `make run` and `make test` need Python 3.11 or newer with its venv module, and make; nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test chaos test-compose lint audit clean

run: $(VENV)/installed
	$(BIN)/sudokuq up --sample

test: $(VENV)/installed-dev
	$(BIN)/sudokuq prepare
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadfile $(PYTEST_OPTIONS)

chaos: $(VENV)/installed-dev
	$(BIN)/python -m pytest tests/test_chaos.py tests/test_chaos_redis.py tests/test_redis_urls.py -m "chaos or not chaos" $(PYTEST_OPTIONS)

test-compose: $(VENV)/installed-dev
	tests/compose.sh

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

audit: $(VENV)/installed-dev
	.ci/audit

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "sudokuq needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[service]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist *.egg-info
