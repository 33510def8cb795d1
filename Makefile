# The front door: `make help` lists what there is. Every target first runs tools/setup.sh, which
# installs what is missing and takes milliseconds when nothing is; CMakePresets.json holds the
# configurations.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=
# The folders whose tests `make asan` builds and runs; all when empty.
ASAN_TESTS ?=

empty :=
space := $(empty) $(empty)

BIN := .venv/bin
PYTHON := $(BIN)/python
CMAKE := $(BIN)/cmake
CTEST := $(BIN)/ctest
ORT := .venv/libonnxruntime.so
ORT_NOTICES = $(wildcard .venv/lib/python3*/site-packages/onnxruntime/LICENSE \
                         .venv/lib/python3*/site-packages/onnxruntime/ThirdPartyNotices.txt)
DOC_DIR := $(DESTDIR)$(PREFIX)/share/doc/opass

# With paths made relative, another clone of the project finds the same objects in the cache.
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export CTEST_PARALLEL_LEVEL := $(JOBS)
export OPASS_JOBS := $(JOBS)

# $(call configure,PRESET,FOLDER): once, and again when the presets change; CMake's own files are
# watched by the build. ccache is looked for here because the set-up may just have installed it.
configure = @test $(2)/build.ninja -nt CMakePresets.json || \
  CMAKE_CXX_COMPILER_LAUNCHER=$$(command -v ccache || true) $(CMAKE) --preset $(1)

.PHONY: help
help: ## List what there is to make
	@echo 'usage: make TARGET [JOBS=N]'
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/p' Makefile | expand -t 18

# --- Build --------------------------------------------------------------------------------------

.PHONY: setup
setup: ## Install what is missing (see tools/setup.sh)
	@tools/setup.sh

.PHONY: build
build: setup ## Build the tool: build/opass
	$(call configure,release,build)
	@$(CMAKE) --build --preset release

.PHONY: tvm
tvm: build ## Install Apache TVM (tools/setup_tvm.sh) and build the plugin of `opass tvm`
	@tools/setup_tvm.sh
	$(call configure,tvm,build-tvm)
	@$(CMAKE) --build --preset tvm

.PHONY: install
install: build ## Install under PREFIX (/usr/local); the installed folder may be moved
	install -D -m 755 build/opass '$(DESTDIR)$(PREFIX)/bin/opass'
	install -D -m 644 $(ORT) '$(DESTDIR)$(PREFIX)/lib/opass/libonnxruntime.so'
	$(CMAKE) --install build --component library --prefix '$(DESTDIR)$(PREFIX)'
	install -d '$(DOC_DIR)/onnxruntime'
	install -m 644 LICENSE README.md '$(DOC_DIR)'
	install -m 644 $(ORT_NOTICES) '$(DOC_DIR)/onnxruntime'

.PHONY: clean
clean: ## Remove the build folders; the environment, the models and the caches stay
	rm -rf build build-dev build-asan build-tidy build-tvm

# --- Checks -------------------------------------------------------------------------------------

.PHONY: test
test: build check ## Build, check format and floors, pass all tests
	@$(CTEST) --preset release

.PHONY: check
check: check-format check-floors check-tools

.PHONY: check-format
check-format: setup ## Refuse what clang-format would change
	@tools/format.sh --check

.PHONY: format
format: setup ## Let clang-format decide
	@tools/format.sh

.PHONY: check-floors
check-floors: setup ## Refuse includes that climb (the tables in ARCHITECTURE.md)
	@$(PYTHON) tools/check_floors.py

.PHONY: check-tools
check-tools: setup ## Test the scripts in tools/ and what the documents say
	@OPASS_TOOL=$$(ls build/opass 2>/dev/null || true) $(PYTHON) -m unittest discover -q -s tests/tools -p '*_test.py'

.PHONY: test-tvm
test-tvm: tvm ## Pass the tests of `opass tvm` with the real TVM
	@OPASS_TOOL=build/opass $(PYTHON) -m unittest discover -q -s tests/tvm -p '*_test.py'

.PHONY: asan
asan: setup ## Pass the tests under AddressSanitizer and UBSan; ASAN_TESTS='ir onnx' for some
	$(call configure,asan,build-asan)
ifeq ($(strip $(ASAN_TESTS)),)
	@$(CMAKE) --build --preset asan
	@$(CTEST) --preset asan
else
	@$(CMAKE) --build --preset asan --target $(addsuffix _test,$(ASAN_TESTS))
	@$(CTEST) --preset asan -R '^($(subst $(space),|,$(strip $(ASAN_TESTS))))$$'
endif

.PHONY: tidy
tidy: build ## Run clang-tidy over the sources
	$(call configure,tidy,build-tidy)
	@tools/tidy.sh build-tidy

# --- Models -------------------------------------------------------------------------------------

.PHONY: models
models: setup ## Fetch the public models and generate the others, into models/
	@$(PYTHON) tools/models/fetch.py --out models
	@$(PYTHON) tools/models/fetch.py --list >models/flags.tsv
	@$(PYTHON) tools/models/generate_nas.py --out models
	@$(PYTHON) tools/models/generate_randwire.py --out models
	@$(PYTHON) tools/models/generate_lookahead.py --out models

.PHONY: demo
demo: build ## Optimize a real model and an irregular network, and print what it gained
	@$(PYTHON) tools/models/fetch.py --out models basic_pitch
	@$(PYTHON) tools/models/generate_nas.py --out models darts_cifar_n6
	@mkdir -p build/demo
	@build/opass optimize models/basic_pitch.onnx --shape serving_default_input_2:0=1x43844x1 \
	  -o build/demo/basic_pitch.onnx
	@build/opass optimize models/darts_cifar_n6.onnx -o build/demo/darts_cifar_n6.onnx \
	  --strategy opass --explain

.PHONY: bench
bench: build models ## Print every table of docs/benchmarks.md (a quarter of an hour)
	build/opass bench models models
	build/opass bench models models --alignment 1 --no-views --no-verify \
	  --reference docs/benchmarks/hmcos_reference.csv
	build/opass bench schedule
	build/opass bench lookahead models
	build/opass bench strategies models
	build/opass bench strategies models --ablation --evaluations 20
	build/opass bench onnx-testdata
	build/opass bench scale
	OPASS_TOOL=build/opass $(PYTHON) tests/cli/malformed.py --report

.PHONY: nightly
nightly: ## Everything that takes long: random cases by the million, sanitizers, benchmarks
	@$(MAKE) test
	@OPASS_NIGHTLY=1 $(CTEST) --preset release --timeout 7200 \
	  -R '^(search|planner|passes|exact_offsets|orchestrator_native)$$'
	@$(MAKE) asan
	@$(MAKE) tidy
	@$(MAKE) bench
