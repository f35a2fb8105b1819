# SPDX-License-Identifier: GPL-3.0-or-later
# Benchmarks: make bench. BENCH_NO_RI names a driver of a build configured with --disable-ri, to be compared.
check_PROGRAMS += tests/bench/driver
tests_bench_driver_SOURCES = tests/bench/driver.c
EXTRA_DIST += tests/bench/run.sh tests/bench/kernels.txt tests/bench/bench.inc tests/bench/empty.S \
	tests/bench/intloop.S tests/bench/matrix.S tests/bench/hash.S tests/bench/calls.S tests/bench/sieve.S \
	tests/bench/bytecode.S tests/bench/sort.S tests/bench/chase.S tests/bench/moves.S tests/bench/strings.S tests/bench/svc.S tests/bench/swap.S \
	tests/bench/control.S tests/bench/dat.S tests/bench/execute.S tests/bench/selfmod.S \
	tests/bench/start.S tests/bench/packed.S tests/bench/hfp.S tests/bench/vstring.S tests/bench/vlength.S tests/bench/vpacked.S \
	tests/bench/long.S tests/bench/nbody.c tests/bench/mandel.c tests/bench/extended.c tests/bench/dfp.c \
	tests/bench/vinteger.c tests/bench/vfloat.c tests/bench/json.c tests/bench/regex.c tests/bench/inflate.c \
	tests/bench/tables.c tests/bench/sha2.c tests/bench/linear.c tests/bench/chacha.c tests/bench/billing.c tests/bench/emit.S tests/bench/next.S tests/bench/ri-cost.sh \
	tests/bench/ri-off.sh
BENCH_KERNELS =
BENCH_NO_RI =
bench: tests/bench/driver
	ZRI_NO_RI="$(BENCH_NO_RI)" bash $(srcdir)/tests/bench/run.sh tests/bench/driver $(srcdir)/tests/bench $(BENCH_KERNELS)
	@echo 'others: make bench-smp bench-linux bench-linux-smp bench-linux-calls bench-et bench-ri bench-pipeline bench-profile-walk bench-profile bench-record'
.PHONY: bench

# What run-time instrumentation costs: a RIEMIT, a group; off nothing, when BENCH_NO_RI names the driver of a build without.
bench-ri: tests/bench/driver zri$(EXEEXT)
	@bash $(srcdir)/tests/bench/ri-cost.sh tests/bench/driver $(srcdir)/tests/bench
	@test -z "$(BENCH_NO_RI)" || bash $(srcdir)/tests/bench/ri-off.sh ./zri$(EXEEXT) \
	    "$$(dirname "$(BENCH_NO_RI)")/../../zri$(EXEEXT)" $(srcdir)/tests/bench
.PHONY: bench-ri

# What the pipeline model costs.
bench-pipeline: tests/bench/driver zri$(EXEEXT)
	@sh $(srcdir)/tests/bench/pipeline.sh tests/bench/driver $(srcdir)/tests/bench
	@sh $(srcdir)/tests/bench/pipeline-sample.sh ./zri$(EXEEXT) $(srcdir)/tests/bench
EXTRA_DIST += tests/bench/pipeline.sh tests/bench/pipeline-sample.sh
.PHONY: bench-pipeline

# What several CPUs cost each other.
bench-smp: zri$(EXEEXT)
	@$(srcdir)/tests/bench/smp.sh ./zri$(EXEEXT) $(srcdir)/tests/bench
EXTRA_DIST += tests/bench/smp.S tests/bench/smp.sh
.PHONY: bench-smp

# What an event costs exception trace and its decoder; what it costs a machine: BENCH_ET are options of a run that ends.
check_PROGRAMS += tests/bench/et
tests_bench_et_SOURCES = tests/bench/et.c
BENCH_ET =
bench-et: tests/bench/et zri$(EXEEXT)
	./tests/bench/et --check
	test -z "$(BENCH_ET)" || bash $(srcdir)/tests/bench/et-pair.sh ./zri$(EXEEXT) $(BENCH_ET)
EXTRA_DIST += tests/bench/et-pair.sh
.PHONY: bench-et

# How fast the traces of edge profiles are walked.
check_PROGRAMS += tests/bench/profile
tests_bench_profile_SOURCES = tests/bench/profile.c
# What they cost a run; BENCH_PROFILE has the options of another one.
bench-profile: zri$(EXEEXT)
if HAVE_CROSS_CC
	$(MKDIR_P) tests/bench && $(S390X_CC) -O2 -static -march=z13 -o tests/bench/edges $(srcdir)/tests/bench/edges.c
	@bash $(srcdir)/tests/bench/edges.sh ./zri$(EXEEXT) $${BENCH_PROFILE:---append 400 --run tests/bench/edges}
else
	@bash $(srcdir)/tests/bench/edges.sh ./zri$(EXEEXT) $$BENCH_PROFILE
endif
EXTRA_DIST += tests/bench/edges.c tests/bench/edges.sh
CLEANFILES += tests/bench/edges
.PHONY: bench-profile
bench-profile-walk: tests/bench/profile
	./tests/bench/profile --check
.PHONY: bench-profile-walk
