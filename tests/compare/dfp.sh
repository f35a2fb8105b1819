#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of decimal floating point with Hercules: dfp.sh [CASES [SEED [LIMIT]]].
. "${srcdir:-.}/tests/lib.sh"
. "${srcdir:-.}/tests/compare/hercules.sh"
cases=${1:-2000} seed=${2:-1} limit=${3:-3}
hercules_judges dfp 256 $((1 + cases / 20000)) --facility -37
exit $failed
