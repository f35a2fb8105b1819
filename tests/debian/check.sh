#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make check-debian: a minimal Debian 12 with systemd comes up to its login prompt under Debian's unmodified kernel; a
# person logs in, runs apt-get, python3, perl and openssl, and powers off in order. Words on the command line: virtio
# (root on a virtio disk, line-mode console), fba (root on a fixed-block disk), ascii (VT220 console, two CPUs), facilities
# (facilities.sh), tools and jit (tools.sh), perf (perf.sh); all of them without words.
# by hand: part 'LB-T9 LB-90 LB-94 Debian to its login, and programs of it'
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
folder=${srcdir:-.}/tests/debian
version=$(strings "$kernel" | sed -n 's/^\([0-9.]*-[^ ]*\) (.*/\1/p' | head -n 1)
modules=$(sh "$here/../compare/fetch-s390x" "linux-image-$version" lib/modules)
[ -n "$modules" ] || skip "no modules of $version here (offline, or no apt-get)"
list=
for module in lib/crc16 fs/mbcache fs/jbd2/jbd2 crypto/crc32c_generic fs/ext4/ext4 drivers/s390/block/dasd_mod \
    drivers/s390/block/dasd_fba_mod drivers/block/virtio_blk; do
    list="$list $modules/$version/kernel/$module.ko"
    echo "${module##*/}" >>"$work/modules"
done
initrd=$work/root-initrd
# shellcheck disable=SC2086
sh "$here/mkinitrd.sh" "$busybox" "$initrd" "$folder/init=init" "$work/modules=modules" $list
tasks=${*:-tools jit perf virtio fba ascii facilities}
case " $tasks " in *' virtio '* | *' fba '* | *' ascii '* | *' facilities '*)
    image=$(ZRI=$zri sh "$folder/build-root.sh" "$kernel" "$initrd")
    status=$?
    [ $status -eq 0 ] || exit $status
    ;;
esac

# asks NAME COMMAND LINE: types the command, waits for a line that is LINE.
asks()
{
    type_line "$2"
    n=0
    until tr -d '\r' <"$work/$1" | grep -qxF -- "$3"; do
        n=$((n + 1))
        if [ $n -ge "$patience" ] || ! kill -0 "$pid" 2>/dev/null; then
            fail "$1: $2: '$3' does not come; last lines: $(tail -n 3 "$work/$1") $(cat "$work/$1.end")"
            return
        fi
        sleep 0.2
    done
}
# session NAME OPTIONS...: boot, log in, work, power off.
session()
{
    name=$1
    shift
    digests='md5 sha1 sha256 sha512 sha3-256' ciphers='aes-128-cbc aes-256-ctr aes-256-ofb chacha20'
    patience=4500 # fifths of a second
    begin=$(date +%s)
    start_typing "$name" --seconds 1800 -m 512M --kernel "$kernel" --initrd "$initrd" "$@"
    if wait_for "$name" 'zri login: '; then
        echo "$name: login prompt after $(($(date +%s) - begin)) s"
        type_line root
        wait_for "$name" 'Password: ' && type_line zri
        wait_for "$name" "Linux zri $version" || : # the message of the day
        type_line 'exec sh' # it writes nothing but what it is told to
        asks "$name" 'stty -echo; PS1=; echo; echo ready' ready
        asks "$name" 'for i in 1 2 3 4 5 6 7 8; do systemctl is-system-running && break; sleep 1; done' running
        asks "$name" 'systemctl --failed --no-legend | wc -l' 0
        asks "$name" 'apt-get --version | head -n 1' 'apt 2.6.1 (s390x)'
        asks "$name" 'python3 -c "print(2**100)"' 1267650600228229401496703205376
        asks "$name" 'python3 -c "import sys; print(sys.byteorder, sum(1 / i for i in range(1, 20001)))"' \
            'big 10.48072821722932'
        # (No percent sign in what is typed: in line mode Linux takes it as a sign of its own.)
        sums='my @h; $h[$_ & 63] += $_ * 1.5 + $_ ** 0.5 for 1 .. 9999; print "@h[13, 14]\n"'
        asks "$name" "perl -e '$sums'" "$(perl -e "$sums")"
        # The rest is compared with this host's openssl.
        command -v openssl >/dev/null || digests= ciphers=
        for digest in $digests; do
            asks "$name" "seq 1 9999 | openssl dgst -$digest -r" \
                "$(seq 1 9999 | openssl dgst -$digest -r)"
        done
        for cipher in $ciphers; do
            key=00112233445566778899aabbccddeeff
            asks "$name" "seq 1 9999 | openssl enc -$cipher -K $key$key -iv $key 2>/dev/null | sha256sum" \
                "$(seq 1 9999 | openssl enc -$cipher -K $key$key -iv $key 2>/dev/null | sha256sum)"
        done
        type_line 'openssl speed -seconds 1 -bytes 256 -evp aes-128-cbc 2>&1 | tail -n 1 | sed "s/^/speed: /"; echo after-$?'
        wait_for "$name" after-0
        says "$name" 'speed: AES-128-CBC'
        asks "$name" 'dpkg --audit; dpkg --verify; echo verified-$?' verified-0
        ! grep -q '^missing\|^??5' "$work/$name" || fail "$name: dpkg finds changed files: $(grep -a '^missing\|^??5' "$work/$name")"
        type_line 'systemctl poweroff'
    fi
    wait_end
    good_end "$name"
    begin=$(($(date +%s) - begin))
    echo "$name: $begin s; the guest: $(grep -a '^speed: ' "$work/$name" | head -n 1)"
    [ -z "${ZRI_DEBIAN_LOG:-}" ] || cp "$work/$name" "$ZRI_DEBIAN_LOG-$name"
}

. "$folder/facilities.sh"
. "$folder/tools.sh"
. "$folder/perf.sh"

virtio() { session virtio --disk "$image,snapshot" --append 'root=/dev/vda rw'; }
fba()
{
    session fba --device "0120,9336,$image,snapshot" --append 'root=/dev/dasda rw zri.online=0.0.0120'
}
ascii() { session ascii --console ascii --cpus 2 --disk "$image,snapshot" --append 'root=/dev/vda rw console=ttyS1'; }

for word in $tasks; do $word; done
finish "Debian 12 comes up to its login prompt; its programs do what they do here"
