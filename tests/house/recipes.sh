#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What HACKING says has to be done for an addition, as far as a machine can see it: an instruction has a body, an option
# and a command have their help and their manual entry, a test is in a list of make check. (That a body has a test:
# tests/script/coverage.sh.) Then additions that lack something, which must be named.
. "${srcdir:-.}/tests/lib.sh"
source=${srcdir:-.}

# Instructions whose row says `none', but for those that tests/house/no-body names; and those that it names needlessly.
bodies() # TABLE
{
    sed -n 's/^ROW([^,]*, "\([^"]*\)".*, none)$/\1/p' "$1" | sort >"$work/none"
    grep -v '^#' "$source/tests/house/no-body" | sort >"$work/known"
    comm -23 "$work/none" "$work/known" | sed 's/^/instruction without a body: /'
    comm -13 "$work/none" "$work/known" | sed 's/^/tests\/house\/no-body names an instruction that has one: /'
}
# Options without help line, or that the manual page has not.
options() # TABLE MANUAL
{
    sed -n 's/^OPTION([^,]*, [^,]*, "\([^"]*\)", [^,]*, "\(.*\)")$/\1 \2/p' "$1" | while read -r name help; do
        [ -n "$help" ] || echo "option without help: --$name"
        sed 's/\\-/-/g' "$2" | grep -qE -e "--$name( |\"|\$)" || echo "option without manual entry: --$name"
    done
}
# Commands without usage, help or example, or that the manual page has not.
commands() # TABLE MANUAL
{
    sed -n 's/^CONSOLE_COMMAND([^,]*, "\([^"]*\)", "[^"]*", [a-z0-9_]*, "\([^"]*\)", "\([^"]*\)", "\([^"]*\)".*/\1|\2|\3|\4/p' "$1" |
        while IFS='|' read -r name rest; do
            case "|$rest|" in *'||'*) echo "command without usage, help or example: $name" ;; esac
            sed 's/\\-/-/g; s/\\fR//g; s/\\fP//g' "$2" | grep -qE "^\.?[A-Z]* ?\"?$name( |\"|$|,)" || echo "command without manual entry: $name"
        done
}
# Tests that no local.mk names.
tests() # SOURCE
{
    cat "$source"/tests/local.mk "$source"/tests/*/local.mk >"$work/lists"
    (cd "$1" && ls tests/script/*.zt tests/script/*.sh tests/script/generated/*.zt tests/unit/test_*.c tests/fuzz/fuzz_*.c \
        tests/compare/*.sh tests/guest/*.sh tests/house/*.sh 2>/dev/null) | while read -r file; do
        name=${file%.c}
        grep -qE "(^|[[:space:]])$name([[:space:]]|\$)" "$work/lists" || echo "test that make check does not know: $file"
        case $file in *-lib.sh | */hercules.sh | *.zt | *.c) continue ;; esac
        [ -x "$1/$file" ] || echo "test that cannot be carried out, chmod +x: $file"
    done
}
count() # FILE PATTERN WORDS: the table was understood
{
    [ "$(grep -c "$2" "$1")" -ge "$3" ] || fail "$1: not understood any more"
}

instructions=$source/disasm/instructions.def option_table=$source/emu/config/options.def command_table=$source/emu/console/base/commands.def
count "$instructions" '^ROW(' 1200
count "$option_table" '^OPTION(' 40
count "$command_table" '^CONSOLE_COMMAND(' 50
{
    bodies "$instructions"
    options "$option_table" man/zri.1
    commands "$command_table" man/zri-console.1
    tests "$source"
} >"$work/said"
[ ! -s "$work/said" ] || fail "$(cat "$work/said")"

# Additions that lack something.
names() # WORDS: the last check has said so
{
    grep -qxF -e "$1" "$work/said" || fail "not named: $1; said: $(head -n 3 "$work/said")"
}
{
    cat "$instructions"
    echo 'ROW(XYZZY, "xyzzy", "PLUGH", 0xb9ff00000000, RRE, BASE, 0, SET, NONE, ORD, OPS(R_24, R_28, NONE, NONE, NONE, NONE), NO_ST, NO_ST, "7", none)'
} >"$work/table"
bodies "$work/table" >"$work/said"
names 'instruction without a body: xyzzy'
{
    cat "$option_table"
    echo 'OPTION(XYZZY, 0, "xyzzy", NULL, "say nothing")'
    echo 'OPTION(PLUGH, 0, "plugh", NULL, "")'
} >"$work/table"
options "$work/table" man/zri.1 >"$work/said"
names 'option without manual entry: --xyzzy'
names 'option without help: --plugh'
{
    cat "$command_table"
    echo 'CONSOLE_COMMAND(XYZZY, "xyzzy", "", console_cmd_xyzzy, "xyzzy", "", "xyzzy", KIND_NONE, KIND_NONE, KIND_NONE, 0)'
} >"$work/table"
commands "$work/table" man/zri-console.1 >"$work/said"
names 'command without usage, help or example: xyzzy'
names 'command without manual entry: xyzzy'
mkdir -p "$work/tree/tests/script" "$work/tree/tests/unit"
: >"$work/tree/tests/script/xyzzy.zt"
: >"$work/tree/tests/unit/test_xyzzy.c"
: >"$work/tree/tests/script/plugh.sh"
tests "$work/tree" >"$work/said"
names 'test that make check does not know: tests/script/xyzzy.zt'
names 'test that make check does not know: tests/unit/test_xyzzy.c'
names 'test that cannot be carried out, chmod +x: tests/script/plugh.sh'
finish "every recipe is followed"
