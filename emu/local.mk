# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += emu/machine.h emu/machine.c emu/profile.h emu/profile.c emu/sigp.c emu/stsi.c emu/ebcdic.h \
	emu/ebcdic.c emu/dev/sclp.h emu/dev/sclp.c emu/zt.h emu/zt_internal.h emu/zt_file.c emu/zt_set.c emu/zt_expect.c \
	emu/zt_run.c
bin_PROGRAMS += zri
zri_SOURCES = emu/main.c emu/options.h emu/options.def emu/options.c emu/session.h emu/session.c emu/batch.h emu/batch.c \
	emu/demo.h emu/demo.c \
	emu/console/console.h emu/console/internal.h emu/console/commands.def emu/console/json.h emu/console/json.c \
	emu/console/line.c emu/console/state.c emu/console/storage.c emu/console/run.c emu/console/ri.c emu/console/load.c \
	emu/console/terminal.c
zri_LDADD = libzri.a $(READLINE_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lpthread
