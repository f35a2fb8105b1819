#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's unmodified kernel on a machine without PCI functions and adjunct processors: its drivers find the facilities and
# nothing behind them; a program gets hypervisor information, asks the logical processors and counts digests. The ultravisor has no guests.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
[ -n "$have_ri" ] || skip 'no cross compiler for s390x here'
"$cross" -static -O2 -march=z196 -o "$work/linux-adapters" "$here/linux-adapters.c" || exit 1
cat >"$work/look" <<'END'
#!/bin/sh
for f in /sys/bus/ap/ap_max_adapter_id /sys/bus/ap/ap_adapter_mask /sys/firmware/uv/prot_virt_guest \
    /sys/firmware/uv/prot_virt_host; do
    echo "look: ${f##*/} $(cat $f)"
done
echo "look: devices $(ls /sys/bus/ap/devices /sys/bus/pci/devices | grep -c '^[0-9c]')"
END
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/linux-adapters" "$work/look"
words='nokaslr zri.run=/bin/linux-adapters zri.run=/bin/look'
boot adapters -m 128M --cpus 3 --kernel "$kernel" --initrd "$initrd" --append "$words"
good_end adapters
says adapters 'linux-adapters: PASS'
says adapters 'linux-adapters: type 3931'
says adapters 'linux-adapters: partition ZRI.....'
says adapters 'linux-adapters: CPUs 3 3'
says adapters 'linux-adapters: logical processors a000000000000000'
says adapters 'linux-adapters: list 32 bytes, response 0010'
case $("$zri" --list-missing) in
*'kimd '*) says adapters 'linux-adapters: no cryptography counters' ;; # built without nettle
*) says adapters 'linux-adapters: digests 1000 0' ;;
esac
says adapters 'look: ap_max_adapter_id 63'
says adapters 'look: prot_virt_guest 0'
says adapters 'look: devices 0'
for word in 'zpci: PCI is not supported' 'does not support AP' 'zri-init: status 1'; do
    ! grep -q "$word" "$work/adapters" || fail "adapters: $word"
done

enough 'no adapter is there, and Linux knows it'

# Without the facilities Linux says so.
boot none -m 128M --facility -12,-15,-65,-69,-71,-72,-240 --kernel "$kernel" --initrd "$initrd" --append nokaslr
good_end none
says none 'zpci: PCI is not supported'
says none 'does not support AP'
finish 'no adapter is there, and Linux knows it'
