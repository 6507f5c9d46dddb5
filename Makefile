# Each target installs what it needs into .venv; a second run rebuilds only what changed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=

# stamp files of two installs: for a game, where a command that needs an extra installs it (chuhe/common/extras.py); and
# plus tests, tools and lint
GAME   := $(VENV)/.game
DEV    := $(VENV)/.installed

# build requirements; pip without its version notice
TOOLS  := "setuptools>=77" "cython>=3.1"
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet

# cython-lint looks for pycodestyle on the path
lint: export PATH := $(CURDIR)/$(BIN):$(PATH)

# the tests of the compiled code, run by the debug and sanitizer builds
CORE_TESTS := $(wildcard $(addprefix tests/*/test_,$(addsuffix .py, \
    perft law fen position oracle fuzz engine mates records self_play_games chess_board games_search \
    endgame endgame_files endgame_engine signals network)))

# what the thread sanitizer runs: helpers, stop, ponderhit, the session
THREAD_TESTS := $(addprefix tests/,engine/test_search_handle.py protocol/test_session_scripts.py $(addprefix engine/,\
    test_engine.py::test_stop_from_another_thread test_engine.py::test_several_threads_find_the_mate \
    test_signals.py::test_the_smallest_limit_leaves_a_sensible_move \
    test_network.py::test_threads_and_hash_changes_keep_the_network))

.NOTPARALLEL:
.PHONY: all build play serve test browser lint format bench signature debug asan tsan package windows windows-test arm-test macos-check clean

all: build

# An editable install provides the dependencies and the `chuhe` command; the extensions are built separately, below.
# The links in `chuhe/` show `chuhe.engine` and its sisters as an installation does, so a path is enough to find them: it
# replaces the import hook of setuptools, which would slow down every start. It is relative, because before version 3.13
# Python does not start where the locale cannot decode a path in a .pth file.
$(GAME): EXTRA := play
$(GAME): SIZE := about 55 MB
$(DEV): EXTRA := dev
$(DEV): SIZE := about 600 MB
$(GAME) $(DEV): pyproject.toml
	@test -x $(BIN)/pip || { echo "creating $(VENV) …"; $(PYTHON) -m venv $(VENV); }
	@echo "installing into $(VENV): Cython and the dependencies of the extra \"$(EXTRA)\" ($(SIZE)) …"
	@$(PIP) --upgrade $(TOOLS)
	@CHUHE_SKIP_EXTENSIONS=1 $(PIP) --no-build-isolation --editable ".[$(EXTRA)]"
	@cd $(VENV)/lib/python*/site-packages && $(PYTHON) -c "import os, sys; print(os.path.relpath(sys.argv[1]))" "$(CURDIR)" \
	    > "$$(ls __editable__.chuhe-*.pth)"
	@touch $(GAME) $@

# a development install includes all that a game needs
INSTALLED := $(or $(wildcard $(DEV)),$(GAME))

# CHUHE_NATIVE=1 make build: for this machine's own instruction set
build: $(INSTALLED)
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@$(BIN)/python -m compileall -q chuhe  # for a fast first start in a GUI

# a game in the terminal, or on the web page; every command of .venv/bin/chuhe works afterwards
play serve: $(INSTALLED)
	@CHUHE_ONLY=chuhe $(BIN)/python setup.py --quiet build_ext --inplace
	@$(BIN)/chuhe $@ $(ARGS)

test: $(DEV) build
	$(BIN)/python -m pytest -q -n auto -m "not browser" $(ARGS)

# the tests of the web page in Chromium
browser: $(DEV) build
	$(BIN)/python -m pytest -q -m browser $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/cython-lint engine bench chuhe/variants tests/helpers
	@command -v npm >/dev/null || { echo "make lint: the page's JavaScript is checked by npm packages; install Node.js and npm (Debian: npm)"; exit 1; }
	@test node_modules/.package-lock.json -nt package-lock.json || npm ci --no-audit --no-fund
	npm run --silent lint

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: build
	$(BIN)/chuhe bench $(ARGS)

# the node count must be that of the last `Bench:` line in the history
signature: build
	@$(BIN)/python tests/tools/bench_signature.py

# Both builds go to their own directory below build/, so that the library in use is not touched. The tests run from
# inside that directory, so that its packages come first on the path; PYTEST puts its core_inspection before ours.
PYTEST = $(CURDIR)/$(BIN)/python -m pytest -q -c $(CURDIR)/pyproject.toml --rootdir $(CURDIR) -p no:cacheprovider \
    -o pythonpath="$(CURDIR)/build/$@/lib $(CURDIR)/tests/helpers $(CURDIR)/tests/tools" \
    $(addprefix $(CURDIR)/,$(if $(filter tsan,$@),$(THREAD_TESTS),$(CORE_TESTS))) $(ARGS)

debug: $(DEV)
	CHUHE_DEBUG=1 $(BIN)/python setup.py --quiet build --build-base build/debug --build-lib build/debug/lib
	cd build/debug/lib && $(PYTEST)

# Python itself is not built with the sanitizers, so their libraries are loaded before it. libstdc++ too: the sanitizer
# must see it before pyffish (C++) throws.
asan: $(DEV)
	CHUHE_ASAN=1 $(BIN)/python setup.py --quiet build --build-base build/asan --build-lib build/asan/lib
	cd build/asan/lib && \
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so) $$(gcc -print-file-name=libstdc++.so.6)" \
	CHUHE_SLOW_BUILD=1 ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 PYTHONMALLOC=malloc \
	    $(PYTEST)

# without address space layout randomisation, which GCC 12's library cannot bear; -s: its reports go to stderr
tsan: $(DEV)
	CHUHE_TSAN=1 $(BIN)/python setup.py --quiet build --build-base build/tsan --build-lib build/tsan/lib
	cd build/tsan/lib && \
	LD_PRELOAD="$$(gcc -print-file-name=libtsan.so)" PYTHONMALLOC=malloc CHUHE_SLOW_BUILD=1 \
	TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tools/tsan.txt exitcode=66" setarch -R $(PYTEST) -s

# sdist and wheel; the wheel is then tried in an empty environment
package: $(DEV)
	rm -f dist/*.whl
	$(BIN)/python -m build
	$(BIN)/python release/check_wheel.py dist/*.whl

# dist/chuhe-VERSION-windows-x86_64.zip, with mingw; windows-test tries it under wine, arm-test the ARM build under qemu,
# macos-check only compiles (see docs/platforms.md)
windows: $(INSTALLED)
	@$(BIN)/python release/windows/build.py

arm-test: $(DEV)
	@$(BIN)/python release/arm/check.py $(ARGS)

macos-check: $(INSTALLED)
	@$(BIN)/python release/macos/check.py

windows-test: $(DEV)
	@$(BIN)/python release/windows/check.py $(ARGS)

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find engine bench chuhe tests -name '*.so' -delete
	rm -f engine/core/tunables.pxi
