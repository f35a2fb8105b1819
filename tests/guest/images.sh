#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every image format through the program itself, and what it says about images that will not do.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 1
ran=0

# A program of 32 bytes, good at any address that is a multiple of 2: LARL 1,*+16; LPSWE 0(1); the wait PSW X'FFF'.
printf '\300\020\0\0\0\010\262\262\020\0\007\007\007\007\007\007' >code
printf '\0\002\0\001\200\0\0\0\0\0\0\0\0\0\017\377' >>code
printf '\0\010\0\0\200\001\0\0' >psw                               # short PSW: X'10000', 31-bit addressing
printf '\0\0\0\001\200\0\0\0\0\0\0\0\0\0\0\040' | cat - /dev/zero | head -c 32 | cat - code >atzero # long PSW: X'20'
printf '* a list\npsw 0\ncode 0x10000\n' >good.ins
blanks() { printf "%$1s" '' | tr ' ' '\100'; }
{ # one control section MAIN of 32 bytes, its text, END
    printf '\002\305\342\304'; blanks 6; printf '\0\020'; blanks 2; printf '\0\001'
    printf '\324\301\311\325\100\100\100\100\0\0\0\0\100\0\0\040'; blanks 48
    printf '\002\343\347\343\100\0\0\0'; blanks 2; printf '\0\040'; blanks 2; printf '\0\001'; cat code; blanks 32
    printf '\002\305\325\304'; blanks 76
} >deck
gzip -c code >code.gz

good() # ARGUMENTS...
{
    ran=$((ran + 1))
    "$zri" --batch --seconds 10 "$@" >out 2>&1 </dev/null || {
        fail "zri --batch $*: $(cat out)"
    }
}
bad() # WORD ARGUMENTS...: exit status 2 and a sentence with WORD
{
    ran=$((ran + 1))
    word=$1
    shift
    "$zri" --batch --seconds 10 "$@" >out 2>&1 </dev/null
    status=$?
    if [ $status -ne 2 ] || ! grep -qF -- "$word" out; then
        fail "zri --batch $*: exit status $status, expected 2 and '$word': $(cat out)"
    fi
}

good code@10000
good code@0x4ff00
good code@7ffffe0                # the last 32 bytes of 128 MiB
good atzero
good psw code@10000
good good.ins
good deck@8000
# The text of --append is where Linux has its command line, whatever the image is.
for image in atzero good.ins; do
    good --kernel $image --append 'one two' --savecore text:10480-10487
    printf 'one two\0' | cmp - text || fail "$image: --append is not found at 10480"
done
bad '895 fit' --kernel atzero --append "$(head -c 896 /dev/zero | tr '\0' x)"
if "$zri" --batch --seconds 10 code.gz@10000 >out 2>&1; then ran=$((ran + 1)); else bad 'without zlib' code.gz@10000; fi

head -c 20 code.gz >short.gz
head -c 200 deck >short.deck
printf '\177ELF\002\002\001' >short.elf
printf '\177ELF\002\001\001' | cat - /dev/zero | head -c 200 >intel.elf
: >empty
printf 'code\n' >bad.ins
printf 'nowhere 0\n' >lost.ins
bad 'nothing.img' nothing.img
bad 'beyond the machine' code@7ffffe1
bad 'beyond the machine' code@fffffffffffffff0
bad 'empty' empty
bad 'name a file in it' .
bad 'ELF header' short.elf
bad 'little-endian' intel.elf
bad 'whole cards' short.deck
bad 'line 1' bad.ins
bad 'lost.ins, line 1' lost.ins
bad 'PSW' --kernel code --append x
bad 'code' --initrd psw code
bad 'give a number, or host' --seed x code@10000
bad 'leave --seed host out' --seed host --lockstep code@10000
bad 'no two runs are alike' --seed 3 --threads code@10000
for seed in host 3; do
    good --seed $seed code@10000
done
bad 'no built-in image' builtin:nothing
finish "$ran runs with images"
