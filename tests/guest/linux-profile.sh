#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Edge profiles of a Linux guest that knows nothing of them: processes by name, one program alone, the kernel with the
# guest's own /proc/kallsyms; the guest runs as without; what is built from the log is what was collected.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
prof=$(dirname "$zri")/zri-prof
"$cross" -static -O2 -march=z196 -o "$work/worker" "$here/linux-profile.c" 2>"$work/cross" || skip "no cross compiler for s390x"
cp "$work/worker" "$work/helper"
cat >"$work/both" <<'END'
#!/bin/busybox sh
/bin/worker 20000 &
/bin/helper 10000
wait
END
cat >"$work/names" <<'END'
#!/bin/busybox sh
echo kallsyms-begin
cat /proc/kallsyms
echo kallsyms-end
END
chmod +x "$work/both" "$work/names"
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/worker=bin/worker" "$work/helper=bin/helper" "$work/both=bin/both" \
    "$work/names=bin/names"
linux() # NAME PROGRAM OPTIONS...
{
    name=$1 program=$2
    shift 2
    boot "$name" -m 256M --kernel "$kernel" --initrd "$initrd" --append "nokaslr zri.run=$program" "$@"
    good_end "$name"
}
field() { sed -n "s/^H $2 //p" "$work/$1"; }

if short; then # one boot
    linux one /bin/both --profile-what worker --profile-out "$work/one.prof"
    grep -q '^S 0 primary [0-9a-f]* worker$' "$work/one.prof" || fail "$(grep '^S' "$work/one.prof")"
    enough "a profile of one program of Linux"
fi

part 'EP-10 EP-38 EP-75 programs of a guest are told apart, and the guest does not notice'
linux plain /bin/both
linux all /bin/both --profile-out "$work/all.prof" --profile-log "$work/all.log" --profile-what all
cmp "$work/plain" "$work/all" >&2 || fail "the guest's output is another one with a profile"
for program in init worker helper busybox; do
    [ "$(grep -c "^S [0-9]* primary [0-9a-f]* $program\$" "$work/all.prof")" = 1 ] || fail "spaces: $(grep '^S' "$work/all.prof")"
done
grep -q '^S [0-9]* home [0-9a-f]* kernel$' "$work/all.prof" || fail "no space has the name kernel"
[ "$(field all.prof samples-accepted)" -ge 1000 ] || fail "only $(field all.prof samples-accepted) samples"
[ "$(($(field all.prof samples-accepted) * 100))" -ge "$(($(field all.prof samples-triggered) * 99))" ] ||
    fail "more than 1 % of the samples were dropped: $(grep '^D' "$work/all.prof")"

part 'EP-7 one program alone, its name, its modules, exactly its branches'
linux one /bin/both --profile-what worker --profile-out "$work/one.prof" --profile-log "$work/one.log" --profile-exact "$work/one.exact"
[ "$(grep -c '^S' "$work/one.prof")" = 1 ] && grep -q '^S 0 primary [0-9a-f]* worker$' "$work/one.prof" || fail "$(grep '^S' "$work/one.prof")"
grep -q "^M 0 0 1000000 [0-9a-f]* 0 sha256:- worker$" "$work/one.prof" || fail "$(grep '^M' "$work/one.prof")"
[ "$(awk '$1 == "E" { n += $7 } END { print n }' "$work/one.exact")" = "$(field one.exact events-total)" ] || fail "exact counts are not the events"
overlap=$("$prof" diff --metrics "$work/one.exact" "$work/one.prof" | sed -n 's/^overlap //p')
echo "worker under Linux: overlap $overlap of $(field one.prof samples-accepted) samples"
awk "BEGIN { exit !($overlap >= 0.95) }" || fail "overlap $overlap"
hot=$("$prof" report --symbols "$work/worker" "$work/one.prof" | awk 'found == 1 { print $NF; found = 2 } $NF == "name" && !found { found = 1 }')
[ "${hot%%.*}" = interpret ] || fail "the hottest function is '$hot'"

part 'EP-32 EP-34 built from the log it is the same profile'
"$prof" build "$work/one.log" -o "$work/built.prof" --symbols "$work/worker" >&2 || fail "zri-prof build: exit status $?"
"$prof" diff --metrics "$work/one.prof" "$work/built.prof" | grep -q '^overlap 1.000000$' || fail "what was built differs"
grep '^[ERGHSM]' "$work/one.prof" >"$work/inline"
grep '^[ERGHSM]' "$work/built.prof" | cmp - "$work/inline" >&2 || fail "edges or runs differ"

part 'EP-92 EP-95 functions of the kernel by its own list'
linux kernel /bin/names --profile-what kernel --profile-out "$work/kernel.prof"
tr -d '\r' <"$work/kernel" | sed -n '/^kallsyms-begin/,/^kallsyms-end/p' | grep '^[0-9a-f]\{16\} ' >"$work/kallsyms"
[ "$(wc -l <"$work/kallsyms")" -gt 10000 ] || fail "the guest's list has $(wc -l <"$work/kallsyms") lines"
"$prof" report --symbols "$work/kallsyms" "$work/kernel.prof" >"$work/report" || fail "zri-prof report: exit status $?"
grep -Eq ' (s_show|vsnprintf|format_decode|number|kallsyms_expand_symbol.*)$' "$work/report" || fail "$(head -n 20 "$work/report")"
finish "a profile of Linux, of one of its programs, of its kernel"
