# make up     sets everything up and runs Tycoon until Ctrl-C
# make test   does the same set-up and runs every check that CI runs
# The rest is for developers. Arguments go along as ARGS="...".
# make golden  records the golden matches that are missing; with ARGS="FILE --as NAME" it adds an
#              exported match

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --require-hashes --no-build-isolation
COMPILE := CUSTOM_COMPILE_COMMAND="make lock" ../$(BIN)/pip-compile --quiet --upgrade --generate-hashes \
	--allow-unsafe --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links
export PYTHON

.PHONY: help up test fast check format bench golden soak lock clean

help:
	@sed -n '1,/^$$/s/^# //p' Makefile

up: $(VENV)/base
	@exec $(BIN)/tycoon up $(ARGS)

test: check
	@$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

# Without the tests that start the whole system.
fast: $(VENV)/dev
	@$(BIN)/pytest -n 2 --dist worksteal -m "not e2e" $(ARGS)

check: $(VENV)/dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/dev
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

bench: $(VENV)/dev
	@$(BIN)/python -m tests.bench $(ARGS)

golden: $(VENV)/dev
	@$(BIN)/python -m tests.golden.record $(ARGS)

soak: $(VENV)/dev
	@$(BIN)/python -m tests.soak $(ARGS)

# The oldest Python asks for the most packages, so its lock serves the newer ones too.
lock: $(VENV)/dev
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
		{ echo "The lock is made on Python 3.11: make clean lock PYTHON=python3.11" >&2; exit 1; }
	@cd requirements && $(COMPILE) -o base.txt base.in && $(COMPILE) -o dev.txt dev.in && \
		$(COMPILE) -o s3.txt s3.in

clean:
	@rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment, made anew when a lock changes, so that it never holds a package that no lock names.
# Each file below is a stamp: it exists only when its step has succeeded.
$(VENV)/made: requirements/base.txt requirements/dev.txt
	@python=$$(scripts/find-python) && echo "Setting up $(VENV) with $$python ..." && \
		rm -rf $(VENV) && "$$python" -m venv $(VENV)
	@touch $@

$(VENV)/base: $(VENV)/made pyproject.toml requirements/base.in
	@$(INSTALL) -r requirements/base.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev: $(VENV)/base
	@$(INSTALL) -r requirements/dev.txt
	@touch $@
