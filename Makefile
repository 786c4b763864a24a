# The two main commands are `make demo` and `make test`. Each sets up a virtual environment and says what it does.
# The newest installed Python from 3.11 on; `make PYTHON=...` selects another.
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3 python; do \
  $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --constraint constraints.txt
STAMP  := $(VENV)/.installed
# One solve uses every core; tests run in parallel, so there each process gets one.
TEST_ENV := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MPLBACKEND=Agg

.PHONY: help demo test lock test-oldest lint docs fuzz soak bench bench-quick clean evolutions measure trust ablate mutate cut-outs generic test-fast test-long release-check release-every scoreboard five
help:  ## Show the commands.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(STAMP): pyproject.toml constraints.txt
	@echo "== Creating the virtual environment $(VENV) and installing transnet with all extras (a few minutes)"
	@test -n "$(PYTHON)" || { echo "No Python from 3.11 on was found. Install one (for example python3.11 with python3.11-venv)."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --editable '.[all,dev]'
	@touch $@

demo: $(STAMP)  ## Solve the paper's nine cases and write the report to report/index.html.
	@echo "== Solving the nine cases of the paper and writing the report (about three minutes)"
	@$(BIN)/transnet paper report --out report
	@echo "== Open report/index.html"

lock: $(STAMP)  ## Write down the versions in .venv, for developers who want exactly these (requirements-dev.lock).
	@{ echo "# The versions that \`make test\` ran with; \`pip install --requirement requirements-dev.lock\` installs exactly these."; \
	   $(BIN)/python -m pip freeze --exclude-editable --exclude transnet-pde | sed 's/+cpu$$//'; } > requirements-dev.lock

test: $(STAMP) lint browser  ## Run the tests.
	@echo "== Running the tests"
	@$(TEST_ENV) $(BIN)/python -m pytest -n 2 -q -m "not long"

test-long: $(STAMP) browser  ## Run the tests that take more than seven seconds each (five minutes).
	@echo "== Running the long tests"
	@$(TEST_ENV) $(BIN)/python -m pytest -n 2 -q -m long

OLDEST := .venv-oldest
test-oldest:  ## Run the quick tests with the oldest supported versions (oldest.txt), in an environment of its own.
	@echo "== Installing the oldest versions into $(OLDEST)"
	@test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	@$(OLDEST)/bin/python -m pip install --quiet --constraint oldest.txt --editable '.[cli,plot,mesh,distributed,grid,tables,studio]' \
	  pytest pytest-xdist pytest-timeout hypothesis httpx
	@echo "== Running the quick tests"
	@$(TEST_ENV) $(OLDEST)/bin/python -m pytest -q -n 2 tests/problem tests/geometry tests/linalg tests/basis tests/doors/test_linear.py tests/doors/test_messages.py \
	  tests/cli tests/solution/test_export.py tests/solution/test_handed.py

lint: $(STAMP)  ## Check style and types.
	@echo "== Checking style (ruff) and types (mypy)"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy

docs: $(STAMP)  ## Run the gallery and build the documentation in docs/_build/html.
	@echo "== Installing what the documentation needs"
	@$(PIP) --editable '.[all,dev,docs]'
	@echo "== Running the examples of the gallery (about a minute)"
	@MPLBACKEND=Agg $(BIN)/python docs/gallery.py
	@echo "== Building the pages"
	@$(BIN)/sphinx-build -q -W --keep-going docs docs/_build/html
	@$(BIN)/python docs/links.py docs/_build/html
	@echo "== Open docs/_build/html/index.html"

.PHONY: browser
browser:
	@if command -v chromedriver >/dev/null && { command -v chromium || command -v google-chrome; } >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "== Installing chromium and its driver for the tests of the report and the studio"; \
	  (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium chromium-driver) >/dev/null 2>&1 \
	    || echo "   not available: the tests that need a browser will be skipped"; \
	else echo "== No chromium here and no right to install it: the tests that need a browser will be skipped"; fi

fuzz: $(STAMP)  ## Attack formulas, files, saved solutions and calls at random for ten minutes (SECONDS_=60 for one).
	@$(TEST_ENV) $(BIN)/python fuzz/fuzz.py --seconds $(or $(SECONDS_),600)

soak: $(STAMP)  ## Let eight threads solve, prepare, save and load for 30 minutes (MINUTES=3 for three).
	@$(TEST_ENV) $(BIN)/python fuzz/soak.py --minutes $(or $(MINUTES),30)

bench-quick: $(STAMP)  ## Measure against the limit and against NGSolve, in less than two minutes.
	@echo "== Installing NGSolve and measuring (less than two minutes)"
	@$(PIP) --editable '.[all,bench-quick]'
	@$(BIN)/python benchmarks/bench.py --quick

bench: $(STAMP)  ## Measure everything, DeepXDE included (about 35 minutes), and write docs/benchmarks.md.
	@echo "== Installing the peers and measuring everything (about 35 minutes; leave the machine alone meanwhile)"
	@$(PIP) --editable '.[all,bench,bench-deepxde]'
	@$(BIN)/python benchmarks/bench.py

measure: $(STAMP)  ## Repeat the measurements that the documents quote: NGSolve, the limit, the second solve, all errors (an hour; can be resumed).
	@echo "== Installing NGSolve and measuring (leave the machine alone meanwhile)"
	@$(PIP) --editable '.[all,bench-quick]'
	@$(BIN)/python benchmarks/accuracy.py
	@$(BIN)/python benchmarks/bench.py --cpu --only limit lstsq second highorder
	@rm -f benchmarks/accuracy.jsonl

evolutions: $(STAMP)  ## Solve 37 evolutions and compare them with their references (five minutes; can be resumed); writes the table of docs/theory/slabs.md.
	@echo "== Solving evolutions with known solutions (about five minutes; an interrupted run can be resumed)"
	@$(PIP) --editable '.[all,bench-quick]'
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/evolutions.py
	@$(BIN)/python benchmarks/evolutions.py --table
	@rm -f benchmarks/evolutions.jsonl

trust: $(STAMP)  ## Calibrate the error estimates on 1,000 random problems (half an hour); writes docs/trust.md.
	@echo "== Solving 460 random problems with known solutions (about half an hour; an interrupted run can be resumed)"
	@cd benchmarks && OPENBLAS_NUM_THREADS=1 ../$(BIN)/python trust.py

scoreboard: $(STAMP)  ## Solve the problems of public scoreboards, two at a time (a quarter of an hour on two cores; can be resumed); writes docs/scoreboard.md, the tables of README and paper.
	@echo "== Solving what others published figures for (a quarter of an hour on two cores; an interrupted run can be resumed)"
	@$(BIN)/python benchmarks/scoreboard.py $(if $(AFRESH),--afresh)
	@$(BIN)/python benchmarks/front.py
	@MPLBACKEND=Agg $(BIN)/python paper/figure.py

five: $(STAMP)  ## Solve the same five problems here, in NGSolve and in scikit-fem, and write docs/howto/five-problems.md.
	@$(PIP) --editable '.[all,bench-quick]' scikit-fem
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/five.py with_transnet with_ngsolve with_skfem

RELEASE := .venv-release
release-check:  ## Build wheel and sdist twice, compare and check them, and use the wheel in a fresh environment (two minutes).
	@echo "== Building, checking and using what would be released"
	@test -x $(RELEASE)/bin/python || $(PYTHON) -m venv $(RELEASE)
	@$(RELEASE)/bin/python -m pip install --quiet build twine
	@$(RELEASE)/bin/python .ci/release_check.py

release-every: release-check  ## Use the wheel in fresh environments of every Python here, with each extra (an hour).
	@$(RELEASE)/bin/python .ci/release_check.py --every dist
	@$(RELEASE)/bin/python .ci/release_check.py --every --large dist

generic: $(STAMP)  ## Race random problems in the plane and in space against NGSolve (half an hour).
	@$(PIP) --editable '.[all,bench-quick]'
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/generic.py --count 24
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/generic.py --count 6 --space

ablate: $(STAMP)  ## Switch off each method and heuristic in turn, and say what is lost (a quarter of an hour); writes docs/ablation.md.
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/ablate.py

mutate: $(STAMP)  ## Remove each guard of driver, judge, choice and estimates in turn, and list those that no nearby test misses (an hour).
	@$(BIN)/python benchmarks/mutate.py

cut-outs: $(STAMP)  ## Solve a thousand random shapes cut out of shapes (half an hour).
	@CUT_OUTS=1000 $(TEST_ENV) $(BIN)/python -m pytest -q -n0 --timeout 7200 tests/drive/test_cut_outs.py

test-fast: $(STAMP)  ## Run the fast tests, in about a minute.
	@$(TEST_ENV) $(BIN)/python -m pytest -q -n 2 -m "not slow" tests/drive tests/problem tests/geometry tests/linalg tests/basis tests/facts tests/reading tests/boxes

clean:  ## Remove the environments and everything that was built.
	rm -rf $(VENV) $(OLDEST) $(RELEASE) report docs/_build docs/gallery dist .pytest_cache .ruff_cache .mypy_cache
