#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where a CPU looks whether exception trace is attached: in interruptions, behind instructions that load a PSW or change
# the mode, where the engines look for interruptions anyway, where a system mask changes, and where clocks are set. The
# path of all other instructions has nothing of it.
# What it costs in time is measured by make bench-et.
. "${srcdir:-.}/tests/lib.sh"
src=${srcdir:-.}

part 'ET-2 nothing of exception trace is on the path of an instruction: in the source'
cat >"$work/wanted" <<'END'
cpu/control/interrupt.c
cpu/engine/block.c block_quiet
cpu/engine/engine.c run_on
cpu/engine/op_clock.c source
cpu/engine/op_generic.c changes_mode
cpu/engine/op_mask.c fewer
cpu/exec/system/internal.h control_told
cpu/exec/system/io.c
cpu/life/life.c
cpu/state/timing.c
END
# A line for each function with such a test; of files in which they are rare by nature, one for the file.
find "$src/cpu" -name '*.[ch]' ! -name 'exceptions.[ch]' -exec awk '
    /^[a-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /->exceptions/ { print FILENAME, name }' {} + | sed "s|^$src/||" |
    sed -e 's/^\(cpu\/control\/interrupt.c\|cpu\/life\/life.c\|cpu\/exec\/system\/io.c\|cpu\/state\/timing.c\) .*/\1/' |
    sort -u >"$work/is"
diff "$work/wanted" "$work/is" || fail "other places look at exception trace, or fewer: is one on the path of an instruction?"
grep -E -l '(^|[^a-z_])et_[a-z_]+\(' "$src"/cpu/exec/*/*.[ch] "$src"/cpu/engine/*.[ch] >"$work/is" &&
    fail "these call the unit themselves: $(cat "$work/is")"

part 'ET-2 nothing of exception trace is on the path of an instruction: in what was built'
if command -v nm >/dev/null && [ -f libzri.a ] && nm -A libzri.a >"$work/symbols" 2>/dev/null; then
    sed -n 's/^[^:]*:\([a-z_0-9-]*\)\.o: *U \(cpu_exceptions_[a-z_]*\)$/\1 \2/p' "$work/symbols" |
        grep -v -e '^css ' -e '^exception_' | sort >"$work/is"
    cat >"$work/wanted" <<'END'
branch cpu_exceptions_reload
engine cpu_exceptions_boundary
engine cpu_exceptions_look
interrupt cpu_exceptions_channel_report
interrupt cpu_exceptions_entry
interrupt cpu_exceptions_external
interrupt cpu_exceptions_floating
interrupt cpu_exceptions_restart
io cpu_exceptions_test
life cpu_exceptions_reset
misc cpu_exceptions_reload
psw cpu_exceptions_reload
stack cpu_exceptions_reload
END
    diff "$work/wanted" "$work/is" || fail "other objects call exception trace, or fewer"
else
    part_skipped "there is no nm, or no libzri.a that it can read"
fi
finish "exception trace is where interruptions are"
