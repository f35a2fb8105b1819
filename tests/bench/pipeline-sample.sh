#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What sampled use of the pipeline model brings: pipeline-sample.sh ZRI FOLDER [DIVISOR]. Kernels as they are for other
# benches, by DIVISOR, on the block engine with zlarge: once with the model all the time, once in intervals (10,000
# instructions every 2,000,000, behind 40,000 that warm and 2,000 that fill the pipeline). Printed: cycles for each
# instruction by both and the error of the samples, the error of the mispredictions, seconds of both, how many times faster.
zri=$1 folder=$2 divisor=${3:-4}
plan=at=1000001,every=2000000,warm=40000,lead=2000,length=10000
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
command -v s390x-linux-gnu-as >/dev/null || { echo 'bench: s390x-linux-gnu-as is not here; install binutils-s390x-linux-gnu'; exit 77; }
one() # OUT OPTIONS...: seconds of CPU time
{
    out=$1
    shift
    /usr/bin/env bash -c 'TIMEFORMAT="%U"; time "$@" 2>"$0"' "$work/said" "$zri" --batch --pipe zlarge --pipe-report "$out" "$@" \
        "$work/$kernel@10000" 2>&1 || { cat "$work/said" >&2; exit 1; }
}
for kernel in sieve matrix calls sort bytecode; do
    repeat=$(awk -v k=$kernel '$1 == k { print $2 }' "$folder/kernels.txt")
    s390x-linux-gnu-as -march=z15 -I"$folder" --defsym REPEAT=$((repeat / divisor)) -o "$work/k.o" "$folder/$kernel.S" &&
        s390x-linux-gnu-ld -Ttext=0x10000 -e _start -o "$work/k.elf" "$work/k.o" &&
        s390x-linux-gnu-objcopy -O binary -R '.note*' "$work/k.elf" "$work/$kernel" || exit 1
    whole=$(one "$work/whole.csv") || exit 1
    parts=$(one "$work/parts.csv" --pipe-sample $plan) || exit 1
    awk -F, -v kernel=$kernel -v whole="$whole" -v parts="$parts" '
        $1 == "total" && FILENAME ~ /whole/ { all[$5] = $7 }
        $1 == "sample" { some[$5] = $7 }
        END { print kernel, all["cycles"] / all["INST"], some["cycles"] / some["INST"], 1000 * all["BR_MISP"] / all["INST"],
            1000 * some["BR_MISP"] / some["INST"], whole, parts, some["intervals"], all["INST"] }' "$work/whole.csv" "$work/parts.csv"
done | awk '
    { error = 100 * ($3 / $2 - 1)
      printf "%-9s %.3f cycles each, by %d samples %.3f (%+.2f %%); %.2f and %.2f mispredictions in 1,000; %.2f and %.2f s: %.1f times faster (%.0f MIPS)\n",
          $1, $2, $8, $3, error, $4, $5, $6, $7, $6 / $7, $9 / $7 * 1e-6
      if (error < 0) error = -error
      if (error > worst) worst = error
      sum += error; faster += log($6 / $7); n++ }
    END { printf "error %.2f %% on average, %.2f %% at most; geometric mean %.1f times faster\n", sum / n, worst, exp(faster / n) }'
