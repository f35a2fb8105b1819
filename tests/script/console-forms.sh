#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Displays of run-time instrumentation, of counters and of help in both of their forms, to the letter.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
# both FILE: the commands in the file, answered as the file says: each line that begins with > is a command
both()
{
    sed -n 's/^> //p' "$1" >commands
    { cat before; cat commands; } | "$zri" >all 2>&1
    sed '1,/^the answers$/d' all >found
    grep -v '^> ' "$1" >wanted
    cmp -s wanted found || fail "$1: $(diff wanted found)"
}
cat >before <<'END'
asm 10000 lghi %r1,8
asm 10004 brctg %r1,0x10004
asm 10008 lpswe 0x100
r 100=0002000180000000 0000000000000000
psw 0000000180000000 10000
ri set V=1 Qs=1 Qc=1 M=1 C=1 R=1 B=1 F=1 RGS=1 SF=4 ROA=40000 RCA=40000 RLA=400FF
ri on
END
{ cat before; printf 'ri explain\nri explain --json\n'; } | "$zri" >out 2>&1
grep -q 'the latest sample' out && fail "ri explain tells of a sample instruction, and there was none"
grep -q '"latest_address":"0000000000000000","latest_line":0}$' out || fail "ri explain --json has no place for the latest one"
printf 'g\necho the answers\n' >>before

cat >explain <<'END'
> ri explain
no instruction is a sample instruction now: off
the latest sample instruction was 10004, line 4: yes: override (F)
> ri explain --json
{"active":false,"state":"off","latest_address":"0000000000010004","latest_line":4}
END
cat >controls <<'END'
> ri controls
RCA  0000000000040080  current address
ROA  0000000000040000  origin address
RLA  0000000000040FFF  limit address
V    1  controls valid
S    0  problem-state programs may control
K    0  problem-state MRIC may set the buffer
H    0  buffer in the home space
A    1  altered
Ps   0  report in the problem state
Qs   1  report in the supervisor state
Pc   0  collect in the problem state
Qc   1  collect in the supervisor state
G    0  halted interruption pending
U    0  interruptions enabled
L    0  buffer-full interruption pending
Key  0  access key of the buffer
T    0  no function
RGS  1  reporting-group size code: 4 records, 64 bytes
M    1  mode: instructions
N    0  RINEXT enabled
MAE  0  maximum address exceeded
C    1  collect calls
R    1  collect returns
B    1  collect other branches
J    0  BC 15 is a return
E    0  RIEMIT enabled
X    0  collect transaction aborts
BPxn 0  report wrongly predicted taken
BPxt 0  report wrongly predicted not taken
BPti 0  report taken, wrong target
BPni 0  report not taken, wrong target
Y    0  suppress at primary capability
Z    0  suppress at secondary capability
D    0  extra record about data accesses
F    1  report every sample
IC   0  report fetch misses from level
DC   0  report data misses from level
SF   0000000000000004  scaling factor: 4 in decimal
RSIC 0000000000000003  remaining sample-interval count: 3 in decimal
> ri controls --json
{"RCA":"0000000000040080","ROA":"0000000000040000","RLA":"0000000000040FFF","V":1,"S":0,"K":0,"H":0,"A":1,"Ps":0,"Qs":1,"Pc":0,"Qc":1,"G":0,"U":0,"L":0,"Key":"0","T":0,"RGS":1,"M":"1","N":0,"MAE":0,"C":1,"R":1,"B":1,"J":0,"E":0,"X":0,"BPxn":0,"BPxt":0,"BPti":0,"BPni":0,"Y":0,"Z":0,"D":0,"F":1,"IC":"0","DC":"0","SF":"0000000000000004","RSIC":"0000000000000003"}
END
json='[[{"address":"0000000000040000","record":{"type":"begin","code":"02","NRG":"000002","VERSION":"0001","RGS":1,"S":0,"T":0,"H":0,"TOD":"D5F000000000000C"}},{"address":"0000000000040010","record":{"type":"transfer","code":"14","C":0,"IA":"00000000010004","W":1,"TGT":"0000000000010004"}},{"address":"0000000000040020","record":{"type":"transfer","code":"14","C":0,"IA":"00000000010004","W":1,"TGT":"0000000000010004"}},{"address":"0000000000040030","record":{"type":"instruction","code":"04","C":0,"IA":"00000000010004","BR":1,"TK":1,"PT":1,"TC":1,"DS":0,"CS":1,"EX":0,"PS":0,"IL":"E","DL":"F","LEN":"04","TXT":"A7170000"}}],[{"address":"0000000000040040","record":{"type":"timestamp","code":"03","VERSION":"0001","T":0,"TOD":"D5F000000000001C"}},{"address":"0000000000040050","record":{"type":"transfer","code":"14","C":0,"IA":"00000000010004","W":1,"TGT":"0000000000010004"}},{"address":"0000000000040060","record":{"type":"transfer","code":"14","C":0,"IA":"00000000010004","W":1,"TGT":"0000000000010004"}},{"address":"0000000000040070","record":{"type":"instruction","code":"04","C":0,"IA":"00000000010004","BR":1,"TK":1,"PT":1,"TC":1,"DS":0,"CS":1,"EX":0,"PS":0,"IL":"E","DL":"F","LEN":"04","TXT":"A7170000"}}]]'
cat >buffer <<END
> ri groups
group    1 at 0000000000040000:   4 records,   2 branches, sample instruction 0000000000010004 
group    2 at 0000000000040040:   4 records,   2 branches, sample instruction 0000000000010004 
2 groups (decimal)
> ri groups --json
$json
> ri buffer
  group 1
    40000  begin       groups 2, version 0001, 4 records each, primary capability, TOD D5F000000000000C
    40010  transfer    10004 -> 10004  well predicted
    40020  transfer    10004 -> 10004  well predicted
    40030  instruction 10004  A7170000, 4 bytes, supervisor state, sample by count, fetch miss 14, data none, branch taken, predicted taken, target prediction not wrong
  group 2
    40040  timestamp   version 0001, primary capability, TOD D5F000000000001C
    40050  transfer    10004 -> 10004  well predicted
    40060  transfer    10004 -> 10004  well predicted
    40070  instruction 10004  A7170000, 4 bytes, supervisor state, sample by count, fetch miss 14, data none, branch taken, predicted taken, target prediction not wrong
2 groups (decimal)
> ri buffer --json
$json
> ri collection
0 records (decimal), oldest first
> ri collection --json
[]
> r 40000=04
> ri buffer
0 groups (decimal)
> ri buffer --json
[]
> ri groups
0 groups (decimal)
> ri groups --json
[]
END
lines='CPU 0: counter facility, version 3.7, authorization 000E
0002 basic             disabled     counters 0 to 5 (decimal)
0004 problem-state     disabled     counters 32 to 33 (decimal)
0008 crypto-activity   disabled     counters 64 to 83 (decimal)
0001 extended          unauthorized counters 128 to 287 (decimal)
0020 MT-diagnostic     unauthorized counters 448 to 495 (decimal)
8000 coprocessor-group unauthorized'
sets='"first_version":3,"second_version":7,"authorization":"000E","sets":[{"bit":"0002","name":"basic","state":"disabled","counters":[]},{"bit":"0004","name":"problem-state","state":"disabled","counters":[]},{"bit":"0008","name":"crypto-activity","state":"disabled","counters":[]},{"bit":"0001","name":"extended","state":"unauthorized","counters":[]},{"bit":"0020","name":"MT-diagnostic","state":"unauthorized","counters":[]},{"bit":"8000","name":"coprocessor-group","state":"unauthorized","counters":[]}]'
cat >counters <<END
> ctr
$lines
sampling: basic disabled, diagnostic disabled; 0 samples stored (decimal)
  entries of 32 and 112 bytes, intervals of 20000 to 2147483648 cycles, 2048 cycles in a microsecond (decimal)
> ctr --json
{$sets,"sampling":{"basic":"disabled","diagnostic":"disabled","samples":0,"basic_bytes":32,"diagnostic_bytes":112,"least":20000,"most":2147483648,"mhz":2048,"interval":0,"left":0,"tear":"0000000000000000","dear":"0000000000000000"},"alerts":[]}
> r 20000=0000000000000202 0000000000012000 0000000000021000 0000000000022000
> gpr 1=20000
> asm 10020 lsctl 0(%r1)
0000000000010020  B2871000      lsctl 0(%r1)
> psw 0000000180000000 10020
> s
CPU 0: operating, PSW 0000000180000000 0000000000010024
0000000000010024  0000          .short 0x0000
> ctr
$lines
sampling: basic active, diagnostic disabled; 0 samples stored (decimal)
  entries of 32 and 112 bytes, intervals of 20000 to 2147483648 cycles, 2048 cycles in a microsecond (decimal)
  interval 73728 cycles, 73728 left (decimal); TEAR 0000000000021000, DEAR 0000000000022000
> ctr --json
{$sets,"sampling":{"basic":"active","diagnostic":"disabled","samples":0,"basic_bytes":32,"diagnostic_bytes":112,"least":20000,"most":2147483648,"mhz":2048,"interval":73728,"left":73728,"tear":"0000000000021000","dear":"0000000000022000"},"alerts":[]}
END
cat >help <<'END'
> help reset
reset [cpu|initial|clear]
  reset this CPU, with its registers, or the whole machine
  example: reset clear
  cpu                       CPU reset
  initial                   initial CPU reset: registers too
  clear                     clear reset of the whole machine, with storage
> help reset --json
{"name":"reset","abbreviation":"","usage":"reset [cpu|initial|clear]","help":"reset this CPU, with its registers, or the whole machine","example":"reset clear","words":[{"word":"cpu","help":"CPU reset"},{"word":"initial","help":"initial CPU reset: registers too"},{"word":"clear","help":"clear reset of the whole machine, with storage"}]}
> help help
help [COMMAND]
  list the commands, or show usage and an example of one
  example: help b
  short: ?
END
for display in explain controls buffer counters help; do
    both $display
done
echo help | "$zri" | sed -n 's/^  \([^ ]\{1,\}\) .*/\1/p' >wanted
echo help --json | "$zri" | grep -o '"name":"[^"]*"' | cut -d '"' -f 4 >found
[ "$(wc -l <wanted)" -gt 50 ] || fail "help has only these commands: $(cat wanted)"
cmp -s wanted found || fail "help and help --json do not list the same commands: $(diff wanted found)"
finish "both forms of the displays"
