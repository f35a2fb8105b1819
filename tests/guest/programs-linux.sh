#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Static Linux programs (tests/programs/*.c, built by the s390x cross compiler) on the system-call nucleus, each on both
# engines: their output must be what the same source printed on another machine (tests/programs/*.expected, made by
# programs-linux.sh --store with the host's compiler), and what user-mode QEMU prints where it has the instructions. A
# program that meets an instruction of zri --list-missing is skipped, and the instruction named.
. "${srcdir:-.}/tests/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../programs
cross=${S390X_CC:-s390x-linux-gnu-gcc}
flags='-static -Wall -Wextra -ffp-contract=off'
list='decimal:-O2 -march=z10
bfp:-O2 -march=z10
vector:-O3 -march=z14
dfp:-O2 -march=z10 -mhard-dfp
deflate:-O2 -march=z15'

if [ "${1:-}" = --store ]; then # needs a compiler with decimal floating point, as gcc for x86-64 has it
    for name in decimal bfp vector dfp deflate; do
        ${CC:-gcc} -O2 -ffp-contract=off -fno-builtin-sqrt -o "$work/$name" "$programs/$name.c" -lm &&
            "$work/$name" >"$programs/$name.expected" || exit 1
    done
    exit 0
fi
command -v "$cross" >/dev/null || skip "no s390x C compiler here (gcc-s390x-linux-gnu)"
echo 'int main(void) { return 0; }' >"$work/empty.c"
"$cross" -static -o "$work/empty" "$work/empty.c" 2>/dev/null ||
    skip "no static C library for s390x here (libc6-dev-s390x-cross)"
"$zri" --batch --seconds 30 --run "$work/empty" >"$work/out" 2>"$work/end"
status=$?
grep -q 'no built-in image' "$work/end" && skip "zri was built without the system-call nucleus"
skipped=0 passed=0
[ $status -eq 0 ] || fail "an empty program: exit status $status, $(cat "$work/end")"

# The mnemonic with which $work/out ended in an operation exception, if zri says that it is missing.
missing()
{
    at=$(sed -n 's/^linux-user: program interruption 1 at //p' "$work/out")
    [ -n "$at" ] || return 1
    word=$(s390x-linux-gnu-objdump -d --stop-address="0x$at" "$1" | sed -n '$s/.*\t\([a-z0-9]*\)\t.*/\1/p')
    "$zri" --list-missing | awk -v word="$word" '$1 == word { found = 1 } END { exit !found }' && echo "$word"
}

try() # NAME ENGINE [OPTION]
{
    "$zri" --batch --engine "$2" ${3:+"$3"} --seconds 300 --run "$work/$1" >"$work/out" 2>"$work/end"
    status=$?
    if word=$(missing "$work/$1"); then
        skipped=$((skipped + 1))
        echo "skipped: $1 ($2): $word is not carried out yet"
    elif [ $status -ne 0 ]; then
        fail "$1 ($2): exit status $status, $(cat "$work/end"), last line: $(tail -n 1 "$work/out")"
    elif ! diff "$programs/$1.expected" "$work/out" >"$work/diff"; then
        fail "$1 ($2): other output than expected: $(head -n 6 "$work/diff")"
    else
        passed=$((passed + 1))
    fi
}

echo "$list" >"$work/list"
while IFS=: read -r name options; do
    # shellcheck disable=SC2086
    "$cross" $flags $options -o "$work/$name" "$programs/$name.c" -lm || {
        fail "$name: it cannot be compiled"
        continue
    }
    try "$name" block
    try "$name" reference
    [ "$name" != deflate ] || try deflate block --facility=-151 # it compresses and expands by itself
    case $name in bfp | vector)
        if command -v qemu-s390x >/dev/null; then
            qemu-s390x -cpu max "$work/$name" >"$work/qemu" 2>&1
            cmp -s "$work/qemu" "$programs/$name.expected" || fail "$name: QEMU prints something else than expected"
        fi ;;
    esac
done <"$work/list"

# Arguments, exit status, system calls that C libraries make, a fault.
cat >"$work/calls.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct utsname name;
    struct timespec now;
    char *big = malloc(5000000), *more = mmap(0, 300000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 1; i < argc; i++)
        printf("%d %s\n", i, argv[i]);
    memset(big, 1, 5000000);
    big = realloc(big, 9000000);
    printf("%d %d\n", big[4999999], more[299999]);
    printf("%d\n", munmap(more, 300000));
    printf("%s %s\n", uname(&name) ? "?" : name.sysname, name.machine);
    printf("%d\n", clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec > 1000000000);
    printf("%d %d\n", isatty(1), getchar());
    printf("%ld\n", syscall(444, 0));
    fflush(stdout);
    if (argc > 3)
        *(volatile int *)more = 1;
    return argc;
}
END
if "$cross" $flags -O1 -o "$work/calls" "$work/calls.c"; then
    printf 'linux-user: system call 444 is not known here: ENOSYS\n' >"$work/good" # the rest waits in stdio
    printf '1 one\n2 two\n1 0\n0\nLinux s390x\n1\n0 -1\n-1\n' >>"$work/good"
    "$zri" --batch --seconds 30 --run "$work/calls" --append 'one two' >"$work/out" 2>"$work/end"
    [ $? -eq 1 ] && grep -q 'BAD003$' "$work/end" || fail "calls: exit status: $(cat "$work/end")"
    diff "$work/good" "$work/out" || fail "calls: other output than expected"
    "$zri" --batch --seconds 30 --run "$work/calls" --append 'one two three' >"$work/out" 2>"$work/end"
    tail -n 1 "$work/out" | grep -q '^linux-user: program interruption 11 at .*, operand at ' && grep -q 'BAD111$' "$work/end" ||
        fail "calls: a store into what was given back: $(tail -n 1 "$work/out") $(cat "$work/end")"
else
    fail "calls: it cannot be compiled"
fi
echo "$passed runs as expected, $skipped skipped, $failed failed"
[ $failed -eq 0 ] || exit 1
[ $skipped -eq 0 ] || exit 77
