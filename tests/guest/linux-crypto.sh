#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenSSL's library of Debian's s390x package under Debian's kernel, with the message-security assist and without: every
# cipher, digest and code gives the same as this host's library, and with the facilities it takes few instructions, which
# the virtual clock tells. The kernel's own zlib expands the initial RAM disk with the compression instruction.
# (make check-debian does more of this, with files and programs.)
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
short && skip "in short runs: scripted tests try the same instructions"
fetch() { sh "$here/../compare/fetch-s390x" "$@"; }
libcrypto=$(fetch libssl3 usr/lib/s390x-linux-gnu/libcrypto.so.3)
libc=$(fetch libc6 lib/s390x-linux-gnu)
[ -n "$libcrypto" ] && [ -s "$libc/libc.so.6" ] || skip "no OpenSSL for s390x here (offline, or no apt-get)"
[ -n "$have_ri" ] || skip "no s390x C compiler here"
evp=$here/../debian/evp.c
${CC:-cc} -std=c11 -O2 -o "$work/evp-host" "$evp" -l:libcrypto.so.3 2>"$work/cc" ||
    skip "no libcrypto.so.3 here to compare with"
"$cross" -std=c11 -O2 -march=z10 -Wl,--allow-shlib-undefined -o "$work/evp" "$evp" "$libcrypto" ||
    fail "evp.c cannot be compiled for s390x"
names='AES-128-ECB AES-256-CBC AES-128-CTR AES-128-XTS AES-256-GCM SHA1 SHA2-256 SHA2-512 SHA3-256 SHAKE-128'
cat >"$work/crypto" <<SCRIPT
#!/bin/sh
evp() { ld64.so.1 --library-path /bin /bin/evp "\$@"; }
evp
for name in $names; do evp 1 \$name; done
SCRIPT
sh "$here/mkinitrd.sh" "$busybox" "$initrd" "$work/evp" "$work/crypto" "$libc/ld64.so.1" "$libc/libc.so.6" "$libcrypto"
{
    "$work/evp-host"
    for name in $names; do "$work/evp-host" 1 "$name"; done | cut -d ' ' -f 1,2
} >"$work/expected"

# one NAME OPTIONS...: results compared with this host's, times in $work/NAME.times.
one()
{
    boot "$@" -m 256M --kernel "$kernel" --initrd "$initrd" --append 'nokaslr zri.run=/bin/crypto'
    good_end "$name"
    tr -d '\r' <"$work/$name" | grep -E ' [0-9a-f]{16}( [0-9]+)?$' >"$work/$name.lines"
    sed 's/\( [0-9a-f]\{16\}\) [0-9]*$/\1/' "$work/$name.lines" | diff "$work/expected" - >"$work/diff" ||
        fail "$name: other results than this host's: $(head -n 6 "$work/diff")"
    sed -n 's/ [0-9a-f]\{16\}\( [0-9]*\)$/\1/p' "$work/$name.lines" >"$work/$name.times"
    # From one of the kernel's lines to the other, in microseconds: it expands the initial RAM disk.
    sed -n 's/^\[ *\([0-9]*\)\.\([0-9]*\)\] \(Trying to unpack\|Freeing initrd\).*/\1\2/p' "$work/$name" |
        awk 'NR == 1 { first = $1 } NR == 2 { print "initrd", ($1 - first) * 1000 }' >>"$work/$name.times"
}
one with
one without --facility=-17,-57,-76,-77,-146,-155,-151
paste -d ' ' "$work/with.times" "$work/without.times" | awk '{ print $1, $2, $4 }' >"$work/times"
[ "$(awk '$2 > 0 && $3 > 0' "$work/times" | wc -l)" -eq 11 ] || fail "not all have a time: $(cat "$work/times")"
slow=$(awk '$3 < $2 * 4' "$work/times")
[ -z "$slow" ] || fail "no sign of the instructions (nanoseconds with and without them): $slow"
finish "OpenSSL gives the same with the assist and without; times as long without: $(
    awk '{ printf "%s %.0f%s", $1, $3 / $2, NR == 11 ? "" : ", " }' "$work/times"
)"
