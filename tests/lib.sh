# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the test scripts have in common; to be read by a shell. It gives $zri (the program), $work (an empty folder, which goes
# away at the end) and the words below.
zri=${ZRI:-./zri}
case $zri in /*) ;; *) zri=$PWD/$zri ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
fail() # WORDS...: said and counted; the test goes on
{
    failed=$((failed + 1))
    echo "FAIL: $*"
}
skip() # WORDS...: why nothing is tested
{
    echo "skipped: $*"
    exit 77
}
# part 'LB-n ... words': a part of the test that proves requirements begins, and the one before ends. tests/matrix.sh finds
# what it proves in the line of the script, and what came of it in the line that is printed at its end.
part_name='' part_failed=0 part_number=0
part()
{
    part_end
    part_number=$((part_number + 1))
    part_name=$1
    part_failed=$failed
}
part_end()
{
    [ -z "$part_name" ] || if [ "$failed" -eq "$part_failed" ]; then
        echo "part passed: $part_name"
    else
        echo "part FAILED: $part_name"
    fi
    part_name=
}
part_skipped() # WORDS...: why it is not tested; in place of its end
{
    echo "$*"
    echo "part skipped: $part_name"
    part_name=
}
# In a slow build, one with sanitizers say, ZRI_SHORT asks long tests for a short form: one boot of each kind.
short() { [ -n "${ZRI_SHORT:-}" ]; }
enough() # WORDS...: as finish, where the short form ends; the parts behind count as skipped
{
    short || return 0
    part_end
    sed -n "s|^ *part '\(.*\)'\$|part skipped: \1|p" "$0" | tail -n "+$((part_number + 1))"
    finish "$* (short form)"
}
finish() # WORDS...: said when nothing has failed; the end of the test
{
    part_end
    [ $failed -ne 0 ] || echo "$*"
    exit $((failed != 0))
}
# same_on_translator SCRIPT OPTION...: it ends in the disabled wait FFF and says the same on the reference engine and by the
# translator, each in a folder of its own: $work/reference and $work/translate. Skips where there is no translator.
same_on_translator()
{
    script=$1
    shift
    for engine in reference translate; do
        mkdir "$work/$engine"
        (cd "$work/$engine" && "$zri" "$@" --engine $engine --seconds 60 --script "$script" >said 2>errors </dev/null)
        grep -q 'disabled wait, PSW 0002000180000000 0000000000000FFF' "$work/$engine/said" ||
            fail "$engine: $(tail -n 3 "$work/$engine/said" "$work/$engine/errors")"
    done
    ! grep -q 'without a translator\|no MOVBE' "$work/translate/errors" || skip "$(head -n 1 "$work/translate/errors")"
    diff "$work/reference/said" "$work/translate/said" >"$work/diff" || fail "said otherwise: $(head -n 4 "$work/diff")"
}
# every NAME [OPTION]...: the commands on standard input, by all engines; their outputs are alike, the last is in the file out
every()
{
    cat >"$work/commands.zc"
    name=$1
    shift
    for engine in reference block translate; do
        timeout 60 "$zri" --engine $engine "$@" --script "$work/commands.zc" >"$work/$engine" 2>&1 || fail "$name, $engine: $(cat "$work/$engine")"
        # A build without a translator says so, and goes on with blocks.
        sed -i '/without a translator\|no MOVBE/d' "$work/$engine"
        cmp "$work/reference" "$work/$engine" || fail "$name: $engine differs"
    done
    cp "$work/translate" "$work/out"
}
# Commands that put a program at 10000, which goes on at 10038: it makes page tables of a megabyte at 22000 and 22800, every
# page in the frame of its number, but in the second one page 30 in frame 40; and segment tables at 20000 and 21000 for them.
two_spaces()
{
    cat <<'END'
asm 10000 lgfi %r1,0x22000
asm 10006 lghi %r0,256
asm 1000a lghi %r2,0
asm 1000e stg %r2,0(%r1)
asm 10014 stg %r2,2048(%r1)
asm 1001a la %r1,8(%r1)
asm 1001e aghi %r2,4096
asm 10022 brctg %r0,0x1000e
asm 10026 lgfi %r1,0x22980
asm 1002c lgfi %r2,0x40000
asm 10032 stg %r2,0(%r1)
r 20000=0000000000022000
r 21000=0000000000022800
END
}
# heeds PID: zri, which is that process or was started as its child, has come so far that signals are requests to it.
heeds()
{
    heeds_left=400
    [ -e "/proc/$1/task/$1/children" ] || return 0 # not each host tells
    until [ ! -e "/proc/$1" ] ||
        for heeds_pid in "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            grep -q '^SigBlk:.*[4567cdef]...$' "/proc/$heeds_pid/status" 2>/dev/null && break
        done
    do
        heeds_left=$((heeds_left - 1))
        [ $heeds_left -gt 0 ] || return 0
        sleep 0.05
    done
}
# program_of FILE: the bytes of its lines of hexadecimal digits, without those that # begins
program_of()
{
    octal=$(grep -v '^#' "$1" | awk '
        BEGIN { for (i = 0; i < 256; i++) of[sprintf("%02x", i)] = sprintf("\\%03o", i) }
        { for (i = 1; i < length($0); i += 2) printf "%s", of[substr($0, i, 2)] }')
    # shellcheck disable=SC2059 # the octal numbers are for printf
    printf "$octal"
}
