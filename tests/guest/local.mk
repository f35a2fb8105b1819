# SPDX-License-Identifier: GPL-3.0-or-later
# Bare guest programs: assembled where the cross tools are, otherwise taken prebuilt from a distribution. They are run by
# tests/guest/programs.sh; other tests (lockstep, bench) may use them as well: each ends in the disabled wait X'FFF'.
BARE_GUESTS = integer string smc dat interrupt smp edges bias cold stretch loop
BARE_ELFS = $(BARE_GUESTS:%=tests/guest/%.elf)
EXTRA_DIST += $(BARE_GUESTS:%=tests/guest/%.S) tests/guest/bare.inc tests/guest/bare.ld
CLEANFILES += $(BARE_ELFS) tests/guest/*.o
check_DATA += $(BARE_ELFS)

if HAVE_CROSS
$(BARE_ELFS): $(srcdir)/tests/guest/bare.inc $(srcdir)/tests/guest/bare.ld
tests/guest/integer.elf: $(srcdir)/tests/guest/integer.S
tests/guest/string.elf: $(srcdir)/tests/guest/string.S
tests/guest/smc.elf: $(srcdir)/tests/guest/smc.S
tests/guest/dat.elf: $(srcdir)/tests/guest/dat.S
tests/guest/interrupt.elf: $(srcdir)/tests/guest/interrupt.S
tests/guest/smp.elf: $(srcdir)/tests/guest/smp.S
tests/guest/edges.elf: $(srcdir)/tests/guest/edges.S
tests/guest/bias.elf: $(srcdir)/tests/guest/bias.S
tests/guest/cold.elf: $(srcdir)/tests/guest/cold.S
tests/guest/stretch.elf: $(srcdir)/tests/guest/stretch.S
tests/guest/loop.elf: $(srcdir)/tests/guest/loop.S
$(BARE_ELFS):
	$(AM_V_GEN)$(MKDIR_P) tests/guest && n=`basename $@ .elf` && \
	$(S390X_AS) -m64 -march=z196 -I $(srcdir)/tests/guest -o tests/guest/$$n.o $(srcdir)/tests/guest/$$n.S && \
	$(S390X_LD) -T $(srcdir)/tests/guest/bare.ld -o $@ tests/guest/$$n.o
else
$(BARE_ELFS):
	$(AM_V_GEN)$(MKDIR_P) tests/guest && n=`basename $@ .elf` && \
	if test -f $(srcdir)/tests/guest/prebuilt/$$n.elf; then cp $(srcdir)/tests/guest/prebuilt/$$n.elf $@; \
	else : > $@; fi
endif

guest_scripts = tests/guest/programs.sh tests/guest/demo.sh tests/guest/images.sh tests/guest/linux-decompress.sh tests/guest/tour.sh tests/guest/programs-linux.sh tests/guest/threads.sh
EXTRA_DIST += tests/guest/tsan.supp

# Reads kernel images and program buffers for the Linux tests.
check_PROGRAMS += tests/guest/linux_image
tests_guest_linux_image_SOURCES = tests/guest/linux_image.c
EXTRA_DIST += tests/guest/fetch-kernel.sh
EXTRA_DIST += tests/ci-matrix.sh doc/tour.txt doc/first-hour.txt doc/tui.txt doc/views.txt doc/ri-by-example.txt doc/ri-program.zc doc/ri-program.map doc/exceptions-by-example.txt doc/et-program.zc doc/profiles-by-example.txt doc/speculation.txt doc/speculation.zc
EXTRA_DIST += doc/debug-lost.c
EXTRA_DIST += doc/debugging.txt doc/debug-program.c doc/debug-start.S

# The worked example of the RI specification, which wants its own addresses.
RI_ELFS = tests/guest/ri-example.elf
check_DATA += $(RI_ELFS)
CLEANFILES += $(RI_ELFS)
EXTRA_DIST += tests/guest/ri-example.S tests/guest/ri-example.sh
TESTS += tests/guest/ri-example.sh
if HAVE_CROSS
tests/guest/ri-example.elf: $(srcdir)/tests/guest/ri-example.S
	$(AM_V_GEN)$(MKDIR_P) tests/guest && \
	$(S390X_AS) -m64 -march=z10 -o tests/guest/ri-example.o $(srcdir)/tests/guest/ri-example.S && \
	$(S390X_LD) -Ttext=0x10000 -e start -o $@ tests/guest/ri-example.o
else
tests/guest/ri-example.elf:
	$(AM_V_GEN)$(MKDIR_P) tests/guest && \
	if test -f $(srcdir)/tests/guest/prebuilt/ri-example.elf; then cp $(srcdir)/tests/guest/prebuilt/ri-example.elf $@; \
	else : > $@; fi
endif

# Static Linux programs for the system-call nucleus, and what they print.
EXTRA_DIST += $(linux_guests:%=tests/programs/%.c) $(linux_guests:%=tests/programs/%.expected)
linux_guests = decimal bfp vector dfp deflate

# Debian's kernel with busybox.
guest_scripts += tests/guest/linux-boot.sh tests/guest/linux-devices.sh tests/guest/linux-record.sh tests/guest/linux-control.sh tests/guest/linux-adapters.sh tests/guest/linux-libri.sh tests/guest/linux-pipeline.sh tests/guest/linux-mrvm.sh
EXTRA_DIST += tests/guest/linux-lib.sh tests/guest/mkinitrd.sh tests/guest/linux-ri.c tests/guest/linux-perf.c tests/guest/linux-z10.c
EXTRA_DIST += tests/guest/linux-adapters.c tests/guest/linux-libri.c
guest_scripts += tests/guest/linux-crypto.sh tests/guest/linux-newest.sh
# Long boots, by hand; and boot time side by side with QEMU.
EXTRA_DIST += tests/guest/linux-long.sh tests/guest/linux-bench.sh tests/guest/linux-smp.sh tests/guest/linux-smp.c tests/guest/linux-profile.c
EXTRA_DIST += tests/guest/linux-smp.go tests/guest/linux-smp-load tests/guest/linux-calls.sh tests/guest/linux-calls.c
check-linux: zri$(EXEEXT)
	ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/guest/linux-long.sh $(LINUX_TESTS)
bench-linux: zri$(EXEEXT)
	ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/guest/linux-bench.sh
bench-linux-smp: zri$(EXEEXT)
	ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/guest/linux-smp.sh
bench-linux-calls: zri$(EXEEXT)
	ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/guest/linux-calls.sh
bench-record: zri$(EXEEXT)
	RECORD_ALL=1 ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/guest/linux-record.sh
	ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/guest/linux-record-bench.sh
EXTRA_DIST += tests/guest/linux-record-bench.sh
.PHONY: bench-record
.PHONY: check-linux bench-linux bench-linux-smp bench-linux-calls
guest_scripts += tests/guest/linux-guide.sh
EXTRA_DIST += tests/guest/tour-lib.sh doc/linux.txt

# Virtio devices.
guest_scripts += tests/guest/linux-virtio.sh tests/guest/linux-trace.sh tests/guest/linux-profile.sh
guest_scripts += tests/guest/linux-gdb.sh
EXTRA_DIST += tests/guest/virtio-guest tests/guest/virtio-host.py tests/guest/virtio-qcow2.py
TESTS += $(guest_scripts)
EXTRA_DIST += $(guest_scripts)
