#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options that do not go together, values that are none: exit status 2 and a sentence, before anything is opened or run.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
# bad SENTENCE WORDS...: is refused with that sentence, to the letter
bad()
{
    sentence=$1
    shift
    "$zri" "$@" >out 2>&1 </dev/null
    status=$?
    [ $status -eq 2 ] || fail "$*: exit status $status, not 2"
    [ "$(cat out)" = "zri: $sentence" ] || fail "$*: $(cat out)"
}
bad '--gdb: a debugger has one machine; leave --lockstep out' --gdb 1 --lockstep x
bad "--script: its commands are for one machine; leave --lockstep out, or name an image that \`savecore' made" --lockstep --script x
bad '--gdb: a client comes while the guest runs; leave --sandbox out' -s --sandbox x
bad "--gdb stdio: standard input and output cannot be the console's too; give --batch" --gdb stdio x
bad '--gdb x: give a port from 0 to 65535 (0: a free one), ADDRESS:PORT with a numeric address, unix:PATH, or stdio' --gdb x --batch --demo
good() # WORDS...
{
    "$zri" "$@" >out 2>&1 </dev/null || fail "$*: exit status $?: $(cat out)"
}
bad '--test: no file is named; write zri --test FILE.zt ...' --test
bad '--only is said of scripted tests; write zri --test FILE.zt ...' --only x
bad '--verbose is said of scripted tests; write zri --test FILE.zt ...' --verbose
bad '--tap is said of scripted tests; write zri --test FILE.zt ...' --tap
bad '--junit is said of scripted tests; write zri --test FILE.zt ...' --junit x
bad "--run: 'a' is the one image; leave the others out (--append gives arguments)" --run a b
bad '--lockstep: two machines must draw the same random numbers; leave --seed host out' --seed host --lockstep x
bad '--snapshot: the saved machine has its random numbers; leave --seed host out' --seed host --snapshot x
bad '--seed: with --threads no two runs are alike; leave it out, or give --seed host' --threads --seed 0 x
for alone in lockstep 'trace x' 'snapshot x' 'clock virtual'; do
    said=${alone% x}
    # shellcheck disable=SC2086
    bad "--$said wants runs that can be repeated; with --threads no two runs are alike, leave it out" --threads --$alone
done
bad '--ipl 0120: the program comes from the device; leave image and snapshot out' --ipl 0120 x
bad '--ipl 0120: the program comes from the device; leave image and snapshot out' --ipl 0120 --run x
bad '--ipl 0120: the program comes from the device; leave image and snapshot out' --ipl 0120 --snapshot x
for device in 'device 000C,3505' 'disk x' 'net user'; do
    # shellcheck disable=SC2086
    bad '--snapshot: the saved machine has its devices; leave --device, --disk and --net out' --snapshot x --$device
done
bad '--snapshot: the saved machine has its program; leave the image out' --snapshot x y
bad '--initrd and --append belong to a kernel; name one by --kernel FILE' --initrd x
bad '--initrd and --append belong to a kernel; name one by --kernel FILE' --append x
bad '--standby-cpus: more than 64 CPUs together with --cpus' --cpus 60 --standby-cpus 5 x
bad '--cpus 0: give a number from 1 to 64' --cpus 0
bad '--cpus 65: give a number from 1 to 64' --cpus 65
bad '--storage 1K: give a size from 1M to 1T, such as 512M' --storage 1K
bad '--engine fast: the engines are block, reference and translate' --engine fast
bad '--clock guest: the clocks are virtual and host' --clock guest
bad '--seed x: give a number, or host' --seed x
bad '--seed 18446744073709551616: give a number, or host' --seed 18446744073709551616
bad '--standby-cpus 64: give a number from 1 to 63' --standby-cpus 64
bad '--standby-storage 1M: give a multiple of 256M' --standby-storage 1M
bad '--identity me: the identities are machine, lpar and vm' --identity me
bad '--console screen: the consoles are line, ascii and both' --console screen
bad '--limit 0: give a number of instructions' --limit 0
bad '--seconds 0: give a number of seconds' --seconds 0
for seed in 0 1 18446744073709551615 host; do
    good --seed $seed --version
done
good --cpus 60 --standby-cpus 4 --version
finish "options that do not go together"
