# SPDX-License-Identifier: GPL-3.0-or-later
# How a tour in doc/ is followed; to be read by a shell. Each session is typed into zri through a pipe, and every line that
# the tour shows as its output must appear in it, in that order.
zri=${ZRI:-./zri}
doc=${srcdir:-.}/doc
reader=$(dirname "$zri")/zri-ri
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

total=0
failed=0
# follow FILE OPTIONS: the sessions of a tour, with options for zri
follow() {
    tour=$doc/$1
    options=$2
    [ -r "$tour" ] || { echo "no $tour"; exit 1; }
    rm -rf "${work:?}"/*
    mkdir "$work/doc"
    ln -s "$(cd "$doc/../tests" && pwd)" "$work/tests"
    cp "$doc"/*.zc "$doc"/*.map "$work/doc" || exit 1
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
    total=$((total + count))
    n=0
    here=$(pwd)
    cd "$work" || exit 1
    while [ $n -lt "$count" ]; do
        n=$((n + 1))
        start=$(sed -e "s|^zri-ri|'$reader'|" -e "s|^\(\./build/\)\{0,1\}zri|'$zri' $options|" "$n.start")
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
            echo "FAIL: session $n of $1 $options: $(cat "$n.start")"
            sed 's/^/    | /' "$n.output" | head -60
        elif [ $status -gt 1 ]; then
            failed=$((failed + 1))
            echo "FAIL: session $n of the tour ended with status $status"
        fi
    done
    cd "$here" || exit 1
}
