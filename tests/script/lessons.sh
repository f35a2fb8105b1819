#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lessons: each is played from its beginning to its end by its solution, in which every task has a wrong answer that must be
# refused with words that help; what is remembered; what is not understood.
. "${srcdir:-.}/tests/lib.sh"
lessons=$(cd "${srcdir:-.}/lessons" && pwd) || exit 99
cd "$work" || exit 99
ZRI_LESSONS=$lessons XDG_STATE_HOME=$work/state
export ZRI_LESSONS XDG_STATE_HOME

# play LESSON SOLUTION: what comes, as one line for each command that judges.
play() { "$zri" --lesson "$1" <"$2" >out 2>err; }

# Issue 19, 3: each lesson's solution file, each task's wrong answer.
count=0
for lesson in "$lessons"/*.lesson; do
    name=$(basename "$lesson" .lesson)
    solution=$lessons/$name.solution
    [ -f "$solution" ] || { fail "$name: no solution"; continue; }
    count=$((count + 1))
    rm -rf state
    play "$lesson" "$solution" || fail "$name: its solution does not end it: $(cat err; tail -n 3 out)"
    [ ! -s err ] || fail "$name: $(cat err)"
    tail -n 1 out | grep -q '^That was the last task: the lesson is complete\.$' || fail "$name: not complete"
    # The refusals in their order, each with the words that the solution expects of it.
    tr '\n' ' ' <out | sed 's/Not yet: /\nNot yet: /g; s/Task [0-9]* is done\./\n&\n/g' | grep '^Not yet\|^Task [0-9]* is done' >met
    sed -n 's/^# refused: //p' "$solution" >wanted
    grep '^Not yet' met | paste -d '\t' wanted - | awk -F '\t' '$1 == "" || index($2, $1) == 0' >differ
    [ ! -s differ ] || fail "$name: refused with other words than expected: $(cat differ)"
    # Behind each task that was done stands a refusal of it.
    awk '/^Not yet/ { refused = 1 } /is done/ { if (!refused) print; refused = 0 }' met >never
    [ ! -s never ] || fail "$name: never refused before: $(cat never)"
    [ "$(grep -c 'is done' met)" = "$(grep -c '^task ' "$lesson")" ] || fail "$name: tasks left out"
    # A machine that was made ready is not what is asked for: each task refuses at its beginning.
    rm -rf state
    { grep -n '^task ' "$lesson" | awk '{ print "task", NR; print "check" }'; } >asked
    play "$lesson" asked && fail "$name: is complete without any work"
    [ "$(grep -c '^Not yet' out)" = "$(grep -c '^task ' "$lesson")" ] || fail "$name: a task is done when it begins"
done
[ "$count" -ge 12 ] || fail "only $count lessons"

# What is remembered, and in which form.
rm -rf state
"$zri" --lesson 1 >out 2>&1 <<'END'
gpr 1=2A
check
quit
END
[ $? -eq 1 ] || fail "a lesson that is not complete has another exit status than 1"
printf 'zri-lessons 1\nnumbers 1\n' | cmp -s - state/zri/lessons || fail "progress: $(cat state/zri/lessons)"
"$zri" --lesson | grep -q '1 of 5 tasks are done' || fail "the list does not know what is done"
echo quit | "$zri" --lesson numbers | grep -q '^Task 2 of 5' || fail "a lesson does not go on where it was left"
echo other 3 >>state/zri/lessons
printf 'gpr 2=FFFFFFFFFFFFFFFF\ncheck\n' | "$zri" --lesson 1 >out
sort state/zri/lessons | tr '\n' ';' | grep -q '^numbers 1 2;other 3;zri-lessons 1;$' || fail "progress of another lesson: $(cat state/zri/lessons)"
printf 'json on\nlesson\n' | "$zri" --lesson 1 | tail -n 1 | grep -q '"task":2,"title":"The largest number"' || fail "no JSON"

# A script begins at the beginning, and leaves what is remembered alone.
cp state/zri/lessons before
printf 'gpr 1=2A\ncheck\n' >script
"$zri" --lesson 1 --script script >out && fail "a script that does one task has done the lesson"
grep -q '^Task 1 is done' out || fail "a script did not begin at the first task"
cmp -s before state/zri/lessons || fail "a script changed what is remembered"

# A broken file gets a sentence, stays as it is, and the lesson goes on.
printf 'zri-lessons 1\nnumbers one\n' >state/zri/lessons
cp state/zri/lessons broken
printf 'gpr 1=2A\ncheck\n' | "$zri" --lesson 1 >out 2>err
grep -q "lessons:2: this is no line of 'zri-lessons 1'; mend the file, or remove it" err || fail "broken progress: $(cat err)"
grep -q '^Task 1 is done' out || fail "the lesson does not go on with a broken file"
cmp -s broken state/zri/lessons || fail "a broken file was changed"
for bad in '' 'zri-lessons 2' 'zri-lessons 1
numbers 33' 'zri-lessons 1
numbers 0' 'zri-lessons 1
numbers 1x' 'zri-lessons 1
abcdefghijklmnopqrstuvwxyzabcdefghij 1'; do
    printf '%s\n' "$bad" >state/zri/lessons
    "$zri" --lesson 2>&1 >/dev/null | grep -q 'progress is not kept' || fail "taken for progress: $bad"
done
rm -rf state
: >state # no folder can be made there
printf 'gpr 1=2A\ncheck\n' | "$zri" --lesson 1 >out 2>&1
grep -q 'progress is not kept: .*XDG_STATE_HOME' out || fail "progress that cannot be written: $(cat out)"
rm state
XDG_STATE_HOME='' HOME='' "$zri" --lesson 2>&1 | grep -q 'neither XDG_STATE_HOME nor HOME' || fail "no home"

# Names, and what does not go together.
"$zri" --lesson 99 2>&1 | grep -q "there is no lesson '99'; zri --lesson lists them" || fail "lesson 99"
"$zri" --lesson no.lesson 2>&1 | grep -q 'no.lesson: cannot be read: No such file' || fail "a file that is not there"
ZRI_LESSONS=$work "$zri" --lesson 2>&1 | grep -q 'which ZRI_LESSONS names' || fail "a folder without lessons"
"$zri" --lesson 1 --batch 2>&1 | grep -q 'leave image' || fail "--batch with a lesson"
"$zri" --lesson 1 --threads 2>&1 | grep -q 'leave image' || fail "--threads with a lesson"
"$zri" --lesson --json | grep -q '^{"number":1,"name":"numbers","title":"Numbers and registers"' || fail "the list as JSON"
for word in lesson task hint check 'answer 1'; do
    echo "$word" | "$zri" 2>&1 | grep -q 'no lesson is on; zri --lesson lists them' || fail "$word without a lesson"
done

# A teacher's file that is wrong: file, line, remedy.
good='lesson x
title X
about x
text
  x
task T
text
  x
hint
  x
check %r1 = 1
else
  no'
# The lesson that doc/lessons.txt writes.
sed -n '/^    # Remarks begin/,/^      Twice 15 is 2A/s/^    //p' "$lessons/../doc/lessons.txt" >doubling.lesson
grep -q '^lesson doubling$' doubling.lesson || fail "no lesson in doc/lessons.txt"
printf 'check\nasm 10000 agr %%r1,%%r1\ns\ncheck\n' | "$zri" --lesson ./doubling.lesson >out 2>&1 || fail "the lesson of doc/lessons.txt: $(cat out)"
grep -q '^Not yet: no AGR was carried out yet\.$' out || fail "the lesson of doc/lessons.txt refuses otherwise"

refused() # LINE 'WORDS' FILE...: the file is refused with these words
{
    printf '%s\n' "$3" >x.lesson
    "$zri" --lesson x.lesson </dev/null >out 2>&1
    [ $? -eq 2 ] || fail "exit status of: $3"
    grep -q "x.lesson:$1: .*$2" out || fail "wanted line $1, $2: $(cat out)"
}
change() { printf '%s\n' "$good" | sed "$1"; }
printf '%s\n' "$good" >x.lesson
printf 'gpr 1=1\ncheck\n' | "$zri" --lesson x.lesson >out 2>&1 || fail "the good lesson: $(cat out)"
refused 1 "'lessen' is no word of a lesson" "$(change '1s/lesson/lessen/')"
refused 1 'no name of a lesson' "$(change '1s/x/X Y/')"
refused 13 "the line 'title TEXT' is missing" "$(change '2s/.*/# none/')"
refused 2 "nothing behind 'title'" "$(change '2s/.*/title/')"
refused 2 'an indented line belongs to nothing' "$(change '2s/.*/  title/')"
refused 6 "there is nothing under 'text'" "$(change 5d | sed '4a\
# nothing')"
refused 4 'indented lines under it' "$(change '4s/.*/text x/')"
refused 6 "'hint' belongs to a task" "$(change '6s/.*/hint/')"
refused 11 "'title' stands above the first task" "$(change '10a\
title Y')"
refused 6 'has no text' "$(change 7,8d)"
refused 11 "this check has no 'else'" "$(change 12,13d)"
refused 11 'is no condition' "$(change '11s/.*/check %r1 = /')"
refused 11 'is no condition' "$(change '11s/.*/check %r1 = 1 and/')"
refused 11 'has not the arguments' "$(change '11s/.*/check happened()/')"
refused 11 'has not the arguments' "$(change '11s/.*/check used(a,b)/')"
refused 11 "no instruction 'frob'" "$(change '11s/.*/check used(frob)/')"
refused 11 "'answer is WORD'" "$(change '11s/.*/check %r1 is one/')"
refused 4 'a lesson sets cpus, storage, profile or pipe' "$(change '4i\
machine engine block')"
refused 4 'not a number from 1 to 16' "$(change '4i\
machine cpus 17')"
refused 4 'not a size from 1M to 512M' "$(change '4i\
machine storage 1G')"
refused 5 "X'09' has no place" "$(change '5s/x/\tx/')"
refused 5 'longer than 200 bytes' "$(change "5s/x/$(printf '%0250d' 0)/")"
refused 7 "the machine cannot be set up: there is no command 'frobnicate'" "$(change '5a\
setup\
  frobnicate')"
finish "$count lessons played from start to end"
