#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Snapshots and the past of a machine whose pipeline model is on: it goes on as if nothing had been, to the last counter.
. "${srcdir:-.}/tests/lib.sh"
src=$(cd "${srcdir:-.}" && pwd)
guests=$(cd "${GUESTS:-tests/guest}" 2>/dev/null && pwd)
cd "$work" || exit 99
cat >small.uarch <<'END'
base = zlarge
ct_entries = 9
group_size = 3
predictor = tage
ras_entries = 4
wp_exception = 1
l3_sets = 16
END
shows='ctr status
ctr show
ctr pmc
ctr table
ctr flushes 64
ctr caches
ctr caches l1d
ctr bp
ctr interval'
run() # OUT OPTIONS...: script.zc
{
    out=$1
    shift
    "$zri" --script script.zc "$@" >"$out" 2>&1 || fail "$*: exit status, $(tail -2 "$out")"
}
same() # FIRST SECOND: snapshots
{
    gzip -dc <"$1" >first.raw
    gzip -dc <"$2" | cmp - first.raw >&2 || fail "$profile: $1 and $2 differ"
}
counting='ctr pairs add CYCLES
ctr pairs add CSTALL_L1D
ctr select pv0 LOAD add
ctr select pv1 LD_BYTES write
ctr select PMC1 INST
ctr select PMC2 pv0
ctr select PMC3 pv1
ctr interval 1000'

part 'EC-49 EC-73 a snapshot in the middle of a loop changes nothing, and what is made from it goes on alike'
for profile in teach zlarge ./small.uarch; do
    printf '%s\n' "script $src/doc/speculation.zc" "$counting" 's 7001' "$shows" g "snapshot save whole.zs" >script.zc
    run whole.out --storage 1M --pipe $profile
    printf '%s\n' "script $src/doc/speculation.zc" "$counting" 's 7001' 'snapshot save middle.zs' "$shows" g "snapshot save end.zs" >script.zc
    run first.out --storage 1M --pipe $profile
    same whole.zs end.zs
    printf '%s\n' 'snapshot load middle.zs' "$shows" g "$shows" 'snapshot save again.zs' >script.zc
    run second.out
    same whole.zs again.zs
    sed -n '/^CPU 0: the pipeline model/,/^ *[0-9]* *[0-9]* [0-9A-F]\{16\}/p' first.out >here
    sed -n '/^CPU 0: the pipeline model/,/^ *[0-9]* *[0-9]* [0-9A-F]\{16\}/p' second.out | head -n "$(wc -l <here)" | cmp - here >&2 ||
        fail "$profile: the restored machine shows something else"
    [ "$(sed -n 's/.* \([0-9]*\) of [0-9]* entries in the table.*/\1/p' here)" -gt 0 ] || fail "$profile: nothing was in flight"
    grep -q '^ *[0-9]* *[0-9]* [0-9A-F]\{16\} ' here || fail "$profile: no intervals"
    run third.out --snapshot middle.zs # beside the console
done

part 'EC-73 EC-74 of several CPUs, and with DAT and interruptions'
profile='two CPUs'
printf '%s\n' "script $src/doc/speculation.zc" 'ctr on ./small.uarch' 'cpu 1' 'psw 0000000180000000 10100' start 'cpu 0' 'b 10144 if %r1 = 64' g 'b- all' \
    'snapshot save middle.zs' 'cpu 1' 'ctr status' 'cpu 0' g 'snapshot save end.zs' >script.zc
run first.out --storage 1M --cpus 2
grep -q '^CPU 1: the pipeline model is on, profile small; .* [0-9]\{3,\} instructions completed, [1-9]' first.out || fail "CPU 1 has not run: $(tail -4 first.out)"
printf '%s\n' 'snapshot load middle.zs' g 'snapshot save again.zs' >script.zc
run second.out
same end.zs again.zs
for guest in dat interrupt; do
    profile=$guest
    [ -s "$guests/$guest.elf" ] || continue
    for at in 900 1501; do
        printf '%s\n' "load $guests/$guest.elf" 'ctr on ./small.uarch' 'ctr pairs add SMC' "s $at" 'snapshot save middle.zs' g "snapshot save end.zs" >script.zc
        run first.out --storage 16M
        printf '%s\n' 'snapshot load middle.zs' g 'snapshot save again.zs' >script.zc
        run second.out
        same end.zs again.zs
    done
done

part 'EC-73 the past: any place of it has the counters that it had'
for at in 12000 5001; do
    printf '%s\n' "script $src/doc/speculation.zc" 'ctr on zlarge' "$counting" "s $at" "$shows" >script.zc
    run there.out --storage 1M
    sed '1,/^CPU 0: the pipeline model/d' there.out >there
    printf '%s\n' "script $src/doc/speculation.zc" 'ctr on zlarge' "$counting" 'history on' 'b 10044 if %r1 = 5DC' g 'b- all' 'b 10044 if %r1 = 3E8' g \
        'b- all' g 'snapshot save end.zs' "goto $at" "$shows" \
        'rs 100' "goto $((at + 2))" 'rs 2' "$shows" g 'snapshot save again.zs' >script.zc
    run past.out --storage 1M
    awk -v n="$(wc -l <there)" '/^CPU 0: the pipeline model/ { got++; left = n; next } left-- > 0 { print > ("past" got) }' past.out
    cmp past1 there >&2 || fail "place $at: $(diff past1 there | head -4)"
    cmp past2 there >&2 || fail "place $at, stepped to: $(diff past2 there | head -4)"
    profile="place $at"
    same end.zs again.zs
done

part 'EC-73 the past has a model where it had one'
printf '%s\n' "script $src/doc/speculation.zc" 'history on' 's 5000' 'ctr on teach' 's 3000' 'ctr on ./small.uarch' 's 1000' 'goto 7000' 'ctr status' \
    'goto 4000' 'ctr status' >script.zc
run past.out --storage 1M
grep -q '^CPU 0: the pipeline model is on, profile teach; [0-9]* cycles, 2000 instructions completed' past.out || fail "teach: $(tail -4 past.out)"
grep -q '^CPU 0: the pipeline model is off' past.out || fail "off: $(tail -2 past.out)"
printf '%s\n' 'ctr on' 'ctr trace on x' 'history on' >script.zc
"$zri" --script script.zc --storage 1M >out 2>&1 && fail 'a past, and a log of the pipeline'
grep -q 'a log of the pipeline is being written; leave --pipe-out away, or end it (ctr trace off)' out || fail "$(tail -1 out)"
printf '%s\n' "script $src/doc/speculation.zc" 'ctr on teach' 'ctr pipe on' 'history on' 's 500' 'ctr pipe 9' 's 500' 'goto 500' 'rs 20' 's 20' 'ctr pipe 9' >script.zc
run pipe.out --storage 1M
grep -c '^[0-9]*w\{0,1\} 00000000000100' pipe.out >count
[ "$(cat count)" -ge 18 ] || fail "ctr pipe in the past: $(cat count) lines"

part 'EC-73 what does not go together is refused'
refused() # WORDS OPTIONS...
{
    words=$1
    shift
    if "$zri" --batch "$@" >out 2>&1; then fail "$*: accepted"; fi
    grep -q "$words" out || fail "$*: $(cat out)"
}
printf '%s\n' 'ctr on' 'ctr sample at=100 length=50' 'snapshot save on.zs' >script.zc
"$zri" --script script.zc --storage 1M >out 2>&1 && fail 'a snapshot with a plan of samples'
grep -q 'a plan of sampled use of the pipeline model is not saved; end it first (ctr sample off)' out || fail "$(tail -1 out)"
printf '%s\n' 'ctr on' 'ctr by 0-fff' 'history on' >script.zc
"$zri" --script script.zc --storage 1M >out 2>&1 && fail 'a past with counts by place'
grep -q 'by samples or by place, and that is not kept; end it' out || fail "$(tail -1 out)"
printf '%s\n' 'ctr on' 'snapshot save on.zs' >script.zc
run out --storage 1M
refused 'its pipeline model is on, which the block engine has not; leave --lockstep away' --lockstep --snapshot on.zs
refused 'turn it on by the console command ctr on' --pipe teach --snapshot on.zs
finish "snapshots and the past of the pipeline model"
