# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += disasm/dis.h disasm/internal.h disasm/instructions.def disasm/formats.def disasm/operands.def \
	disasm/facilities.def disasm/table.c disasm/decode.c disasm/branch.c
