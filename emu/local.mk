# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += emu/threads.h emu/threads.c
libzri_a_SOURCES += emu/snapshot.h emu/snapshot.c
libzri_a_SOURCES += emu/machine.h emu/machine.c emu/profile.h emu/profile.c emu/profile_facility.h emu/profile_facility.c emu/sigp.c emu/diagnose.h emu/diagnose.c emu/stsi.c emu/ebcdic.h \
	emu/ebcdic.c emu/dev/sclp.h emu/dev/sclp.c emu/dev/sclp_internal.h emu/dev/sclp_event.c emu/dev/sclp_configuration.c emu/coverage.h emu/coverage.c emu/zt.h emu/zt_internal.h emu/zt_file.c emu/zt_set.c emu/zt_expect.c \
	emu/zt_run.c
libzri_a_SOURCES += emu/dev/channel.h emu/dev/css.h emu/dev/css_internal.h emu/dev/css_program.h emu/dev/css.c emu/dev/css_io.c \
	emu/dev/css_chsc.c emu/dev/css_program.c emu/dev/css_data.c emu/dev/css_load.c emu/dev/css_snapshot.c emu/dev/types.h emu/dev/types.c emu/dev/reader.c \
	emu/dev/console3215.c emu/dev/printer.c emu/dev/host_file.h emu/dev/host_file.c emu/dev/block_io.h emu/dev/block_io.c emu/dev/image.h emu/dev/image.c emu/dev/qcow2.h emu/dev/qcow2_internal.h emu/dev/qcow2.c emu/dev/qcow2_count.c emu/dev/qcow2_write.c emu/dev/fba.c \
	emu/dev/virtio.h emu/dev/virtio.c emu/dev/virtio_queue.c emu/dev/virtio_blk.c emu/dev/virtio_net.c emu/dev/virtio_console.c emu/dev/virtio_rng.c emu/dev/net_user.h emu/dev/net_user.c
libzri_a_SOURCES += emu/session.h emu/session.c emu/options.h emu/options.def emu/options.c emu/batch.h emu/batch.c \
	emu/console/console.h emu/console/internal.h emu/console/commands.def emu/console/json.h emu/console/json.c \
	emu/console/line.c emu/console/state.c emu/console/storage.c emu/console/run.c emu/console/guest.c emu/console/ri.c emu/console/ri_groups.c emu/console/ri_explain.c emu/console/counters.c emu/console/load.c emu/console/device.c emu/console/snapshot.c
libzri_a_SOURCES += emu/ri_log.h emu/ri_log.c emu/ri_decode.h emu/ri_decode.c
bin_PROGRAMS += zri-ri
zri_ri_SOURCES = emu/zri_ri.c
zri_ri_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
bin_PROGRAMS += zri
zri_SOURCES = emu/main.c \
	emu/demo.h emu/demo.c emu/console/terminal.c
zri_LDADD = libzri.a $(READLINE_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lpthread

# The manual: option list and command reference come out of the program's own tables.
man_MANS = man/zri.1 man/zri-console.1
dist_man_MANS += man/zri-test.5 man/zri-ri.1
EXTRA_DIST += man/zri.1.in man/zri-console.1.in
CLEANFILES += $(man_MANS)
MANUAL_PAGE = $(AM_V_GEN)$(MKDIR_P) man && awk -v zri=./zri$(EXEEXT) \
	'/^@OPTIONS@$$/ { fflush(); system(zri " --dump-manual options"); next } \
	/^@COMMANDS@$$/ { fflush(); system(zri " --dump-manual commands"); next } { print }'
man/zri.1: $(srcdir)/man/zri.1.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri.1.in > $@.tmp && mv $@.tmp $@
man/zri-console.1: $(srcdir)/man/zri-console.1.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri-console.1.in > $@.tmp && mv $@.tmp $@
