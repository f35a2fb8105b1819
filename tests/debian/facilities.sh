# SPDX-License-Identifier: GPL-3.0-or-later
# Part of check.sh: OpenSSL and gzip of Debian, and a gzip that was built for the compression instruction, on a machine
# with every facility, on one without the message-security assist and compression, and on one that has no vector facility
# either: all make the same of the same files as this host's programs, and what one signs the others verify. That the
# instructions are really used where there are any is seen from how many are carried out.

# make_input FOLDER: what facilities-work wants to read.
make_input()
{
    mkdir -p "$1"
    libcrypto=$(sh "$here/../compare/fetch-s390x" libssl3 usr/lib/s390x-linux-gnu/libcrypto.so.3)
    [ -n "$libcrypto" ] && "$cross" -std=c11 -O2 -march=z10 -Wl,--allow-shlib-undefined -o "$1/evp" "$folder/evp.c" \
        "$libcrypto" || return 1
    hardware=$(sh "$folder/build-gzip.sh") && cp "$hardware" "$1/gzip-hw"
    cp "$folder/facilities-work" "$1"
    seq 1 20000 >"$1/text"
    {
        seq 1 3 90000
        head -c 80000 /dev/zero | openssl enc -aes-128-ctr -K 0123456789abcdef0123456789abcdef -iv 0
        cat "$folder/../../cpu/"*.c | head -c 300000
    } >"$1/data" 2>/dev/null
    gzip -n <"$1/data" >"$1/data.gz"
    : >"$1/keys"
    for name in rsa dsa p256 p384 p521 k256 ed25519 ed448 x25519 x448; do
        more=
        case $name in
        rsa) words='RSA -pkeyopt rsa_keygen_bits:2048' ;;
        dsa) words= ;;
        k256) words='EC -pkeyopt ec_paramgen_curve:secp256k1' ;;
        p*) words="EC -pkeyopt ec_paramgen_curve:P-${name#p}" more=-2 ;;
        x*) words=$name more=-2 ;;
        *) words=$name ;;
        esac
        for key in "$1/$name" ${more:+"$1/$name$more"}; do
            if [ $name = dsa ]; then
                openssl dsaparam -genkey -out "$key.pem" 2048
            else
                # shellcheck disable=SC2086
                openssl genpkey -algorithm $words -out "$key.pem"
            fi
            openssl pkey -in "$key.pem" -pubout -out "$key.pub"
        done 2>/dev/null
        case $name in
        x*) ;;
        ed*) openssl pkeyutl -sign -rawin -inkey "$1/$name.pem" -in "$1/text" >"$1/$name.sig" ;;
        *) openssl dgst -sha256 -sign "$1/$name.pem" <"$1/data" >"$1/$name.sig" ;;
        esac
        echo $name >>"$1/keys"
    done
}
# work_on NAME OPTIONS...: facilities-work in the machine, its results in $work/NAME.d.
work_on()
{
    name=$1
    shift
    patience=4500
    begin=$(date +%s)
    cp "$work/input.tar" "$work/in.img"
    rm -f "$work/out.img"
    truncate -s 16M "$work/out.img"
    start_typing "$name" --seconds 1800 -m 512M --kernel "$kernel" --initrd "$initrd" --disk "$image,snapshot" \
        --disk "$work/in.img,ro" --disk "$work/out.img" --append 'root=0.0.0000 rw init=/bin/sh' "$@"
    if wait_for "$name" '# '; then
        type_line 'disk() { echo /dev/$(ls /sys/bus/ccw/devices/0.0.000$1/virtio*/block); }; mount -t tmpfs x /run; mkdir /run/i'
        type_line 'tar xmf $(disk 1) -C /run/i; sh /run/i/facilities-work /run/i /run/o times; echo worked-$?'
        wait_for "$name" worked-0
        type_line 'tar cf $(disk 2) -C /run/o .; sync; echo o >/proc/sysrq-trigger'
    fi
    wait_end
    good_end "$name"
    [ -z "${ZRI_DEBIAN_LOG:-}" ] || cp "$work/$name" "$ZRI_DEBIAN_LOG-$name"
    mkdir -p "$work/$name.d"
    tar -xf "$work/out.img" -C "$work/$name.d" && [ -s "$work/$name.d/evp" ] || {
        fail "$name: no results"
        return
    }
    echo "$name: $(($(date +%s) - begin)) s"
    check_results "$name"
}
# check_results NAME: against those of this host.
check_results()
{
    ours=$work/$1.d theirs=$work/host.d
    [ ! -s "$ours/wrong" ] || fail "$1: $(cat "$ours/wrong")"
    for file in evp enc dgst dsa genpkey $(cd "$theirs" && ls same-*); do
        [ -s "$ours/$file" ] && cmp -s "$ours/$file" "$theirs/$file" ||
            fail "$1: $file differs from this host's: $(diff "$ours/$file" "$theirs/$file" 2>&1 | head -n 4)"
    done
    # Other versions may compress in other ways.
    for file in gzip gzip-soft zlib; do
        [ -s "$ours/$file" ] || [ -s "$work/with.d/$file" ] || continue
        [ "$file $1" != 'gzip-soft scalar' ] || continue
        cmp -s "$ours/$file" "$work/with.d/$file" ||
            fail "$1: $file differs: $(diff "$ours/$file" "$work/with.d/$file" 2>&1 | head -n 4)"
        [ "$(head -n 1 "$ours/$file")" != "$(head -n 1 "$theirs/$file" 2>/dev/null)" ] || cmp -s "$ours/$file" "$theirs/$file" ||
            fail "$1: $file differs from this host's: $(diff "$ours/$file" "$theirs/$file" 2>&1 | head -n 4)"
    done
    # It has vector instructions in it.
    [ ! -x "$work/input/gzip-hw" ] || [ "$1" = scalar ] || gzip -dc <"$ours/hw.gz" | cmp - "$work/input/data" ||
        fail "$1: what gzip-hw compressed is not expanded here"
    for name in $(cat "$work/input/keys"); do
        [ -e "$theirs/sign-$name" ] || continue
        openssl dgst -sha256 -verify "$work/input/$name.pub" -signature "$ours/sign-$name" <"$work/input/data" >/dev/null ||
            fail "$1: what $name signed is refused here"
    done
}
facilities()
{
    cross=${S390X_CC:-s390x-linux-gnu-gcc}
    for tool in openssl gzip python3 tar cc "$cross"; do
        command -v "$tool" >/dev/null || {
            echo "facilities: skipped: this host has no $tool"
            return
        }
    done
    make_input "$work/input" || {
        echo "facilities: skipped: no libcrypto for s390x, or it cannot be linked"
        return
    }
    tar -cf "$work/input.tar" -C "$work/input" .
    # This host's results.
    cp -r "$work/input" "$work/own"
    rm -f "$work/own/gzip-hw"
    cc -std=c11 -O2 -o "$work/own/evp" "$folder/evp.c" -l:libcrypto.so.3 || {
        echo "facilities: skipped: no libcrypto.so.3 here"
        return
    }
    sh "$folder/facilities-work" "$work/own" "$work/host.d"
    [ ! -s "$work/host.d/wrong" ] || fail "this host: $(cat "$work/host.d/wrong")"
    msa=-17,-57,-76,-77,-146,-155,-151
    work_on with
    [ -s "$work/with.d/times" ] || return
    work_on without --facility=$msa
    work_on scalar --facility=$msa,-129,-134,-135,-148,-152,-165,-192
    # Nanoseconds of virtual time, which are instructions; those of signatures have the start of a program in them.
    paste -d ' ' "$work/with.d/times" "$work/without.d/times" | cut -d ' ' -f 1,2,4 >"$work/times"
    awk '{ printf "  %s: %.2f million instructions, without the facilities %.2f\n", $1, $2 / 976563, $3 / 976563 }' "$work/times"
    awk '/AES|SHA|gzip/ && $3 < $2 * 5 || /^p|ed/ && $3 < $2 * 1.2 { print $1 }' "$work/times" >"$work/slow"
    [ "$(wc -l <"$work/times")" -ge 15 ] || fail "no count of instructions of some"
    [ ! -s "$work/slow" ] || fail "no sign of the instructions in $(tr '\n' ' ' <"$work/slow")"
}
