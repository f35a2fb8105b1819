# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += disasm/dis.h disasm/internal.h disasm/instructions.def disasm/formats.def disasm/operands.def \
	disasm/facilities.def disasm/facility.h disasm/facility.c disasm/mnemonics.def disasm/table.c disasm/operands.c disasm/decode.c disasm/branch.c \
	disasm/text.c disasm/assemble.c disasm/explain.h disasm/explain.c disasm/length.h \
	disasm/effects.def disasm/conditions.def disasm/exceptions.def
