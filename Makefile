# make run    set up and show recollect at work (a short tour)
# make test   set up and run every check and test
# make check  the checks alone: format, lint, types, import contracts
# make bench  the numbers, as tables
# make soak   the long hunts, in full
.PHONY: run test check bench bench-core bench-quality bench-speed bench-facts bench-secrets bench-keep bench-voice bench-survive bench-postgres bench-context bench-pairs bench-tokens bench-loops bench-extractors bench-companion soak clean
PYTHON ?=
VENV := .venv
READY := $(VENV)/.ready

run: $(READY)
	@$(VENV)/bin/recollect tour

test: check
	$(VENV)/bin/python -m pytest -n 2 --dist worksteal

check: $(READY)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: bench-core bench-quality bench-speed bench-facts bench-secrets bench-keep bench-voice bench-survive bench-postgres bench-context bench-pairs bench-tokens bench-loops bench-extractors bench-companion

bench-speed bench-facts bench-keep bench-voice bench-survive bench-quality bench-postgres bench-context bench-pairs bench-tokens bench-loops bench-extractors bench-companion: $(READY)
	$(VENV)/bin/python bench/$(subst bench-,,$@).py

bench-core: $(READY)
	$(VENV)/bin/python bench/core.py

# Python has a module `secrets` of its own, which a file of that name beside a bench would hide.
bench-secrets: $(READY)
	$(VENV)/bin/python bench/secret_finding.py

soak: $(READY)
	RECOLLECT_SOAK=1 $(VENV)/bin/python -m pytest -n 2 --dist worksteal

$(READY): pyproject.toml requirements.lock scripts/setup.sh
	@PYTHON="$(PYTHON)" sh scripts/setup.sh
	@touch $(READY)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
