# SPDX-License-Identifier: GPL-3.0-or-later
# Part of check.sh: programs of Debian that need no running Debian. "tools": what lscpu, lsreipl and /proc/sysinfo tell of the
# machine is what they tell of a machine of the series. "jit": node compiles the JavaScript program jit.js while
# it runs, on two CPUs; what that says is what it says elsewhere, kept in jit.golden.

# tools_boot NAME WORDS OPTIONS...: tools-work in a machine.
tools_boot()
{
    name=$1 words=$2
    shift 2
    tools_image=$(sh "$folder/build-tools.sh") || {
        echo "$name: skipped"
        return 1
    }
    # shellcheck disable=SC2086
    sh "$here/mkinitrd.sh" "$busybox" "$work/tools-initrd" "$folder/tools-work" "$folder/jit.js" "$work/modules" $list
    begin=$(date +%s)
    ZRI_SECONDS=1800 boot "$name" "$@" --kernel "$kernel" --initrd "$work/tools-initrd" --disk "$tools_image,snapshot" \
        --append "nokaslr zri.run=/bin/tools-work $words"
    good_end "$name"
    tr -d '\r' <"$work/$name" >"$work/$name.text"
    echo "$name: $(($(date +%s) - begin)) s"
    [ -z "${ZRI_DEBIAN_LOG:-}" ] || cp "$work/$name.text" "$ZRI_DEBIAN_LOG-$name"
}
# tells NAME MARK <LINES: these are the lines behind the mark, blanks aside.
tells()
{
    cat >"$work/wanted"
    while read -r wanted; do
        sed -n "s/^$2: *//p" "$work/$1.text" | tr -s ' ' | sed 's/ $//' | grep -qxF -- "$wanted" ||
            fail "$1: $2 does not tell '$wanted', but: $(sed -n "s/^$2: *//p" "$work/$1.text" | tr -s ' ' |
                grep -F -- "${wanted%%:*}:" | head -n 3)"
    done <"$work/wanted"
}
tools()
{
    tools_boot tools zri.identity -m 512M || return
    tells tools tools-work <<'END'
status 0 of /usr/bin/lscpu
status 0 of /usr/sbin/lsreipl
status 0 of /usr/sbin/chreipl ccw 0.0.0000
END
    tells tools lscpu <<'END'
Architecture: s390x
CPU op-mode(s): 32-bit, 64-bit
Byte Order: Big Endian
CPU(s): 1
Vendor ID: IBM/S390
Machine type: 3931
Thread(s) per core: 1
CPU dynamic MHz: 2048
CPU static MHz: 2048
Dispatching mode: horizontal
Hypervisor: KVM/Linux
Hypervisor vendor: KVM
Virtualization type: full
L1d cache: 128 KiB (1 instance)
L1i cache: 128 KiB (1 instance)
L2 cache: 32 MiB (1 instance)
L3 cache: 256 MiB
L4 cache: 2 GiB
END
    tells tools caches <<'END'
L1d 128K 128K 8 Data 1 64 256
L1i 128K 128K 8 Instruction 1 64 256
L2 32M 32M 16 Unified 2 8192 256
L3 256M 32 Unified 3 32768 256
L4 2G 64 Unified 4 131072 256
END
    # The images of the host, then the disk, as chreipl has been told.
    tells tools lsreipl <<'END'
Re-IPL type: ccw
Device: 0.0.000c
END
    tells tools again <<'END'
Re-IPL type: ccw
Device: 0.0.0000
END
    tells tools sysinfo <<'END'
Type: 3931
Model Capacity: ZRI 00001000
Model Perm. Capacity: ZRI 00001000
Model Temp. Capacity: ZRI 00001000
VM00 Control Program: KVM/Linux
END
    ! grep -i '^[a-z]*: .*unknown' "$work/tools.text" || fail "tools: something is unknown"

    # Another machine of the series, in a logical partition, with two CPUs.
    tools_boot partition zri.identity --profile z13 --identity lpar --cpus 2 -m 512M
    tells partition lscpu <<'END'
CPU(s): 2
Machine type: 2964
Hypervisor: PR/SM
Hypervisor vendor: IBM
Virtualization type: full
L1d cache: 256 KiB (2 instances)
L1i cache: 192 KiB (2 instances)
L2d cache: 4 MiB (2 instances)
L2i cache: 4 MiB (2 instances)
L3 cache: 64 MiB
L4 cache: 480 MiB
END
    tells partition lsreipl <<'END'
Device: 0.0.000c
END
}
jit()
{
    tools_boot jit zri.jit --cpus 2 -m 1G || return
    says jit 'tools-work: status 0 of node'
    sed -n 's/^jit: //p' "$work/jit.text" | diff "$folder/jit.golden" - >"$work/diff" ||
        fail "jit: other results: $(head -n 8 "$work/diff")"
    compiled=$(sed -n 's/^tools-work: compiled \([0-9]*\), left \([0-9]*\)$/\1 \2/p' "$work/jit.text")
    [ "${compiled% *}" -ge 10 ] && [ "${compiled#* }" -ge 5 ] ||
        fail "jit: no sign of compiled functions: $(grep '^tools-work:' "$work/jit.text")"
    ! command -v node >/dev/null || node "$folder/jit.js" | diff "$folder/jit.golden" - >"$work/diff" ||
        fail "jit: this host's node has other results: $(head -n 8 "$work/diff")"
}
