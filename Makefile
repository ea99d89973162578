# The two that a newcomer needs are `make demo` and `make test`; `make help` lists all.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# A venv made here is ready when its stamp is newer than the lock that fills it.
RUN    := $(VENV)/.run
DEV    := $(VENV)/.dev
LINT   := $(VENV)/.lint
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check install

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-cluster cluster cluster-build record record-demo fuzz lint format bench docs lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(RUN) ## set up and read the shipped dump: all workloads, then one as a tree
	@BIN=$(BIN) sh examples/demo.sh
	@echo "To have this wmap on your PATH: . $(BIN)/activate" >&2

test: $(DEV) ## set up and run the tests
	@$(BIN)/python -m pytest -n 2 --dist worksteal

test-slow: $(DEV) ## run the longer searches as well (minutes; some need Go)
	@$(BIN)/python -m pytest -m slow

cluster-build: $(DEV) ## build a real control plane with operators (needs Go; 25 minutes the first time)
	@$(BIN)/python -m tests.cluster.build $(TOOLS)

cluster: $(DEV) ## run that control plane until Ctrl-C; OPERATORS="jobset kuberay" says which operators
	@$(BIN)/python -m tests.cluster $(OPERATORS)

test-cluster: $(DEV) ## run the tests against that control plane
	@$(BIN)/python -m tests.cluster.isolation $(BIN)/python -m pytest -m cluster tests/cluster

record: $(DEV) ## record lives on that control plane; SCENARIO="job/normal jobset" says which
	@$(BIN)/python -m tests.cluster.record $(SCENARIO)

record-demo: $(DEV) ## record the dump of the demo on that control plane
	@$(BIN)/python -m tests.cluster.record.demo

fuzz: $(DEV) ## compare 50 000 path expressions with gojq (needs Go) and jq; SEED=n repeats a search
	@$(BIN)/python -m tests.path.fuzz 50000 $(SEED)

lint: $(DEV) $(LINT) ## formatting, lint, types, layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m pytest tests/typing -m 'slow or not slow'

format: $(DEV) ## format the code in place
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(DEV) ## print the figures of benchmarks/ as ratios in one run
	@$(BIN)/python -m benchmarks

docs: $(DEV) ## write the generated pages of docs/reference
	@$(BIN)/python -m docs.generate

lock: $(DEV) ## renew requirements/*.lock from pyproject.toml (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--group build -o requirements/run.lock pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--group dev -o requirements/dev.lock pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--group lint -o requirements/lint.lock

clean: ## remove the environment and all that was generated
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Workload Map needs Python 3.11 or newer; say where it is: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -f $@; exit 1; } # without its pip it must not pass for ready

$(RUN): requirements/run.lock pyproject.toml | $(BIN)/python
	@echo "setting up $(VENV) ..." >&2
	@$(PIP) --require-hashes -r requirements/run.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): requirements/dev.lock $(RUN)
	@echo "setting up the tools for tests and checks ..." >&2
	@$(PIP) --require-hashes -r requirements/dev.lock
	@touch $@

$(LINT): requirements/lint.lock $(DEV)
	@echo "setting up the second type checker ..." >&2
	@$(PIP) --require-hashes -r requirements/lint.lock
	@touch $@
