#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A Linux guest that a program of the host drives by the control socket, at its line-mode console and its VT220: what it types is
# part of a recording, and the replay has the same output without anybody there.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
command -v python3 >/dev/null || skip "no python3 to be a client"
grep -q 'define HAVE_JANSSON' config.h 2>/dev/null || skip "zri was built without jansson"
grep -q 'define HAVE_ZLIB' config.h 2>/dev/null || skip "zri was built without zlib"

cat >"$work/client.py" <<'END'
import sys
import zri
program, record, kernel, initrd, append, console = sys.argv[1:7]
with zri.Machine(None, "--batch", "-m", "128M", "--record", record, "--kernel", kernel, "--initrd", initrd, "--append", append,
                 "--console", console, *sys.argv[7:], program=program, timeout=300) as m:
    m.go()
    m.wait_output("zri# ", 300)
    m.type("echo answer=$((6 * 7))\n")
    m.wait_output("answer=42", 300)
    assert m.status()["running"]
    m.type("sleep 1; echo sl''ept\n")
    m.wait_output("slept", 300)
    m.type("poweroff -f\n")
    print(m.wait_stop(300))
    m.quit()
END
drive() # NAME CONSOLE ENGINE OPTIONS...: recorded with these options, replayed on that engine
{
    name=$1 console=$2 engine=$3
    shift 3
    append='nokaslr quiet zri.shell'
    PYTHONPATH=${srcdir:-.}/python timeout 600 python3 -B "$work/client.py" "$zri" "$work/$name.rec" "$kernel" "$initrd" "$append" "$console" "$@" \
        >"$work/$name.said" 2>&1 || fail "$name: $(tail -n 3 "$work/$name.said")"
    boot "$name" --console "$console" -m 128M --kernel "$kernel" --initrd "$initrd" --append "$append" --replay "$work/$name.rec" --engine "$engine"
    good_end "$name"
    says "$name" 'answer=42'
    says "$name" 'slept'
}
part 'typed by a program at the line-mode console, and replayed'
# shellcheck disable=SC2086
drive line line block $quick
enough "a Linux guest is driven from outside"
part 'typed by a program at the VT220, and replayed on another engine'
drive keys ascii translate # without a translator on the block engine
finish "a Linux guest is driven from outside"
