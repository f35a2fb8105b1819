#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tour in doc/tour.txt, word by word: every session is typed into zri through a pipe, and each line that the tour
# shows as its output must appear in it, in that order. A line of three dots stands for anything.
zri=${ZRI:-./zri}
tour=${srcdir:-.}/doc/tour.txt
[ -r "$tour" ] || { echo "no $tour"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sessions are indented by four blanks; "$ " starts one, "zri> " is typed into it.
awk -v work="$work" '
    /^    \$ / { n++; c = substr($0, 7); print c > (work "/" n ".start"); printf "" > (work "/" n ".typed");
                 printf "" > (work "/" n ".shown"); next }
    n && /^    zri> / { print substr($0, 10) > (work "/" n ".typed"); next }
    n && /^    zri>$/ { next }
    n && /^    / { print substr($0, 5) > (work "/" n ".shown"); next }
    /^[^ ]/ { if (n) closed = n }
    END { print n + 0 > (work "/count") }' "$tour"
count=$(cat "$work/count")
failed=0
n=0
cd "$work" || exit 1
while [ $n -lt "$count" ]; do
    n=$((n + 1))
    start=$(sed "s|^\(\./build/\)\{0,1\}zri|'$zri'|" "$n.start")
    sh -c "$start" <"$n.typed" >"$n.output" 2>&1
    status=$?
    if ! awk -v shown="$n.shown" '
        { sub(/[ \t]+$/, ""); line[++lines] = $0 }
        END {
            at = 0
            while ((getline want < shown) > 0) {
                sub(/[ \t]+$/, "", want)
                if (want == "" || want == "...")
                    continue
                from = at
                do
                    at++
                while (at <= lines && line[at] != want)
                if (at > lines) {
                    print "not shown (after line " from " of the output): " want
                    exit 1
                }
            }
        }' "$n.output"; then
        failed=$((failed + 1))
        echo "FAIL: session $n of the tour: $(cat "$n.start")"
        sed 's/^/    | /' "$n.output" | head -60
    elif [ $status -gt 1 ]; then
        failed=$((failed + 1))
        echo "FAIL: session $n of the tour ended with status $status"
    fi
done
echo "$count sessions of the tour, $failed failed"
[ "$count" -gt 0 ] && [ $failed -eq 0 ]
