#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Other ways to build zri, each with a short run: ci-matrix.sh [NAME...], all of them without a name. From the top of the
# source tree, which ./bootstrap has prepared. A way that would start after $ZRI_CI_SECONDS, when that is set, is named as
# not run. Each way builds in a folder way-NAME beside build/: so the compiler is called with the same words as there, and
# ccache has what the ways have in common.
set -eu
source=$(pwd)
limit=${ZRI_CI_SECONDS:-}
work=$source/way
all='plain clang sanitizers no_readline no_seccomp no_libdw in_tree dist'
remove() # the folders of all ways
{
    for way in $all; do
        [ ! -e "$work-$way" ] || chmod -R u+w "$work-$way"
        rm -rf "$work-$way" "$work-$way.log"
    done
}
remove
trap remove EXIT
started=$(date +%s)
jobs=$(nproc 2>/dev/null || echo 2)
skipped=
werror=--enable-werror variables=
# Long tests make themselves short; guests may take their time.
ZRI_SHORT=1 ZRI_SECONDS=900
export ZRI_SHORT ZRI_SECONDS

# The tests that a variant runs: quick ones that go through every folder.
short_tests=${ZRI_CI_TESTS:-tests/unit/test_ipl tests/guest/programs.sh tests/guest/demo.sh}
short_programs=${ZRI_CI_PROGRAMS:-tests/unit/test_ipl}

build() # NAME CONFIGURE-ARGUMENTS...
{
    name=$1
    shift
    mkdir "$work-$name"
    (cd "$work-$name" && "$source/configure" --quiet $werror "$@" && make -s -j"$jobs" $variables)
}
# With the programs that these tests want, or with all that can be built.
run_short()
{
    make -s -C "$work-$1" -j"$jobs" check TESTS="$short_tests" check_LIBRARIES= \
        check_PROGRAMS="$short_programs" >"$work-$1.log" 2>&1
}

# list NAME EXPRESSION: what make makes of it.
list() { printf 'include Makefile\nlist:\n\t@echo $(%s)\n' "$2" | make -s -C "$work-$1" -f - list; }

plain() # without any optional library
{
    build plain --without-readline --without-ncurses --without-jansson --without-zlib --without-intelrdfp --without-nettle \
        --without-slirp --without-seccomp --without-libdw --without-sdl2 --without-cmocka --disable-ri
    "$work-plain/zri" --version >/dev/null
    make -s -C "$work-plain" -j"$jobs" check TESTS=tests/script/tui.sh check_LIBRARIES= check_PROGRAMS= >"$work-plain.log" 2>&1
    "$work-plain/zri" --test "$source/tests/script/generated/dfp-arithmetic.zt" # by our own integers alone
    ZRI=$work-plain/zri srcdir=$source sh "$source/tests/script/panel.sh" # its text, and what is refused without SDL2
}
no_seccomp()
{
    build no_seccomp --without-seccomp
    make -s -C "$work-no_seccomp" -j"$jobs" check TESTS="tests/unit/test_sandbox tests/script/sandbox.sh" \
        check_LIBRARIES= check_PROGRAMS=tests/unit/test_sandbox >"$work-no_seccomp.log" 2>&1
}
no_libdw()
{
    build no_libdw --without-libdw
    make -s -C "$work-no_libdw" -j"$jobs" check TESTS="tests/script/zri-prof.sh tests/script/zri-prof-symbols.sh" \
        check_LIBRARIES= check_PROGRAMS=tests/compare/dice >"$work-no_libdw.log" 2>&1
}
no_readline()
{
    build no_readline --without-readline
    run_short no_readline
}
clang()
{
    if ! command -v clang >/dev/null; then
        echo "ci-matrix: clang is not installed" >&2
        return 1
    fi
    build clang CC=clang
    # All that gcc compiles, once: the fuzz drivers' second library would be the same files again.
    make -s -C "$work-clang" -j"$jobs" check TESTS= check_LIBRARIES= \
        check_PROGRAMS="$(list clang 'filter-out $(FUZZERS),$(check_PROGRAMS)')" >"$work-clang.log" 2>&1
    run_short clang
}
# The library is compiled in the words of the fuzz drivers' (tests/local.mk), which ./bootstrap check has compiled; without
# warnings, as at -O1 gcc warns of truncation that cannot happen. The fuzz drivers have the sanitizers in every build, and
# ./bootstrap check has run them. One boot of Linux is enough here, and no comparison with others' machines; with
# ZRI_CI_WHOLE in the environment all of the suite runs.
left_out='$(FUZZERS)' boot=
if [ -z "${ZRI_CI_WHOLE:-}" ]; then
    left_out='$(FUZZERS) $(MATRICES) tests/guest/linux-% tests/compare/% tests/house/% tests/fuzz/%'
    # What looks at documents, at exact arithmetic, at statistics of profiles or runs all scripted tests a second time.
    left_out="$left_out tests/script/manual.sh tests/script/generated.sh tests/script/arithmetic.sh tests/script/coverage.sh"
    left_out="$left_out tests/script/edges-bias.sh"
    boot=tests/guest/linux-boot.sh
fi
sanitizers()
{
    werror= variables=WARN_CFLAGS=
    build sanitizers --enable-sanitizers CFLAGS='-O1 -g1'
    make -s -C "$work-sanitizers" -j"$jobs" check VERBOSE=1 WARN_CFLAGS= \
        TESTS="$(list sanitizers "filter-out $left_out,\$(TESTS)") $boot" \
        check_LIBRARIES= check_PROGRAMS="$(list sanitizers 'filter-out $(FUZZERS),$(check_PROGRAMS)')" >"$work-sanitizers.log" 2>&1
}
# Where other ways have the compiler's warnings and its optimizations, this one and the next try folders and files.
in_tree()
{
    mkdir "$work-in_tree"
    tar --exclude="./way-*" --exclude=./build --exclude=./b --exclude=./.git -cf - . |
        tar -C "$work-in_tree" -xf -
    (cd "$work-in_tree" && ./configure --quiet CFLAGS=-O0 && make -s -j"$jobs")
    run_short in_tree
}
# The tarball builds, tests and installs by itself, also where there are no cross tools.
dist()
{
    mkdir "$work-dist"
    (cd "$work-dist" && "$source/configure" --quiet $werror &&
        make -s -j"$jobs" distcheck \
            DISTCHECK_CONFIGURE_FLAGS="CFLAGS=-O0 S390X_AS= S390X_LD= S390X_OBJCOPY=" TESTS="$short_tests" check_LIBRARIES= check_PROGRAMS="$short_programs") \
        >"$work-dist.log" 2>&1
}

one()
{
    begin=$(date +%s)
    if [ -n "$limit" ] && [ $((begin - started)) -ge "$limit" ]; then
        skipped="$skipped $1"
        return 0
    fi
    # A subshell of its own, with set -e in force: every command of the way must succeed.
    set +e
    (set -e; "$1")
    status=$?
    set -e
    if [ $status -ne 0 ]; then
        echo "ci-matrix: $1: FAILED"
        grep -E '^(FAIL|ERROR|XPASS)' "$work-$1.log" 2>/dev/null || true # what of the tests' own words is far from the end
        tail -40 "$work-$1.log" 2>/dev/null || true
        exit 1
    fi
    echo "ci-matrix: $1: ok ($(($(date +%s) - begin)) s)"
}

# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all
for way in "$@"; do
    one "$way"
done
[ -z "$skipped" ] || echo "ci-matrix: NOT RUN, out of time:$skipped"
