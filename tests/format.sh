#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Is the C of this tree laid out as .clang-format says? format.sh [--mend]. Exit status 77 where the formatter is not the one
# that Debian 12 has: others lay out some things in another way.
set -eu
cd "$(dirname "$0")/.."
formatter=${CLANG_FORMAT:-$(command -v clang-format-14 || command -v clang-format || :)}
case $([ -z "$formatter" ] || "$formatter" --version) in
*' version 14.'*) ;;
*)
    echo "skipped: there is no clang-format 14 here (package clang-format)"
    exit 77
    ;;
esac
how="--dry-run --Werror"
[ "${1:-}" != --mend ] || how=-i
# shellcheck disable=SC2086
find base disasm ri cpu ipl emu tests \( -name '*.c' -o -name '*.h' \) -print0 | xargs -0 "$formatter" $how
