# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Hercules as the other side; to be read by a shell, behind tests/lib.sh.

# hercules_core CORE SECONDS RESULT LAST: storage from CORE, restart, and after SECONDS storage from 0 to LAST (hexadecimal)
# into RESULT. Its log is in $work/log.
hercules_core()
{
    rm -f "$3"
    printf 'MAINSIZE 64\nARCHMODE z/Arch\nNUMCPU 1\n0009 3215-C\n' >"$work/cnf"
    printf 'loadcore %s 0\nrestart\npause %s\nstopall\nsavecore %s 0 %s\nquit\n' "$1" "$2" "$3" "$4" >"$work/rc"
    HERCULES_RC="$work/rc" timeout "${PEER_SECONDS:-600}" hercules -d -f "$work/cnf" >"$work/log" 2>&1
    [ -s "$3" ]
}

# hercules_judges MODULE STEP SECONDS OPTIONS...: random cases that tests/compare/MODULE.py makes ($cases of them by $seed, of
# STEP bytes each), on Hercules and on both engines of zri with OPTIONS; at most $limit differences of a kind are shown.
hercules_judges()
{
    command -v hercules >/dev/null && command -v python3 >/dev/null || skip "hercules or python3 is not installed: not compared"
    make="python3 -B ${srcdir:-.}/tests/compare/$1.py"
    end=$(printf %X $((0x800000 + cases * $2 - 1)))
    seconds=$3
    shift 3
    $make make "$seed" "$cases" "$work/image" "$work/core" || exit 99
    hercules_core "$work/core" "$seconds" "$work/theirs" "$end" || {
        tail -n 40 "$work/log"
        exit 99
    }
    for engine in reference block; do
        "$zri" --batch --engine=$engine "$@" --storage 64M --savecore "$work/ours:0-$end" "$work/image" </dev/null || exit 1
        echo "hercules, $engine engine:"
        $make diff "$seed" "$cases" "$work/ours" "$work/theirs" "$limit" || failed=1
    done
}
