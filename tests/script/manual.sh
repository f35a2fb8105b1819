#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual (make html, make info): every link of it leads somewhere, no node is empty, every guide of doc/ is in it line by
# line, every option, command, device, code and instruction, and every requirement of the matrices; makeinfo warns of nothing.
# What is wrong is seen: in a manual that was damaged, and in texts of which no chapter can be made.
. "${srcdir:-.}/tests/lib.sh"
src=${srcdir:-.}
command -v python3 >/dev/null || skip "python3 is not installed: there is no manual"
[ -f doc/zri.html/index.html ] && [ -f doc/zri.info ] || skip "no manual was made: it needs makeinfo and python3"
pages=
for p in options commands devices diagnose interruptions instructions facilities controls; do
    "$zri" --dump-manual "$p" >"$work/$p" || fail "zri --dump-manual $p"
    pages="$pages $work/$p"
done
look() # HTML INFO [GUIDE]...: what is wrong with this manual
{
    html=$1 info=$2
    shift 2
    # shellcheck disable=SC2086
    python3 -B "$src/tests/script/manual-look.py" "$html" "$info" "$src"/doc/*.txt "$src"/lessons/*.lesson "$src/README" "$src/SECURITY" "$src/HACKING" "$@" \
        -- $pages -- "$src"/tests/*.matrix
}

part 'the manual is whole'
look doc/zri.html doc/zri.info || fail "the manual, see above"

part 'every view has its picture, with something to see'
grep -o '\[F[0-9]* [A-Z][a-z]*' doc/pictures/front.txt | tr -d '[' | tr A-Z a-z >"$work/views"
[ "$(wc -l <"$work/views")" -eq 10 ] || fail "there are not ten views: $(cat "$work/views")"
while read -r key view; do
    [ -s "doc/pictures/$view.txt" ] || fail "$key $view: no picture"
    grep -q "^Picture: $view - " "$src/doc/views.txt" || fail "$key $view: its picture is not in the manual"
    ! grep -n 'turned on\|from now on it is by' "doc/pictures/$view.txt" || fail "$key $view: what it shows is off"
done <"$work/views"
pictured() # VIEW TEXT
{
    grep -q -- "$2" "doc/pictures/$1.txt" || fail "the picture of the view $1 does not show '$2'"
}
pictured trace 'ENTRY    SVC 1'
pictured graph 'sum_to: 5 blocks, 6 arcs'
pictured pipeline '^ w [0-9A-F]\{16\} .*Fx'

part 'makeinfo warns of nothing'
for form in --html --info; do
    "$(command -v texi2any || command -v makeinfo)" $form --no-split -I doc -o "$work/out" doc/zri.texi 2>"$work/said" || fail "makeinfo $form"
    [ ! -s "$work/said" ] || fail "makeinfo $form says: $(head -5 "$work/said")"
done

part 'what is wrong with a manual is named'
alter() # FILE EXPRESSION: by sed, and something has changed
{
    sed "$2" "$1" >"$work/altered"
    ! cmp -s "$1" "$work/altered" || fail "nothing altered in $1 by $2"
    mv "$work/altered" "$1"
}
cp -r doc/zri.html "$work/html"
cp doc/zri.info "$work/info"
alter "$work/html/Lessons.html" '0,/href="[^"]*#[^"]*"/s//href="#nowhere"/; s/anna.answers bert.answers//'
alter "$work/html/zri.html" 's/<b>-B</<b>-C</'
alter "$work/html/zri_002dinstructions.html" 's/>lpswey</>LPSWEY</'
alter "$work/html/zri_002dinterruptions.html" 's/>special operation/>special/'
alter "$work/html/zri_002dfacilities.html" '0,/DAT enhancement 1/s//DAT enhancement/'
alter "$work/html/Requirements-Event-counters.html" 's/id="EC_002d75"//'
alter "$work/html/Lesson-7.html" 's/the last three digits/the last digits/'
if [ -e doc/zri.html/pictures/front.png ]; then
    rm "$work/html/pictures/front.png"
else # built without SDL2: pictures are text
    alter "$work/html/The-views-of-the-panel.html" "\$s/\$/<a href='pictures\/front.png'>/"
fi
alter "$work/info" '/^3.4 End it/,/\x1f/{/^3.4 End it/b;/^====/b;/\x1f/b;s/.*//}
    0,/: zri-json\./s//: zri-jason./'
printf 'A new guide\n===========\n\nText.\n' >"$work/new.txt"
look "$work/html" "$work/info" "$work/new.txt" >"$work/said" && fail "a manual that is wrong passes"
cat >"$work/wanted" <<END
Lessons.html: a link that leads nowhere: '#nowhere'
an empty node: Linux on zri in ten minutes - End it
a note that leads nowhere: zri-jason
doc/lessons.txt:$(sed -n '/anna.answers bert.answers/=' "$src/doc/lessons.txt") is not in its chapter
The-views-of-the-panel.html: a link that leads nowhere: 'pictures/front.png'
lessons/07-translation.lesson:127 is not in its chapter
new.txt is not a chapter
options: not in the manual: -B, --batch
interruptions: not in the manual: 0013 special operation
instructions: not in the manual: lpswey SIY LOAD PSW EXTENDED
facilities: not in the manual: 3 DAT enhancement 1
ec.matrix: not in the manual: EC-75
END
while read -r words; do
    [ "$(grep -cF -e "$words" "$work/said")" -eq 1 ] || fail "not named: $words"
done <"$work/wanted"
[ "$(wc -l <"$work/said")" -eq "$(wc -l <"$work/wanted")" ] || fail "more than that: $(cat "$work/said")"

part 'what cannot be made a chapter is named'
refused() # FILE WORDS
{
    python3 -B "$src/doc/manual/manual.py" "$src" 1 "$1" >"$work/out" 2>"$work/said" && fail "taken: $1"
    grep -qF "$1: $2" "$work/said" || fail "for $1: $(cat "$work/said")"
}
echo 'Text.' >"$work/guide.txt"
refused "$work/guide.txt" 'no title underlined with ='
printf '.TH X 1\n.SH NAME\n.XX a\n' >"$work/page.1"
refused "$work/page.1" 'line 3: macro not known: .XX'
printf '.TH X 1\n.SH NAME\na\\*b\n' >"$work/page.1"
refused "$work/page.1" 'line 3: escape not known: \*'
printf '#!/bin/sh\n# x\n# y\nmkdir -p tests; : >tests/page-matrix.txt\n' >"$work/page.matrix"
refused "$work/page.matrix" 'it lists no requirements'

part 'texts come through as they are'
cat >"$work/guide.txt" <<'END'
Braces {and} @signs -- --options
================================

Quotes `like this', X'500' and --- dashes, see zri(1).
    shown {as} it's -- `typed', @x

- an item
  of two lines
END
if python3 -B "$src/doc/manual/manual.py" "$src" 1 "$work/guide.txt" >"$work/out" &&
    "$(command -v texi2any || command -v makeinfo)" --plaintext "$work/out" >"$work/text" 2>&1; then
    for words in "1 Braces {and} @signs -- --options" "Quotes ‘like this’, X'500' and --- dashes, see zri(1)." \
        "     shown {as} it's -- \`typed', @x" "   • an item of two lines"; do
        grep -qxF -e "$words" "$work/text" || fail "not as it is: $words"
    done
else
    fail "a guide that should be taken: $(cat "$work/text")"
fi
finish "the manual is whole"
