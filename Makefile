# The commands of everyday work; `make help` lists them.
JOBS ?= $(shell nproc)
CMAKE := cmake --log-level=NOTICE -S . -G Ninja
NINJA := ninja
CTEST := ctest --output-on-failure -j $(JOBS) --test-output-size-passed 1000000 --test-output-size-failed 1000000
# Debian's Python first: it has SymPy.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
SOURCES = $(shell find src examples validation bench tests fuzz -name '*.cpp' -o -name '*.h' 2>/dev/null)

.PHONY: help run build test bench check format language package clean
.PHONY: python wheel packages_python
.PHONY: packages_run packages_test packages_check configure_tests
.PHONY: check_format check_clang check_sanitize check_threads check_package check_fuzz check_models check_trees check_peers check_fresh

help:
	@echo 'make run      build, then derive, prove and simulate an example; its page goes to build/report'
	@echo 'make build    build the program (build/visviva) and the examples (build/examples)'
	@echo 'make test     build everything and run all tests'
	@echo 'make bench    measure; a table here, JSON in bench/results'
	@echo 'make check    all that must pass before a change goes in: format, tests, Clang, sanitizers, fresh machines, packages'
	@echo 'make format   format all C++ sources'
	@echo 'make language regenerate the editor grammar, the reference tables and the expected messages'
	@echo 'make package  build packages: .deb for Debian, .tar.gz with all it needs (build/packages)'
	@echo 'make python   build the Python package and run its tests (PyPI serves what Python needs)'
	@echo 'make wheel    a wheel for this Python with all it needs (build-python/wheels)'
	@echo 'make clean    remove all build folders'

run: build
	@for what in derive prove energy; do build/visviva $$what examples/governor.viva || exit 1; echo; done
	@build/visviva simulate examples/governor.viva --out build/governor_run
	@echo
	@mkdir -p build/report
	@build/visviva report examples/governor.viva --out build/report/governor.html
	@echo 'Open it in a browser. Then change something: build/visviva report examples/governor.viva --set "M=2 kg"'

build: build/build.ninja
	@$(NINJA) -C build -j $(JOBS) visviva_cli visviva_documents examples

test: configure_tests
	@$(NINJA) -C build -j $(JOBS)
	@$(call run_tests,build)

# Runs the tests of a build folder; what was skipped is counted and named last.
define run_tests
$(CTEST) --test-dir $(1) --output-junit tests.xml; status=$$?; \
  $(PYTHON) -B tools/summarize_tests $(1)/tests.xml && exit $$status
endef

bench: packages_check
	@$(CMAKE) -B build-release -DCMAKE_BUILD_TYPE=Release >/dev/null
	@$(NINJA) -C build-release -j $(JOBS) visviva_bench visviva_cli
	@mkdir -p bench/results build-release/derivation
	@results=bench/results/$$(date -u +%Y-%m-%dT%H%M%SZ); \
	  VISVIVA_BENCH_VALUES=build-release/derivation build-release/visviva_bench \
	    --benchmark_out_format=json --benchmark_out=$$results.json && \
	  $(PYTHON) -B bench/work_precision.py $$results.json --svg $${results}_work_precision.svg \
	    --json $${results}_work_precision.json && \
	  $(PYTHON) -B bench/sympy_derivation.py $$results.json build-release/derivation \
	    --write $${results}_sympy.json && \
	  $(PYTHON) -B bench/growth.py build-release/visviva --json $${results}_growth.json && \
	  if [ -x build-peers/bin/python ]; then \
	    build-peers/bin/python -B bench/peers/compare.py build-release/visviva_bench build-release/visviva build-peers/bench \
	      --json $${results}_peers.json; \
	  else echo 'bench: Pinocchio and CasADi are left out; `tools/peers build-peers` installs them'; fi

# One after another: each part already uses all cores.
check: packages_check
	@$(MAKE) --no-print-directory check_format
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory check_clang
	@$(MAKE) --no-print-directory check_sanitize
	@$(MAKE) --no-print-directory check_threads
	@$(MAKE) --no-print-directory check_fuzz
	@$(MAKE) --no-print-directory check_models
	@$(MAKE) --no-print-directory check_trees
	@$(MAKE) --no-print-directory check_peers
	@$(MAKE) --no-print-directory check_fresh
	@$(MAKE) --no-print-directory check_package
	@$(MAKE) --no-print-directory wheel
	@echo 'check: all good'

check_format:
	@clang-format --dry-run -Werror $(SOURCES)
	@echo 'format: good'

check_clang:
	@$(CMAKE) -B build-clang -DCMAKE_CXX_COMPILER=clang++ >/dev/null
	@$(NINJA) -C build-clang -j $(JOBS) all $(if $(wildcard bench/*_bench.cpp),visviva_bench)

check_sanitize:
	@$(CMAKE) -B build-sanitize -DCMAKE_CXX_COMPILER=clang++ -DVISVIVA_SANITIZE=ON >/dev/null
	@$(NINJA) -C build-sanitize -j $(JOBS)
	@$(call run_tests,build-sanitize)

# Eight threads on one model, a tree and a loop, with Clang's ThreadSanitizer.
check_threads:
	@$(CMAKE) -B build-threads -DCMAKE_CXX_COMPILER=clang++ -DVISVIVA_SANITIZE=thread >/dev/null
	@$(NINJA) -C build-threads -j $(JOBS) app_test
	@build-threads/app_test --gtest_filter='*EightThreads*/double_pendulum:*EightThreads*/four_bar'

# A minute of random models through the parser and the checker, and one of random robot files, seeded with all we have.
check_fuzz:
	@$(CMAKE) -B build-clang -DCMAKE_CXX_COMPILER=clang++ >/dev/null
	@$(NINJA) -C build-clang -j $(JOBS) model_fuzz robot_fuzz
	@mkdir -p build-clang/corpus build-clang/robots
	@build-clang/model_fuzz -max_total_time=60 -max_len=4096 -timeout=20 -rss_limit_mb=4096 -verbosity=0 \
	  -print_final_stats=1 -artifact_prefix=build-clang/ \
	  build-clang/corpus examples src/visviva/text/cases src/visviva/app/cli/cases
	@build-clang/robot_fuzz -max_total_time=60 -max_len=4096 -timeout=20 -rss_limit_mb=4096 -verbosity=0 \
	  -print_final_stats=1 -artifact_prefix=build-clang/ \
	  build-clang/robots src/visviva/app/cli/cases/robot validation/pinocchio validation/mujoco

# Robots against Pinocchio and MuJoCo; VISVIVA_ROBOTS names a folder with more of them.
check_peers: build
	@tools/peers build-peers
	@for test in validation/pinocchio/*_test.py validation/mujoco/*_test.py; do \
	  VISVIVA_PROGRAM=$(CURDIR)/build/visviva build-peers/bin/python -B $$test || exit 1; done

# 2000 random mechanisms through every command; the day chooses which, and SEED repeats them.
SEED ?= $(shell date -u +%Y%m%d)
check_models: build
	@VISVIVA_PROGRAM=$(CURDIR)/build/visviva VISVIVA_RANDOM_MODELS=2000 VISVIVA_RANDOM_SEED=$(SEED) \
	  VISVIVA_RANDOM_WORKERS=$(JOBS) $(PYTHON) -B validation/random_models/random_models_test.py

# The recursions on 10,000 random trees.
check_trees: configure_tests
	@$(NINJA) -C build -j $(JOBS) equations_test
	@VISVIVA_RANDOM_TREES=10000 build/equations_test --gtest_filter='TreeRates.random*'

# `make run` and `make test` on bare Debian systems, from what is committed.
check_fresh:
	@tools/check_fresh_machine

format:
	@echo clang-format | tools/install_dependencies /dev/stdin
	@clang-format -i $(SOURCES)

language: configure_tests
	@$(NINJA) -C build -j $(JOBS) text_test app_test
	@VISVIVA_REGENERATE=1 build/text_test --gtest_filter='grammar.generated*:syntax_cases.say*'
	@VISVIVA_REGENERATE=1 build/app_test --gtest_filter='check_cases.say*'

package: build/build.ninja
	@tools/install_dependencies tools/packages_package.txt
	@$(NINJA) -C build -j $(JOBS) visviva_cli visviva_documents visviva_portable
	@cd build && cpack >packages.log || { cat packages.log; exit 1; }
	@ls build/packages/*.deb build/packages/*.tar.gz

# Both packages on a bare Debian system.
check_package: package
	@tools/check_package

# The Python package: its wheel is built in an environment of its own, installed there and tested as users have it.
venv := build-python/venv
python: packages_python
	@tools/python_environment $(venv) $(PYTHON)
	@rm -rf build-python/built && $(venv)/bin/pip wheel --quiet --no-build-isolation --no-deps \
	  -C build-dir=$(CURDIR)/build-python -w build-python/built .
	@$(venv)/bin/pip install --quiet --force-reinstall --no-deps build-python/built/*.whl
	@$(venv)/bin/mypy --config-file pyproject.toml
	@$(venv)/bin/python -m pytest -q python/tests

wheel: python
	@$(venv)/bin/auditwheel repair --plat auto -w build-python/wheels build-python/built/*.whl
	@tools/check_wheel build-python/wheels $(PYTHON)

clean:
	@rm -rf build build-*

packages_run:
	@tools/install_dependencies tools/packages.txt

packages_python:
	@tools/install_dependencies tools/packages.txt tools/packages_python.txt

packages_test:
	@tools/install_dependencies tools/packages.txt tools/packages_test.txt

packages_check:
	@tools/install_dependencies tools/packages.txt tools/packages_test.txt tools/packages_check.txt

# Configured once, without tests; Ninja runs CMake again when a source or a CMake file appears or changes.
build/build.ninja: | packages_run
	@$(CMAKE) -B build -DVISVIVA_TESTS=OFF >/dev/null

# A folder that was configured without tests gets them, and keeps them.
configure_tests: packages_test
	@[ -e build/build.ninja ] && grep -qs '^VISVIVA_TESTS:BOOL=ON' build/CMakeCache.txt || \
	  $(CMAKE) -B build -DVISVIVA_TESTS=ON >/dev/null
