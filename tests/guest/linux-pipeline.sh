#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A Linux guest with the pipeline model and without: from the same snapshot, some tens of millions of instructions up to its
# powering off end in the same machine to the last bit: storage, storage keys, registers, clocks, devices, what it printed.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
[ -n "$have_ri" ] || skip "no cross compiler for s390x"
if short; then skip "too slow a build"; fi
cat >"$work/mark.S" <<'END'
    .section .mark, "ax"
    .globl _start
_start:
    lghi 2, 0
    svc 1
END
"$cross" -nostdlib -static -Wl,--section-start=.mark=0x7000000 -o "$work/mark" "$work/mark.S" 2>"$work/cross" || skip "$(head -n 1 "$work/cross")"
cat >"$work/marked" <<'END'
#!/bin/busybox sh
/bin/mark
awk 'BEGIN { for (i = 1; i <= 3000; i++) { n += i * i % 7; x += 1 / i } printf "%d %.9f\n", n, x }'
seq 1 300 | gzip -c | gunzip -c | sort -r | md5sum
END
chmod +x "$work/marked"
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/mark" "$work/marked"
# Both are told of a change of authorization, so that the guest has the same to do; the extended set stays unauthorized.
printf '%s\n' 'b 7000004' g "snapshot save $work/mark.zs" >"$work/boot.zc"
printf '%s\n' 'engine reference' 'ctr auth e' g "snapshot save $work/off.zs" >"$work/off.zc"
printf '%s\n' 'ctr auth e' 'ctr on teach' g 'ctr status' 'ctr off' "snapshot save $work/on.zs" >"$work/on.zc"
# shellcheck disable=SC2086
"$zri" $quick --script "$work/boot.zc" --seconds 600 -m 128M --kernel "$kernel" --initrd "$work/initrd" --append 'nokaslr zri.run=/bin/marked' \
    >"$work/boot" 2>&1 </dev/null
[ -s "$work/mark.zs" ] || fail "the guest does not come to its mark: $(tail -n 2 "$work/boot")"

part 'EC-71 a Linux guest ends in the same machine'
for way in off on; do
    "$zri" --script "$work/$way.zc" --seconds 600 --snapshot "$work/mark.zs" >"$work/$way" 2>&1 </dev/null
    grep -q 'the guest powered off' "$work/$way" || fail "$way: $(tail -n 3 "$work/$way")"
    gzip -dc <"$work/$way.zs" >"$work/$way.raw"
    grep -v -e '^CPU 0: the pipeline model' "$work/$way" >"$work/$way.said"
done
completed=$(sed -n 's/.* cycles, \([0-9]*\) instructions completed.*/\1/p' "$work/on")
echo "the model completed $completed instructions"
[ "${completed:-0}" -gt 10000000 ] || fail "the model was off"
[ "$(wc -c <"$work/off.raw")" -gt 1000000 ] && cmp "$work/off.raw" "$work/on.raw" >&2 || fail "the machines differ"
diff "$work/off.said" "$work/on.said" >&2 || fail "the guest printed something else"
finish "a Linux guest does not notice the pipeline model"
