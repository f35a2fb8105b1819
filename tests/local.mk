# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests: one program per file tests/unit/test_NAME.c, linked with LDADD. Add yours to UNIT_TESTS, and a header to
# EXTRA_DIST.
EXTRA_DIST += tests/unit/channel_rig.h tests/unit/cpu_harness.h tests/unit/ipl_samples.h tests/unit/qcow2_maker.h \
	tests/unit/random.h tests/unit/ri_guest.h tests/unit/ri_harness.h
if HAVE_CMOCKA
UNIT_TESTS =
# run-time instrumentation, by events
UNIT_TESTS += tests/unit/test_ri_controls tests/unit/test_ri_sampling tests/unit/test_ri_report tests/unit/test_ri_example
UNIT_TESTS += tests/unit/test_ri_model
# run-time instrumentation, by guest programs on both engines
UNIT_TESTS += tests/unit/test_ri_guest tests/unit/test_ri_guest2 tests/unit/test_ri_guest3 tests/unit/test_ri_guest4
UNIT_TESTS += tests/unit/test_ri_engines tests/unit/test_measurement tests/unit/test_engine
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif

# The image loaders.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_ipl
endif

# State, storage, DAT, access, interruptions, PSW, timing, PER.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_storage tests/unit/test_tlb tests/unit/test_dat tests/unit/test_access
UNIT_TESTS += tests/unit/test_interrupt tests/unit/test_psw tests/unit/test_timing tests/unit/test_per
endif

# Fuzz drivers: short runs here, long ones by `make fuzz'. Each is compiled together with what it tries, sanitizers on.
FUZZERS = tests/fuzz/fuzz_ipl
check_PROGRAMS += $(FUZZERS)
TESTS += $(FUZZERS)
tests_fuzz_fuzz_ipl_SOURCES = tests/fuzz/fuzz_ipl.c tests/unit/ipl_samples.h ipl/load.c ipl/elf.c ipl/linux.c ipl/ins.c \
	ipl/deck.c ipl/symbols.c base/message.c ipl/builtin.c
tests_fuzz_fuzz_ipl_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_ipl_LDADD = $(ZLIB_LIBS)
FUZZERS += tests/fuzz/fuzz_console
tests_fuzz_fuzz_console_SOURCES = tests/fuzz/fuzz_console.c emu/machine/machine.c emu/config/profile.c emu/config/facility.c emu/machine/sigp.c emu/machine/diagnose.c emu/machine/stsi.c emu/dev/sclp/service.c emu/dev/sclp/event.c emu/dev/sclp/configuration.c \
	emu/machine/session.c emu/script/coverage.c emu/script/file.c emu/script/set.c emu/script/expect.c emu/script/run.c emu/console/json.c emu/console/line.c \
	emu/machine/ri_log.c ri/log.c emu/console/state.c emu/console/storage.c emu/console/run.c emu/console/guest.c emu/console/ri.c emu/console/ri_groups.c emu/console/ri_explain.c emu/console/counters.c emu/console/load.c \
	emu/console/snapshot.c emu/machine/snapshot.c ri/text.c \
	disasm/assemble.c
tests_fuzz_fuzz_console_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_console_LDADD = libzri.a $(ZLIB_LIBS) -lpthread

# How many inputs of each kind `make fuzz' tries.
FUZZ_COUNT = 2000000
fuzz: $(FUZZERS)
	for f in $(FUZZERS); do $$f $(FUZZ_COUNT) || exit 1; done
.PHONY: fuzz

# The instruction table against GNU objdump; the unit tests of disasm/.
EXTRA_DIST += tests/compare/objdump.sh tests/compare/objdump.differences tests/compare/fetch-s390x
check_PROGRAMS += tests/compare/objdump
tests_compare_objdump_SOURCES = tests/compare/objdump.c
tests_compare_objdump_LDADD = libzri.a
TESTS += tests/compare/objdump.sh
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_disasm
endif
# Random comparison of instructions with the machines that Debian ships: one program, a class each. A fixed slice in
# make check; `make compare' carries out COMPARE_CASES of every class and keeps what differs in tests/compare/kept.
COMPARE_CASES = 50000
COMPARE_SEED = 1000
COMPARE_CLASSES = regs mem binary hex vector control
COMPARE_OTHERS = mix dfp exact crypto deflate sort entropy
check_PROGRAMS += tests/compare/compare
tests_compare_compare_SOURCES = tests/compare/compare.c tests/compare/compare.h tests/compare/nucleus.c tests/compare/shrink.c \
	tests/compare/regs.h tests/compare/regs_known.c tests/compare/regs_make.c tests/compare/regs_sequence.c \
	tests/compare/mem.h tests/compare/dictionary.c tests/compare/dictionary.h tests/compare/mem_make.c \
	tests/compare/mem_known.c tests/compare/single.h tests/compare/float.c tests/compare/vector.c tests/compare/control.h \
	tests/compare/control.c tests/compare/control_known.c tests/compare/control_tables.c
tests_compare_compare_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
COMPARE_TESTS = tests/compare/regs.sh tests/compare/mem.sh tests/compare/binary.sh tests/compare/hex.sh \
	tests/compare/vector.sh tests/compare/control.sh
TESTS += $(COMPARE_TESTS)
EXTRA_DIST += $(COMPARE_TESTS) tests/compare/compare.sh tests/compare/hercules.sh tests/compare/float-exact.py
compare: tests/compare/compare$(EXEEXT) zri$(EXEEXT)
	@mkdir -p tests/compare/kept; status=0; \
	for class in $(COMPARE_CLASSES) $(COMPARE_OTHERS); do \
		case " $(COMPARE_OTHERS) " in *" $$class "*) run=$(srcdir)/tests/compare/$$class.sh ;; \
		*) run="$(srcdir)/tests/compare/compare.sh $$class" ;; esac; \
		KEEP=tests/compare/kept srcdir=$(srcdir) $$run $(COMPARE_CASES) $(COMPARE_SEED) || [ $$? -eq 77 ] || status=1; \
	done; exit $$status
.PHONY: compare

# Scripted instruction tests: zri judges them itself.
TEST_EXTENSIONS = .zt .matrix
MATRIX_LOG_COMPILER = $(SHELL)
ZT_LOG_COMPILER = $(top_builddir)/zri$(EXEEXT)
AM_ZT_LOG_FLAGS = --test
ZT_TESTS = tests/script/control-psw.zt tests/script/control-clock.zt tests/script/control-dat.zt tests/script/control-key.zt \
	tests/script/control-space.zt tests/script/decimal.zt tests/script/ri.zt
ZT_TESTS += tests/script/general-load.zt tests/script/general-arith.zt tests/script/general-add-logical.zt \
	tests/script/general-multiply.zt tests/script/general-logical.zt tests/script/general-shift.zt \
	tests/script/general-compare.zt tests/script/general-branch.zt tests/script/general-spaces.zt tests/script/general-facility.zt
ZT_TESTS += tests/script/storage-move.zt tests/script/storage-long.zt tests/script/storage-string.zt \
	tests/script/storage-translate.zt tests/script/storage-convert.zt tests/script/storage-interlocked.zt \
	tests/script/storage-tree.zt
ZT_TESTS += tests/script/deflate.zt tests/script/adapters.zt tests/script/control-page.zt tests/script/control-rest.zt
ZT_TESTS += tests/script/sort.zt
ZT_TESTS += tests/script/linux.zt
ZT_TESTS += tests/script/control-linkage.zt tests/script/control-spaces.zt tests/script/control-trace.zt \
	tests/script/profile.zt tests/script/float-support.zt tests/script/bfp-table.zt tests/script/vector-rest.zt tests/script/control-table.zt tests/script/control-keys.zt tests/script/control-info.zt
# decimal floating point: written by dfp.py
ZT_TESTS += tests/script/dfp-arithmetic.zt tests/script/dfp-quantum.zt tests/script/dfp-convert.zt \
	tests/script/dfp-traps.zt
EXTRA_DIST += tests/script/dfp.py
TESTS += $(ZT_TESTS)
ZT_TESTS += tests/script/exceptions.zt tests/script/coverage-gaps.zt tests/script/per-zero-address.zt
EXTRA_DIST += $(ZT_TESTS) tests/script/bfp.py tests/script/exceptions.py

# Decimal floating point: formats, wide integers, our arithmetic against the library; random comparison with Hercules.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_dfp
endif
TESTS += tests/compare/dfp.sh
EXTRA_DIST += tests/compare/dfp.sh tests/compare/dfp.py tests/compare/image.py

# Transactions seen from outside.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_tx
endif

# The machine around the CPUs, and the console.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_channel tests/unit/test_machine
UNIT_TESTS += tests/unit/test_profile
endif
TESTS += tests/script/console.sh
EXTRA_DIST += tests/script/console.sh

# What the scripted tests have seen of each instruction: the table, and in make check that no row with a body is without a test.
COVERAGE = tests/script/coverage.txt
coverage: zri$(EXEEXT)
	@rm -f $(COVERAGE); mkdir -p tests/script
	@cd $(srcdir) && $(abs_top_builddir)/zri$(EXEEXT) --test --coverage $(abs_top_builddir)/$(COVERAGE) $(ZT_TESTS)
	@./zri$(EXEEXT) --coverage $(COVERAGE)
.PHONY: coverage
CLEANFILES += $(COVERAGE)
TESTS += tests/script/coverage.sh
EXTRA_DIST += tests/script/coverage.sh

# Vectors, scripted.
ZT_TESTS += tests/script/vector.zt tests/script/transaction.zt tests/script/transaction-per.zt tests/script/control-protection.zt tests/script/control-keyless.zt tests/script/guarded.zt tests/script/compression.zt tests/script/vector-support.zt tests/script/vector-integer.zt tests/script/vector-string.zt \
	tests/script/vector-float.zt tests/script/vector-decimal.zt

ZT_TESTS += tests/script/measurement.zt
ZT_TESTS += tests/script/hfp-arithmetic.zt tests/script/block-io.zt tests/script/io.zt tests/script/bfp-arithmetic.zt tests/script/pfpo.zt tests/script/vector-zoned.zt
# Random cases judged by exact models.
TESTS += tests/compare/exact.sh
EXTRA_DIST += tests/compare/exact.sh tests/compare/exact.py tests/compare/exact_number.py tests/compare/exact_pfpo.py tests/compare/exact_packed.py tests/compare/exact_bfp.py tests/compare/exact_hfp.py tests/compare/exact_dfp.py
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_bfp
endif
# Snapshots.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_snapshot
UNIT_TESTS += tests/unit/test_qcow2 tests/unit/test_disk
tests_unit_test_disk_LDFLAGS = -Wl,--wrap=pread,--wrap=pwrite,--wrap=fdatasync
tests_unit_test_qcow2_LDFLAGS = -Wl,--wrap=pwrite,--wrap=ftruncate,--wrap=fdatasync
endif
TESTS += tests/script/snapshot.sh tests/script/devices.sh
EXTRA_DIST += tests/script/snapshot.sh tests/script/devices.sh
FUZZERS += tests/fuzz/fuzz_channel
CHANNEL_SOURCES = emu/dev/css/subchannel.c emu/dev/css/io.c emu/dev/css/chsc.c emu/dev/css/program.c emu/dev/css/data.c emu/dev/css/load.c \
	emu/dev/css/snapshot.c emu/dev/types.c emu/dev/unit/reader.c emu/dev/unit/console3215.c emu/dev/unit/printer.c emu/dev/unit/block_io.c emu/dev/image/host_file.c emu/dev/image/disk.c emu/dev/image/qcow2.c emu/dev/image/qcow2_count.c emu/dev/image/qcow2_write.c emu/dev/unit/fba.c \
	emu/dev/virtio/transport.c emu/dev/virtio/queue.c emu/dev/virtio/blk.c emu/dev/virtio/net.c emu/dev/virtio/console.c emu/dev/virtio/rng.c emu/dev/virtio/net_user.c
tests_fuzz_fuzz_channel_SOURCES = tests/fuzz/fuzz_channel.c emu/machine/machine.c $(CHANNEL_SOURCES)
tests_fuzz_fuzz_channel_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_channel_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
FUZZERS += tests/fuzz/fuzz_qcow2
tests_fuzz_fuzz_qcow2_SOURCES = tests/fuzz/fuzz_qcow2.c tests/unit/qcow2_maker.h tests/unit/random.h emu/dev/image/host_file.c emu/dev/image/qcow2.c emu/dev/image/qcow2_count.c emu/dev/image/qcow2_write.c
tests_fuzz_fuzz_qcow2_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_qcow2_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
FUZZERS += tests/fuzz/fuzz_virtio
tests_fuzz_fuzz_virtio_SOURCES = tests/fuzz/fuzz_virtio.c emu/machine/machine.c emu/machine/diagnose.c $(CHANNEL_SOURCES)
tests_fuzz_fuzz_virtio_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_virtio_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
FUZZERS += tests/fuzz/fuzz_snapshot
tests_fuzz_fuzz_snapshot_SOURCES = tests/fuzz/fuzz_snapshot.c emu/machine/snapshot.c emu/machine/machine.c emu/machine/sigp.c emu/machine/diagnose.c emu/machine/stsi.c \
	emu/dev/sclp/service.c emu/dev/sclp/event.c emu/dev/sclp/configuration.c \
	ri/ri.c ri/text.c ri/controls.c ri/report.c cpu/control/registers.c cpu/state/timing.c cpu/control/psw.c $(CHANNEL_SOURCES)
tests_fuzz_fuzz_snapshot_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_snapshot_LDADD = libzri.a $(ZLIB_LIBS) -lpthread

# RI logs and the program that reads them.
ZT_TESTS += tests/script/ri-linkage.zt
TESTS += tests/script/ri-log.sh
EXTRA_DIST += tests/script/ri-log.sh
FUZZERS += tests/fuzz/fuzz_ri_log
tests_fuzz_fuzz_ri_log_SOURCES = tests/fuzz/fuzz_ri_log.c emu/ri_decode.c ri/log.c ri/text.c
tests_fuzz_fuzz_ri_log_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_ri_log_LDADD = libzri.a $(ZLIB_LIBS) -lpthread

# Matrices of the requirements RI-n and LB-n: made behind the tests that name them, printed by make check, kept in
# tests/ri-matrix.txt and tests/lb-matrix.txt.
MATRICES = tests/ri.matrix tests/lb.matrix
TESTS += $(MATRICES)
EXTRA_DIST += $(MATRICES) tests/matrix.sh
CLEANFILES += tests/ri-matrix.txt tests/ri-listed.txt tests/lb-matrix.txt tests/lb-listed.txt
tests/ri.log: $(UNIT_TESTS:=.log) $(ZT_TESTS:.zt=.log)
tests/lb.log: tests/ri.log $(guest_scripts:=.log)
check-local: check-TESTS
	@for m in $(MATRICES); do case " $(TESTS) " in *" $$m "*) cat "$${m%.matrix}-matrix.txt" 2>/dev/null || :;; esac; done
# Message-security assist: written by crypto.py.
CRYPTO_TESTS = tests/script/crypto-activity.zt tests/script/crypto-cipher.zt tests/script/crypto-feedback.zt tests/script/crypto-compute.zt tests/script/crypto-digest.zt \
	tests/script/measurement-crypto.zt tests/script/crypto-sha3.zt tests/script/crypto-auth.zt tests/script/crypto-curve.zt tests/script/crypto-exception.zt
if HAVE_NETTLE
ZT_TESTS += $(CRYPTO_TESTS)
endif
EXTRA_DIST += $(CRYPTO_TESTS) tests/script/crypto.py
TESTS += tests/compare/crypto.sh
EXTRA_DIST += tests/compare/crypto.sh tests/compare/crypto.py tests/compare/cases.py
# assists that no emulator has: zlib and a model are the judges
TESTS += tests/compare/mix.sh tests/compare/deflate.sh tests/compare/sort.sh tests/compare/entropy.sh
EXTRA_DIST += tests/compare/mix.sh tests/compare/mix.py tests/compare/mix.S tests/compare/resume.py tests/compare/resume.S tests/compare/deflate.sh tests/compare/sort.sh tests/compare/entropy.sh tests/compare/assist.sh tests/compare/assist.py
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_crypto tests/unit/test_sort tests/unit/test_deflate
endif

# Service processor and DIAGNOSE.
if HAVE_CMOCKA
UNIT_TESTS += tests/unit/test_service
endif
FUZZERS += tests/fuzz/fuzz_service
tests_fuzz_fuzz_service_SOURCES = tests/fuzz/fuzz_service.c emu/machine/machine.c emu/machine/diagnose.c emu/dev/sclp/service.c emu/dev/sclp/event.c \
	emu/dev/sclp/configuration.c emu/machine/stsi.c emu/machine/sigp.c
tests_fuzz_fuzz_service_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_service_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
