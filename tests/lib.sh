# SPDX-License-Identifier: GPL-3.0-or-later
# What the test scripts have in common; to be read by a shell. It gives $zri (the program), $work (an empty folder, which goes
# away at the end) and the words below.
zri=${ZRI:-./zri}
case $zri in /*) ;; *) zri=$PWD/$zri ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
fail() # WORDS...: said and counted; the test goes on
{
    failed=$((failed + 1))
    echo "FAIL: $*"
}
skip() # WORDS...: why nothing is tested
{
    echo "skipped: $*"
    exit 77
}
finish() # WORDS...: said when nothing has failed; the end of the test
{
    [ $failed -ne 0 ] || echo "$*"
    exit $((failed != 0))
}
