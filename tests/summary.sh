#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Adds up the tests of a make check: summary.sh BUILDDIR. One line, "N passed, N failed, N skipped": cases where a test counts them (cmocka, scripted
# tests), else the test program as one.
cd "$1" || exit 2
find . -name '*.trs' | while read -r trs; do
    log=${trs%.trs}.log
    result=$(sed -n 's/^:test-result: //p' "$trs")
    counted=$(awk '
        /^\[  PASSED  \] [0-9]+ test/ { passed += $4; found = 1 }
        /^\[  FAILED  \] [0-9]+ test/ { failed += $4; found = 1 }
        /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; found = 1 }
        END { if (found) print passed + 0, failed + 0 }' "$log" 2>/dev/null)
    case $result in
    SKIP) echo 0 0 1 ;;
    PASS) echo "${counted:-1 0} 0" ;;
    *) set -- ${counted:-0 1}; [ "${2:-0}" -gt 0 ] && echo "$1 $2 0" || echo "${1:-0} 1 0" ;;
    esac
done | awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s }'
