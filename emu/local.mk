# SPDX-License-Identifier: GPL-3.0-or-later
# One block for each room.
# symbols and lines of profiled programs
libzri_a_SOURCES += emu/symbols/digest.c emu/symbols/digest.h emu/symbols/elf.c emu/symbols/file.c emu/symbols/internal.h \
	emu/symbols/lines.c emu/symbols/lines.h emu/symbols/map.c emu/symbols/order.c emu/symbols/symbols.c \
	emu/symbols/symbols.h emu/symbols/text.c emu/symbols/text.h

# disk images
libzri_a_SOURCES += emu/dev/image/disk.c emu/dev/image/disk.h emu/dev/image/host_file.c emu/dev/image/host_file.h \
	emu/dev/image/qcow2.c emu/dev/image/qcow2.h emu/dev/image/qcow2_count.c emu/dev/image/qcow2_internal.h \
	emu/dev/image/qcow2_write.c

# the channel subsystem
libzri_a_SOURCES += emu/dev/css/attach.c emu/dev/css/attach.h emu/dev/css/channel.h emu/dev/css/chsc.c \
	emu/dev/css/css.c emu/dev/css/css.h emu/dev/css/data.c emu/dev/css/internal.h emu/dev/css/io.c \
	emu/dev/css/io.h emu/dev/css/load.c emu/dev/css/load.h emu/dev/css/measure.c emu/dev/css/medium.c emu/dev/css/medium.h \
	emu/dev/css/program.c emu/dev/css/program.h emu/dev/css/snapshot.c emu/dev/css/snapshot.h

# control units and their devices
libzri_a_SOURCES += emu/dev/unit/block_io.c emu/dev/unit/block_io.h emu/dev/unit/console3215.c emu/dev/unit/fba.c \
	emu/dev/unit/printer.c emu/dev/unit/reader.c emu/dev/unit/types.h

# virtio devices
libzri_a_SOURCES += emu/dev/virtio/blk.c emu/dev/virtio/console.c emu/dev/virtio/net.c emu/dev/virtio/net_user.c \
	emu/dev/virtio/net_user.h emu/dev/virtio/queue.c emu/dev/virtio/rng.c emu/dev/virtio/transport.c \
	emu/dev/virtio/transport.h emu/dev/virtio/types.h

# the service processor
libzri_a_SOURCES += emu/dev/sclp/configuration.c emu/dev/sclp/configuration.h emu/dev/sclp/event.c \
	emu/dev/sclp/event.h emu/dev/sclp/internal.h emu/dev/sclp/service.c emu/dev/sclp/service.h

# the kinds of devices that can be attached
libzri_a_SOURCES += emu/dev/types.c emu/dev/types.h

# what a machine consists of
libzri_a_SOURCES += emu/state/fields.h emu/state/machine.h

# edge profiles of a machine: spaces and code, samples, files
libzri_a_SOURCES += emu/edges/code.c emu/edges/code.h emu/edges/consumer.c emu/edges/consumer.h emu/edges/exact.c \
	emu/edges/exact.h emu/edges/linux_process.c emu/edges/linux_process.h emu/edges/modules.c emu/edges/modules.h emu/edges/profile.c emu/edges/profile.h \
	emu/edges/programs.c emu/edges/programs.h

# when the pipeline model of a machine is on, and where what it counts belongs
libzri_a_SOURCES += emu/pipeline/measure.c emu/pipeline/measure.h

# storage, clock and CPUs as one machine; its operator
libzri_a_SOURCES += emu/machine/carrier.c emu/machine/carrier.h emu/machine/diagnose.c emu/machine/diagnose.h emu/observe/collection_diagnose.c emu/observe/counters_diagnose.c emu/observe/counters_diagnose.h emu/observe/collection_diagnose.h \
	emu/observe/exception_diagnose.c \
	emu/observe/exception_diagnose.h emu/observe/exception_live.c emu/observe/exception_live.h emu/observe/exception_trace.c emu/observe/exception_trace.h \
	emu/machine/machine.c emu/machine/machine.h emu/observe/pipeline.c emu/observe/pipeline.h \
	emu/machine/ri_log.c emu/machine/ri_log.h emu/machine/run.c emu/machine/run.h emu/machine/session.c emu/machine/session.h emu/machine/session_load.c emu/machine/sigp.c emu/machine/slice.c emu/machine/slice.h \
	emu/machine/snapshot.c emu/machine/snapshot.h emu/machine/stsi.c emu/machine/threads.c emu/machine/threads.h

# the past of a machine
libzri_a_SOURCES += emu/history/disks.c emu/history/events.c emu/history/history.c emu/history/history.h emu/history/internal.h \
	emu/history/identity.c emu/history/pages.c emu/history/pages.h emu/history/record.c emu/history/record.h \
	emu/history/tape.c emu/history/tape.h emu/history/travel.c

# debuggers
libzri_a_SOURCES += emu/debug/gdb.c emu/debug/gdb.h emu/debug/internal.h emu/debug/packet.c emu/debug/packet.h \
	emu/debug/packets.c emu/debug/packets.def emu/debug/points.c emu/debug/port.c emu/debug/port.h emu/debug/query.c \
	emu/debug/registers.c emu/debug/reverse.c emu/debug/socket.c emu/debug/socket.h emu/debug/storage.c emu/debug/storage.h

# views of a machine
libzri_a_SOURCES += emu/dev/css/look.c emu/dev/css/look.h emu/panel/view/channels.c emu/panel/view/code.c emu/panel/view/flow.c emu/panel/view/flow.h emu/panel/view/graph.c \
	emu/panel/view/layout.c emu/panel/view/frames.c emu/panel/view/frames.h emu/panel/view/instrumentation.c \
	emu/panel/view/machine.c emu/panel/view/parts.c emu/panel/view/pipeline.c \
	emu/panel/view/parts.h emu/panel/view/storage.c emu/panel/view/trace.c emu/panel/view/translation.c

# looking at a machine, and what views of it ask
libzri_a_SOURCES += emu/inspect/inspect.c emu/inspect/inspect.h emu/inspect/tables.c emu/inspect/tables.h \
	emu/console/panel_teller.c emu/console/panel_teller.h

# programs that look at a machine and drive it
libzri_a_SOURCES += emu/control/control.c emu/control/control.h emu/control/internal.h emu/control/json.h emu/control/request.c \
	emu/control/requests.c emu/control/requests.def

# the machine to look at
libzri_a_SOURCES += emu/panel/canvas/canvas.c emu/panel/canvas/canvas.h emu/panel/canvas/cells.c \
	emu/panel/canvas/cells.h
# views of the machine: one line each
libzri_a_SOURCES += emu/panel/view/view.c emu/panel/view/view.h emu/panel/view/kinds.h
libzri_a_SOURCES += emu/panel/view/front.c

# the panel: its window and pictures
libzri_a_SOURCES += emu/panel/window/chrome.c emu/panel/window/internal.h emu/panel/window/keys.def emu/panel/window/paint.c \
	emu/panel/window/paint.h emu/panel/window/panel.c emu/panel/window/panel.h emu/panel/window/png.c \
	emu/panel/window/png.h emu/panel/window/sdl.c emu/panel/window/sdl.def emu/panel/window/sdl.h \
	emu/panel/window/shot.c emu/panel/window/theme.c emu/panel/window/theme.h emu/panel/window/ui.c \
	emu/panel/window/window.c
libzri_a_SOURCES += emu/console/panel.c

# the panel in a terminal
libzri_a_SOURCES += emu/panel/terminal/draw.c emu/panel/terminal/edit.c emu/panel/terminal/edit.h emu/panel/terminal/internal.h \
	emu/panel/terminal/keys.c emu/panel/terminal/keys.h emu/panel/terminal/layout.c emu/panel/terminal/layout.h \
	emu/panel/terminal/panes.c emu/panel/terminal/screen.c emu/panel/terminal/screen.h emu/panel/terminal/scroll.c \
	emu/panel/terminal/scroll.h emu/panel/terminal/terminal.c emu/panel/terminal/terminal.h
libzri_a_SOURCES += emu/console/complete.c emu/console/complete.h emu/console/panes.c emu/console/panes.h

# command line and machine profiles
libzri_a_SOURCES += emu/config/diagnose.def emu/config/edges.c emu/config/edges.h emu/config/exception.c emu/config/exception.h emu/config/facility.c emu/config/facility.h emu/config/machine.c emu/config/machine.h emu/config/options.c emu/config/options.def \
	emu/config/wrap.c emu/config/wrap.h emu/config/options.h emu/config/pipeline.c emu/config/pipeline.h emu/config/profile.c emu/config/profile.h

# the debugger at the console: what stops the machine, who called whom, events, core files
libzri_a_SOURCES += emu/symbols/unwind.c emu/symbols/unwind.h emu/machine/core.c emu/machine/core.h emu/machine/sigp.h
libzri_a_SOURCES += emu/console/base/listing.c emu/console/base/listing.h emu/console/base/source.c emu/console/base/source.h emu/console/debug/events.c \
	emu/console/debug/events.def emu/console/debug/events.h emu/console/debug/frames.c emu/console/debug/frames.h \
	emu/console/debug/when.c emu/console/flow.c

# scripted tests
libzri_a_SOURCES += emu/script/coverage.c emu/script/coverage.h emu/script/expect.c emu/script/file.c \
	emu/script/internal.h emu/script/judge.c emu/script/run.c emu/script/script.h emu/script/set.c

# the console
libzri_a_SOURCES += emu/console/base/base.c emu/console/base/base.h emu/console/base/commands.def \
	emu/console/base/internal.h emu/console/base/json.c emu/console/base/json.h emu/console/base/look.c \
	emu/console/base/look.h emu/console/base/show.c emu/console/base/show.h emu/console/base/space.c \
	emu/console/base/space.h emu/console/base/told.c emu/console/base/told.h emu/console/base/where.c \
	emu/console/base/words.def
libzri_a_SOURCES += emu/console/explain/explain.c emu/console/explain/explain_state.c
libzri_a_SOURCES += emu/console/debug/branches.c emu/console/debug/breaks.c emu/console/debug/debug.h emu/console/debug/history.c emu/console/debug/observe.c \
	emu/console/debug/trace.c emu/console/debug/trace.h emu/console/debug/kept.c emu/console/debug/kept.h \
	emu/console/debug/watch.c
libzri_a_SOURCES += emu/console/observe/counters.c emu/console/observe/counts.c emu/console/observe/et.c emu/console/observe/et_show.c \
	emu/console/observe/et_show.h emu/console/observe/measure.c emu/console/observe/measure.h emu/console/observe/pipe.c emu/console/observe/pipeline.c emu/console/observe/prof.c emu/console/observe/ri.c \
	emu/console/observe/ri.h emu/console/observe/ri_explain.c emu/console/observe/ri_groups.c
libzri_a_SOURCES += emu/console/console.c emu/console/console.h emu/console/control.c emu/console/device.c emu/console/gdb.c \
	emu/console/guest.c emu/console/help.c emu/console/help.h emu/console/line.c emu/console/load.c emu/console/multirun.c emu/console/report.c emu/console/run.c \
	emu/console/run.h emu/console/snapshot.c emu/console/state.c emu/console/storage.c emu/console/translate.c

# lessons: their files, what a machine is asked, what is done
libzri_a_SOURCES += emu/console/base/teacher.h emu/console/teacher.c emu/console/whatif.c emu/lesson/find.c emu/lesson/find.h emu/lesson/lesson.h \
	emu/lesson/progress.c emu/lesson/progress.h emu/lesson/read.c emu/lesson/record.c emu/lesson/record.h \
	emu/lesson/teach.c emu/lesson/teach.h emu/lesson/terms.c emu/lesson/terms.h
nodist_libzri_a_SOURCES += emu/lesson/folder.h
BUILT_SOURCES += emu/lesson/folder.h
CLEANFILES += emu/lesson/folder.h
# Where they are installed.
emu/lesson/find.$(OBJEXT): emu/lesson/folder.h
emu/lesson/folder.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) emu/lesson && echo '#define LESSON_FOLDER "$(pkgdatadir)/lessons"' > $@

# programs
libzri_a_SOURCES += emu/sandbox.c emu/sandbox.h emu/batch.h emu/batch.c emu/classroom.c emu/classroom.h emu/host_code.c emu/host_code.h emu/ri_decode.h emu/ri_decode.c
bin_PROGRAMS += zri-ri
zri_ri_SOURCES = emu/exit.h emu/streams.c emu/streams.h emu/zri_ri.c emu/zri_ri.h emu/zri_ri_complete.c
zri_ri_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
bin_PROGRAMS += zri-et
zri_et_SOURCES = emu/exit.h emu/streams.c emu/streams.h emu/zri_et.c emu/zri_et.h emu/zri_et_complete.c emu/zri_et_fail.c emu/zri_et_filter.c \
	emu/zri_et_groups.c
zri_et_LDADD = libzri.a $(ZLIB_LIBS) -lpthread
bin_PROGRAMS += zri-prof
zri_prof_SOURCES = emu/exit.h emu/streams.c emu/streams.h emu/zri_prof.c emu/zri_prof.h emu/zri_prof_build.c emu/zri_prof_commands.c \
	emu/zri_prof_complete.c emu/zri_prof_export.c emu/zri_prof_files.c
zri_prof_LDADD = libzri.a $(LIBDW_LIBS) $(ZLIB_LIBS) -lpthread
bin_PROGRAMS += zri
zri_SOURCES = emu/grade.c emu/grade.h emu/grade_script.c emu/exit.h emu/streams.c emu/streams.h emu/main.c emu/demo.h emu/demo.c emu/manual.c emu/manual.h \
	emu/console/terminal.c
zri_LDADD = libzri.a $(LIBDW_LIBS) $(READLINE_LIBS) $(NCURSES_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lpthread

# The Python module that drives a machine by the control socket.
zripythondir = $(pythondir)/zri
dist_zripython_DATA = python/zri/__init__.py python/zri/__main__.py python/zri/client.py python/zri/machine.py \
	python/zri/testing.py

# The manual and the completion of shells: options, commands, codes, instructions come out of the program's own tables.
man_MANS = man/zri.1 man/zri-console.1 man/zri-interruptions.7 man/zri-instructions.7 man/zri-facilities.7
dist_man_MANS += man/zri-test.5 man/zri-ri.1 man/zri-et.1 man/zri-prof.1 man/zri-et-format.5 man/zri-json.5
EXTRA_DIST += man/zri.1.in man/zri-console.1.in man/zri-interruptions.7.in man/zri-instructions.7.in man/zri-facilities.7.in
CLEANFILES += $(man_MANS)
MANUAL_PAGE = $(AM_V_GEN)$(MKDIR_P) man && awk -v zri=./zri$(EXEEXT) \
	'/^@[A-Z]+@$$/ { part = tolower(substr($$0, 2, length($$0) - 2)); fflush(); system(zri " --dump-manual " part); next } \
	{ print }'
man/zri.1: $(srcdir)/man/zri.1.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri.1.in > $@.tmp && mv $@.tmp $@
man/zri-console.1: $(srcdir)/man/zri-console.1.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri-console.1.in > $@.tmp && mv $@.tmp $@
man/zri-interruptions.7: $(srcdir)/man/zri-interruptions.7.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri-interruptions.7.in > $@.tmp && mv $@.tmp $@
man/zri-instructions.7: $(srcdir)/man/zri-instructions.7.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri-instructions.7.in > $@.tmp && mv $@.tmp $@
man/zri-facilities.7: $(srcdir)/man/zri-facilities.7.in zri$(EXEEXT)
	$(MANUAL_PAGE) $(srcdir)/man/zri-facilities.7.in > $@.tmp && mv $@.tmp $@

bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = completion/zri completion/zri-et completion/zri-prof completion/zri-ri
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = completion/_zri completion/_zri-et completion/_zri-prof completion/_zri-ri
CLEANFILES += completion/zri completion/_zri completion/zri-et completion/_zri-et completion/zri-prof completion/_zri-prof \
	completion/zri-ri completion/_zri-ri
completion/zri-et: zri-et$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri-et$(EXEEXT) --dump-completion bash > $@.tmp && mv $@.tmp $@
completion/_zri-et: zri-et$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri-et$(EXEEXT) --dump-completion zsh > $@.tmp && mv $@.tmp $@
completion/zri-ri: zri-ri$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri-ri$(EXEEXT) --dump-completion bash > $@.tmp && mv $@.tmp $@
completion/_zri-ri: zri-ri$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri-ri$(EXEEXT) --dump-completion zsh > $@.tmp && mv $@.tmp $@
completion/zri: zri$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri$(EXEEXT) --dump-manual bash > $@.tmp && mv $@.tmp $@
completion/zri-prof: zri-prof$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri-prof$(EXEEXT) --dump-completion bash > $@.tmp && mv $@.tmp $@
completion/_zri-prof: zri-prof$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri-prof$(EXEEXT) --dump-completion zsh > $@.tmp && mv $@.tmp $@
completion/_zri: zri$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && ./zri$(EXEEXT) --dump-manual zsh > $@.tmp && mv $@.tmp $@

# Packages for Debian: dpkg-buildpackage in the sources.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules debian/source/format debian/python3-zri.install debian/zri-doc.docs debian/zri-doc.info \
	debian/zri.install
