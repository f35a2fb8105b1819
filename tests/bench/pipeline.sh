#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the pipeline model costs: pipeline.sh DRIVER FOLDER [DIVISOR]. Five kernels on the reference engine without and with
# the model (zlarge, DAT off): millions of instructions a second, how many times slower, mispredictions in 1,000
# instructions, instructions of wrong paths for each; geometric means. Wanted: at least 8, at most 4 times slower, no kernel
# below 4.
driver=$1 folder=$2 divisor=${3:-4}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
command -v s390x-linux-gnu-as >/dev/null || { echo 'bench: s390x-linux-gnu-as is not here; install binutils-s390x-linux-gnu'; exit 77; }
for kernel in sieve matrix calls sort bytecode; do
    repeat=$(awk -v k=$kernel '$1 == k { print $2 }' "$folder/kernels.txt")
    s390x-linux-gnu-as -march=z15 -I"$folder" --defsym REPEAT=$((repeat / divisor)) -o "$work/k.o" "$folder/$kernel.S" &&
        s390x-linux-gnu-ld -Ttext=0x10000 -e _start -o "$work/k.elf" "$work/k.o" &&
        s390x-linux-gnu-objcopy -O binary -R '.note*' "$work/k.elf" "$work/$kernel" || exit 1
    without=$("$driver" -e reference "$work/$kernel") || exit 1
    with=$("$driver" -p zlarge "$work/$kernel") || exit 1
    echo "$kernel $(echo "$without" | sed -n 's/.* s, \([0-9.]*\) MIPS.*/\1/p') $(echo "$with" |
        sed -n -e 's/.* s, \([0-9.]*\) MIPS.*/\1/p' -e 's/.*cycles, \([0-9.]*\) .*each; \([0-9.]*\) .*/\2 \1/p' | tr '\n' ' ')"
done | awk '
    { printf "%-9s %5.1f MIPS, with the model %4.1f: %.1f times slower; %6.2f mispredictions in 1,000, %.3f of wrong paths for each\n",
        $1, $2, $3, $2 / $3, $4, $5
      a += log($2); b += log($3); if (!least || $3 < least) least = $3; n++ }
    END { printf "geometric mean %.1f MIPS, with the model %.1f: %.1f times slower; slowest %.1f\n",
        exp(a / n), exp(b / n), exp((a - b) / n), least }'
