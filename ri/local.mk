# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += ri/controls.c ri/controls.def ri/controls.h ri/internal.h ri/log.c ri/log.h ri/records.def \
	ri/report.c ri/report.h ri/ri.c ri/ri.h ri/ri_inline.h ri/state.c ri/state.h ri/text.c ri/text.h ri/types.def

# CPU-measurement facilities
libzri_a_SOURCES += ri/counters/counters.c ri/counters/counters.h ri/counters/extended.c ri/counters/intervals.c ri/counters/intervals.h ri/counters/places.c ri/counters/places.h ri/counters/model/warm.c ri/counters/model/clear.c ri/counters/internal.h ri/counters/sampling.c \
	ri/counters/sampling.h

# The pipeline model behind the event counters
libzri_a_SOURCES += ri/counters/model/access.c ri/counters/model/branch.c ri/counters/model/cache.c ri/counters/model/cache.h ri/counters/model/classes.def \
	ri/counters/model/contents.c ri/counters/model/counting.c ri/counters/model/counting.h ri/counters/model/decode.c ri/counters/model/decode.h \
	ri/counters/model/events.c ri/counters/model/events.def ri/counters/model/events.h ri/counters/model/internal.h ri/counters/model/kanata.c ri/counters/model/kanata.h ri/counters/model/logs.c ri/counters/model/passages.c ri/counters/model/passages.h ri/counters/model/picture.c \
	ri/counters/model/model.c ri/counters/model/model.h ri/counters/model/pipeline.c ri/counters/model/pipeline.h \
	ri/counters/model/predict.c ri/counters/model/predict.h ri/counters/model/profile.c ri/counters/model/profile.def \
	ri/counters/model/profile.h ri/counters/model/shadow.c ri/counters/model/shadow.h ri/counters/model/stage.c ri/counters/model/state.c ri/counters/model/state.h ri/counters/model/shadow.def ri/counters/model/wrong.c

# Exception trace
libzri_a_SOURCES += ri/trace/config.c ri/trace/config.h ri/trace/keys.c ri/trace/number.c ri/trace/number.h ri/trace/registers.def ri/trace/trace.h \
	ri/trace/wire.c ri/trace/wire.h
libzri_a_SOURCES += ri/trace/buffer.c ri/trace/buffer.h ri/trace/compress.c ri/trace/compress.h ri/trace/control.c \
	ri/trace/encode.c ri/trace/encode.h ri/trace/exit.c ri/trace/guest.c ri/trace/guest.h ri/trace/internal.h ri/trace/packet.c ri/trace/packet.h \
	ri/trace/select.c ri/trace/select.h ri/trace/wait.c ri/trace/wait.h ri/trace/sink.c ri/trace/sink.h ri/trace/tracker.c ri/trace/tracker.h \
	ri/trace/unit.c ri/trace/unit.h

# Exception trace: its decoder
libzri_a_SOURCES += ri/trace/decode.h ri/trace/read/container.c ri/trace/read/container.h ri/trace/read/decode.c \
	ri/trace/read/decoder.h ri/trace/read/join.c ri/trace/read/lex.c ri/trace/read/merge.c ri/trace/read/merge.h ri/trace/read/nest.c ri/trace/read/nest.h \
	ri/trace/read/numbers.c ri/trace/read/packet.c ri/trace/read/source.c ri/trace/read/tell.c ri/trace/read/visible.c \
	ri/trace/read/visible.h

# Exception trace: outputs
libzri_a_SOURCES += ri/trace/show/chrome.c ri/trace/show/ctf.c ri/trace/show/folded.c ri/trace/show/output.c \
	ri/trace/show/output.h ri/trace/show/rows.c ri/trace/show/text.c ri/trace/show/vcd.c

# Exception trace: downstream filter
libzri_a_SOURCES += ri/trace/filter.c ri/trace/filter.h ri/trace/full.c ri/trace/full.h

# Exception trace: on-line analyser
libzri_a_SOURCES += ri/trace/rules/rule.c ri/trace/rules/rule.h ri/trace/rules/rules.c ri/trace/rules/rules.h

# Exception trace: reports
libzri_a_SOURCES += ri/trace/show/json.c ri/trace/show/report.c ri/trace/show/report.h ri/trace/show/statistics.c \
	ri/trace/show/statistics.h

# Edge profiles: what is recorded, and the walk
libzri_a_SOURCES += ri/profile/build.c ri/profile/build.h ri/profile/collect.c ri/profile/collect.h ri/profile/decoded.c ri/profile/decoded.h ri/profile/log.h ri/profile/log_format.h ri/profile/log_read.c ri/profile/log_write.c ri/profile/pmc.c ri/profile/pmc.h ri/profile/ring.c ri/profile/ring.h ri/profile/stretches.c ri/profile/stretches.h ri/profile/marks.c ri/profile/marks.h ri/profile/executes.c ri/profile/executes.h ri/profile/groups.c ri/profile/groups.h ri/profile/trace.h ri/profile/unit.c ri/profile/unit.h ri/profile/walk.c \
	ri/profile/walk.h

# Edge profiles: their file
libzri_a_SOURCES += ri/profile/file/functions.c ri/profile/file/headers.def ri/profile/file/internal.h ri/profile/file/list.c ri/profile/file/merge.c \
	ri/profile/file/profile.c ri/profile/file/profile.h ri/profile/file/read.c ri/profile/file/sites.c \
	ri/profile/file/text.c ri/profile/file/unite.c ri/profile/file/write.c

# Edge profiles: what is shown
libzri_a_SOURCES += ri/profile/show/brstack.c ri/profile/show/callgrind.c ri/profile/show/cautions.c ri/profile/show/diff.c \
	ri/profile/show/diff.h ri/profile/show/executed.c ri/profile/show/executed.h ri/profile/show/folded.c \
	ri/profile/show/inclusive.c ri/profile/show/inclusive.h ri/profile/show/lcov.c ri/profile/show/llvm.c \
	ri/profile/show/internal.h ri/profile/show/json.c ri/profile/show/metrics.c ri/profile/show/metrics.def \
	ri/profile/show/output.h ri/profile/show/raw.c ri/profile/show/report.c ri/profile/show/residuals.c ri/profile/show/source.c \
	ri/profile/show/source.h ri/profile/show/view.c

# Edge profiles: control flow
libzri_a_SOURCES += ri/profile/show/block_overlap.c ri/profile/show/blocks.c ri/profile/show/blocks.h \
	ri/profile/show/cfg.c ri/profile/show/cfg.h ri/profile/show/dot.c
