#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The managed run-time as a program under Debian's unmodified kernel, on libri: it computes what the bare one and its model do, finds
# what is hot, makes no system call while it profiles itself, and tells the share of its instructions that this takes, beside that
# of software counters. Without the facility, or with a buffer that is no good, it says so and goes on.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
[ -n "$have_ri" ] || skip 'no cross compiler for s390x here'
model=${MODEL:-tests/mr/model}
make -s -f "${srcdir:-.}/ipl/guest/mrvm/linux.mk" TOP="${srcdir:-.}" CC="$cross" OUT="$work/mrvm" || fail 'it cannot be built'

# What the guest does: each line is one run, its lines behind the word "run" and its words.
cat >"$work/runs" <<'END'
#!/bin/busybox sh
run() { echo "run $*"; mrvm "$@"; echo "ended $*: $?"; }
for mode in $(sed 's/.* zri.modes=\([^ ]*\).*/\1/; s/,/ /g' /proc/cmdline); do
    for prog in $(sed 's/.* zri.progs=\([^ ]*\).*/\1/; s/,/ /g' /proc/cmdline); do run mode=$mode prog=$prog iters=3; done
done
run mode=ri prog=shapes iters=40
run share=1 prog=shapes iters=20
run mode=ri prog=tiny pb=0x300100
run mode=ri prog=tiny m=9
run mode=fast prog=tiny
run mode=ri prog=twin
run share=2 prog=tiny
END
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/mrvm" "$work/runs"
lines() # NAME WORDS: what that run said
{
    tr -d '\r' <"$work/$1" | sed -n "/^run $2\$/,/^ended $2: /p"
}
boots() # NAME MODES PROGS OPTIONS...
{
    name=$1 modes=$2 progs=$3
    shift 3
    boot "$name" -m 128M --kernel "$kernel" --initrd "$initrd" --append "nokaslr zri.modes=$modes zri.progs=$progs zri.run=/bin/runs" "$@"
    good_end "$name"
}
computes() # NAME WORDS MODEL-WORDS: the run ended well, its checksum is the model's
{
    sum=$("$model" $3) || fail "the model: $3"
    lines "$1" "$2" | grep -q "^END .* checksum=$sum .* lost=0 .* svc=0 " || fail "$1: $2: $(lines "$1" "$2" | tail -n 2)"
    says "$1" "ended $2: 0"
}
judged() # NAME: what holds wherever there is run-time instrumentation
{
    computes "$1" 'mode=ri prog=shapes iters=40' 'shapes 40'
    lines "$1" 'mode=ri prog=shapes iters=40' >"$work/hot"
    grep -q '^LINUX unit=tod instructions=[1-9][0-9]* sealed=1$' "$work/hot" || fail "$1: $(grep '^LINUX' "$work/hot")"
    grep -q '^TIER .* name=Scene.visit from=T0 to=T1 why=emit:' "$work/hot" || fail "$1: nothing goes from T0 to T1"
    grep -q '^TIER .* name=Scene.visit .* to=T2 .* inl=Circle.area@0x17' "$work/hot" || fail "$1: nothing is inlined"
    lines "$1" 'share=1 prog=shapes iters=20' | grep '^SHARE' | tee "$work/shares"
    sum=$("$model" shapes 20)
    awk -v sum="checksum=$sum" '{ sub("share=", "", $4); share[$2] = $4 + 0; right += $NF == sum; sub("groups=", "", $5); groups[$2] = $5 + 0 }
        END { exit !(right == 3 && share["mode=t1-ri"] > 0.5 && share["mode=t1-ri"] < 3 && groups["mode=t1-ri"] > 300 &&
                     share["mode=t1-counter"] >= 2 * share["mode=t1-ri"]) }' "$work/shares" || fail "$1: the shares are no good"
    says "$1" 'RI state=off why=buffer'
    says "$1" 'RI state=off why=block'
    for words in 'mode=fast prog=tiny' 'mode=ri prog=twin' 'share=2 prog=tiny'; do
        lines "$1" "$words" | grep -q '^usage: mode=none-i|' || fail "$1: $words: $(lines "$1" "$words")"
        says "$1" "ended $words: 1"
    done
}

part 'MR-25 MR-28 MR-31 AF7 AF8 AF15 AF18 under Linux, with no system call while it runs'
boots one ri,counter tiny
for mode in ri counter; do computes one "mode=$mode prog=tiny iters=3" 'tiny 3'; done
judged one
"$zri" --batch --seconds 300 --append 'mode=ri prog=tiny iters=3' builtin:mrvm >"$work/bare" 2>"$work/bare.end"
grep -q 'no built-in image' "$work/bare.end" ||
    [ "$(grep -o 'checksum=[0-9a-fx]*' "$work/bare")" = "$(lines one 'mode=ri prog=tiny iters=3' | grep -o 'checksum=[0-9a-fx]*')" ] ||
    fail "bare and under Linux: $(tail -n 1 "$work/bare")"

part 'without the facility it says so and goes on'
boots none ri tiny --facility -64
computes none 'mode=ri prog=tiny iters=3' 'tiny 3'
lines none 'mode=ri prog=tiny iters=3' | grep -q '^RI state=off why=absent' || fail 'none: it does not say that there is none'
enough 'the managed run-time runs on libri as on its own nucleus'

part 'every mode and program; on two CPUs'
all=none-i,none-b,counter,counter-g,ri,oracle,t1-plain,t1-counter,t1-ri,t1-direct,exact
boots every $all tiny,flat
for mode in $(echo $all | tr , ' '); do
    for prog in tiny flat; do computes every "mode=$mode prog=$prog iters=3" "$prog 3"; done
done
boots two ri tiny --cpus 2
judged two
finish 'the managed run-time runs on libri as on its own nucleus, in every mode'
