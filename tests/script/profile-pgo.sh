#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A profile that does some good: a program is compiled, run on zri with --profile-out, compiled again by clang with that
# profile, and takes fewer branches; what both say is the same. As doc/profiles-by-example.txt tells it.
. "${srcdir:-.}/tests/lib.sh"
here=${srcdir:-.}/tests/script
prof=$(dirname "$zri")/zri-prof
compile() # OUTPUT OPTIONS...
{
    to=$1
    shift
    clang --target=s390x-linux-gnu -static -O2 -march=z13 -gmlt -fdebug-info-for-profiling "$@" -o "$work/$to" \
        "$here/profile-pgo.c" 2>"$work/$to.said"
}
command -v clang >/dev/null || skip "no clang"
compile first || skip "clang cannot make programs for s390x here: $(head -n 1 "$work/first.said")"
"$prof" export --format llvm --symbols "$work/first" /dev/null 2>&1 | grep -q 'without-libdw\|with-libdw' && skip "this build has no libdw"

run() # PROGRAM OPTIONS...: what it says in PROGRAM.out
{
    program=$1
    shift
    "$zri" --batch --run "$work/$program" --append 1000000 "$@" >"$work/$program.out" 2>"$work/$program.end" ||
        fail "$program: exit status $?, $(cat "$work/$program.end")"
}
taken() { awk '$1 == "E" && $6 == "T" { n += $7 } END { print n + 0 }' "$work/$1"; }
part 'EP-T12 clang takes the profile of a run, and the second program takes fewer branches'
run first --profile-out "$work/first.prof" --profile-exact "$work/first.exact"
"$prof" export --format llvm --symbols "$work/first" "$work/first.prof" >"$work/first.llvm" || fail "export: exit status $?"
grep -q '^main:[0-9]*:[0-9]*$' "$work/first.llvm" || fail "no function main: $(head -n 3 "$work/first.llvm")"
if command -v llvm-profdata >/dev/null; then
    llvm-profdata show --sample "$work/first.llvm" >"$work/shown" 2>&1 && grep -q 'Function: main' "$work/shown" ||
        fail "llvm-profdata: $(head -n 3 "$work/shown")"
fi
compile second -fprofile-sample-use="$work/first.llvm" || fail "clang refuses the profile: $(head -n 3 "$work/second.said")"
[ ! -s "$work/second.said" ] || fail "clang: $(head -n 3 "$work/second.said")"
run second --profile-exact "$work/second.exact"
cmp "$work/first.out" "$work/second.out" >&2 || fail "the second program says something else"
before=$(taken first.exact) after=$(taken second.exact)
echo "taken branches: $before without a profile, $after with it"
[ "$after" -lt $((before * 8 / 10)) ] || fail "taken branches: $before before, $after after"
part 'EP-T12 and the pipeline model mispredicts fewer of its branches'
printf 'g\nctr show BR_MISP\n' >"$work/count"
missed() # PROGRAM: completed branches that the model mispredicted
{
    "$zri" --run "$work/$1" --append 100000 --pipe zlarge --script "$work/count" 2>&1 </dev/null | awk '$1 == "BR_MISP" { print $3 }'
}
before=$(missed first) after=$(missed second)
echo "mispredicted, profile zlarge: $before without a profile, $after with it"
[ "${before:-0}" -gt 0 ] && [ "${after:-$before}" -lt "$before" ] || fail "mispredicted: $before before, $after after"
finish "a program compiled with the profile of its run"
