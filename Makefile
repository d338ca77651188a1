# The two commands: `make play` and `make test`. Both set up .venv by themselves.
# Another Python, in a place of its own: make test-fast PYTHON=python3.13 VENV=.venv-3.13
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# What pins and audits lives apart, so that it never decides a version of the product's.
TOOLS := $(VENV)-tools
PIN := $(TOOLS)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url $(addprefix --upgrade-package ,$(UPGRADE))
COMPILE := $(PIN) pyproject.toml --group build
# All that the tests of the terminal and of the server start is measured too, see pyproject.toml.
COVERAGE := $(BIN)/python -m coverage

.PHONY: play serve test test-fast faults mutants processors check format docs lock audit atlas release clean

play: $(VENV)/play
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/digitduel; \
	else $(BIN)/digitduel play pool --target 12 --p1 casual --p2 casual --seed 7; fi

serve: $(VENV)/web
	$(BIN)/digitduel serve

# Every test, how much of the source they reach (below what pyproject.toml asks for is a failure),
# and the tests of the atlas as if on two other processors.
test: $(VENV)/dev $(VENV)/system
	@$(COVERAGE) erase
	$(COVERAGE) run -m pytest
	@$(COVERAGE) combine --quiet 2>/dev/null; rm -f .coverage.*  # left by processes that were killed
	$(COVERAGE) report
	$(BIN)/python scripts/processors.py Haswell "vector units"

# For daily work: what needs no browser, no database, no cluster and no patience.
test-fast: $(VENV)/test
	$(BIN)/python -m pytest --quiet --hypothesis-profile fast -m "not browser and not postgres and not cluster and not slow"

# Every attack for long, ten minutes each unless SECONDS says otherwise; `make test` runs some seconds.
faults: $(VENV)/dev $(VENV)/system
	$(BIN)/python -m tests.faults --all --seconds $(or $(SECONDS),600) --seed $(or $(SEED),1)

# Whether tests notice small changes of the rules: a sample of COUNT, drawn by SEED; about five
# minutes to see what the tests reach, and some seconds for each. MODULE="duel game" for some of them.
mutants: $(VENV)/test
	nice $(BIN)/python scripts/mutants.py $(MODULE) --count $(or $(COUNT),100) --seed $(or $(SEED),1)

# The tests of the atlas as if on other processors.
processors: $(VENV)/test
	$(BIN)/python scripts/processors.py

check: $(VENV)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Writes the pages that follow from the code: the API reference and the picture of the floors.
docs: $(VENV)/test
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/architecture.py

# Measures and searches anew what the atlas ships: some minutes.
atlas: $(VENV)/dev
	$(BIN)/python scripts/atlas.py
	$(BIN)/python scripts/tables.py

# Builds a release and tries it in an empty environment; uploads nothing.
release: $(VENV)/test
	$(BIN)/python scripts/release.py

# Pins what pyproject.toml asks for; the .lock files hold hashes and no addresses.
# Newer versions only of what is named: make lock UPGRADE="pip rich"
lock: $(TOOLS)/tools
	$(PIN) --group pip --output-file requirements-pip.lock
	$(PIN) --group tools --output-file requirements-tools.lock
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra web --extra postgres --output-file requirements-web.lock
	$(COMPILE) --extra web --extra postgres --extra atlas --group test --output-file requirements-test.lock
	$(COMPILE) --all-extras --group dev --output-file requirements-dev.lock

# The files that are not ours are those of the npm packages; no pinned version has a known weakness.
audit: $(TOOLS)/tools
	$(TOOLS)/bin/python scripts/vendored.py
	$(TOOLS)/bin/python scripts/advisories.py

# What venv brings installs one thing, the pinned pip; setuptools, which it brings before Python 3.12,
# goes, for nothing here uses it.
$(VENV)/python $(TOOLS)/python: %/python: requirements-pip.lock
	$(PYTHON) -m venv $*
	$(call fetch,$*,requirements-pip.lock)
	$*/bin/python -m pip uninstall --quiet --quiet --yes setuptools
	@touch $@

$(TOOLS)/tools: $(TOOLS)/python requirements-tools.lock
	$(call fetch,$(TOOLS),requirements-tools.lock)
	@touch $@

$(VENV)/play: $(VENV)/python requirements.lock pyproject.toml
	$(call install,requirements.lock)
	@touch $@

$(VENV)/web: $(VENV)/python requirements-web.lock pyproject.toml
	$(call install,requirements-web.lock)
	@touch $@ $(VENV)/play

$(VENV)/test: $(VENV)/python requirements-test.lock pyproject.toml
	$(call install,requirements-test.lock)
	@touch $@ $(VENV)/play

$(VENV)/dev: $(VENV)/python requirements-dev.lock pyproject.toml
	$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/test $(VENV)/web $(VENV)/play

# What the tests use besides Python: a real PostgreSQL, real browsers and strace. Where they cannot
# be installed, the tests that need them skip.
$(VENV)/system: $(VENV)/python
	@missing=""; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v chromium >/dev/null || missing="$$missing chromium fonts-liberation"; \
	command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing="$$missing firefox-esr"; \
	command -v strace >/dev/null || missing="$$missing strace"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends $$missing; fi
	@touch $@

# Wheels only: to build one, pip would fetch a builder that nobody pinned.
define fetch
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement $(2)
endef

define install
	$(call fetch,$(VENV),$(1))
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
endef

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* .mutants.json dist
