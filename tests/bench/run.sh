#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench: guest programs of our own, timed on zri and, where installed, on qemu-system-s390x and hercules in the same
# run. Guest MIPS = instructions that zri counted / seconds of CPU time, so that a busy machine disturbs little. Columns:
# zri's engine of itself (the translator, where this build and host have it), its block and reference engines, the same
# program on a build without RI when ZRI_NO_RI=path/to/that/driver is given, the peers, the first column divided by each,
# and what run-time instrumentation costs at sample intervals of 10^6 to 10^3, in per cent of the time without.
# BENCH_INTERVALS names other sample intervals, or none.
# usage: run.sh DRIVER SOURCE-DIRECTORY [KERNEL...]
driver=$1 source=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
as=${S390X_AS:-s390x-linux-gnu-as} ld=${S390X_LD:-s390x-linux-gnu-ld} objcopy=${S390X_OBJCOPY:-s390x-linux-gnu-objcopy}
cc=${S390X_CC:-s390x-linux-gnu-gcc}
if ! command -v "$as" >/dev/null; then
    echo "bench: $as is not installed; install binutils-s390x-linux-gnu"
    exit 77
fi

link() { # address file; the objects are those of build
    # shellcheck disable=SC2086 # options are words
    "$ld" -Ttext="$1" -Tdata=0x40000 -Tbss=0x48000 -e _start -o "$2" "$work/s.o" $objects
}

build() { # name repeat [C source, options...]
    local name=$1 first=${3:+start} repeat=$2 c=${3:-} objects=
    shift $(($# < 3 ? $# : 3))
    if [ "$c" ]; then
        "$cc" -ffreestanding -fno-pic -fno-math-errno -fno-asynchronous-unwind-tables "$@" -c -o "$work/c.o" \
            "$source/$c" || return
        objects=$work/c.o
    fi
    "$as" -march=z15 -I"$source" --defsym REPEAT="$repeat" -o "$work/s.o" "$source/${first:-$name}.S" &&
        link 0x10000 "$work/zri.elf" && "$objcopy" -O binary -R .note* "$work/zri.elf" "$work/$name.bin" &&
        link 0x20000 "$work/$name.elf" # QEMU writes a command line over X'10480'
}

zri() { # options... image -> instructions and nanoseconds of the best of two
    local best= line n t
    for _ in 1 2; do
        line=$("${use:-$driver}" "$@") || { echo "0 0"; return; }
        n=$(sed -n 's/.*: \([0-9]*\) instructions.*/\1/p' <<<"$line")
        t=$(sed -n 's/.*instructions, \([0-9.]*\) s.*/\1/p' <<<"$line" | tr -d .)
        t=$((10#$t * 1000000))
        if [ -z "$best" ] || [ "$t" -lt "$best" ]; then best=$t; fi
    done
    echo "$n $best"
}

qemu_once() { # elf -> nanoseconds of CPU time, 0: it did not end well
    local TIMEFORMAT='%3U %3S' t
    t=$({ time timeout 60 qemu-system-s390x -M s390-ccw-virtio -cpu max -m 64 -nographic -nodefaults -kernel "$1" \
        </dev/null >/dev/null 2>&1 || echo bad; } 2>&1)
    case $t in
    *bad*) echo 0 ;;
    *) awk '{ printf "%d", ($1 + $2) * 1e9 }' <<<"$t" ;;
    esac
}

cpu_time() { # process -> nanoseconds of CPU time so far
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); printf "%d", ($12 + $13) * 1e9 / hz }' "/proc/$1/stat"
}

hercules_once() { # bin -> nanoseconds of CPU time up to the disabled wait, 0: it did not end well
    local t1=0 line good= pid
    cat >"$work/cfg" <<END
CPUMODEL 2964
MAINSIZE 64
NUMCPU 1
ARCHMODE z/Arch
OSTAILOR QUIET
000E 1403 $work/printer
END
    cat >"$work/rc" <<END
sysclear
loadcore $1 10000
r 1a0=0000000180000000
r 1a8=0000000000010000
restart
END
    mkfifo "$work/log"
    HERCULES_RC="$work/rc" timeout -s KILL 60 hercules -d -f "$work/cfg" </dev/null >"$work/log" 2>&1 &
    pid=$!
    while read -r line; do
        case $line in
        *HHCCP011I*) t1=$(cpu_time "$(pgrep -P $pid)") ;;
        *PSW=*)
            case $line in *0000000000000FFF*) good=1 ;; esac
            kill -TERM $pid 2>/dev/null
            break
            ;;
        esac
    done <"$work/log"
    kill -KILL "$(pgrep -P $pid)" $pid 2>/dev/null
    wait $pid 2>/dev/null
    rm -f "$work/log"
    [ "$good" ] && echo "$t1" || echo 0
}

mips() { # instructions nanoseconds
    [ "${2:-0}" -gt 0 ] && awk "BEGIN { m = $1 * 1000 / $2; printf m < 10 ? \"%.1f\" : \"%.0f\", m }" || echo -
}
ratio() { # a b
    case "$1$2" in
    *-*) echo - ;;
    *) awk "BEGIN { printf \"%.2f\", $1 / $2 }" ;;
    esac
}

build empty 1 || exit 2
engine=translate
"$driver" -e $engine "$work/empty.bin" >/dev/null 2>&1 || engine=block
have_qemu= have_hercules= base=0 hercules_base=0
if command -v qemu-system-s390x >/dev/null; then
    have_qemu=1
    for _ in 1 2 3; do
        t=$(qemu_once "$work/empty.elf")
        if [ "$base" = 0 ] || [ "$t" -lt "$base" ]; then base=$t; fi
    done
fi
if command -v hercules >/dev/null; then
    have_hercules=1
    for _ in 1 2 3; do
        t=$(hercules_once "$work/empty.bin")
        if [ "$hercules_base" = 0 ] || [ "$t" -lt "$hercules_base" ]; then hercules_base=$t; fi
    done
fi
row='%-9s %-10s %6s %6s %6s %6s %6s %6s %7s %7s  %7s %7s %7s %7s\n'
# shellcheck disable=SC2059
printf "$row" kernel kind zri block ref no-RI qemu herc. /qemu /herc. RI:10^6 10^5 10^4 10^3
while read -r name repeat kind c options; do
    case $name in '' | '#'*) continue ;; esac
    if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
    if [ "$c" ] && ! command -v "$cc" >/dev/null; then
        echo "$name: $cc is not installed; install gcc-s390x-linux-gnu"
        continue
    fi
    # shellcheck disable=SC2086 # options are words
    build "$name" "$repeat" $c $options || exit 2
    bin=$work/$name.bin
    read -r n t < <(zri -e $engine "$bin")
    [ "$n" = 0 ] && { echo "$name: did not end well on zri"; continue; }
    ours=$(mips "$n" "$t")
    read -r m u < <(zri -e block "$bin"); block=$(mips "$m" "$u")
    read -r m u < <(zri -e reference -n 10000000 "$bin"); reference=$(mips "$m" "$u")
    costs=()
    for interval in ${BENCH_INTERVALS-1000000 100000 10000 1000}; do
        read -r m u < <(zri -e $engine -r $interval "$bin")
        costs+=("$(awk "BEGIN { printf \"%+.0f%%\", 100 * $u / $t - 100 }")")
    done
    without=-
    if [ -n "${ZRI_NO_RI:-}" ]; then read -r m u < <(use=$ZRI_NO_RI zri -e $engine "$bin"); without=$(mips "$m" "$u"); fi
    qemu=-
    if [ $have_qemu ]; then
        q=$(qemu_once "$work/$name.elf")
        [ "$q" -gt "$base" ] && qemu=$(mips "$n" $((q - base)))
    fi
    hercules=-
    if [ $have_hercules ]; then
        t=$(hercules_once "$bin")
        [ "$t" -gt "$hercules_base" ] && hercules=$(mips "$n" $((t - hercules_base)))
    fi
    # shellcheck disable=SC2059
    printf "$row" "$name" "$kind" "$ours" "$block" "$reference" "$without" "$qemu" "$hercules" "$(ratio "$ours" "$qemu")" \
        "$(ratio "$ours" "$hercules")" "${costs[@]}"
done <"$source/kernels.txt"
