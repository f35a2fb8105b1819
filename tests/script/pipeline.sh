#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pipeline model in a machine: it changes nothing that a guest sees, and what the console shows of it.
. "${srcdir:-.}/tests/lib.sh"
src=$(cd "${srcdir:-.}" && pwd)
cd "$work" || exit 99

cat >small.uarch <<'END'
base = teach
ct_entries = 7
group_size = 3
predictor = tage
ras_entries = 4
wp_exception = 1
fetch_buffer = 5
END

# Cases whose subject is what the counters say, or that there is no extended set without the model.
allowed='EC-104 QUERY COUNTER INFORMATION
EC-105 EC-106 Disabled sets are zero
EC-105 EC-120 What LCCTL accepts
EC-119 
EC-132 EC-134 EC-135 EC-103 An interval outside the limits'
printf '%s\n' "$allowed" >allowed

part 'EC-71 EC-35 EC-235 the instruction tests end alike with every profile'
for profile in teach zlarge ./small.uarch; do
    "$zri" --pipe $profile --test "$src"/tests/script/*.zt "$src"/tests/script/generated/*.zt >out 2>&1
    [ $? -le 1 ] || fail "$profile: exit status, $(tail -1 out)"
    grep -v '^[0-9]* passed, ' out | grep -v -F -f allowed >rest && fail "$profile: $(head -3 rest)"
    [ "$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' out)" -gt 15000 ] || fail "$profile: $(tail -1 out)"
done

part 'EC-71 EC-70 a whole run: output, registers and all storage with and without'
run() # NAME OPTIONS...
{
    name=$1
    shift
    "$zri" --demo --batch --engine reference --limit 3000000 --savecore "$name.core:0-3FFFFFF" "$@" >"$name.out" 2>"$name.err"
    echo "exit status $?" >>"$name.out"
}
run off
[ -s off.out ] || fail "the demonstration says nothing: $(cat off.err)"
for profile in teach zlarge ./small.uarch; do
    run on --pipe $profile
    cmp -s off.out on.out || fail "$profile: other output, $(head -2 on.err)"
    cmp -s off.err on.err || fail "$profile: other end, $(cat on.err)"
    cmp -s off.core on.core || fail "$profile: other storage"
done

part 'EC-200 what does not go together is refused'
refused() # WORDS OPTIONS...
{
    words=$1
    shift
    if "$zri" --batch "$@" >out 2>&1; then fail "$*: accepted"; fi
    grep -q "$words" out || fail "$*: $(cat out)"
}
refused 'there is no profile .big. of the pipeline model; teach and zlarge are built in' --pipe big --demo
refused 'cannot open the profile' --pipe ./none.uarch --demo
refused 'the block engine has no pipeline model' --pipe teach --lockstep --demo
echo 'ct_entries = 3' >bad.uarch
refused './bad.uarch, line 1: not possible: 3; ct_entries is 4 to 256' --pipe ./bad.uarch --demo
echo 'machine = 1234' >bad.uarch
refused 'it is for machine type 1234' --pipe ./bad.uarch --demo
finish "the pipeline model changes nothing"
