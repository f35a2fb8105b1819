# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests with Debian's kernel have in common; to be read by a shell. Gives $kernel, $initrd and what tests/lib.sh
# gives; skips when the kernel or busybox cannot be had. The initial RAM disk has linux-ri and linux-perf in it when they can be
# compiled.
. "${srcdir:-.}/tests/lib.sh"
here=${srcdir:-.}/tests/guest
kernel=$(sh "$here/fetch-kernel.sh") || exit 77
busybox=$(sh "$here/../compare/fetch-s390x" busybox-static bin/busybox)
[ -n "$busybox" ] || skip "no busybox for s390x here (offline, or no apt-get)"
running=
trap 'for p in $running; do kill "$p" 2>/dev/null; done; rm -rf "$work"' EXIT
cross=${S390X_CC:-s390x-linux-gnu-gcc}
if command -v "$cross" >/dev/null &&
    "$cross" -static -O2 -march=z196 -o "$work/linux-ri" "$here/linux-ri.c" 2>"$work/cross" &&
    "$cross" -static -O2 -march=z196 -o "$work/linux-perf" "$here/linux-perf.c" 2>"$work/cross"; then
    have_ri=1
    sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/linux-ri" "$work/linux-perf"
else
    have_ri=
    sh "$here/mkinitrd.sh" "$busybox" "$work/initrd"
fi
initrd=$work/initrd
# How guests run where the engine is not what is tried: on the quickest one that this build has.
quick='--engine translate'
echo quit | "$zri" $quick 2>&1 | grep -q 'without a translator\|no MOVBE' && quick=

# boot NAME OPTIONS...: to its end without input, on the quickest engine unless they say which; exit status in $status, output in $work/NAME, end in $work/NAME.end.
boot()
{
    name=$1
    shift
    # shellcheck disable=SC2086
    "$zri" --batch $quick --seconds "${ZRI_SECONDS:-300}" "$@" >"$work/$name" 2>"$work/$name.end" </dev/null
    status=$?
}
# says NAME LINE: the guest said it, from the start of a line.
says()
{
    grep -qF -- "$2" "$work/$1" || fail "$1: the guest did not say: $2; its last line: $(tail -n 1 "$work/$1") $(cat "$work/$1.end")"
}
ri_passed() # NAME [hosts_clock]: what linux-ri found; only with the host's clock may an interruption fall into a round
{
    grep -qF 'linux-ri: PASS' "$work/$1" || fail "$1: $(grep -aF linux-ri: "$work/$1" | head -n 6)"
    [ -n "${2:-}" ] || ! grep -aF 'an interruption fell into' "$work/$1" || fail "$1: not every round is whole"
}
good_end() # NAME: powered off, exit status 0
{
    [ "$status" -eq 0 ] && tail -n 1 "$work/$1.end" | grep -qx 'zri: powered off' || fail "$1: exit status $status, $(cat "$work/$1.end")"
}

# The sums that zri.work prints, made here by this host's programs.
expected_work()
{
    awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%05d %06d %08d\n", i, i * 7919 % 1000003, i * 104729 % 15485863 }' \
        >"$work/data"
    echo "zri-init: sha256sum $(sha256sum <"$work/data")"
    echo "zri-init: gunzip $(md5sum <"$work/data")"
    echo "zri-init: sort $(LC_ALL=C sort -k 2,2 "$work/data" | sha1sum)"
    echo "zri-init: awk $(awk 'BEGIN { for (i = 1; i <= 20000; i++) { n += i * i % 7; x += 1 / i } printf "%d %.9f\n", n, x }')"
    echo "zri-init: loop 2668667000"
    echo "zri-init: processes 20"
}
check_work() # NAME
{
    expected_work >"$work/expected"
    tr -d '\r' <"$work/$1" | grep '^zri-init: ' | grep -v -e started -e 'the end' -e status | diff "$work/expected" - >"$work/diff" ||
        fail "$1: other sums than on this host: $(cat "$work/diff")"
}

# start_typing NAME OPTIONS...: zri in the background with a pipe for a keyboard, descriptor 5.
start_typing()
{
    name=$1
    shift
    rm -f "$work/keys"
    mkfifo "$work/keys"
    # shellcheck disable=SC2086
    "$zri" --batch $quick --seconds "${ZRI_SECONDS:-300}" "$@" >"$work/$name" 2>"$work/$name.end" <"$work/keys" &
    pid=$!
    running="$running $pid"
    exec 5>"$work/keys"
}
# wait_for NAME WORDS [TIMES]: until the guest has said them so often (once); at most $patience fifths of a second.
wait_for()
{
    n=0
    until [ "$(grep -cF -- "$2" "$work/$1")" -ge "${3:-1}" ]; do
        n=$((n + 1))
        if [ $n -ge "${patience:-$((${ZRI_SECONDS:-300} * 5))}" ] || ! kill -0 "$pid" 2>/dev/null; then
            fail "$1: '$2' does not come; last line: $(tail -n 1 "$work/$1") $(cat "$work/$1.end")"
            return 1
        fi
        sleep 0.2
    done
}
type_line() { printf '%s\n' "$1" >&5; }
wait_end() # until it ends
{
    exec 5>&-
    wait "$pid"
    status=$?
}

# start_host NAME: the server for the guest whose output is NAME, which has the file root/data, and a client of its own server;
# in the background: process $host, its words in $work/host; the guest finds it at port $port and is found at $forward.
start_host()
{
    rm -f "$work/ports"
    : >"$work/$1"
    python3 "$here/virtio-host.py" "$work" "$work/$1" >"$work/host" 2>&1 &
    host=$!
    running="$running $host"
    n=0
    while [ ! -s "$work/ports" ] && [ $n -lt 100 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    read -r port forward <"$work/ports"
}
