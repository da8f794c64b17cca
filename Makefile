# What a person types. Every target makes its own virtual environment from requirements.txt and re-uses it.
PYTHON3 ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PORT_ARGS = $(if $(PORT),--port $(PORT))
BOARD_ARGS = $(PORT_ARGS) $(if $(BOARD),--board $(BOARD)) $(if $(RELEASE),--release $(RELEASE))
STAMP := $(VENV)/.stamp-$(shell { cat requirements.txt; pwd; } | cksum | cut -d' ' -f1)

# Python would compile every module again in each of the hundreds of programs the tests start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z][a-z0-9-]*:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(PY):
	@$(PYTHON3) -c 'import sys; sys.exit("Python 3.10 or newer is needed") if sys.version_info < (3, 10) else 0'
	@$(PYTHON3) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "the venv module is missing: apt-get install python3-venv"; exit 1; }

$(STAMP): requirements.txt | $(PY)
	@echo "making $(VENV) from requirements.txt"
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-compile --no-deps -r requirements.txt
# Once only: pip's own builds read this file twice and would lose the standard library.
	@echo "import sys; sys.path[:0] = [p for p in ['$(CURDIR)', '$(CURDIR)/firmware', '$(CURDIR)/tools/shims'] if p not in sys.path]" > \
		"$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/felt_checkout.pth"
	@rm -f $(VENV)/.stamp-* && touch $@

# The tests run the emulator for minutes: compile it where that is possible. Where it is not (3),
# no stamp is set, so that it is looked at again; it says why and does not repeat what failed.
# AFTER: what else pip installs in the same run; one pip at a time changes an environment.
FAST := $(STAMP)-emulator-$(shell cksum < tools/emulator/faster.py | cut -d' ' -f1)
$(FAST): $(STAMP) | $(AFTER)
	@if $(PY) -m tools.emulator.fast_emulator --once; then touch $@; else test $$? = 3; fi

##@ See the table, without hardware

run: $(STAMP) ## the virtual table: firmware on MicroPython and a page to play it (ARGS="--game colorado --port 0")
	@$(PY) -m tools.bench $(ARGS)

demo: $(STAMP) ## one scripted round of every game, without a browser
	@$(PY) -m tools.bench.demo $(ARGS)

PIT := $(STAMP)-pit-$(shell cksum < requirements-pit.txt | cut -d' ' -f1)
$(PIT): $(STAMP) requirements-pit.txt
	@echo "installing requirements-pit.txt" && \
		$(PY) -m pip install --quiet --disable-pip-version-check --no-compile --no-deps -r requirements-pit.txt
	@touch $@

pit: $(PIT) ## a pit on this PC: broker, collector, database, page and tables that play (ARGS="--tables 8 --port 8090")
	@$(PY) -m tools.pit $(ARGS)

##@ At a real table

release: $(STAMP) ## the folder a technician carries: images, the wheel of felt, its page, checksums (SIGN=KEY signs it; CONFIG= makes new tables' images)
	@$(PY) -m tools.image.release $(if $(CONFIG),--config $(CONFIG)) $(if $(SIGN),--sign $(SIGN)) $(ARGS)

# `make` itself ends with 2 whatever went wrong; the exit codes of felt are for those who call it.
FELT := $(PY) -m tools.field
flash: $(STAMP) $(if $(RELEASE),,release) ## write this build to a board and check it (PORT= BOARD= RELEASE= LABEL="Pit 3 table 12")
	@$(FELT) flash $(BOARD_ARGS) $(if $(LABEL),--label "$(LABEL)") $(ARGS)

verify: $(STAMP) $(if $(RELEASE),,release) ## compare a table with this build or a release, read-only (PORT= RELEASE=build/release)
	@$(FELT) verify $(BOARD_ARGS) $(ARGS)

provision: $(STAMP) ## put a configuration on a table (CONFIG=tools/configs/premium.json PORT= BY=)
	@$(FELT) provision $(CONFIG) $(PORT_ARGS) $(if $(BY),--by "$(BY)") $(ARGS)

terminal: $(STAMP) ## the dealer's touch terminal in a browser, at a table's serial line (PORT=/dev/ttyUSB0)
	@$(PY) -m tools.terminal $(PORT_ARGS) $(ARGS)

console: $(STAMP) ## the service console (PORT=; ARGS="version selftest" or ARGS="--dump build/table12")
	@$(FELT) console $(PORT_ARGS) $(ARGS)

boards: $(STAMP) ## what is connected, and what to do next
	@$(FELT) boards $(PORT_ARGS) $(ARGS)

bench-test: $(STAMP) ## measure a board against its limits (ARGS="--virtual", or PORT=)
	@$(PY) -m pytest -q -c tools/benchtest/pytest.ini tools/benchtest $(PORT_ARGS) $(ARGS)

##@ Prove it

certify: $(STAMP) ## play settlement vectors (ARGS="FILE --on micropython")
	$(PY) -m tools.prove.certify $(or $(ARGS),host_tests/data/vectors.jsonl)

PAR := $(STAMP)-par-$(shell cksum < requirements-par.txt | cut -d' ' -f1)
$(PAR): $(STAMP) requirements-par.txt
	@echo "installing requirements-par.txt" && \
		$(PY) -m pip install --quiet --disable-pip-version-check --no-compile --no-deps -r requirements-par.txt
	@touch $@

par: $(PAR) ## the exact price of every wager: build/par.json and a sheet a game in build/par (minutes; ARGS="--prove")
	@$(PY) -m tools.prove.par $(ARGS)

rng: $(STAMP) ## statistics of the wheel's generator: ten million spins a table, dieharder, rngtest, ent (minutes)
	$(PY) -m tools.prove.rng $(ARGS)

evaluator-full: $(STAMP) ## every five-card hand and 2,000,000 random pairs of six and seven cards against two other evaluators (minutes)
	$(PY) -m tools.prove.evaluator_full --peer $(ARGS)

powercut: $(STAMP) ## 100,000 power cuts in critical memory, on both interpreters (ARGS="--cuts 5000")
	$(PY) -m tools.prove.powercut_long $(ARGS)

link-fuzz: $(STAMP) ## noise, damaged frames and 10,000 shoes through both links (minutes; ARGS="--shoes 100")
	$(PY) -m tools.prove.link_fuzz $(ARGS)

long: $(STAMP) ## the long proofs: ARGS="soak|fuzz|cuts|damage|configs [COUNT]" (up to hours)
	$(PY) -m tools.prove.long_forms $(ARGS)

mutants: $(STAMP) ## wrong changes to the firmware that no test notices (minutes; ARGS="games round --sample 60 --seed 7")
	$(PY) -m tools.prove.mutants $(ARGS)

soak: $(STAMP) ## the round machine under 10,000 random days of 100 steps (minutes; ARGS="--runs 1000")
	$(PY) -m tools.prove.soak $(ARGS)

evening: $(STAMP) ## evenings against a witness who knows only the felt (ARGS="--game colorado --dealing auto --rounds 50 --errors 5 --seed 1 --on micropython")
	$(PY) -m tools.prove.evening $(ARGS)

evening-long: $(STAMP) ## 100,000 rounds over all games and methods with 0, 5 and 30 % errors (hours)
	$(PY) -m tools.prove.evening --rounds 1860 --errors 0,5,30 $(ARGS)

pit-delivery: $(PIT) ## 100,000 rounds through killed brokers and collectors, cut networks and lost power (minutes; ARGS="--rounds 5000")
	$(PY) -m tools.pit.delivery $(ARGS)

hangs: $(STAMP) ## freeze the firmware 100 times in the middle of rounds; the watchdog restarts it (minutes)
	$(PY) -m tools.prove.hangs $(ARGS)

round-emulator: $(FAST) ## a longer round on the emulated board: a hang, power cut in the spin, the wheel to its end (minutes)
	$(PY) -m tools.prove.round_emulator --hang $(ARGS)

emulator-full: $(FAST) ## every logic test inside the image on the emulated board (long)
	FELT_EMULATOR=full $(PY) -m pytest -n auto --dist loadfile -m emulator host_tests/logic $(ARGS)

##@ Work on it

test: ## everything testable: lint, types, generated files, both compilers, budget, tests
	@$(MAKE) --no-print-directory -j5 AFTER=$(PIT) early lint check once
	@$(MAKE) --no-print-directory pytest

lint: style types ## ruff (rules and format) and mypy

style: $(STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

# After the emulator: pip takes the published one away and puts the compiled one in its place,
# and types are read from the files of both.
types: $(FAST)
	$(VENV)/bin/mypy

check: generated budget ## generated files are current, firmware compiles and fits

# Every tool that knows --check is asked: generated files, both compilers.
generated: $(STAMP)
	@set -e; for tool in $$(grep -l -e '"--check"' tools/*/*.py | sed 's:/:.:g; s:\.py$$::'); do \
		echo "$(PY) -m $$tool --check"; $(PY) -m $$tool --check; done

# Two more than there are processors: tests with a browser mostly wait for their own clock.
WORKERS = $$($(PY) -c 'import os; print((os.cpu_count() or 1) + 2)')
pytest: $(FAST) $(PIT) ## the tests alone (ARGS="-k word" picks some)
	$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations=10 $(ARGS)

format: $(STAMP) ## rewrite the sources in the house format
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

image: $(STAMP) ## MicroPython with the firmware frozen in, build/image/felt-NAME.uf2 (BOARD=RPI_PICO2)
	@$(PY) -m tools.image.image $(if $(BOARD),--board $(BOARD)) $(ARGS)

frozen: $(STAMP) ## build/frozen: what the manifests need in a MicroPython tree of your own
	@$(PY) -m tools.image.build --frozen

# Compiled beside pip, of whose packages it needs none, and beside the emulator that the budget
# waits for; where it cannot be, the budget says so.
early: | $(PY)
	@PYTHONPATH=firmware:tools/shims $(PY) -m tools.image.image > /dev/null || true

# In a new checkout every worker of the tests would compile every module for itself.
once: $(FAST) $(PIT)
	@test -d host_tests/__pycache__ || $(PY) -m pytest --collect-only -q > /dev/null || true

budget: $(FAST) ## flash of the image, heap and start of a table of every game
	$(PY) -m tools.measure.budget

screens: $(STAMP) ## paint every wheel screen into docs/screens/ and record its hash
	$(PY) -m tools.generate.glyphs
	$(PY) -m tools.generate.screens

wiring: $(STAMP) ## write each board's wiring table from its data
	$(PY) -m tools.generate.wiring

diagrams: $(STAMP) ## draw each game's states from the code into docs/states/
	$(PY) -m tools.generate.diagrams

configs: $(STAMP) ## write an example configuration of every game into tools/configs/
	$(PY) -m tools.generate.configs

fast-emulator: $(STAMP) ## compile the RP2040 emulator for this Python: many times as fast, a minute, once (ARGS=--stock undoes it)
	@$(PY) -m tools.emulator.fast_emulator $(ARGS) || test $$? = 3

setup: $(STAMP) ## make .venv/ from the lock (the other targets do it by themselves)

clean: ## remove build/ and caches (keeps .venv/)
	rm -rf build .pytest_cache .mypy_cache .ruff_cache .hypothesis

##@ Measure it

perf: $(FAST) ## time, memory and cycles of the evaluator against treys, phevaluator and an empty call (minutes; ARGS="--quick" without the board)
	$(PY) -m tools.measure.perf $(ARGS)

effort: $(STAMP) ## a dealer's touches in a round of every game; writes build/effort.json
	$(PY) -m tools.measure.effort $(ARGS)

pit-load: $(PIT) ## a collector's share of a core with 500 tables (minutes; ARGS="--database postgresql://...")
	$(PY) -m tools.measure.pit_load $(ARGS)

perf-machine: $(FAST) ## slowest step and six seats' settlement on the emulated board (minutes)
	$(PY) -m tools.measure.perf_machine $(ARGS)

perf-play: $(FAST) ## how late the loop is in a minute of play with a spin on the emulated board (minutes; ARGS=--touched)
	$(PY) -m tools.measure.perf_play $(ARGS)

perf-display: $(FAST) ## both panels on the emulated board: frames a second alone and in a spin of the running table (minutes)
	$(PY) -m tools.measure.perf_display $(ARGS)

perf-net: $(FAST) $(PIT) ## laps of the network task and the loop's lateness in the running table, on every kind of network (emulated, minutes; ARGS=working)
	$(PY) -m tools.measure.perf_net $(ARGS)

.PHONY: help pit pit-delivery pit-load wiring run demo release flash verify provision console boards bench-test certify par rng evaluator-full powercut link-fuzz soak mutants evening evening-long long hangs round-emulator emulator-full test lint style types check generated pytest format image early once frozen budget screens diagrams configs fast-emulator setup clean perf perf-machine perf-play perf-display perf-net effort terminal
