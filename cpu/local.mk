# SPDX-License-Identifier: GPL-3.0-or-later
# One block for each room, in the order of who may use whom.
# arithmetic that knows no CPU
libzri_a_SOURCES += cpu/numbers/bfp.c cpu/numbers/bfp.h cpu/numbers/big.c cpu/numbers/big.h cpu/numbers/curve.c \
	cpu/numbers/curve.h cpu/numbers/dfp.c cpu/numbers/dfp.h cpu/numbers/dfp_format.c cpu/numbers/dfp_internal.h \
	cpu/numbers/dfp_library.c cpu/numbers/hfp.c cpu/numbers/hfp.h cpu/numbers/hfp_sum.h cpu/numbers/packed.c \
	cpu/numbers/packed.h cpu/numbers/radix.c cpu/numbers/radix.h cpu/numbers/ten.c cpu/numbers/ten.h

# struct cpu and struct cpu_system, codes, timing, PER
libzri_a_SOURCES += cpu/state/codes.c cpu/state/codes.h cpu/state/control_registers.c cpu/state/control_registers.def \
	cpu/state/control_registers.h cpu/state/cpu.h cpu/state/edges.h cpu/state/exceptions.c cpu/state/exceptions.h \
	cpu/state/interruptions.c \
	cpu/state/interruptions.def cpu/state/interruptions.h cpu/state/length.c cpu/state/length.h \
	cpu/state/main_storage.h cpu/state/per.c cpu/state/per.h \
	cpu/state/system.h cpu/state/timing.c cpu/state/timing.h

# main storage and keys, DAT, access registers, translation contexts, access, operands
libzri_a_SOURCES += cpu/storage/access.c cpu/storage/access.h cpu/storage/art.c cpu/storage/art.h cpu/storage/code.c \
	cpu/storage/code.h cpu/storage/dat.c cpu/storage/dat.h cpu/storage/lines.c cpu/storage/lines.h \
	cpu/storage/main.c cpu/storage/main.h cpu/storage/operand.c cpu/storage/operand.h cpu/storage/tables.c \
	cpu/storage/tables.h cpu/storage/tlb.c cpu/storage/tlb.h cpu/storage/watch.c cpu/storage/watch.h

# PSW exchange, registers, status, interruptions, transactions, tracing, what ri/ is told
libzri_a_SOURCES += cpu/control/edges.c cpu/control/edges.h cpu/control/guarded.c cpu/control/guarded.h cpu/control/interrupt.c cpu/control/interrupt.h cpu/control/model.c cpu/control/model.h \
	cpu/control/observe.c cpu/control/observe.h cpu/control/psw.c cpu/control/psw.h cpu/control/registers.c \
	cpu/control/registers.def cpu/control/registers.h cpu/control/sample.c cpu/control/sample.h \
	cpu/control/status.c cpu/control/status.h cpu/control/trace.c cpu/control/trace.h cpu/control/transaction.c \
	cpu/control/transaction.h

# bodies by chapter, each a room that knows none of the others; what they share
libzri_a_SOURCES += cpu/exec/bodies.h cpu/exec/float.h

# general instructions (PoP chapter 7)
libzri_a_SOURCES += cpu/exec/general/add_logical.c cpu/exec/general/arith.c cpu/exec/general/branch.c \
	cpu/exec/general/compare.c cpu/exec/general/compare_branch.c cpu/exec/general/compare_storage.c \
	cpu/exec/general/conditional.c cpu/exec/general/convert.c cpu/exec/general/interlocked.c \
	cpu/exec/general/internal.h cpu/exec/general/load.c cpu/exec/general/logical.c cpu/exec/general/move.c \
	cpu/exec/general/move_long.c cpu/exec/general/multiply.c cpu/exec/general/plo.c cpu/exec/general/shift.c \
	cpu/exec/general/string.c cpu/exec/general/translate.c cpu/exec/general/tree.c cpu/exec/general/unicode.c

# decimal instructions (8)
libzri_a_SOURCES += cpu/exec/decimal/decimal.c

# floating point (9, 18-20)
libzri_a_SOURCES += cpu/exec/float/bfp.c cpu/exec/float/dfp.c cpu/exec/float/dfp.h cpu/exec/float/dfp_convert.c \
	cpu/exec/float/hfp.c cpu/exec/float/host.h cpu/exec/float/load.c cpu/exec/float/operand.h cpu/exec/float/pfpo.c \
	cpu/exec/float/support.c

# vectors (21-25)
libzri_a_SOURCES += cpu/exec/vector/convert.c cpu/exec/vector/decimal.c cpu/exec/vector/decimal.h \
	cpu/exec/vector/element.h cpu/exec/vector/float.c cpu/exec/vector/float.h cpu/exec/vector/integer.c \
	cpu/exec/vector/lanes.h cpu/exec/vector/load.c cpu/exec/vector/multiply.c cpu/exec/vector/shift.c \
	cpu/exec/vector/string.c cpu/exec/vector/support.c cpu/exec/vector/zoned.c

# control and I/O instructions (10, 14)
libzri_a_SOURCES += cpu/exec/system/adapter.c cpu/exec/system/asn.c cpu/exec/system/branch.c cpu/exec/system/clock.c \
	cpu/exec/system/dat.c cpu/exec/system/info.c cpu/exec/system/internal.h cpu/exec/system/io.c \
	cpu/exec/system/key.c cpu/exec/system/linkage.c cpu/exec/system/misc.c cpu/exec/system/page.c \
	cpu/exec/system/psw.c cpu/exec/system/space.c cpu/exec/system/stack.c cpu/exec/system/trace.c

# message-security assist
libzri_a_SOURCES += cpu/exec/crypto/activity.c cpu/exec/crypto/activity.h cpu/exec/crypto/auth.c \
	cpu/exec/crypto/cipher.c cpu/exec/crypto/common.c cpu/exec/crypto/compute.c cpu/exec/crypto/digest.c \
	cpu/exec/crypto/internal.h cpu/exec/crypto/random.c cpu/exec/crypto/sign.c

# assists (26)
libzri_a_SOURCES += cpu/exec/assist/compression.c cpu/exec/assist/deflate.c cpu/exec/assist/deflate.h \
	cpu/exec/assist/deflate_code.c cpu/exec/assist/deflate_compress.c cpu/exec/assist/deflate_expand.c \
	cpu/exec/assist/deflate_match.c cpu/exec/assist/deflate_storage.c cpu/exec/assist/sort.c

# run-time instrumentation, transactions, guarded storage, measurement
libzri_a_SOURCES += cpu/exec/facility/guarded.c cpu/exec/facility/measurement.c cpu/exec/facility/ri.c \
	cpu/exec/facility/transaction.c

# engines, life of a CPU, binding of rows to bodies, EXECUTE
libzri_a_SOURCES += cpu/engine/reference/bind.c cpu/engine/reference/bind.h cpu/engine/block.c cpu/engine/block.h cpu/engine/decode.c \
	cpu/engine/engine.c cpu/engine/engine.h cpu/engine/reference/execute.c cpu/engine/handlers.h cpu/engine/internal.h \
	cpu/life/life.c cpu/life/life.h cpu/lockstep/lockstep.c cpu/lockstep/lockstep.h cpu/engine/op_branch.c cpu/engine/op_execute.c \
	cpu/engine/op_clock.c cpu/engine/op_extended.c cpu/engine/op_float.c cpu/engine/op_float.h cpu/engine/op_generic.c \
	cpu/engine/op_hex.c cpu/engine/op_mask.c cpu/engine/op_register.c cpu/engine/op_relative.c cpu/engine/op_ss.c cpu/engine/op_storage.c \
	cpu/engine/op_vector.c cpu/engine/op_vector.h cpu/engine/op_vector_float.c cpu/engine/ops.def \
	cpu/engine/ops_float.def cpu/engine/reference/reference.c cpu/engine/reference/reference.h cpu/engine/reference/spin.c cpu/engine/tuning.h

# the translator: host code of the block engine's blocks
libzri_a_SOURCES += cpu/translate/emit/buffer.c cpu/translate/calls.c cpu/translate/emit/condition.c cpu/translate/emit/edges.c cpu/translate/emit/exits.c \
	cpu/translate/emit/collect.c cpu/translate/emit/internal.h cpu/translate/emit/observe.c cpu/translate/emit/op_bits.c cpu/translate/emit/op_branch.c \
	cpu/translate/emit/op_float.c cpu/translate/emit/op_register.c cpu/translate/emit/op_ss.c cpu/translate/emit/op_storage.c \
	cpu/translate/emit/op_arithmetic.c cpu/translate/emit/op_interlocked.c cpu/translate/emit/op_bfp.c cpu/translate/emit/op_bfp_convert.c cpu/translate/emit/op_clock.c cpu/translate/emit/op_extended.c cpu/translate/emit/op_logic.c cpu/translate/emit/op_vector.c cpu/translate/emit/op_vector_load.c \
	cpu/translate/emit/op_vector_multiply.c cpu/translate/emit/op_vector_places.c cpu/translate/emit/op_vector_string.c cpu/translate/emit/vector.h cpu/translate/host/x86_packed.h \
	cpu/translate/emit/operand.c cpu/translate/emit/pages.c cpu/translate/emit/about.h cpu/translate/emit/access.c cpu/translate/emit/parts.h cpu/translate/layouts.c cpu/translate/places.c cpu/translate/plan.c cpu/translate/plan.h cpu/translate/shares.c cpu/translate/emit/state.c cpu/translate/emit/template.h cpu/translate/templates.c \
	cpu/translate/translate.c cpu/translate/emit/translate.def cpu/translate/translate.h cpu/translate/emit/vectors.c cpu/translate/host/x86.h cpu/translate/host/x86_three.h
