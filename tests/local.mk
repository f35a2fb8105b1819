# SPDX-License-Identifier: GPL-3.0-or-later
# Tests by kind, those that take long before those that do not: comparison, fuzz, unit, script, house, requirements. Guest
# programs are in tests/guest/local.mk.

# ---- Comparison: what instructions do, judged by other machines, libraries or exact models ----
# Random comparison with the machines that Debian ships: one program, a class each. A fixed slice in make check; `make
# compare' carries out COMPARE_CASES of every class and keeps what differs in tests/compare/kept.
COMPARE_CASES = 50000
COMPARE_SEED = 1000
COMPARE_CLASSES = regs mem binary hex vector control
COMPARE_OTHERS = mix dfp exact crypto deflate sort entropy et
check_PROGRAMS += tests/compare/compare
tests_compare_compare_SOURCES = tests/compare/compare.c tests/compare/compare.h tests/compare/nucleus.c \
	tests/compare/shrink.c tests/compare/regs.h tests/compare/regs_known.c tests/compare/regs_make.c \
	tests/compare/regs_sequence.c tests/compare/mem.h tests/compare/dictionary.c tests/compare/dictionary.h \
	tests/compare/mem_make.c tests/compare/mem_known.c tests/compare/single.h tests/compare/float.c \
	tests/compare/vector.c tests/compare/control.h tests/compare/control.c tests/compare/control_known.c \
	tests/compare/control_tables.c
tests_compare_compare_LDADD = libzri.a $(LIBDW_LIBS) $(ZLIB_LIBS) -lpthread
COMPARE_TESTS = tests/compare/regs.sh tests/compare/mem.sh tests/compare/binary.sh tests/compare/hex.sh \
	tests/compare/vector.sh tests/compare/control.sh tests/compare/mix.sh tests/compare/dfp.sh tests/compare/exact.sh \
	tests/compare/crypto.sh tests/compare/deflate.sh tests/compare/sort.sh tests/compare/entropy.sh \
	tests/compare/et.sh tests/compare/judge-pipeline.sh
TESTS += $(COMPARE_TESTS)
EXTRA_DIST += $(COMPARE_TESTS)
EXTRA_DIST += tests/compare/compare.sh tests/compare/hercules.sh tests/compare/assist.sh tests/compare/fetch-s390x
EXTRA_DIST += tests/compare/assist.py tests/compare/cases.py tests/compare/crypto.py tests/compare/dfp.py \
	tests/compare/float-exact.py tests/compare/image.py tests/compare/mix.py tests/compare/mix.S \
	tests/compare/resume.py tests/compare/resume.S
# models for exact.sh
EXTRA_DIST += tests/compare/exact.py tests/compare/exact_number.py tests/compare/exact_pfpo.py \
	tests/compare/exact_packed.py tests/compare/exact_bfp.py tests/compare/exact_hfp.py tests/compare/exact_dfp.py \
	tests/compare/exact_rounded.py tests/compare/exact_shortened.py tests/compare/exact_vector.py
# second model for judge-pipeline.sh
EXTRA_DIST += tests/compare/judge_pipeline.py tests/compare/judge_model.py tests/compare/judge_programs.py \
	tests/compare/judge_insns.py
# second model for et.sh
check_PROGRAMS += tests/compare/et
tests_compare_et_SOURCES = tests/compare/et.c
tests_compare_et_LDADD = libzri.a $(LIBDW_LIBS) $(ZLIB_LIBS) -lpthread
EXTRA_DIST += tests/compare/et.py tests/compare/et_decode.py tests/compare/et_history.py tests/compare/et_unit.py \
	tests/compare/et_vectors.py tests/compare/et_wire.py tests/compare/et_kept.history tests/compare/et_kept.streams
compare: tests/compare/compare$(EXEEXT) tests/compare/et$(EXEEXT) zri$(EXEEXT)
	@mkdir -p tests/compare/kept; status=0; \
	for class in $(COMPARE_CLASSES) $(COMPARE_OTHERS); do \
		case " $(COMPARE_OTHERS) " in *" $$class "*) run=$(srcdir)/tests/compare/$$class.sh ;; \
		*) run="$(srcdir)/tests/compare/compare.sh $$class" ;; esac; \
		KEEP=tests/compare/kept srcdir=$(srcdir) $$run $(COMPARE_CASES) $(COMPARE_SEED) || [ $$? -eq 77 ] || status=1; \
	done; exit $$status
.PHONY: compare

# The instruction table against GNU objdump.
check_PROGRAMS += tests/compare/objdump
tests_compare_objdump_SOURCES = tests/compare/objdump.c
tests_compare_objdump_LDADD = libzri.a $(LIBDW_LIBS)
TESTS += tests/compare/objdump.sh
EXTRA_DIST += tests/compare/objdump.sh tests/compare/objdump.differences

# Sample logs of code that dice execute, for tests of zri-prof.
check_PROGRAMS += tests/compare/dice
tests_compare_dice_SOURCES = tests/compare/dice.c
tests_compare_dice_LDADD = libzri.a $(LIBDW_LIBS)

# ---- Fuzz: hostile input under sanitizers; short runs here, long ones by `make fuzz' ----
# One program for each file, with the warnings of all others, and the whole library a second time, with the sanitizers; less
# optimized, which compiles in half the time, and without warnings, which its first time has given. The sanitizers' way of
# tests/ci-matrix.sh compiles in these words, so that it finds the objects in ccache.
FUZZ_ALL_CFLAGS = $(BASE_CFLAGS) $(FUZZ_CFLAGS) -O1 -g1
FUZZ_DRIVER_CFLAGS = $(FUZZ_ALL_CFLAGS) $(WARN_CFLAGS)
FUZZERS = tests/fuzz/fuzz_channel tests/fuzz/fuzz_code tests/fuzz/fuzz_console tests/fuzz/fuzz_control tests/fuzz/fuzz_et tests/fuzz/fuzz_gdb tests/fuzz/fuzz_ipl \
	tests/fuzz/fuzz_qcow2 tests/fuzz/fuzz_ri_log tests/fuzz/fuzz_samples tests/fuzz/fuzz_service \
	tests/fuzz/fuzz_snapshot tests/fuzz/fuzz_symbols tests/fuzz/fuzz_uarch tests/fuzz/fuzz_unwind tests/fuzz/fuzz_virtio tests/fuzz/fuzz_zeprof
FUZZERS += tests/fuzz/fuzz_recording
check_LIBRARIES = libzri-fuzz.a
libzri_fuzz_a_SOURCES = $(libzri_a_SOURCES)
nodist_libzri_fuzz_a_SOURCES = $(nodist_libzri_a_SOURCES)
libzri_fuzz_a_CFLAGS = $(FUZZ_ALL_CFLAGS)
check_PROGRAMS += $(FUZZERS)
TESTS += $(FUZZERS)
# The same code guests without the sanitizers, with which there is no translator.
check_PROGRAMS += tests/fuzz/random_code
tests_fuzz_random_code_SOURCES = tests/fuzz/fuzz_code.c
TESTS += tests/fuzz/random_code.sh
EXTRA_DIST += tests/fuzz/random_code.sh
FUZZ_LIBS = libzri-fuzz.a $(LIBDW_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lpthread
tests_fuzz_fuzz_channel_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_channel_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_code_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_code_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_console_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_console_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_control_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_control_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_et_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_et_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_gdb_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_gdb_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_ipl_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_ipl_LDADD = $(FUZZ_LIBS)
FUZZERS += tests/fuzz/fuzz_lesson
tests_fuzz_fuzz_lesson_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_lesson_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_qcow2_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_qcow2_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_recording_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_recording_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_ri_log_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_ri_log_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_samples_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_samples_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_service_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_service_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_snapshot_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_snapshot_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_symbols_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_symbols_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/mutate.h
# The ELF file that it changes; without a compiler for s390x it tries other files alone.
EXTRA_DIST += tests/fuzz/symbols.c
CLEANFILES += tests/fuzz/symbols.elf
if HAVE_CROSS_CC
check_DATA += tests/fuzz/symbols.elf
endif
tests/fuzz/symbols.elf: $(srcdir)/tests/fuzz/symbols.c
	$(AM_V_GEN)$(MKDIR_P) tests/fuzz && $(S390X_CC) -O2 -g -nostdlib -static -Wl,-Ttext=0x10000 -Wl,--build-id=none -o $@ \
	$(srcdir)/tests/fuzz/symbols.c
tests_fuzz_fuzz_uarch_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_uarch_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_unwind_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_unwind_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_views_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_views_LDADD = $(FUZZ_LIBS)
FUZZERS += tests/fuzz/fuzz_views
tests_fuzz_fuzz_virtio_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_virtio_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_zeprof_CFLAGS = $(FUZZ_DRIVER_CFLAGS)
tests_fuzz_fuzz_zeprof_LDADD = $(FUZZ_LIBS)
# How many inputs of each kind `make fuzz' tries, and how many guests of random code.
FUZZ_COUNT = 2000000
FUZZ_GUESTS = 20000
fuzz: $(FUZZERS)
	for f in $(FUZZERS); do case $$f in *_code*) n=$(FUZZ_GUESTS) ;; *) n=$(FUZZ_COUNT) ;; esac; $$f $$n || exit 1; done
.PHONY: fuzz
# Likewise guests of random code in lockstep and loose (tests/fuzz/random_code.sh), each engine in each way; HUNT_SEED=N: not
# those of the day.
HUNT_GUESTS = 2000
HUNT_SEED =
hunt: tests/fuzz/random_code$(EXEEXT)
	@seed=$(HUNT_SEED); seed=$${seed:-$$(date +%Y%m%d00000)}; for engine in translate block; do \
	    for way in one threads profile several free; do \
	        echo "$$engine, $$way, from seed $$seed on"; \
	        tests/fuzz/random_code $(HUNT_GUESTS) $$seed $$engine $$way || exit 1; done; done
.PHONY: hunt

# ---- Unit: a file tests/unit/test_NAME.c is a program, linked with LDADD; add yours to UNIT_TESTS, a header to EXTRA_DIST ----
EXTRA_DIST += tests/random.h tests/machine_hash.h tests/unit/bare_cpu.h tests/unit/channel_rig.h tests/unit/cpu_harness.h tests/unit/et_guest.h tests/unit/et_harness.h tests/unit/et_random.h tests/unit/ipl_samples.h \
	tests/unit/qcow2_maker.h tests/unit/random.h tests/unit/ri_guest.h tests/unit/ri_harness.h
EXTRA_DIST += tests/unit/gdb_rig.h tests/unit/et_golden.h tests/unit/et_reader.h tests/unit/ep_example.h tests/unit/ep_source.h tests/unit/ep_world.h
UNIT_TESTS =
if HAVE_CMOCKA
# disasm/
UNIT_TESTS += tests/unit/test_disasm tests/unit/test_assembler tests/unit/test_explain
# ri/: by events; by guest programs on both engines
UNIT_TESTS += tests/unit/test_ri_controls tests/unit/test_ri_sampling tests/unit/test_ri_report \
	tests/unit/test_ri_example tests/unit/test_ri_model
UNIT_TESTS += tests/unit/test_ri_instructions tests/unit/test_ri_groups tests/unit/test_ri_validity \
	tests/unit/test_ri_places tests/unit/test_ri_engines tests/unit/test_measurement
# libri decodes as ri/ does
UNIT_TESTS += tests/unit/test_libri
tests_unit_test_libri_SOURCES = tests/unit/test_libri.c ipl/guest/libri/libri.c ipl/guest/libri/libri.h
# ri/trace: exception trace by events: bytes, configuration, unit
UNIT_TESTS += tests/unit/test_et_config tests/unit/test_et_wire
# exception trace by guests, on both engines
UNIT_TESTS += tests/unit/test_et_guest tests/unit/test_et_machine
UNIT_TESTS += tests/unit/test_et_encode tests/unit/test_et_filter tests/unit/test_et_property tests/unit/test_et_report \
	tests/unit/test_et_rules tests/unit/test_et_select tests/unit/test_et_stream tests/unit/test_et_tracker \
	tests/unit/test_et_unit
# ri/counters/model: the pipeline model
EXTRA_DIST += tests/unit/ec_guest.h tests/unit/ec_programs.h tests/unit/ec_text.h
UNIT_TESTS += tests/unit/test_ec_alerts tests/unit/test_ec_counting tests/unit/test_ec_extended tests/unit/test_ec_kanata tests/unit/test_ec_logs tests/unit/test_ec_pipeline tests/unit/test_ec_profile tests/unit/test_ec_random tests/unit/test_ec_ri tests/unit/test_ec_state
# ri/profile: edge profiles: what is recorded, the walk
UNIT_TESTS += tests/unit/test_ep_trace tests/unit/test_ep_unit tests/unit/test_ep_marks tests/unit/test_ep_accuracy tests/unit/test_ep_cfg tests/unit/test_ep_groups tests/unit/test_ep_log
# ri/profile: files of edge profiles, and what is shown of them
UNIT_TESTS += tests/unit/test_ep_export tests/unit/test_ep_file tests/unit/test_ep_merge tests/unit/test_ep_show
UNIT_TESTS += tests/unit/test_core tests/unit/test_symbols tests/unit/test_unwind
EXTRA_DIST += tests/unit/cfi_maker.h tests/unit/put_code.h tests/unit/small_machine.h tests/unit/input_guest.h
tests_unit_test_unwind_LDADD = libzri.a $(LIBDW_LIBS) $(CMOCKA_LIBS) $(ZLIB_LIBS) -lpthread
tests_unit_test_symbols_LDADD = libzri.a $(LIBDW_LIBS) $(CMOCKA_LIBS) $(ZLIB_LIBS) -lpthread
# cpu/: arithmetic; state, storage, control; assists; engines
UNIT_TESTS += tests/unit/test_bfp tests/unit/test_extended tests/unit/test_dfp
UNIT_TESTS += tests/unit/test_storage tests/unit/test_tlb tests/unit/test_dat tests/unit/test_access \
	tests/unit/test_interrupt tests/unit/test_psw tests/unit/test_timing tests/unit/test_per tests/unit/test_tx
UNIT_TESTS += tests/unit/test_crypto tests/unit/test_sort tests/unit/test_deflate
UNIT_TESTS += tests/unit/test_blocks tests/unit/test_edges_engines tests/unit/test_engine tests/unit/test_former_operand tests/unit/test_volatile tests/unit/test_places tests/unit/test_translate tests/unit/test_x86
EXTRA_DIST += tests/unit/use_engine.h tests/unit/x86_forms.def tests/unit/x86_three_forms.def
# ri/trace/read, ri/trace/show: what decodes the trace
UNIT_TESTS += tests/unit/test_et_decode tests/unit/test_et_decode_damage tests/unit/test_et_decode_file tests/unit/test_et_decode_merge tests/unit/test_et_decode_nest
# ipl/
UNIT_TESTS += tests/unit/test_ipl
# emu/
UNIT_TESTS += tests/unit/test_channel tests/unit/test_disk tests/unit/test_machine tests/unit/test_watch tests/unit/test_gdb tests/unit/test_history tests/unit/test_record tests/unit/test_profile \
	tests/unit/test_linux_process tests/unit/test_net tests/unit/test_sandbox tests/unit/test_qcow2 tests/unit/test_service tests/unit/test_snapshot \
	tests/unit/test_spin tests/unit/test_threads
# emu/panel: what is drawn
UNIT_TESTS += tests/unit/test_cells tests/unit/test_panel tests/unit/test_views
UNIT_TESTS += tests/unit/test_terminal
tests_unit_test_disk_LDFLAGS = -Wl,--wrap=pread,--wrap=pwrite,--wrap=fdatasync
tests_unit_test_qcow2_LDFLAGS = -Wl,--wrap=pwrite,--wrap=ftruncate,--wrap=fdatasync
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif

# ---- Script: instruction tests that zri itself judges, zri-test(5); what shells try ----
TEST_EXTENSIONS = .zt .matrix
MATRIX_LOG_COMPILER = $(SHELL)
ZT_LOG_COMPILER = $(top_builddir)/zri$(EXEEXT)
AM_ZT_LOG_FLAGS = --test
ZT_TESTS =
# general instructions (PoP chapter 7)
ZT_TESTS += tests/script/general-add-logical.zt tests/script/general-arith.zt tests/script/general-branch.zt \
	tests/script/general-compare.zt tests/script/general-facility.zt tests/script/general-load.zt \
	tests/script/general-logical.zt tests/script/general-multiply.zt tests/script/general-shift.zt \
	tests/script/general-spaces.zt
ZT_TESTS += tests/script/storage-convert.zt tests/script/storage-interlocked.zt tests/script/storage-long.zt \
	tests/script/storage-move.zt tests/script/storage-string.zt tests/script/storage-translate.zt \
	tests/script/storage-tree.zt
# decimal (8), floating point (9, 18-20), vectors (21-25)
ZT_TESTS += tests/script/decimal.zt
ZT_TESTS += tests/script/float-support.zt tests/script/bfp-arithmetic.zt tests/script/bfp-divide-to-integer.zt \
	tests/script/bfp-nan.zt tests/script/bfp-traps.zt tests/script/float-extension.zt \
	tests/script/hfp-arithmetic.zt tests/script/dfp-traps.zt tests/script/pfpo.zt
ZT_TESTS += tests/script/vector.zt tests/script/vector-decimal.zt tests/script/vector-float.zt \
	tests/script/vector-integer.zt tests/script/vector-operands.zt tests/script/vector-string.zt \
	tests/script/vector-support.zt tests/script/vector-zoned.zt
# control (10), PER (4)
ZT_TESTS += tests/script/control-clock.zt tests/script/control-dat.zt tests/script/control-info.zt \
	tests/script/control-key.zt tests/script/control-keyless.zt tests/script/control-keys.zt \
	tests/script/control-linkage.zt tests/script/control-page.zt tests/script/control-protection.zt \
	tests/script/control-psw.zt tests/script/control-query.zt tests/script/control-space.zt \
	tests/script/control-spaces.zt tests/script/control-table.zt tests/script/control-trace.zt \
	tests/script/live-tables.zt tests/script/word-loops.zt \
	tests/script/per-zero-address.zt
# facilities: transactions, guarded storage, run-time instrumentation, measurement
ZT_TESTS += tests/script/transaction.zt tests/script/transaction-per.zt tests/script/guarded.zt tests/script/ri.zt tests/script/ri-collection.zt \
	tests/script/ri-linkage.zt tests/script/measurement.zt
# assists (7, 26)
ZT_TESTS += tests/script/compression.zt tests/script/deflate.zt tests/script/sort.zt
# I/O (14), the machine, what Linux asks
ZT_TESTS += tests/script/adapters.zt tests/script/block-io.zt tests/script/io.zt tests/script/linux.zt \
	tests/script/profile.zt
# conditions and exceptions of all of them
ZT_TESTS += tests/script/conditions.zt
# written by programs: `make generated' writes them again, generated.sh looks whether they are fresh
ZT_TESTS += tests/script/generated/bfp-table.zt tests/script/generated/dfp-arithmetic.zt \
	tests/script/generated/dfp-convert.zt tests/script/generated/dfp-quantum.zt tests/script/generated/exceptions.zt
# message-security assist
CRYPTO_TESTS = tests/script/crypto-activity.zt tests/script/measurement-crypto.zt \
	tests/script/generated/crypto-auth.zt tests/script/generated/crypto-cipher.zt \
	tests/script/generated/crypto-compute.zt tests/script/generated/crypto-curve.zt \
	tests/script/generated/crypto-digest.zt tests/script/generated/crypto-exception.zt \
	tests/script/generated/crypto-feedback.zt tests/script/generated/crypto-sha3.zt
if HAVE_NETTLE
ZT_TESTS += $(CRYPTO_TESTS)
endif
TESTS += $(ZT_TESTS)
EXTRA_DIST += $(ZT_TESTS) $(CRYPTO_TESTS)

# the panel
SCRIPT_TESTS_PANEL = tests/script/panel.sh tests/script/panel-window.sh
TESTS += $(SCRIPT_TESTS_PANEL)
EXTRA_DIST += $(SCRIPT_TESTS_PANEL) tests/script/panel_picture.py tests/script/panel_window.py doc/panel.txt

# the control socket
SCRIPT_TESTS_CONTROL = tests/script/control.sh tests/script/control-company.sh tests/script/python.sh
TESTS += $(SCRIPT_TESTS_CONTROL)
EXTRA_DIST += $(SCRIPT_TESTS_CONTROL) tests/script/control.py python/tests/test_zri.py doc/control-example.py doc/control.txt

# backwards
SCRIPT_TESTS_BACK = tests/script/history.sh tests/script/record.sh
TESTS += $(SCRIPT_TESTS_BACK)
EXTRA_DIST += $(SCRIPT_TESTS_BACK)

SCRIPT_TESTS = tests/script/arithmetic.sh tests/script/console-answers.sh tests/script/console-forms.sh tests/script/explain.sh \
	tests/script/console-terminal.sh tests/script/console.sh tests/script/coverage.sh tests/script/devices.sh tests/script/edges.sh tests/script/edges-bias.sh \
	tests/script/exception-ri.sh tests/script/exception-trace.sh tests/script/clock-set-back.sh tests/script/failures.sh tests/script/grade.sh tests/script/lessons.sh tests/script/manual.sh tests/script/tui.sh tests/script/whatif.sh tests/script/generated.sh tests/script/judge.sh tests/script/options.sh tests/script/pipeline.sh tests/script/pipeline-control.sh tests/script/pipeline-events.sh tests/script/pipeline-sample.sh tests/script/pipeline-snapshot.sh \
	tests/script/program-interruptions.sh tests/script/translate.sh tests/script/translate-bear.sh tests/script/translate-modes.sh tests/script/translate-pages.sh tests/script/translate-clocks.sh tests/script/translate-spaces.sh tests/script/requests.sh tests/script/ri-log.sh \
	tests/script/sandbox.sh tests/script/snapshot.sh tests/script/streams.sh tests/script/zri-et.sh \
	tests/script/zri-et-filter.sh tests/script/zri-et-outputs.sh tests/script/zri-prof-symbols.sh tests/script/zri-prof.sh tests/script/zri-prof-dot.sh tests/script/profile-pgo.sh
# What failures.sh and clock-set-back.sh preload. Where it cannot be built the test is skipped with a word.
check_DATA += tests/preload/fail.so
EXTRA_DIST += tests/preload/fail.c
CLEANFILES += tests/preload/fail.so
tests/preload/fail.so: $(srcdir)/tests/preload/fail.c
	$(AM_V_GEN)$(MKDIR_P) tests/preload && $(CC) -O1 -Wall -Wextra -fPIC -shared -o $@ $(srcdir)/tests/preload/fail.c \
	|| rm -f $@
TESTS += $(SCRIPT_TESTS)
# the debugger port, by gdb itself
SCRIPT_TESTS += tests/script/gdb.sh tests/script/debugger.sh
EXTRA_DIST += $(SCRIPT_TESTS) tests/script/bytecode-program tests/script/example.zeprof tests/script/profiled.c tests/script/profile-pgo.c \
	tests/script/edges-kinds.c tests/script/edges-model.py
EXTRA_DIST += tests/script/manual-look.py tests/script/tui.py tests/script/arithmetic.py tests/script/generated/bfp.py tests/script/generated/crypto.py \
	tests/script/generated/dfp.py tests/script/generated/exceptions.py
generated:
	sh $(srcdir)/tests/script/generated.sh --renew
.PHONY: generated

# What the scripted tests have seen of each instruction: the table; coverage.sh sees that no row with a body is without a test.
COVERAGE = tests/script/coverage.txt
coverage: zri$(EXEEXT)
	@rm -f $(COVERAGE); mkdir -p tests/script
	@cd $(srcdir) && $(abs_top_builddir)/zri$(EXEEXT) --test --coverage $(abs_top_builddir)/$(COVERAGE) $(ZT_TESTS)
	@./zri$(EXEEXT) --coverage $(COVERAGE)
.PHONY: coverage
CLEANFILES += $(COVERAGE)

# ---- House: what holds for all files of the tree ----
HOUSE_TESTS = tests/house/exception-hooks.sh tests/house/facts.sh tests/house/hacking.sh tests/house/recipes.sh tests/house/rooms.sh
TESTS += $(HOUSE_TESTS)
EXTRA_DIST += $(HOUSE_TESTS) tests/house/hacking.py tests/house/no-body tests/house/rooms.py tests/house/rooms.table

# ---- Requirements: matrices of RI-n, LB-n, ET-n, EP-n and EC-n, made behind the tests that name them, printed by make check, ----
# kept in tests/ri-matrix.txt, tests/lb-matrix.txt, tests/et-matrix.txt, tests/ep-matrix.txt and tests/mr-matrix.txt.
MATRICES = tests/ri.matrix tests/lb.matrix tests/et.matrix tests/mr.matrix tests/ep.matrix tests/ec.matrix
TESTS += $(MATRICES)
EXTRA_DIST += $(MATRICES) tests/matrix.sh
CLEANFILES += tests/ri-matrix.txt tests/ri-listed.txt tests/lb-matrix.txt tests/lb-listed.txt
CLEANFILES += tests/ec-matrix.txt tests/ec-listed.txt
CLEANFILES += tests/et-matrix.txt tests/et-listed.txt tests/mr-matrix.txt tests/mr-listed.txt tests/ep-matrix.txt tests/ep-listed.txt
tests/ri.log: $(UNIT_TESTS:=.log) $(ZT_TESTS:.zt=.log)
tests/lb.log: tests/ri.log $(guest_scripts:=.log)
tests/ep.log: tests/et.log
tests/ec.log: tests/ep.log
tests/et.log: tests/lb.log $(SCRIPT_TESTS:=.log) $(COMPARE_TESTS:=.log) $(HOUSE_TESTS:=.log)
tests/mr.log: tests/et.log
check-local: check-TESTS
	@for m in $(MATRICES); do case " $(TESTS) " in *" $$m "*) cat "$${m%.matrix}-matrix.txt" 2>/dev/null || :;; esac; done

# ---- The managed run-time ----
# make check has a short form of every mode (tests/guest/mrvm.sh); make check-mr runs all of it and judges the figures.
check_PROGRAMS += tests/mr/model
tests_mr_model_SOURCES = tests/mr/model.c
guest_scripts += tests/guest/mrvm.sh
EXTRA_DIST += tests/mr/run.sh tests/mr/mr-compare doc/managed-runtime.txt
CLEANFILES += mr.csv mr.svg mr.txt mr.json
check-mr: zri$(EXEEXT) zri-et$(EXEEXT) tests/mr/model$(EXEEXT) tests/bench/driver$(EXEEXT)
	ZRI=$(abs_builddir)/zri$(EXEEXT) MODEL=tests/mr/model$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/mr/run.sh
.PHONY: check-mr
