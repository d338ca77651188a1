# The two commands: `make play` and `make test`. Both set up .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --no-header --no-emit-index-url --group build

.PHONY: play serve test check format lock atlas clean

play: .venv/play
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/digitduel; \
	else $(BIN)/digitduel play pool --target 12 --p1 casual --p2 casual --seed 7; fi

serve: .venv/web
	$(BIN)/digitduel serve

test: .venv/dev .venv/system
	$(BIN)/python -m pytest

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Measures and searches anew what the atlas ships: some minutes.
atlas: .venv/dev
	$(BIN)/python scripts/atlas.py

# Pins what pyproject.toml asks for; the .lock files hold hashes and no addresses.
lock: .venv/python
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra web --extra postgres --output-file requirements-web.lock
	$(COMPILE) --all-extras --group dev --output-file requirements-dev.lock

.venv/python:
	$(PYTHON) -m venv .venv
	@touch $@

.venv/play: .venv/python requirements.lock pyproject.toml
	$(call install,requirements.lock)
	@touch $@

.venv/web: .venv/python requirements-web.lock pyproject.toml
	$(call install,requirements-web.lock)
	@touch $@ .venv/play

.venv/dev: .venv/python requirements-dev.lock pyproject.toml
	$(call install,requirements-dev.lock)
	@touch $@ .venv/web .venv/play

# What the tests use besides Python: a real PostgreSQL and a real browser. Where they cannot be
# installed, the tests that need them skip.
.venv/system: .venv/python
	@missing=""; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v chromium >/dev/null || missing="$$missing chromium fonts-liberation"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends $$missing; fi
	@touch $@

define install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(1)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
endef

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
