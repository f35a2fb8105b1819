#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Text and assembler of every row against GNU objdump: random operands, then a real program.
#
#   objdump.sh [COUNT [SEED]]    COUNT random instructions of every row (20), SEED (1)
#
# ZRI_S390X_PROGRAM names an s390x ELF file for the second part. Without it busybox of Debian is fetched into
# ${ZRI_CACHE:-~/.cache/zri}; ZRI_OFFLINE=1 forbids that.
count=${1:-20} seed=${2:-1}
here=${srcdir:-$(dirname "$0")/../..}/tests/compare
ours=${ZRI_OBJDUMP_LIST:-tests/compare/objdump}
cross=s390x-linux-gnu-

if ! command -v ${cross}objdump >/dev/null || ! command -v ${cross}objcopy >/dev/null; then
    echo "SKIP: ${cross}objdump is not installed (package binutils-s390x-linux-gnu)"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Their text as "offset<TAB>text".
theirs() {
    ${cross}objdump -D -z -b binary -m s390:64-bit "$1" | awk -F'\t' '
        NF >= 3 { offset = $1; gsub(/[ :]/, "", offset); print offset "\t" $3 ($4 != "" ? "\t" $4 : "") }'
}

# compare OURS THEIRS: lines at the same offset; prints what the list of differences does not explain.
compare() {
    awk -F'\t' -v OFS='\t' '
        FILENAME == ARGV[1] {
            split($0, word, " ")
            if (word[1] == "unknown") unknown[word[2]] = 1
            if (word[1] == "text") pattern[++patterns] = word[2]
            next
        }
        FILENAME == ARGV[2] { offset = $1; sub(/^[^\t]*\t/, ""); mine[offset] = $0; next }
        $1 in mine {
            offset = $1; sub(/^[^\t]*\t/, "")
            compared++
            if ($0 == mine[offset]) next
            split(mine[offset], word, "\t")
            if ((word[1] in unknown) && /^\.(long|short)/) { explained++; next }
            for (i = 1; i <= patterns; i++) if ($0 ~ pattern[i]) { explained++; next }
            if (bad++ < 20) print "  " offset ": ours \"" mine[offset] "\", objdump \"" $0 "\""
        }
        END {
            printf "%d lines compared, %d differences explained, %d not\n", compared, explained, bad
            exit bad > 0 || compared == 0
        }' "$here/objdump.differences" "$1" "$2"
}

# random: every row, random operands and extended mnemonics; then every line of ours assembled.
status=0
"$ours" generate "$count" "$seed" >"$work/random" || exit 1
"$ours" list "$work/random" 16 >"$work/ours" || exit 1
theirs "$work/random" | awk -F'\t' '$1 ~ /0$/' >"$work/theirs"
echo "random operands, $count of every row, seed $seed:"
compare "$work/ours" "$work/theirs" || status=1
"$ours" assemble "$work/random" 16 || status=1

# program FILE: its instructions, one after the other.
program() {
    ${cross}objcopy -O binary -j .text "$1" "$work/text" || return 1
    "$ours" list "$work/text" >"$work/ours" || return 1
    theirs "$work/text" >"$work/theirs"
    echo "$1:"
    compare "$work/ours" "$work/theirs" || return 1
    "$ours" assemble "$work/text"
}

file=$ZRI_S390X_PROGRAM
[ -n "$file" ] || file=$("$here/fetch-s390x" busybox-static bin/busybox)
if [ -n "$file" ]; then
    program "$file" || status=1
else
    echo "real program: skipped, nothing fetched and ZRI_S390X_PROGRAM not set"
fi
exit $status
