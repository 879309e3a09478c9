# Two commands do everything on a fresh machine: `make preview` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STACK ?= dev
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: help preview test lint types conformance bench clean setup

help:  ## Show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(VENV)/.test  ## Make .venv with everything that development needs

preview: $(VENV)/.preview  ## Preview the dev stack offline: no account, no cluster, no engine
	@$(BIN)/cutlist preview --stack $(STACK)

test: $(VENV)/.test lint types  ## Every test that this machine can run
	$(BIN)/python -m pytest

lint: $(VENV)/.test  ## Style and the floors of the house
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.test  ## Strict type check
	$(BIN)/mypy
	$(BIN)/mypy components/__main__.py

bench: $(VENV)/.test  ## The figures that performance claims rest on
	$(BIN)/python -m benchmarks

clean:  ## Remove what the other commands made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.preview: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[kubernetes]'
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.preview
