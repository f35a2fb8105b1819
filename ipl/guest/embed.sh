#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Write the C table of built-in images: embed.sh NAME=DESCRIPTION=FILE ... ; files that do not exist are left out.
set -eu
echo '/* Made by ipl/guest/embed.sh. */'
echo '#include "ipl/builtin_data.h"'
number=0
table=
for item in "$@"; do
    name=${item%%=*}
    rest=${item#*=}
    description=${rest%%=*}
    file=${rest#*=}
    [ -s "$file" ] || continue
    echo "static const uint8_t image_$number[] = {"
    od -An -v -tu1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
    echo '};'
    table="$table    {\"$name\", \"$description\", image_$number, sizeof image_$number},
"
    number=$((number + 1))
done
echo 'const struct ipl_builtin ipl_builtin_data[] = {'
printf '%s' "$table"
echo '    {0},'
echo '};'
echo "const unsigned ipl_builtin_count = $number;"
