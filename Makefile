# `make quickstart` and `make test` do all the set-up on a fresh machine: a virtual environment in .venv with
# the pinned versions of constraints.txt. Everything else builds on them.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: help quickstart test test-slow lint bench clean

help:
	@echo "make quickstart   run the quickstart experiment: a rated table and a report"
	@echo "make test         run the tests"
	@echo "make test-slow    run the tests that take minutes each"
	@echo "make lint         ruff and mypy"
	@echo "make bench        measure the speed of everything that has a target"
	@echo "make clean        remove .venv and caches of the tools"

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Kontor needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

.venv/run.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Kontor into .venv: some minutes of downloads"
	$(PIP) --editable .
	@touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Kontor and its tools into .venv: some minutes of downloads"
	$(PIP) --editable '.[dev]'
	@touch $@ .venv/run.stamp

quickstart: .venv/run.stamp
	$(BIN)/kontor run configs/quickstart.yaml

test: .venv/dev.stamp
	$(BIN)/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder

test-slow: .venv/dev.stamp
	$(BIN)/python -m pytest -m slow

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev.stamp
	$(BIN)/kontor bench

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
