# Two commands do everything on a fresh machine: `make preview` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ENGINE := .engine
GO ?= go
STACK ?= dev
# The SDKs of both clouds take hundreds of megabytes each, so a preview installs that of its stack alone.
CLOUD = $(if $(shell grep -sl aksCluster stacks/Pulumi.$(STACK).yaml),azure,aws)
# Tests start some hundred interpreters: where compiled modules are not kept, each of them compiles the project again.
unexport PYTHONDONTWRITEBYTECODE
# A selection in a command replaces that of pyproject.toml, so it repeats what that leaves out.
QUICK := not slow and not thorough and not typed
# Compiling all modules of both SDKs would be half of the set-up; interpreters compile the few that they import.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile --constraint constraints.txt

.PHONY: help preview check check-all test test-all suite compiled newest oldest fuzz lint types stubs schema bench docs dist release address live engine kustomize helm helmfile pictures browser clean setup

help:  ## Show what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(VENV)/.test  ## Make .venv with everything that development needs

preview: $(VENV)/.preview-$(CLOUD)  ## Preview a stack offline, dev or STACK=...: no account, no cluster, no engine
	@$(BIN)/cutlist preview --stack '$(STACK)'

# Tests of whole commands, and those that look at every module, take most of the time.
WHOLE := cli verbs repositories simulation test_benchmarks.py test_growth.py test_import.py test_public_api.py test_words.py

check: $(VENV)/.test lint types  ## What to run before each commit: style, layers, types, quick unit tests of the parts
	$(BIN)/python -m pytest tests/unit -m "$(QUICK)" $(WHOLE:%=--ignore=tests/unit/%)

test: $(VENV)/.test browser  ## Every test that this machine can run
	@# The type check takes one core for a minute, in which the tests take the other.
	@$(MAKE) --no-print-directory -j 3 types lint suite

suite: compiled  ## The tests alone, without style and types
	$(BIN)/python -m pytest

# Root on Debian is a container or a build machine: elsewhere nothing is installed, and the tests of pages say what is missing.
browser:  ## Install Chromium for tests/browser, where the machine has none and this is root on Debian
	@if [ -z "$$(which chromium chromium-browser google-chrome)" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		(apt-get update && apt-get install --yes --no-install-recommends chromium) >/dev/null || echo "Chromium cannot be installed"; fi

# Each worker would compile some six thousand modules for itself: where they are not compiled yet, one process does it once.
compiled: $(VENV)/.test  ## Compile all modules once, so that no test process has to
	@if [ ! -e $(VENV)/.compiled ]; then \
		$(BIN)/python -m pytest --collect-only -qq -n 0 >/dev/null; touch $(VENV)/.compiled; fi

newest:  ## Quick unit tests and those of stacks with today's releases of all dependencies, in .newest
	$(call install,.newest,)
	.newest/bin/python -m pytest tests/unit tests/infrastructure -m "$(QUICK)"

oldest:  ## The same with the oldest releases that pyproject.toml allows, in .oldest
	$(PYTHON) -m tools.oldest >.oldest.txt
	$(call install,.oldest,--constraint .oldest.txt)
	.oldest/bin/python -m pytest tests/unit tests/infrastructure -m "$(QUICK)"

# A new environment each time, because it is about today's releases. The pip that comes with Python 3.11 cannot resolve the oldest.
define install
	$(PYTHON) -m venv --clear $(1)
	$(1)/bin/python -m pip --disable-pip-version-check install --quiet --upgrade pip
	$(1)/bin/python -m pip --disable-pip-version-check install --quiet --no-compile $(2) --editable '.[dev]'
endef

# Engine and helmfile take ten minutes each to build, the others some minutes, once.
test-all: engine kustomize helm helmfile test  ## Every test, with the programs built that some of them need: needs Go, half an hour the first time

check-all: test  ## All tests, those that prove the same of further inputs and in further forms, and ten times the examples of laws
	$(BIN)/python -m pytest -m thorough
	HYPOTHESIS_PROFILE=more $(BIN)/python -m pytest -m "property and not thorough"

fuzz: $(VENV)/.test  ## The property tests with many more examples, and broken inputs for all readers; with ORACLE=... also against Karpenter's own code
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -m property
	$(BIN)/python -m tests.fuzz
	@if [ -n "$(ORACLE)" ]; then $(BIN)/python -m tests.conformance.fuzz --oracle "$(ORACLE)" --count 2000; fi

lint: $(VENV)/.test  ## Style and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.test  ## Strict type check, also of what components give to the SDKs and of the programs of pages
	$(BIN)/mypy
	$(BIN)/mypy components/__main__.py
	$(BIN)/python -m pytest -n 0 -m typed tests/unit/pages/test_types.py tests/infrastructure/test_sdk_types.py

stubs: $(VENV)/.test  ## Write the types of the SDKs' classes that components use, after a change of either
	$(BIN)/python -m tools.stubs.generate

bench: $(VENV)/.test  ## The figures that performance claims rest on
	$(BIN)/python -m tools.benchmarks

schema: $(VENV)/.test  ## Write components/schema.json, after a change of a component's inputs or outputs
	@$(BIN)/python -m tools.release schema

docs: $(VENV)/.docs  ## The documentation site in site/, with every link checked: .venv/bin/python -m http.server -d site shows it
	@$(BIN)/python -m mkdocs build

dist: $(VENV)/.test  ## Wheel and source distribution of the last commit in dist/, built twice and compared
	@$(BIN)/python -m tools.release dist

release: $(VENV)/.test  ## Check the last commit and write everything that a release of it consists of; publishes nothing
	@$(BIN)/python -m tools.release make

address: $(VENV)/.test  ## Write the project's address, URL=https://..., wherever a placeholder stands for it
	@$(BIN)/python -m tools.release address '$(URL)'

pictures: $(VENV)/.test  ## Make the pictures of the documentation again: the terminal of the README and the page of a plan
	$(BIN)/python -m tests.browser.pictures

live: $(VENV)/.test  ## A real Karpenter and its cluster on this machine, beside Cutlist: needs Go, 25 minutes once, then 4.5 GB and 45 minutes
	$(BIN)/python -m tests.live build
	$(BIN)/python -m pytest -n 0 tests/live/checks/check_*.py
	$(BIN)/python -m tests.live run --clusters 5

engine: $(ENGINE)/bin/pulumi $(ENGINE)/python/pulumi-language-python-exec $(ENGINE)/.typescript  ## Build the pulumi command for tests/engine: needs Go, takes ten minutes once

kustomize: $(ENGINE)/bin/kustomize  ## Build the kustomize command that tests compare with: needs Go, takes a minute once

helm: $(ENGINE)/bin/helm $(ENGINE)/bin/helm4  ## Build the helm commands that tests render charts with: needs Go, takes some minutes once

helmfile: $(ENGINE)/bin/helmfile  ## Build the helmfile command that helmfiles in tests are rendered by: needs Go, takes ten minutes once

clean:  ## Remove what the other commands made
	@if [ -d .live ] && [ -x $(BIN)/python ]; then $(BIN)/python -m tests.live down; fi
	rm -rf $(VENV) .newest .oldest .oldest.txt $(ENGINE) .live .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist site

# The build gives the command its version, as that of a release does: without one it is a development build.
$(ENGINE)/bin/pulumi: $(wildcard tests/engine/cli/go.* tests/engine/cli/*/*.go)
	@mkdir -p $(@D)
	cd tests/engine/cli && version=$$($(GO) list -m -f '{{.Version}}' github.com/pulumi/pulumi/pkg/v3) && \
		$(GO) build -o ../../../$(@D)/ -ldflags "-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=$$version" \
		github.com/pulumi/pulumi/pkg/v3/cmd/pulumi ./typescript-sdk ./go-sdk

$(ENGINE)/bin/kustomize: $(wildcard tests/kustomize/go.*)
	@mkdir -p $(@D)
	cd tests/kustomize && $(GO) build -o ../../$@ -ldflags "-s -w" sigs.k8s.io/kustomize/kustomize/v5

$(ENGINE)/bin/helm: $(wildcard tests/helm/go.*)
	@mkdir -p $(@D)
	cd tests/helm && $(GO) build -o ../../$@ -ldflags "-s -w" helm.sh/helm/v3/cmd/helm

$(ENGINE)/bin/helm4: $(wildcard tests/helm4/go.*)
	@mkdir -p $(@D)
	cd tests/helm4 && $(GO) build -o ../../$@ -ldflags "-s -w" helm.sh/helm/v4/cmd/helm

# The build gives the command its version, by which Cutlist tells whether it may be run.
$(ENGINE)/bin/helmfile: $(wildcard tests/helmfile/go.*)
	@mkdir -p $(@D)
	cd tests/helmfile && $(GO) build -o ../../$@ -ldflags "-s -w" github.com/helmfile/helmfile

# What a language host runs a program of Python by, and what an engine runs dynamic resources by: scripts in the engine's module.
# Not beside the command: an engine prefers what lies there to every stand-in.
$(ENGINE)/python/pulumi-language-python-exec: $(ENGINE)/bin/pulumi
	@mkdir -p $(@D)
	cd tests/engine/cli && sdk=$$($(GO) list -m -f '{{.Dir}}' github.com/pulumi/pulumi/sdk/v3) && \
		install -m 755 $$sdk/python/cmd/pulumi-language-python-exec $$sdk/python/dist/pulumi-resource-pulumi-python ../../../$(@D)/

# The compiler and Pulumi's package for Node.js are for programs in TypeScript; where npm is missing their tests say so.
$(ENGINE)/.typescript: tests/engine/cli/package.json
	@mkdir -p $(ENGINE)/typescript
	@cp $< $(ENGINE)/typescript/
	@if command -v npm >/dev/null; then \
		npm install --prefix $(ENGINE)/typescript --no-package-lock --no-audit --no-fund --ignore-scripts --silent; fi
	@touch $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.preview-%: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[$*]'
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.preview-aws $(VENV)/.preview-azure

$(VENV)/.docs: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[docs]'
	@touch $@
