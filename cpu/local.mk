# SPDX-License-Identifier: GPL-3.0-or-later
# One block for each owner of files; add yours to your own block.
libzri_a_SOURCES += cpu/bits.h cpu/codes.h cpu/storage.h cpu/system.h cpu/cpu.h cpu/access.h cpu/interrupt.h cpu/engine/engine.h

# state, storage, DAT, access, interruptions, timing
libzri_a_SOURCES += cpu/cpu.c cpu/psw.c cpu/storage.c cpu/tlb.h cpu/tlb.c cpu/dat.h cpu/dat.c cpu/art.c cpu/access.c \
	cpu/interrupt.c cpu/timing.c cpu/per.h cpu/per.c cpu/registers.def cpu/registers.h cpu/registers.c cpu/status.c \
	cpu/bodies.h cpu/bind.c

# general instructions: fixed point, logical, shifts, branches, compares, loads
libzri_a_SOURCES += cpu/general.h cpu/general_load.c cpu/general_conditional.c cpu/general_arith.c \
  cpu/general_add_logical.c cpu/general_multiply.c cpu/general_logical.c cpu/general_shift.c cpu/general_compare.c \
  cpu/general_compare_branch.c cpu/general_branch.c

# general instructions: storage-to-storage, strings, translate, conversions, interlocked update
libzri_a_SOURCES += cpu/operand.h cpu/operand.c cpu/move.c cpu/move_long.c cpu/compare_storage.c cpu/string.c \
	cpu/translate.c cpu/unicode.c cpu/convert.c cpu/interlocked.c cpu/plo.c cpu/tree.c

# floating point
libzri_a_SOURCES += cpu/bfp.h cpu/bfp.c cpu/float.h cpu/bfp_body.c cpu/float_support.c

# decimal instructions
libzri_a_SOURCES += cpu/decimal.h cpu/decimal.c

# control instructions
libzri_a_SOURCES += cpu/control.h cpu/control_psw.c cpu/control_clock.c cpu/control_info.c cpu/control_dat.c \
	cpu/control_key.c cpu/control_space.c cpu/control_misc.c cpu/control_asn.c cpu/control_trace.c cpu/control_stack.c \
	cpu/control_linkage.c cpu/control_branch.c cpu/control_page.c cpu/io.c cpu/adapter.c

# run-time instrumentation
libzri_a_SOURCES += cpu/ri.c cpu/ri_glue.c cpu/ri_glue.h

# CPU-measurement facilities
libzri_a_SOURCES += cpu/measurement.h cpu/measurement.c

# transactional execution
libzri_a_SOURCES += cpu/tx.h cpu/tx.c cpu/guarded.h cpu/guarded.c

# assists
libzri_a_SOURCES += cpu/compression.c cpu/sort.c cpu/deflate.h cpu/deflate.c cpu/deflate_code.c cpu/deflate_match.c \
	cpu/deflate_compress.c cpu/deflate_expand.c

# engines
libzri_a_SOURCES += cpu/execute.c cpu/engine/internal.h cpu/engine/engine.c cpu/engine/reference.c cpu/engine/block.h \
	cpu/engine/handlers.h cpu/engine/tuning.h cpu/engine/ops.def cpu/engine/block.c cpu/engine/decode.c cpu/engine/op_register.c \
	cpu/engine/op_storage.c cpu/engine/op_ss.c cpu/engine/op_branch.c cpu/engine/op_generic.c cpu/engine/op_execute.c cpu/engine/lockstep.c \
	cpu/engine/ops_float.def cpu/engine/op_float.h cpu/engine/op_float.c \
	cpu/engine/op_vector.h cpu/engine/op_vector.c cpu/engine/op_vector_float.c cpu/engine/op_extended.c cpu/engine/op_hex.c

# floating-point loads and stores (promised by the long-displacement facility)
libzri_a_SOURCES += cpu/float_load.c

# vectors
libzri_a_SOURCES += cpu/vector.h cpu/vector_lanes.h cpu/vector_load.c cpu/vector_support.c cpu/vector_integer.c \
	cpu/vector_multiply.c cpu/vector_shift.c cpu/vector_string.c cpu/vector_float.h cpu/vector_float.c \
	cpu/vector_convert.c cpu/vector_decimal.h cpu/vector_decimal.c cpu/vector_zoned.c

# decimal floating point
libzri_a_SOURCES += cpu/dfp.h cpu/dfp_internal.h cpu/dfp_format.c cpu/dfp.c cpu/dfp_library.c cpu/dfp_body.h \
	cpu/dfp_body.c cpu/dfp_convert.c

# hexadecimal floating point
libzri_a_SOURCES += cpu/hfp.h cpu/hfp.c cpu/hfp_body.c

# conversion between the radices
libzri_a_SOURCES += cpu/big.h cpu/big.c cpu/radix.h cpu/radix.c cpu/pfpo.c
# message-security assist
libzri_a_SOURCES += cpu/activity.h cpu/activity.c
libzri_a_SOURCES += cpu/crypto.h cpu/crypto.c cpu/crypto_cipher.c cpu/crypto_digest.c cpu/crypto_compute.c cpu/crypto_auth.c \
	cpu/crypto_random.c cpu/crypto_curve.h cpu/crypto_curve.c cpu/crypto_sign.c
