#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's unmodified s390x kernel through its decompressor, up to the branch to the unpacked kernel:
#   1. on each engine what was unpacked equals the payload unpacked on the host, relocations applied; the reference engine,
#      for which this would be a minute, makes of the first and of the last millions of instructions what the others make;
#   2. with run-time instrumentation set from the console the samples name the unpacking loop;
#   3. without a facility that the kernel needs its own message appears, and it stops (spec/linux-boot.md LB-12).
# The short form is content with 2. and 3.: there the payload is looked at too.
set -u
. "${srcdir:-.}/tests/lib.sh"
here=${srcdir:-.}/tests/guest
image=${LINUX_IMAGE:-$(dirname "$zri")/tests/guest/linux_image}
kernel=$(sh "$here/fetch-kernel.sh") || exit 77
command -v xz >/dev/null || skip "no xz on this host to unpack the payload with"

# There are bytes behind the stream, which xz complains of after it has written everything.
"$image" payload "$kernel" | xz -dc --single-stream >"$work/payload" 2>/dev/null
size=$(wc -c <"$work/payload")
[ "$size" -gt 1000000 ] || {
    echo "FAIL: the payload could not be unpacked on the host"
    exit 1
}
last=$(printf '%X' $((0x100000 + size - 1)))
"$image" symbols "$kernel" >"$work/map" || fail "no routine names in the kernel image"

run() # NAME ENGINE [OPTIONS...]: the kernel, or what the options say; console commands on standard input
{
    cat >"$work/$1.script"
    name=$1 engine=$2
    shift 2
    [ $# -gt 0 ] || set -- --storage 512M --append nokaslr "$kernel"
    "$zri" --engine "$engine" --seconds 600 --script "$work/$name.script" "$@" >"$work/$name.out" 2>&1 </dev/null
    status=$?
    set -- "$name"
    [ $status -le 1 ] || [ $status -eq 3 ] || fail "$1: exit status $status: $(tail -3 "$work/$1.out")"
}
same()
{
    if "$image" compare "$kernel" "$work/payload" "$work/$1.core" >"$work/$1.compared"; then
        echo "$1: $(cat "$work/$1.compared")"
    else
        fail "$1: $(cat "$work/$1.compared"; tail -3 "$work/$1.out")"
    fi
    rm -f "$work/$1.core"
}

part 'LB-2 LB-10 LB-15 LB-16 the decompressor, on each engine; its loop is the one that is known'
if ! short; then
    run translate translate <<END
b 100000
g
savecore $work/translate.core 100000 $last
quit
END
    same translate
    count=$(sed -n 's/^breakpoint, \([0-9]*\) instructions so far$/\1/p' "$work/translate.out")
    [ "${count:-0}" -gt 500000000 ] || fail "no count of instructions: $(tail -n 3 "$work/translate.out")"
    for engine in block reference; do # behind 20,000,000 instructions
        run $engine-begin $engine --storage 512M --append nokaslr --limit 20000000 "$kernel" <<END
g
gpr
savecore $work/$engine-begin.core 0 1FFFFFF
END
    done
    cmp "$work/block-begin.core" "$work/reference-begin.core" || fail 'the engines differ behind the first instructions'
    diff "$work/block-begin.out" "$work/reference-begin.out" || fail 'the engines differ behind the first instructions'
    rm "$work"/*-begin.core
    run late translate --storage 512M --append nokaslr --limit $((count - 40000000)) "$kernel" <<END
g
snapshot save $work/late.zs
END
    if grep -q 'built without zlib' "$work/late.out"; then
        echo 'the reference engine has not tried the end: this zri was built without zlib'
    else
        run reference reference --snapshot "$work/late.zs" <<END
b 100000
g
savecore $work/reference.core 100000 $last
quit
END
        same reference
    fi
fi

# X'F4240' is 1,000,000.
run observed block <<END
symbols $work/map
b 100000
ri set V=1 Qs=1 Qc=1 M=1 F=1 C=1 R=1 B=1 RGS=1 SF=F4240 ROA=18000000 RCA=18000000 RLA=18FFFFFF
ri on
g
ri
savecore $work/observed.core 100000 $last
savecore $work/buffer 18000000 180FFFFF
quit
END
same observed
if "$image" hot "$kernel" "$work/buffer" >"$work/hot"; then
    sed 's/^/observed: /' "$work/hot" | head -6
    samples=$(sed -n '1s/ samples//p' "$work/hot")
    hottest=$(sed -n '2s/^ *[0-9]* //p' "$work/hot")
    [ "$samples" -gt 1000 ] || fail "only $samples samples"
    case $hottest in
    lzma_main | *lzma* | *dict* | *unlzma* | *inflate* | *LZ4* | *ZSTD*) ;;
    *) fail "the hottest routine is $hottest, not the unpacking loop" ;;
    esac
else
    fail "observed: no samples: $(tail -3 "$work/observed.out")"
fi

part 'LB-T1 LB-11 LB-12 a facility is missing: the kernel says so and stops'
for engine in block reference; do
    "$zri" --batch --storage 512M --engine "$engine" --facility=-34 --seconds 60 "$kernel" >"$work/denied" 2>"$work/end" \
        </dev/null
    status=$?
    [ $status -eq 1 ] || fail "without facility 34, $engine: exit status $status"
    grep -q 'Missing facilities: 34' "$work/denied" || fail "without facility 34, $engine: $(cat "$work/denied")"
    grep -q 'requires more recent processor hardware' "$work/denied" || fail "no message on $engine"
    [ "$(grep -c . "$work/denied")" -ge 4 ] || fail "fewer than four lines on $engine: $(cat "$work/denied")"
    grep -q 'disabled wait' "$work/end" || fail "without facility 34, $engine: $(cat "$work/end")"
done
finish "the kernel's decompressor runs; without facility 34 it says so and stops"
