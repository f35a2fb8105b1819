#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The panel without a window: every view as text and as a picture, lamps by their pixels, keys and fields pressed, the
# keyboard alone, and all that is refused. A build without SDL2 says so and has the text all the same.
. "${srcdir:-.}/tests/lib.sh"
tests=${srcdir:-.}/tests/script
export ZRI_HISTORY=
run() # commands on standard input; what they show in $work/out, with standard error
{
    cat >"$work/in"
    "$zri" --script "$work/in" </dev/null >"$work/out" 2>&1
}
says() # EXPRESSION WORDS: a line of $work/out is like that
{
    grep -q -- "$1" "$work/out" || fail "$2: $(cat "$work/out")"
}

# ---- as text
run <<'END'
load builtin:demo
gpr 5=1234ABCD
panel text
END
says 'F1 Front' "the tabs"
says '\[Start\]\[Stop\] \[Pause\]' "the keys"
says 'R5  000000001234ABCD' "a register"
says '● stopped' "the lamp of the stopped state"
says '○ operating' "the lamp of the operating state"
says 'mask 0000000180000000  address 0000000000010000' "the PSW"

# ---- pressed: a program is loaded, carried out step by step, a register changed; the keyboard alone does the same
run <<'END'
panel press Load
panel press load builtin:demo
panel press Step
panel press Step
psw
gpr 5=77
panel press 0000000000000077
panel press Clear
panel press A
panel press 9
panel press Back
panel press B
panel press Set
reg r5
panel key Tab
panel status
panel key Shift+Tab
panel key Shift+Tab
panel status
panel type gpr 6=66
panel key Enter
panel key Up
panel key Home
panel type reg r7=7 # 
panel key Enter
reg r6 r7
panel press Rate: process
panel press Start
reg pswa
panel key Ctrl+T
panel status
panel press A+
panel status
panel press Stop
panel press External
pending
END
says 'PSW=0000000180000000 0000000000010008' "two steps"
says 'r5=00000000000000AB' "a field that was changed by the pad"
says 'the keyboard is at F1 Front' "Tab begins with the first key"
says 'the keyboard is at the line for commands' "Shift+Tab goes back over the first to the last"
says 'r6=0000000000000066' "a command that was typed"
says 'r7=0000000000000007' "a command out of the history, changed"
says 'pswa=000000000001000E' "the start key at instruction rate"
says 'view front, light' "another theme by a key"
says '110 per cent' "larger characters"
says 'interrupt key' "the external key"

# ---- Tab in a command that has begun completes it; in an empty line it goes to the first key, as before
mkdir "$work/folder"
: >"$work/folder/only-file"
run <<'END'
panel type snap
panel key Tab
panel type l
panel key Tab
panel type nofile
panel text
panel key Enter
panel type reg r5=5
panel key Home
panel key Tab
panel status
panel key Escape
panel key End
panel key Enter
reg r5
panel type status
panel key Home
panel key Right
panel key Tab
panel text
END
says '^ zri> snapshot load nofile' "words that are whole have a blank behind them"
says 'the keyboard is at F1 Front' "Tab at the beginning of the line"
says 'r5=0000000000000005' "and back"
says '^ script savecore snapshot .* stop ' "several are listed"
run <<END
panel type script $work/fol
panel key Tab
panel key Tab
panel text
END
says "^ zri> script $work/folder/only-file" "names of folders and files"

# ---- refused
while IFS='|' read -r command words; do
    echo "$command" | run && fail "$command was carried out"
    says "$words" "$command"
done <<'END'
panel view nothing|there is no view 'nothing'; there are front
panel text nothing|there is no view 'nothing'
panel theme blue|the themes are dark and light
panel size 1 1|320 to 8192 pixels
panel size 800 600 10|50 to 400 per cent
panel press Nowhere|no key or value 'Nowhere'
panel key Any|Any is none that the panel knows
panel click 150 15|nothing there can be pressed
panel|usage: panel
END
"$zri" --panel --batch builtin:demo >"$work/out" 2>&1 && fail "--panel --batch is carried out"
says '--panel: a window is for somebody who looks; leave --batch out' "--panel --batch"
"$zri" --panel --sandbox builtin:demo >"$work/out" 2>&1 && fail "--panel --sandbox is carried out"
says '--panel: its window speaks with the display' "--panel --sandbox"

echo "panel shot $work/a.png" | run
if grep -q 'built without SDL2\|built without zlib' "$work/out"; then
    says 'install .* and configure again' "a build without pictures"
    "$zri" --panel </dev/null >"$work/out" 2>&1
    [ $? -eq 2 ] || fail "--panel without SDL2: exit status is not 2"
    says 'built without SDL2' "--panel without SDL2"
    [ -e "$work/a.png" ] && fail "a picture was begun"
    finish "the panel as text; there are no pictures in this build, which says so"
fi
if grep -q 'need the library\|no font was found' "$work/out"; then
    says 'install ' "a host without SDL2 or fonts"
    finish "the panel as text; this host has no SDL2 or no font, which zri says"
fi
(unset DISPLAY WAYLAND_DISPLAY && SDL_VIDEODRIVER=x11 "$zri" --panel --stop builtin:demo </dev/null >"$work/out" 2>&1)
[ $? -eq 2 ] || fail "--panel without a display: exit status is not 2"
says 'the panel: no window can be opened: .*; start zri where there is a display' "no display"
(unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER && timeout 20 "$zri" --panel --stop builtin:demo </dev/null >"$work/out" 2>&1)
[ $? -eq 2 ] || fail "--panel without a display and without a driver that is asked for: exit status is not 2"
says 'the panel: no window can be opened: .*; start zri where there is a display' "no display, no driver"
echo "panel shot $work/b.png" >"$work/in"
ZRI_PANEL_FONT=$work/none.ttf "$zri" --script "$work/in" </dev/null >"$work/out" 2>&1
says "ZRI_PANEL_FONT: the font '$work/none.ttf' cannot be read" "a font that is not there"
echo "panel shot $work/no/c.png" | run
says "no/c.png' cannot be written: No such file" "a folder that is not there"

# ---- pictures of every view, in both themes, small and large
command -v python3 >/dev/null || finish "the panel as text; without python3 pictures are not looked at"
views=$(echo 'panel view ?' >"$work/in" && "$zri" --script "$work/in" </dev/null 2>&1 | sed -n 's/.*there are //p' | tr -d , | head -1)
[ -n "$views" ] || fail "no views"
{
    echo load builtin:demo
    echo s 40
    for view in $views; do
        echo "panel text $view"
        echo "panel shot $work/$view.png"
    done
    echo panel theme light
    echo panel size 640 480
    echo "panel shot $work/small.png front"
    echo panel size 2560 1440 200
    echo "panel shot $work/large.png front"
    echo panel size 1280 800 100
    echo panel text front
    echo "panel shot $work/light.png"
} >"$work/in"
"$zri" --script "$work/in" </dev/null >"$work/views" 2>&1 || fail "pictures: $(tail -3 "$work/views")"
for view in $views; do
    set -- $(python3 -B "$tests/panel_picture.py" "$work/$view.png")
    [ "$1 $2" = "1280 800" ] && [ "$3" -gt 20 ] || fail "the picture of $view: $*"
done
set -- $(python3 -B "$tests/panel_picture.py" "$work/small.png") && [ "$1 $2" = "640 480" ] || fail "the small picture: $*"
set -- $(python3 -B "$tests/panel_picture.py" "$work/large.png") && [ "$1 $2" = "2560 1440" ] || fail "the large picture: $*"

# ---- lamps and what has changed, by pixels
cat >"$work/in" <<END
load builtin:demo
s 3
panel view front
gpr 3=ABC
panel text front
panel shot $work/front.png
END
"$zri" --script "$work/in" </dev/null >"$work/front.txt" 2>&1
python3 -B - "$work" "$tests" <<'END' || fail "lamps and marks by pixels"
import sys
work, tests = sys.argv[1:]
sys.path.insert(0, tests)
from panel_picture import Picture, Text, lamp_lit, LIT
lines = open(work + "/front.txt", encoding="utf-8").read().split("\n")
start = next(i for i, line in enumerate(lines) if "F1 Front" in line)
text, picture = Text("\n".join(lines[start:])), Picture(work + "/front.png")
for label, lit in (("stopped", True), ("operating", False), ("check-stop", False), ("DAT", False), ("problem", False)):
    assert text.lamp(label) == lit, label
    assert lamp_lit(picture, text, label) == lit, label
for value, changed in (("R3  ", True), ("R4  ", False)):
    x, y = text.find(value)
    line = (x * 8 + 32, y * 19 - 4, 16 * 8, 26) # underlined over its whole length
    widest = max(sum(picture.pixel(px, py) == LIT["dark"] for px in range(line[0], line[0] + line[2]))
                 for py in range(line[1], line[1] + line[3]))
    assert (widest > 100) == changed, (value, widest)
END
finish "the panel: text, keys, fields, pictures"
