#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pipeline model judged by a second one on random programs, see judge_pipeline.py: judge-pipeline.sh [CASES [SEED
# [PROFILE...]]]; 15 programs on each profile by default (make check).
. "${srcdir:-.}/tests/lib.sh"
cases=${1:-$(short && echo 4 || echo 15)} seed=${2:-1}
[ $# -ge 2 ] && shift 2 || set --
command -v python3 >/dev/null || skip "python3 is not installed: not judged"
here=$(cd "${srcdir:-.}/tests/compare" && pwd)
judged() # PROFILES: those that were asked for, or all of these
{
    for profile in $(echo "$1" | tr , ' '); do
        case " ${asked:-$profile} " in *" $profile "*) ;; *) continue ;; esac
        python3 -B "$here/judge_pipeline.py" "$seed" "$cases" "$profile" "$zri" "$work" || fail "$profile: zri and the judge differ"
    done
}
asked=$*

part 'EC-11 EC-12 EC-13 EC-15 EC-22 EC-23 EC-25 EC-26 EC-28 EC-30 EC-32 EC-33 EC-37 EC-38 EC-40 EC-41 EC-43 EC-46 EC-49 EC-221 EC-222 EC-223 EC-224 EC-225 EC-226 EC-227 EC-230 EC-231 EC-232 EC-233 random programs: all pairs, PMCs, cycles and each line of the log as a second model has them'
judged teach,small,blind

part 'EC-212 EC-213 EC-214 EC-215 EC-216 EC-217 EC-218 EC-234 EC-236 the same with other predictors and caches'
judged gshare,tage,dry

part 'EC-17 EC-36 EC-240 the same with groups'
judged groups

part 'the judge itself: with another number in one rule it differs on every profile'
for wrong in teach/restart=2 small/ct_entries=5 groups/group_size=2 gshare/history=5 tage/front_depth=6 dry/wp_pollute=1 \
    blind/lat_load=4; do
    python3 -B "$here/judge_pipeline.py" 1 2 "$wrong" "$zri" "$work" >"$work/out" && fail "$wrong: not seen"
    grep -q 'judge .*; zri ' "$work/out" || fail "$wrong: $(tail -3 "$work/out")"
done
finish "the judge has nothing to object"
