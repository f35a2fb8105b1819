#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One list for each fact: no number of a facility outside disasm/facilities.def, no bit of a control register outside
# cpu/state/control_registers.def, and there each once; and displays of the console, which are written once by show.h, do not
# ask whether they are shown as JSON. Names file and line of what stands elsewhere.
set -eu
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)

# Lines of the C below the folder $1 that break a rule, one rule after the other.
look()
{
    (
        cd "$1"
        {
            # facilities: a name is given a number, or a number is asked for
            grep -rnE --include='*.[ch]' '#define +FACILITY_[A-Z0-9_]+ +[0-9(]|[{,] *FACILITY_[A-Z0-9_]+ *= *[0-9]' . || :
            grep -rnE --include='*.[ch]' 'cpu_facility\([^,()]*(\([^()]*\)[^,()]*)*, *[0-9]|[>.]facility *[!=]= *[0-9]' . || :
            # control registers: a name is given a bit, or a bit without name is looked at
            grep -rnE --include='*.[ch]' '#define +CR[0-9]+_[A-Z0-9_]+ +[^A-Z]*(BIT64|UINT64_C|0x|[0-9])' . || :
            grep -rnE --include='*.[ch]' '[{,] *CR[0-9]+_[A-Z0-9_]+ *=' . | grep -v '##' || :
            grep -rnE --include='*.[ch]' 'cr\[[0-9]+\] *& *[(~]*(BIT64\([0-9]|UINT64_C|0x)' . |
                grep -v '& ~UINT64_C(0xffffffff)) *|' || : # the right half is replaced
            grep -rnE --include='*.[ch]' 'field64\([^,]*cr\[[0-9]+\], *[0-9]' . || :
            # displays: one form or the other is asked for
            grep -rnE --include='*.c' '\<c->json\>' . | grep -vE 'c->json = |/(show|line)\.c:' || :
        } | sed 's|^\./||' | sort -u
    )
}

# Names and bits that the table of control registers has twice.
twice()
{
    sed -n 's/^CONTROL(\([0-9]*\), \([0-9]*\), \([0-9]*\), \([A-Z0-9_]*\), .*/\1 \2 \3 \4/p' "$1" | awk -v file="$1" '
        { name = $1 " " $4; if (name in names) print file ": CR" $1 "_" $4 " stands there twice"; names[name] = 1
          for (bit = $2; bit <= $3; bit++) {
              if (($1 " " bit) in bits) print file ": bit " bit " of control register " $1 " stands there twice"
              bits[$1 " " bit] = 1 }
          rows++ }
        END { if (rows < 50) print file ": only " rows " rows were understood" }'
}

status=0
table=$srcdir/cpu/state/control_registers.def

# The looks find what they look for.
seed=$(mktemp -d)
trap 'rm -rf "$seed"' EXIT
cat > "$seed/seed.c" <<'C'
#define FACILITY_SOMETHING 139u
enum { FACILITY_OTHER = 37 };
bool on = cpu_facility(cpu->sys, 64);
bool also = cpu_facility(&m->sys, 64);
bool row = row->facility == 67;
#define CR0_SOMETHING BIT64(8)
#define CR14_SOMETHING UINT64_C(0xc2000000)
enum { CR2_OTHER = 4 };
if (cpu->cr[12] & BIT64(0))
if (cpu->cr[12] & (BIT64(0) | BIT64(1)))
uint64_t kept = cpu->cr[5] & ~UINT64_C(0xff);
unsigned index = (unsigned)field64(cpu->cr[4], 32, 47);
if (c->json)
C
{ cat "$table"; echo 'CONTROL(0, 45, 45, TWICE, "")'; echo 'CONTROL(0, 63, 63, AFP, "")'; } > "$seed/twice.def"
found=$(look "$seed" | wc -l)
[ "$found" -eq "$(wc -l < "$seed/seed.c")" ] || { echo "of the seeded lines $found are found:"; look "$seed"; status=1; }
[ "$(twice "$seed/twice.def" | wc -l)" -eq 2 ] || { echo "seeded: a row that stands twice is not found"; status=1; }

for room in base disasm ri cpu ipl emu; do
    look "$srcdir/$room" | sed "s|^|$room/|"
done > "$seed/found"
twice "$table" >> "$seed/found"
if [ -s "$seed/found" ]; then
    cat "$seed/found"
    echo "facts: facilities belong into disasm/facilities.def (FACILITY_...), bits of control registers into" \
        "cpu/state/control_registers.def (CRn_...); use the names. Displays show facts by emu/console/base/show.h"
    status=1
fi
exit $status
