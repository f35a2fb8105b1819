#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The matrix of a specification's requirements: requirement, kind of test, result, test. To be read by tests/ri.matrix,
# tests/lb.matrix, tests/et.matrix, tests/ep.matrix and tests/ec.matrix, in the build folder behind the tests:
#   matrix PREFIX KIND LISTED
# PREFIX is "RI", "LB", "ET", "EP" or "EC". LISTED is a file with a line for each requirement, its number and what it is about
# ("12 a short title"; "T3 ..." for an acceptance test). A requirement wants at least one test of kind KIND; "any" is content
# with each of them. Tests say by their names what they prove; results are those of the logs of this make check:
#   script  "test LB-5 LB-8 words" in tests/script/*.zt (for RI these are guest tests)
#   unit    lb_5_8_words or lb_18_to_21_words in tests/unit/*.c (for RI: guest, or events when it is a WORLD)
#   linux   part 'LB-5 LB-T3 words' in tests/guest/*.sh, see tests/lib.sh
#   shell   the same in tests/script/*.sh, tests/compare/*.sh and tests/house/*.sh
#   hand    the same in scripts that make check does not run: "# by hand: part 'LB-...'"; it counts as "not in make check"
# The matrix goes to tests/PREFIX-matrix.txt in small letters. It fails when a requirement has no test, or a test that names
# one failed or did not run (tests may be skipped: an optional library is not there).
matrix()
{
    src=${srcdir:-.}
    small=$(echo "$1" | tr '[:upper:]' '[:lower:]')
    out=tests/$small-matrix.txt
    mkdir -p tests
    units=$(ls tests/unit/*.trs 2>/dev/null) # none: built without cmocka
    {
        sed 's/^/L /' "$3"
        # Lines: file of the test, name, kind.
        for file in "$src"/tests/unit/*.c; do
            base=tests/unit/$(basename "$file" .c)
            sed -n -e "s|^GUEST(\(${small}_[a-z0-9_]*\),.*|D $base \1 unit|p" \
                -e "s|^WORLD(\(${small}_[a-z0-9_]*\),.*|D $base \1 events|p" \
                -e "s|^TEST(\(${small}_[a-z0-9_]*\))$|D $base \1 unit|p" \
                -e "s|^static void \(${small}_t*[0-9][a-z0-9_]*\)(void \*\*state).*|D $base \1 unit|p" "$file"
            if [ -z "$units" ] || grep -q '^:test-result: SKIP' "$base.trs" 2>/dev/null; then echo "S $base"; fi
            [ -f "$base.log" ] && sed -n -e "s|^\[       OK \] \(${small}_[a-z0-9_]*\).*|R $base \1 passed|p" \
                -e "s|^\[  FAILED  \] \(${small}_[a-z0-9_]*\).*|R $base \1 FAILED|p" \
                -e "s|^\[  SKIPPED \] \(${small}_[a-z0-9_]*\).*|R $base \1 skipped|p" "$base.log"
        done
        for file in "$src"/tests/script/*.zt "$src"/tests/script/generated/*.zt; do
            base=${file#"$src"/}
            base=${base%.zt}
            result='not-run'
            [ -f "$base.trs" ] && result=$(sed -n 's/^:test-result: //p' "$base.trs")
            sed -n "s|^test \(.*$1-.*\)|Z $base $result \1|p" "$file"
            [ -f "$base.log" ] && sed -n "s|^[^:]*:[0-9]*: \(.*$1-.*\)|F $base \1|p" "$base.log"
        done
        for file in "$src"/tests/guest/*.sh "$src"/tests/debian/*.sh "$src"/tests/script/*.sh "$src"/tests/compare/*.sh \
            "$src"/tests/house/*.sh "$src"/tests/bench/*.sh; do
            base=${file#"$src"/} # the log of x.sh is x.sh.log
            result='not-run'
            [ -f "$base.trs" ] && result=$(sed -n 's/^:test-result: //p' "$base.trs")
            sed -n -e "s|^# by hand: part '\($1-.*\)'\$|H $base by-hand \1|p" \
                -e "s|^ *part '\($1-.*\)'\$|P $base $result \1|p" "$file"
            [ -f "$base.log" ] && sed -n "s|^part \([a-zA-Z]*\): \($1-.*\)|Q $base \1 \2|p" "$base.log"
        done
    } | awk -v prefix="$1" -v small="$small" -v kind_wanted="$2" '
    function behind(n,   i, text) { # the words of the line from the n-th on
        text = $0
        for (i = 1; i < n; i++) sub(/^[^ ]* /, "", text)
        return text
    }
    function prove(n, base, name, kind, result,   test) {
        test = base
        sub(/^tests\/((unit|script|guest|compare|house|bench)\/)?/, "", test)
        if (!(n in title)) { strange = strange " " prefix "-" n " (" test ")"; return }
        if (result == "FAILED") failed[n]++
        else if (result == "skipped") skipped[n]++
        else if (result != "passed" && result != "by-hand") open[n]++
        count[n, kind]++
        count[n, kind == "hand" ? "hand" : "any"]++
        lines[n] = lines[n] sprintf("    %-7s %-8s %s: %s\n", kind, result, test, name)
    }
    function prove_name(base, name, kind, result,   part, parts, i, n, k) {
        parts = split(substr(name, length(small) + 2), part, "_")
        for (i = 1; i <= parts; i++) {
            if (part[i] == "to" && part[i + 1] ~ /^[0-9]+$/) {
                for (k = n + 1; k < part[i + 1] + 0; k++) prove(k, base, name, kind, result)
                continue
            }
            if (part[i] !~ /^t?[0-9]+$/) break
            n = toupper(part[i])
            prove(n, base, name, kind, result)
        }
    }
    function prove_text(base, text, kind, result,   rest, pattern) {
        rest = text
        pattern = prefix "-T?[0-9]+"
        while (match(rest, pattern)) {
            prove(substr(rest, RSTART + length(prefix) + 1, RLENGTH - length(prefix) - 1), base, text, kind, result)
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    function in_words(result) {
        return result == "PASS" ? "passed" : result == "FAIL" ? "FAILED" : result == "SKIP" ? "skipped" : "not-run"
    }
    $1 == "L" { number[++most] = $2; title[$2] = NF > 2 ? behind(3) : "" }
    $1 == "R" { if (came[$2, $3] != "FAILED") came[$2, $3] = $4 }
    $1 == "S" { skip[$2] = 1 }
    $1 == "D" { d++; ubase[d] = $2; uname[d] = $3; ukind[d] = prefix == "RI" && $4 == "unit" ? "guest" : $4 }
    $1 == "F" { bad[$2] = bad[$2] "\n" behind(3) }
    $1 == "Z" { z++; zbase[z] = $2; zresult[z] = in_words($3); ztext[z] = behind(4) }
    $1 == "Q" { said[$2, behind(4)] = $3 }
    $1 == "P" || $1 == "H" {
        p++; pbase[p] = $2; presult[p] = $1 == "H" ? $3 : in_words($3); ptext[p] = behind(4)
        pkind[p] = $1 == "H" ? "hand" : $2 ~ /^tests\/(script|compare|house)\// ? "shell" : "linux"
    }
    END {
        for (i = 1; i <= d; i++)
            prove_name(ubase[i], uname[i], ukind[i], ((ubase[i], uname[i]) in came) ? came[ubase[i], uname[i]] : \
                skip[ubase[i]] ? "skipped" : "not-run")
        for (i = 1; i <= z; i++) # a file that failed: it says which of its cases did
            prove_text(zbase[i], ztext[i], prefix == "RI" ? "guest" : "script", \
                zresult[i] == "FAILED" && !index(bad[zbase[i]], "\n" ztext[i]) ? "passed" : zresult[i])
        for (i = 1; i <= p; i++) # a part says itself what came of it; a file that was not run, or was skipped, says nothing
            prove_text(pbase[i], ptext[i], pkind[i], ((pbase[i], ptext[i]) in said) ? said[pbase[i], ptext[i]] : \
                presult[i] == "passed" || presult[i] == "FAILED" ? "not-run" : presult[i])
        for (k = 1; k <= most; k++) {
            n = number[k]
            printf "%s-%s%s\n%s", prefix, n, title[n] == "" ? "" : " " title[n], lines[n] == "" ? "    no test\n" : lines[n]
            id = " " prefix "-" n
            if (failed[n]) { wrong++; f_list = f_list id }
            else if (!count[n, kind_wanted] && count[n, "hand"]) { hand++; h_list = h_list id }
            else if (!count[n, kind_wanted]) { none++; n_list = n_list id }
            else if (open[n]) { unknown++; u_list = u_list id }
            else if (skipped[n]) { left++; l_list = l_list id }
            else good++
        }
        if (strange != "") printf "no such requirement:%s\n", strange
        wanted = kind_wanted == "any" ? "" : kind_wanted " "
        printf "%d requirements: %d proved by %stests, %d failed%s, %d not run%s, %d skipped in part%s, %d not in make check%s, %d without a %stest%s\n", \
            most, good, wanted, wrong, f_list, unknown, u_list, left, l_list, hand, h_list, none, wanted, n_list
    }' >"$out"
    tail -n 1 "$out"
    ! grep '^no such requirement' "$out" && tail -n 1 "$out" | grep -q ' 0 failed, 0 not run, .* 0 without a [a-z ]*test$'
}
