# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# How a tour in doc/ is followed; to be read by a shell. What the tour shows of a session is what must come out of it, line for
# line; a line of three dots stands for any number of lines, also for none. What is typed into zri is given to it as a
# script, which ends where a command is refused: that is a failure, whatever the dots say.
zri=${ZRI:-./zri}
doc=${srcdir:-.}/doc
reader=$(dirname "$zri")/zri-ri
traces=$(dirname "$zri")/zri-et
profiles=$(dirname "$zri")/zri-prof
work=$(mktemp -d)
wrongs=$(mktemp -d)
trap 'rm -rf "$work" "$wrongs"' EXIT

total=0
failed=0

# sessions FILE: N.start (what the shell carries out), N.typed (into zri) and N.shown of each session in the folder $work, and how
# many they are in the file count. Sessions are indented by four blanks; "$ " starts one, "zri> " is typed into it.
sessions()
{
    awk -v work="$work" '
        /^    \$ / { n++; c = substr($0, 7); print c > (work "/" n ".start"); printf "" > (work "/" n ".typed");
                     printf "" > (work "/" n ".shown"); next }
        n && /^    zri> / { print substr($0, 10) > (work "/" n ".typed"); next }
        n && /^    zri>$/ { next }
        n && /^    \(gdb\) / { print substr($0, 11) > (work "/" n ".debugged"); next }
        n && /^    / { print substr($0, 5) > (work "/" n ".shown"); next }
        END { print n + 0 > (work "/count") }' "$1"
}

# same SHOWN OUTPUT: does the output have what is shown? Blank lines and blanks at the end of a line do not matter. Says
# what is the first to differ.
same()
{
    awk -v shown="$1" '
        function begins(part, at,   i) { # do the lines of this part stand in the output from line at on?
            for (i = 1; i <= size[part]; i++)
                if (line[at + i - 1] != want[part, i]) {
                    if (i > best) { best = i; best_at = at + i - 1; best_want = want[part, i] }
                    return 0
                }
            return 1
        }
        { sub(/[ \t]+$/, "") }
        $0 != "" { line[++lines] = $0 }
        END {
            parts = 1 # what stands between lines of dots
            while ((getline text < shown) > 0) {
                sub(/[ \t]+$/, "", text)
                if (text == "...") parts++
                else if (text != "") want[parts, ++size[parts]] = text
            }
            at = 1
            for (part = 1; part <= parts; part++) {
                best = 0
                last = lines - size[part] + 1 # the last place where this part can stand
                if (part == parts && parts > 1 && last >= at) at = last # nothing follows the last one
                while (!begins(part, at) && part > 1 && part < parts && at < last) at++
                if (!begins(part, at)) {
                    printf "line %d of the output is not what is shown:\n  shown: %s\n  found: %s\n", best_at, best_want, line[best_at]
                    exit 1
                }
                at += size[part]
            }
            if (at <= lines) {
                printf "line %d of the output is not shown: %s\n", at, line[at]
                exit 1
            }
        }' "$2"
}

# follow FILE OPTIONS: the sessions of a tour, with options for zri
follow()
{
    tour=$doc/$1
    options=$2
    [ -r "$tour" ] || { echo "no $tour"; exit 1; }
    rm -rf "${work:?}"/*
    mkdir "$work/doc"
    ln -s "$(cd "$doc/../tests" && pwd)" "$work/tests"
    cp "$doc"/*.zc "$doc"/*.map "$doc"/*.[cS] "$work/doc" || exit 1
    sessions "$tour"
    count=$(cat "$work/count")
    total=$((total + count))
    n=0
    here=$(pwd)
    cd "$work" || exit 1
    while [ $n -lt "$count" ]; do
        n=$((n + 1))
        start=$(sed -e "s|^zri-ri|'$reader'|" -e "s|^zri-et|'$traces'|" -e "s|^zri-prof|'$profiles'|" -e "s|^\(\./build/\)\{0,1\}zri|'$zri' $options|" "$n.start")
        if [ -s "$n.typed" ]; then
            echo "script $n.typed" >typing
        else
            : >typing
        fi
        if [ -s "$n.debugged" ]; then # the prompt is shown, what is typed is not
            sed "s|remote . zri|remote \| '$zri' $options|" "$n.debugged" >typing
        fi
        sh -c "$start" <typing >"$n.answer" 2>&1
        status=$?
        sed 's/(gdb) //g' "$n.answer" >"$n.output"
        problem=
        refused=$(sed -n "s/^script $n\.typed ends at line //p" "$n.output")
        [ -z "$refused" ] || problem="refused: $(sed -n "${refused}p" "$n.typed")"
        [ -n "$problem" ] || problem=$(same "$n.shown" "$n.output")
        [ -n "$problem" ] || [ $status -le 1 ] || problem="it ended with status $status"
        [ -z "$problem" ] || {
            failed=$((failed + 1))
            echo "FAIL: session $n of $1 $options: $(cat "$n.start")"
            echo "$problem"
            sed 's/^/    | /' "$n.output" | head -60
        }
    done
    cd "$here" || exit 1
}

# wrong WORDS...: the sessions on standard input, which zri does not answer like this, must not pass
wrong()
{
    mkdir -p "$wrongs/doc" "$wrongs/tests"
    : >"$wrongs/doc/x.zc"
    : >"$wrongs/doc/x.map"
    : >"$wrongs/doc/x.c"
    cat >"$wrongs/doc/wrong.txt"
    (
        doc=$wrongs/doc failed=0
        follow wrong.txt >/dev/null
        [ "$failed" -gt 0 ]
    ) || {
        failed=$((failed + 1))
        echo "FAIL: a tour that is wrong passes: $*"
    }
}
