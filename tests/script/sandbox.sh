#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --sandbox: guests, disks and threads run as without it, features that need more are refused by name, and nothing can be
# opened. Without libseccomp it says so, and no run gains privileges all the same.
set -u
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
"$zri" --batch builtin:demo >good 2>err || skip "this zri has no built-in images"
printf 'abs 0=0000000180000000 0000000000000200\nasm 200 j 0x200\nsavecore loop 0 2FF\n' >script
"$zri" --script script >out 2>&1 </dev/null || fail "no loop: $(cat out)"

# state OPTIONS...: what the host says of a run without end
state()
{
    "$zri" --batch --seconds 30 "$@" loop >out 2>err </dev/null &
    id=$! left=200
    until grep -q '^NoNewPrivs:.*1$' "/proc/$id/status" || [ $((left -= 1)) -lt 0 ]; do sleep 0.1; done
    sleep 0.3
    grep -E '^(NoNewPrivs|Seccomp):' "/proc/$id/status" | tr -d '\t\n'
    kill $id
    wait $id
}
refused() # WORDS OPTIONS...
{
    words=$1
    shift
    "$zri" --batch --sandbox "$@" builtin:demo >out 2>err
    status=$?
    [ $status -eq 2 ] || fail "$*: exit status $status, not 2"
    grep -q -- "zri: --sandbox: .*$words" err || fail "$* does not say '$words': $(cat err)"
    [ ! -s out ] || fail "$*: the guest ran"
}

[ -r /proc/self/status ] || skip "this host shows no processes"
"$zri" --batch --sandbox builtin:demo >out 2>err
status=$?
if grep -q 'built without libseccomp' err; then
    [ $status -eq 2 ] || fail "without libseccomp: exit status $status, not 2"
    case $(state) in NoNewPrivs:1*) ;; *) fail "a run may gain privileges: $(state)" ;; esac
    finish "no filters in this build, which says so"
fi
[ $status -eq 0 ] || fail "the demonstration in a sandbox: exit status $status: $(cat err)"
cmp -s good out || fail "the demonstration says something else in a sandbox"
for options in "" "--sandbox"; do
    # shellcheck disable=SC2086
    found=$(state $options)
    [ "$found" = "NoNewPrivs:1Seccomp:2" ] || fail "'$options': the host says $found"
done

# what a guest may need
truncate -s 1M disk
"$zri" --batch --sandbox --cpus 3 --threads --disk disk --ri-log log builtin:demo >out 2>err || fail "threads: $(cat err)"
"$zri" --batch --ri-log log2 builtin:demo >out 2>err
[ "$(wc -c <log)" -eq "$(wc -c <log2)" ] || fail "the RI log is another one in a sandbox"

refused savecore --savecore core:0-FFF
refused script --script script
"$zri" --batch --net user builtin:demo >out 2>err && refused network --net user
[ ! -e core ] || fail "a refused run leaves a file"

# the console runs, and opens nothing
printf 'psw\nlog now\npsw\n' | "$zri" --sandbox --stop loop >out 2>err
grep -q 'commands that open files' err || fail "the console does not say what will fail: $(cat err)"
grep -q "cannot write the log 'now': Operation not permitted" out || fail "a file is opened: $(cat out)"
[ "$(grep -c '^PSW=' out)" -eq 2 ] || fail "the console does not go on: $(cat out)"
[ ! -e now ] || fail "a file is made"
finish "guests in a sandbox"
