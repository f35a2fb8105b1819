#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# picture.sh ZRI FOLDER: pictures of the manual, made by zri itself: NAME.txt for each view of the panel, and NAME.png where zri
# was built with SDL2. The same machine gives the same pictures.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
zri=$1 folder=$2
views="front code storage translation instrumentation trace graph pipeline channels machine"
mkdir -p "$folder"
rm -f "$folder"/*.txt "$folder"/*.png
for view in $views; do
    # views of something that has to be turned on have a script of their own
    script=$here/pictures-$view.zc
    [ -e "$script" ] || script=$here/pictures.zc
    { cat "$script"; echo 'panel size 1000 700'; } >"$folder/pictures.zc.tmp"
    { cat "$folder/pictures.zc.tmp"; echo "panel text $view"; } >"$folder/one.zc.tmp"
    # (The exit status tells of the machine, which is left in the middle of its program.)
    "$zri" --script "$folder/one.zc.tmp" >"$folder/$view.tmp" 2>&1 || :
    sed -n '/\[F1 Front\]/,$p' "$folder/$view.tmp" >"$folder/$view.txt"
    [ -s "$folder/$view.txt" ] || {
        echo "picture.sh: no picture of the view $view: $(tail -n 1 "$folder/$view.tmp")" >&2
        exit 1
    }
    { cat "$folder/pictures.zc.tmp"; echo "panel shot $folder/$view.png $view"; } >"$folder/one.zc.tmp"
    "$zri" --script "$folder/one.zc.tmp" >/dev/null 2>&1 || :
done
rm -f "$folder"/*.tmp
