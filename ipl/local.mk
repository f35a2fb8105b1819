# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += ipl/builtin.c ipl/builtin.h ipl/builtin_data.h ipl/deck.c ipl/elf.c ipl/hostfile.c ipl/hostfile.h \
	ipl/ins.c ipl/internal.h ipl/linux.c ipl/load.c ipl/load.h ipl/place.c ipl/symbols.c ipl/symbols.h
nodist_libzri_a_SOURCES += ipl/builtin_data.c
CLEANFILES += ipl/builtin_data.c

# The guests. Assembled where the cross tools are present; otherwise the prebuilt ones of a distribution are taken;
# where there are neither, the program is built without built-in images.
GUEST_FILES = ipl/guest/nucleus.S ipl/guest/nucleus.inc ipl/guest/nucleus.ld ipl/guest/demo.S
EXTRA_DIST += $(GUEST_FILES) ipl/guest/embed.sh
GUEST_FILES += ipl/guest/linux-user.S ipl/guest/linux-user.c ipl/guest/linux-user.ld
GUEST_ELFS = ipl/guest/demo.elf ipl/guest/linux-user.elf ipl/guest/mrvm.elf
CLEANFILES += $(GUEST_ELFS) ipl/guest/*.o ipl/guest/mrvm/*.o
if HAVE_CROSS
ipl/guest/demo.elf: $(GUEST_FILES)
	$(AM_V_GEN)$(MKDIR_P) ipl/guest && \
	$(S390X_AS) -m64 -march=z10 -I $(srcdir)/ipl/guest -o ipl/guest/nucleus.o $(srcdir)/ipl/guest/nucleus.S && \
	$(S390X_AS) -m64 -march=z10 -o ipl/guest/demo.o $(srcdir)/ipl/guest/demo.S && \
	$(S390X_LD) -T $(srcdir)/ipl/guest/nucleus.ld -o $@ ipl/guest/nucleus.o ipl/guest/demo.o
else
ipl/guest/demo.elf:
	$(AM_V_GEN)$(MKDIR_P) ipl/guest && \
	if test -f $(srcdir)/ipl/guest/prebuilt/demo.elf; then cp $(srcdir)/ipl/guest/prebuilt/demo.elf $@; \
	else echo "no s390x cross tools: built without the demonstration image"; : > $@; fi
endif

# The system-call nucleus is partly C.
LINUX_USER_CFLAGS = -O2 -m64 -march=z10 -msoft-float -ffreestanding -fno-stack-protector -fno-pie \
	-fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns -Wall -Wextra
if HAVE_CROSS_CC
ipl/guest/linux-user.elf: $(GUEST_FILES)
	$(AM_V_GEN)$(MKDIR_P) ipl/guest && \
	$(S390X_AS) -m64 -march=z10 -I $(srcdir)/ipl/guest -o ipl/guest/linux-user.o $(srcdir)/ipl/guest/linux-user.S && \
	$(S390X_CC) $(LINUX_USER_CFLAGS) -c -o ipl/guest/linux-calls.o $(srcdir)/ipl/guest/linux-user.c && \
	$(S390X_LD) --no-warn-rwx-segments -T $(srcdir)/ipl/guest/linux-user.ld -o $@ ipl/guest/linux-user.o ipl/guest/linux-calls.o
else
ipl/guest/linux-user.elf:
	$(AM_V_GEN)$(MKDIR_P) ipl/guest && \
	if test -f $(srcdir)/ipl/guest/prebuilt/linux-user.elf; then cp $(srcdir)/ipl/guest/prebuilt/linux-user.elf $@; \
	else echo "no s390x C compiler: built without the system-call nucleus"; : > $@; fi
endif

# Run-time instrumentation for processes under Linux; programs compile it in.
EXTRA_DIST += ipl/guest/libri/libri.c ipl/guest/libri/libri.h
# The managed run-time as one of these: make -f ipl/guest/mrvm/linux.mk.
EXTRA_DIST += ipl/guest/mrvm/linux.c ipl/guest/mrvm/linux.mk

# The managed run-time and its nucleus.
MRVM_C = ipl/guest/mrvm/space.c ipl/guest/mrvm/bare.c ipl/guest/mrvm/build.c ipl/guest/mrvm/code.c ipl/guest/mrvm/compile1.c \
	ipl/guest/mrvm/compile2.c ipl/guest/mrvm/decide.c ipl/guest/mrvm/inline.c ipl/guest/mrvm/operate.c ipl/guest/mrvm/value.c \
	ipl/guest/mrvm/interpret.c ipl/guest/mrvm/isolation.c ipl/guest/mrvm/main.c \
	ipl/guest/mrvm/program.c ipl/guest/mrvm/read.c ipl/guest/mrvm/report.c ipl/guest/mrvm/tests.c
MRVM_S = ipl/guest/mrvm/nucleus.S ipl/guest/mrvm/begin.S ipl/guest/mrvm/glue.S
MRVM_OTHER = ipl/guest/mrvm/build.h ipl/guest/mrvm/code.h ipl/guest/mrvm/compile2.h ipl/guest/mrvm/mrvm.h ipl/guest/mrvm/mrvm.ld ipl/guest/mrvm/tests.h ipl/guest/mrvm/vm.h
GUEST_FILES += $(MRVM_C) $(MRVM_S) $(MRVM_OTHER)
MRVM_CFLAGS = -O2 -m64 -march=zEC12 -msoft-float -ffreestanding -nostdlib -fno-stack-protector -fno-pie \
	-fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns -Wall -Wextra
if HAVE_CROSS_CC
ipl/guest/mrvm.elf: $(MRVM_C) $(MRVM_S) $(MRVM_OTHER) ipl/guest/nucleus.inc $(srcdir)/ri/types.def
	$(AM_V_GEN)$(MKDIR_P) ipl/guest/mrvm && \
	for f in $(MRVM_S); do \
	$(S390X_AS) -m64 -march=zEC12 -I $(srcdir)/ipl/guest -o $${f%.S}.o $(srcdir)/$$f || exit 1; done && \
	for f in $(MRVM_C); do \
	$(S390X_CC) $(MRVM_CFLAGS) -I $(srcdir) -c -o $${f%.c}.o $(srcdir)/$$f || exit 1; done && \
	$(S390X_LD) --no-warn-rwx-segments -T $(srcdir)/ipl/guest/mrvm/mrvm.ld -o $@ $(MRVM_S:.S=.o) $(MRVM_C:.c=.o)
else
ipl/guest/mrvm.elf:
	$(AM_V_GEN)$(MKDIR_P) ipl/guest && \
	if test -f $(srcdir)/ipl/guest/prebuilt/mrvm.elf; then cp $(srcdir)/ipl/guest/prebuilt/mrvm.elf $@; \
	else echo "no s390x C compiler: built without the managed run-time"; : > $@; fi
endif

ipl/builtin_data.c: $(GUEST_ELFS) $(srcdir)/ipl/guest/embed.sh
	$(AM_V_GEN)sh $(srcdir)/ipl/guest/embed.sh \
	"demo=a problem-state program that fills its run-time-instrumentation buffer=ipl/guest/demo.elf" \
	"linux-user=system calls for one static Linux program (zri --run)=ipl/guest/linux-user.elf" \
	"mrvm=a managed run-time that profiles itself by run-time instrumentation=ipl/guest/mrvm.elf" > $@.tmp && mv $@.tmp $@

dist-hook: $(GUEST_ELFS) $(BARE_ELFS) $(RI_ELFS)
	for f in $(GUEST_ELFS) $(BARE_ELFS) $(RI_ELFS); do d=$(distdir)/`dirname $$f`/prebuilt; $(MKDIR_P) $$d; \
	if test -s $$f; then cp $$f $$d/; fi; done
