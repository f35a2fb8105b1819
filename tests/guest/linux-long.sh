#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make check-linux: boots of Debian's kernel that take too long for make check. One word for each on the command line, or
# all: cpus storage engines clock threads consoles lpar reboot standby facilities
# by hand: part 'LB-3 LB-7 LB-18 LB-24 LB-28 LB-91 LB-97 LB-T4 LB-T10 long boots'
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
linux="--kernel $kernel --initrd $initrd"

cpus() # 1, 2, 4 and 8 CPUs in rotation
{
    for n in 1 2 4 8; do
        # shellcheck disable=SC2086
        boot cpus$n $linux --cpus $n -m 512M --append "zri.work${have_ri:+ zri.run=/bin/linux-ri}"
        good_end cpus$n
        check_work cpus$n
        says cpus$n "smp: Brought up 1 node, $n CPU"
        [ -z "$have_ri" ] || ri_passed cpus$n
    done
}
storage() # 48 MB, the least, to 8 GB, of which the host keeps what the guest touched
{
    for size in 48M 64M 128M 2G 8G; do
        # shellcheck disable=SC2086
        boot storage$size $linux -m $size --append zri.work &
        peak=0
        while kill -0 $! 2>/dev/null; do
            for p in $(pgrep -P $!); do
                mb=$(awk '/^VmHWM/ { print int($2 / 1024) }' /proc/$p/status 2>/dev/null)
                [ "${mb:-0}" -le $peak ] || peak=$mb
            done
            sleep 0.5
        done
        wait $!
        status=$?
        good_end storage$size
        check_work storage$size
        echo "storage $size: the host gave $peak MB"
        [ $peak -lt 1500 ] || fail "storage$size: $peak MB of the host"
    done
    mb=$(sed -n 's/^zri-init: started.*, \([0-9]*\) MB$/\1/p' "$work/storage8G")
    [ "${mb:-0}" -gt 7500 ] || fail "storage8G: $mb MB"
}
engines() # the same log and the same number of instructions on both engines, with one CPU and with two
{
    printf 'g\nclocks\nquit\n' >"$work/script"
    for n in 1 2; do
        for engine in reference block; do
            # shellcheck disable=SC2086
            "$zri" --seconds "${ZRI_SECONDS:-1000}" $linux --engine $engine --cpus $n -m 256M --script "$work/script" \
                >"$work/$engine$n" 2>"$work/$engine$n.end" </dev/null || fail "$engine$n: exit status $?"
            says $engine$n 'zri-init: the end'
            says $engine$n instructions
        done
        cmp "$work/reference$n" "$work/block$n" || fail "the engines' logs differ, $n CPUs"
    done
}
clock() # the host's clock
{
    # shellcheck disable=SC2086
    boot host $linux --clock host --cpus 2 -m 256M --append zri.work
    good_end host
    check_work host
}
threads() # a host thread for each CPU
{
    for n in 1 2 4 8; do
        # shellcheck disable=SC2086
        boot threads$n $linux --threads --cpus $n -m 256M --append "zri.work${have_ri:+ zri.run=/bin/linux-ri}"
        good_end threads$n
        check_work threads$n
        says threads$n "smp: Brought up 1 node, $n CPU"
        [ -z "$have_ri" ] || ri_passed threads$n hosts_clock
    done
}
consoles() # both at once, and each with the other's name
{
    for console in line ascii both; do
        for tty in ttyS0 ttysclp0; do
            # shellcheck disable=SC2086
            boot $console-$tty $linux --console $console -m 256M --append "console=$tty zri.work"
            good_end $console-$tty
            grep -q 'printk: console' "$work/$console-$tty" || fail "$console-$tty: no log"
        done
    done
    check_work line-ttyS0
    check_work ascii-ttysclp0
}
lpar()
{
    # shellcheck disable=SC2086
    boot lpar $linux --identity lpar -m 256M --append 'zri.info zri.work'
    good_end lpar
    check_work lpar
    says lpar 'Linux is running natively in 64-bit mode'
    says lpar 'LPAR Name:            ZRI'
    ! grep -q VM00 "$work/lpar" || fail 'lpar: it knows of a virtual machine'
}
reboot() # DIAGNOSE X'308': it comes up again
{
    start_typing again $linux -m 256M --append 'nokaslr zri.shell'
    if wait_for again 'zri# '; then
        type_line 'reboot -f'
        wait_for again 'zri-init: started' 2 && wait_for again 'zri# ' 2 && type_line 'poweroff -f'
    fi
    wait_end
    good_end again
    # shellcheck disable=SC2086
    boot denied $linux --diagnose=-308 -m 256M --append 'nokaslr zri.reboot'
    [ $status -eq 1 ] && grep -q 'disabled wait' "$work/denied.end" || fail "without DIAGNOSE 308: exit status $status"
}
standby() # a CPU and storage that the guest takes into its configuration
{
    start_typing standby $linux --cpus 1 --standby-cpus 1 -m 512M --standby-storage 512M --append zri.shell
    if wait_for standby 'zri# '; then
        type_line 'echo 1 >/sys/devices/system/cpu/cpu1/configure; echo 1 >/sys/devices/system/cpu/cpu1/online; nproc'
        type_line 'for m in /sys/devices/system/memory/memory*; do echo online >$m/state; done 2>/dev/null'
        type_line 'echo kB=$(grep MemTotal /proc/meminfo | tr -dc 0-9) cpus=$(nproc)'
        wait_for standby 'cpus=2'
        type_line 'poweroff -f'
    fi
    wait_end
    good_end standby
    kb=$(sed -n 's/.*kB=\([0-9]*\) cpus=2.*/\1/p' "$work/standby")
    [ "${kb:-0}" -gt 900000 ] || fail "standby: $kb kB of storage in the end"
}
facilities() # LB-11: only what the kernel must have, and the recommended machine
{
    # shellcheck disable=SC2086
    boot linux-boot $linux --profile linux-boot -m 256M --append zri.work
    good_end linux-boot
    check_work linux-boot
    for profile in z196 zEC12 z13 z14 z15 z16; do
        # shellcheck disable=SC2086
        boot $profile $linux --profile $profile -m 256M --append zri.work
        if [ $status -eq 2 ]; then # it is not complete: without what it names
            without=$(sed -n 's/.*take them off with --facility \([-0-9,]*\).*/\1/p' "$work/$profile.end")
            echo "profile $profile without facilities $without"
            # shellcheck disable=SC2086
            boot $profile $linux --profile $profile --facility=$without -m 256M --append zri.work
        fi
        good_end $profile
        check_work $profile
    done
}

for word in ${*:-cpus storage engines clock threads consoles lpar reboot standby facilities}; do
    before=$failed
    begin=$(date +%s)
    $word
    [ $failed -ne $before ] || echo "$word: ok ($(($(date +%s) - begin)) s)"
done
[ $failed -eq 0 ]
