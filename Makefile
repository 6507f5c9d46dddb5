# Each target sets up what it needs in .venv by itself; a second run rebuilds only what changed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
ARGS   ?=

# cython-lint looks for pycodestyle on the path
lint: export PATH := $(CURDIR)/$(BIN):$(PATH)

# the tests of the compiled code: what the debug and the sanitizer builds run
CORE_TESTS := $(wildcard $(addprefix tests/test_,$(addsuffix .py, \
    perft law fen position oracle fuzz engine mates records self_play_games chess_board games_search \
    endgame endgame_files endgame_engine signals)))

.PHONY: all build play serve test browser lint format bench debug asan package clean

all: build

# The editable install brings the dependencies and the `chuhe` command; the extensions are built apart, below.
$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "setuptools>=77" "cython>=3.1" wheel
	CHUHE_SKIP_EXTENSIONS=1 $(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]"
	@touch $@

# CHUHE_NATIVE=1 make build: for this machine's own instruction set
build: $(STAMP)
	$(BIN)/python setup.py --quiet build_ext --inplace
	$(BIN)/python -m compileall -q chuhe engine protocol bench play  # a GUI's first start should not have to

play: build
	$(BIN)/chuhe play $(ARGS)

# the page to play in, in the browser
serve: build
	$(BIN)/chuhe serve $(ARGS)

test: build
	$(BIN)/python -m pytest -q -m "not browser" $(ARGS)

# the tests of the page in a real Chromium
browser: build
	$(BIN)/python -m pytest -q -m browser $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/cython-lint engine bench

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: build
	$(BIN)/chuhe bench $(ARGS)

# Both builds live in a tree of their own below build/, so that the library in use stays as it is. The tests run from
# inside that tree: its packages come first on the path.
debug: $(STAMP)
	CHUHE_DEBUG=1 $(BIN)/python setup.py --quiet build --build-base build/debug --build-lib build/debug/lib
	cd build/debug/lib && $(CURDIR)/$(BIN)/python -m pytest -q -c $(CURDIR)/pyproject.toml --rootdir $(CURDIR) \
	    -p no:cacheprovider $(addprefix $(CURDIR)/,$(CORE_TESTS)) $(ARGS)

# Python itself is not built with the sanitizers, so their libraries are loaded before it. libstdc++ too: the sanitizer
# must see it before pyffish (C++) throws.
asan: $(STAMP)
	CHUHE_ASAN=1 $(BIN)/python setup.py --quiet build --build-base build/asan --build-lib build/asan/lib
	cd build/asan/lib && \
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so) $$(gcc -print-file-name=libstdc++.so.6)" \
	CHUHE_SLOW_BUILD=1 ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 PYTHONMALLOC=malloc \
	    $(CURDIR)/$(BIN)/python -m pytest -q -c $(CURDIR)/pyproject.toml --rootdir $(CURDIR) \
	    -p no:cacheprovider $(addprefix $(CURDIR)/,$(CORE_TESTS)) $(ARGS)

package: $(STAMP)
	$(BIN)/python -m build

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find engine -name '*.so' -delete
	rm -f engine/core/tunables.pxi
