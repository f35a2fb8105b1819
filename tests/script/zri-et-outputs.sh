#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What zri-et makes of exception traces for other programs: several CPUs, Chrome's trace events, CTF, VCD, folded stacks,
# CSV and JSON lines. Golden texts, and a reader of each format that is not ours where there is one.
. "${srcdir:-.}/tests/lib.sh"
et=${ZRI%/*}/zri-et
bytes() {
    for byte in $(printf %s "$1" | sed 's/../& /g'); do
        printf "\\$(printf %03o "0x$byte")"
    done
}

# Streams S3 (tail-chain, SIGNAL) and S7 (loss) of the specification; two CPUs in a container; numbers omitted; tasks that go
# on in another order (CTX=1)
bytes 00000000000000801080010100ffff03e8070001ff3801c1828c2038028881f8d1013805110e0a11c01d14e8220d00d40f040d50ed0f0d\
0a02304b0f0a0001306e780900090006e5e80272 >"$work/s3"
bytes 00000000000000801080010100ffff03e8070001ff3801c1808c2038028080f8d0013805110e0a11c00e0410e870070000000000000080\
1084010202c778d00f9101029101453801c1808c2038028080f8d0013805110e912030640e0030c0780b00040702fd860237 >"$work/s7"
bytes 5a4554430100000000000002000000005a4300000000003c00000000000000801080010100ffff03e8070001ff3801c1808c2038028080\
f8d0013805110e0a11c00e0a2130640e0030c0780300030003e6a001d85a4301000000003b00000000000000801080020100ffff03f207\
0001bc3801c1808c2038028080f8d0013805110e0d10ca0e0d20c50e0030c0780300030003d38a01d5 >"$work/two"
bytes 00000000000000801080010100ffff03e8070001ff3801c1808c2038028180f8d0013805110d10c00d10c50d20c50d30c0780400040004\
dda4024c >"$work/omit"
bytes 00000000000000801080010100ffff03e8070001ff3801c1908c2038028080f8d0013805110e0a11c00e0410c50e0a21c50e0420c50e00\
30c0780500050005d9c803c5 >"$work/ctx"
cd "$work" || exit 99

same() { # name: standard input is what must have come
    cat >"want"
    cmp -s want out || { diff want out; fail "$1"; }
}

part 'ET-104 CSV and JSON lines'
"$et" --csv s3 >out 2>err || [ $? -eq 1 ] || fail "CSV: $(cat err)"
same "CSV" <<'END'
source,index,offset,time,delta,kind,en,class,code,tc,la,frc,depth,gross,self,latency
0,0,37,1000,0,ENTRY,266,svc,,0,0,0,1,,,
0,1,41,1040,40,ENTRY,4,external,,0,0,0,2,,,
0,2,44,1060,20,SIGNAL,13,io,,0,0,0,2,,,
0,3,48,1105,45,EXIT,4,external,,0,0,0,2,65,65,
0,3,48,1105,0,ENTRY,13,io,,1,0,0,2,,,45
0,4,53,1180,75,EXIT,13,io,,0,0,0,2,75,75,
0,4,53,1180,0,RETURN,266,svc,,0,0,0,1,,,
0,5,59,1290,110,EXIT,266,svc,,0,0,0,1,290,150,
0,5,59,1290,0,RETURN,0,normal,,0,0,0,0,,,
END

"$et" --csv omit >out 2>err || [ $? -eq 1 ] || fail "CSV of numbers omitted: $(cat err)"
same "CSV of numbers omitted" <<'END'
source,index,offset,time,delta,kind,en,class,code,tc,la,frc,depth,gross,self,latency
0,0,37,1000,0,ENTRY,,,,0,0,0,1,,,
0,1,40,1005,5,ENTRY,,,,0,0,0,2,,,
0,2,43,1010,5,EXIT,,,,0,0,0,2,5,5,
0,3,46,1010,0,RETURN,,,,0,0,0,1,,,
0,4,49,1010,0,EXIT,,,,0,0,0,1,10,5,
END

"$et" --jsonl two >out 2>err || [ $? -eq 1 ] || fail "JSON lines of two CPUs: $(cat err)"
same "JSON lines of two CPUs" <<'END'
{"kind":"FILE","offset":0,"value":2}
{"kind":"SYNC","source":0,"index":0,"offset":24,"time":1000,"delta":0,"depth":0,"value":1}
{"kind":"CONFIG","source":0,"index":0,"offset":45,"time":1000,"delta":0,"register":"ETCR","depth":0,"value":67305537}
{"kind":"CONFIG","source":0,"index":0,"offset":51,"time":1000,"delta":0,"register":"ETFR","depth":0,"value":438173696}
{"kind":"CONFIG","source":0,"index":0,"offset":58,"time":1000,"delta":0,"register":"ETTS","depth":0,"value":17}
{"kind":"ENTRY","source":0,"index":0,"offset":61,"time":1000,"delta":0,"en":266,"class":"svc","name":"SVC 10","flags":[],"depth":1,"frame":1}
{"kind":"EXIT","source":0,"index":1,"offset":65,"time":1100,"delta":100,"en":266,"class":"svc","name":"SVC 10","flags":[],"depth":1,"frame":1,"gross":100,"self":100}
{"kind":"RETURN","source":0,"index":2,"offset":70,"time":1100,"delta":0,"en":0,"class":"normal","name":"NORMAL","flags":[],"depth":0,"return_latency":0}
{"kind":"END","source":0,"index":3,"offset":74,"time":1100,"delta":0,"depth":0,"accounts":[3,0,3,0,3]}
{"kind":"SYNC","source":1,"index":0,"offset":92,"time":1010,"delta":0,"depth":0,"value":1}
{"kind":"CONFIG","source":1,"index":0,"offset":113,"time":1010,"delta":0,"register":"ETCR","depth":0,"value":67305537}
{"kind":"CONFIG","source":1,"index":0,"offset":119,"time":1010,"delta":0,"register":"ETFR","depth":0,"value":438173696}
{"kind":"CONFIG","source":1,"index":0,"offset":126,"time":1010,"delta":0,"register":"ETTS","depth":0,"value":17}
{"kind":"ENTRY","source":1,"index":0,"offset":129,"time":1020,"delta":0,"en":13,"class":"io","name":"I/O isc 5","flags":[],"depth":1,"frame":1}
{"kind":"EXIT","source":1,"index":1,"offset":133,"time":1025,"delta":5,"en":13,"class":"io","name":"I/O isc 5","flags":[],"depth":1,"frame":1,"gross":5,"self":5}
{"kind":"RETURN","source":1,"index":2,"offset":137,"time":1025,"delta":0,"en":0,"class":"normal","name":"NORMAL","flags":[],"depth":0,"return_latency":0}
{"kind":"END","source":1,"index":3,"offset":141,"time":1025,"delta":0,"depth":0,"accounts":[3,0,3,0,3]}
END

part 'ET-103 folded stacks'
"$et" --folded s3 >out 2>err || [ $? -eq 1 ] || fail "folded stacks: $(cat err)"
same "folded stacks" <<'END'
NORMAL;SVC 10 150
NORMAL;SVC 10;I/O isc 5 75
NORMAL;SVC 10;EXT clock-comparator 65
END

"$et" --folded s7 >out 2>err || [ $? -eq 1 ] || fail "folded stacks: nothing is counted where events are lost: $(cat err)"
same "folded stacks: nothing is counted where events are lost" <<'END'
NORMAL;PGM 11 page translation 100
NORMAL;SVC 10 40
END

"$et" --folded two >out 2>err || [ $? -eq 1 ] || fail "folded stacks of two CPUs: $(cat err)"
same "folded stacks of two CPUs" <<'END'
cpu00;NORMAL;SVC 10 100
cpu01;NORMAL 10
cpu01;NORMAL;I/O isc 5 5
END

"$et" --folded ctx >out 2>err || [ $? -eq 1 ] || fail "folded stacks of tasks: $(cat err)"
same "folded stacks of tasks" <<'END'
NORMAL;EXT clock-comparator 5
NORMAL;SVC 10 5
NORMAL;SVC 10;EXT clock-comparator 5
END

part 'ET-102 value changes'
"$et" --vcd s3 >out 2>err || [ $? -eq 1 ] || fail "VCD: $(cat err)"
same "VCD" <<'END'
$version zri-et $end
$timescale 1 ns $end
$scope module cpu00 $end
$var wire 9 !! en [8:0] $end
$var wire 8 "! depth [7:0] $end
$var wire 1 #! tc $end
$var wire 1 $! la $end
$var wire 1 %! pend_ext $end
$var wire 1 &! pend_io $end
$var wire 1 '! pend_mck $end
$var wire 1 (! wait $end
$upscope $end
$scope module machine $end
$var wire 9 ]7 en [8:0] $end
$var wire 8 ^7 depth [7:0] $end
$var wire 1 _7 tc $end
$var wire 1 `7 la $end
$var wire 1 a7 pend_ext $end
$var wire 1 b7 pend_io $end
$var wire 1 c7 pend_mck $end
$var wire 1 d7 wait $end
$upscope $end
$enddefinitions $end
#1000
$dumpvars
b000000000 !!
b00000000 "!
0#!
0$!
0%!
0&!
0'!
0(!
b000000000 ]7
b00000000 ^7
0_7
0`7
0a7
0b7
0c7
0d7
$end
b100001010 !!
b00000001 "!
#1040
b000000100 !!
b00000010 "!
#1060
1&!
#1105
b00000001 "!
b000001101 !!
b00000010 "!
1#!
0&!
#1106
0#!
#1180
b00000001 "!
b100001010 !!
#1290
b00000000 "!
b000000000 !!
END

part 'ET-100 trace events'
"$et" --chrome ctx >out 2>err || [ $? -eq 1 ] || fail "trace events of tasks are asynchronous: $(cat err)"
same "trace events of tasks are asynchronous" <<'END'
{"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"ctx"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"cpu00"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"b","pid":1,"tid":1,"ts":1.000000,"id":"0.1","name":"SVC 10","cat":"svc","args":{"depth":1,"en":266}},
{"ph":"C","pid":1,"tid":1,"ts":1.000000,"name":"cpu00 depth","args":{"depth":1}},
{"ph":"b","pid":1,"tid":1,"ts":1.005000,"id":"0.2","name":"EXT clock-comparator","cat":"external","args":{"depth":2,"en":4}},
{"ph":"C","pid":1,"tid":1,"ts":1.005000,"name":"cpu00 depth","args":{"depth":2}},
{"ph":"e","pid":1,"tid":1,"ts":1.010000,"id":"0.1","name":"SVC 10","cat":"svc","args":{"number":1,"gross":10,"self":5}},
{"ph":"C","pid":1,"tid":1,"ts":1.010000,"name":"cpu00 depth","args":{"depth":1}},
{"ph":"e","pid":1,"tid":1,"ts":1.015000,"id":"0.2","name":"EXT clock-comparator","cat":"external","args":{"number":2,"gross":10,"self":5}},
{"ph":"C","pid":1,"tid":1,"ts":1.015000,"name":"cpu00 depth","args":{"depth":0}}
],"otherData":{"clock":"insn","events":5,"diagnostics":0,"ticks_per_second":1000000000,"ticks":"one tick is shown as 1 ns"}}
END

"$et" --chrome s3 >out 2>err || [ $? -eq 1 ] || fail "trace events: $(cat err)"
same "trace events" <<'END'
{"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"s3"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"cpu00"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"B","pid":1,"tid":1,"ts":1.000000,"name":"SVC 10","cat":"svc","args":{"depth":1,"en":266}},
{"ph":"C","pid":1,"tid":1,"ts":1.000000,"name":"cpu00 depth","args":{"depth":1}},
{"ph":"B","pid":1,"tid":1,"ts":1.040000,"name":"EXT clock-comparator","cat":"external","args":{"depth":2,"en":4}},
{"ph":"C","pid":1,"tid":1,"ts":1.040000,"name":"cpu00 depth","args":{"depth":2}},
{"ph":"i","pid":1,"tid":1,"ts":1.060000,"name":"SIGNAL I/O isc 5","s":"t"},
{"ph":"s","pid":1,"tid":1,"ts":1.060000,"name":"signal","cat":"signal","id":1},
{"ph":"C","pid":1,"tid":1,"ts":1.060000,"name":"cpu00 pending","args":{"pending":1}},
{"ph":"E","pid":1,"tid":1,"ts":1.105000,"args":{"number":2,"gross":65,"self":65}},
{"ph":"C","pid":1,"tid":1,"ts":1.105000,"name":"cpu00 depth","args":{"depth":1}},
{"ph":"i","pid":1,"tid":1,"ts":1.105000,"name":"tail-chain","s":"t"},
{"ph":"s","pid":1,"tid":1,"ts":1.105000,"name":"tail-chain","cat":"tail-chain","id":1},
{"ph":"B","pid":1,"tid":1,"ts":1.105000,"name":"I/O isc 5","cat":"io","args":{"depth":2,"en":13,"tc":true,"latency":45}},
{"ph":"f","pid":1,"tid":1,"ts":1.105000,"name":"tail-chain","cat":"tail-chain","id":1,"bp":"e"},
{"ph":"f","pid":1,"tid":1,"ts":1.105000,"name":"signal","cat":"signal","id":1,"bp":"e"},
{"ph":"C","pid":1,"tid":1,"ts":1.105000,"name":"cpu00 pending","args":{"pending":0}},
{"ph":"C","pid":1,"tid":1,"ts":1.105000,"name":"cpu00 depth","args":{"depth":2}},
{"ph":"E","pid":1,"tid":1,"ts":1.180000,"args":{"number":3,"gross":75,"self":75}},
{"ph":"C","pid":1,"tid":1,"ts":1.180000,"name":"cpu00 depth","args":{"depth":1}},
{"ph":"E","pid":1,"tid":1,"ts":1.290000,"args":{"number":1,"gross":290,"self":150}},
{"ph":"C","pid":1,"tid":1,"ts":1.290000,"name":"cpu00 depth","args":{"depth":0}}
],"otherData":{"clock":"insn","events":9,"diagnostics":0,"ticks_per_second":1000000000,"ticks":"one tick is shown as 1 ns"}}
END

part 'ET-91 several CPUs'
"$et" --vcd two >out 2>err
[ $? -eq 64 ] && grep -q 'counts time for itself' err && [ ! -s out ] || fail "CPUs with clocks of their own are merged"
"$et" --merge two | cut -c1-53 >out
cat two | "$et" --merge - | cut -c1-53 >pipe
cmp -s out pipe || fail "a pipe is merged in another way than a file"
same "sources in the order of time" <<'END'
          1000          +0 cpu00 d1  ENTRY  10a SVC 1
          1020          +0 cpu01 d1  ENTRY  00d I/O i
          1025          +5 cpu01 d1  EXIT   00d I/O i
          1025          +0 cpu01 d0  RETURN 000 NORMA
          1100        +100 cpu00 d1  EXIT   10a SVC 1
          1100          +0 cpu00 d0  RETURN 000 NORMA
END

# ---- read by others ----
part 'ET-100 ET-102 ET-104 read by others'
if command -v python3 >/dev/null; then
    for stream in s3 s7 two omit ctx; do
        "$et" --chrome --merge $stream >chrome 2>err || [ $? -eq 1 ] || fail "$stream: $(cat err)"
        "$et" --jsonl $stream >jsonl 2>err || [ $? -eq 1 ] || fail "$stream: $(cat err)"
        "$et" --csv $stream >csv 2>err || [ $? -eq 1 ] || fail "$stream: $(cat err)"
        "$et" --vcd --merge $stream >vcd 2>err || [ $? -eq 1 ] || fail "$stream: $(cat err)"
        python3 -B - $stream <<'END' || fail "$stream: its readers"
import csv, json, sys
trace = json.load(open('chrome'))
stacks, ids, last = {}, {}, {}
for e in trace['traceEvents']:
    if e['ph'] == 'M':
        continue
    assert e['ts'] >= last.get(e['tid'], 0), 'time goes back'
    last[e['tid']] = e['ts']
    stack = stacks.setdefault(e['tid'], [])
    if e['ph'] == 'B':
        stack.append(e['name'])
    elif e['ph'] == 'E':
        assert stack, 'E without B'
        stack.pop()
    elif e['ph'] in 'be':
        key = e['tid'], e['id']
        assert (key in ids) == (e['ph'] == 'e'), 'b and e do not pair'
        ids[key] = 1
    elif e['ph'] == 'f':
        assert ('s', e['cat'], e['id']) in ids, 'an arrow without a beginning'
    elif e['ph'] == 's':
        ids['s', e['cat'], e['id']] = 1
assert not any(stacks.values()), 'B without E'
lines = [json.loads(line) for line in open('jsonl')]
rows = list(csv.DictReader(open('csv')))
told = [line for line in lines if line['kind'] in ('ENTRY', 'EXIT', 'RETURN', 'SIGNAL', 'STATE', 'MARK', 'LOST')]
assert len(told) == len(rows) > 3
for line, row in zip(told, rows):
    for key in ('source', 'index', 'offset', 'time', 'kind', 'en', 'class', 'depth', 'gross', 'self', 'latency'):
        assert row[key] == str(line.get(key, '')), (key, row, line)
declared, time = {}, -1
for line in open('vcd'):
    word = line.split()
    if word[0] == '$var':
        declared[word[3]] = int(word[2])
    elif word[0][0] == '#':
        assert int(word[0][1:]) > time
        time = int(word[0][1:])
    elif word[0][0] == 'b':
        assert declared[word[1]] == len(word[0]) - 1
    elif word[0][0] in '01':
        assert declared[word[0][1:]] == 1
assert time > 0
END
    done
else
    part_skipped 'python3 is not installed'
fi

part 'ET-101 a folder for CTF'
rm -rf ctf
"$et" --ctf ctf two 2>err || fail "$(cat err)"
"$et" --ctf ctf two 2>err && fail "a folder that has a trace is written again"
grep -q 'there is a trace in it already' err || fail "what is said of such a folder: $(cat err)"
part 'ET-91 ET-101 CTF read by babeltrace2'
if command -v babeltrace2 >/dev/null; then
    babeltrace2 --clock-cycles --no-delta ctf 2>err | sed 's/{ cpu_id = \([0-9]*\) }, //' >out
    same "read by babeltrace2, both CPUs in the order of time" <<'END'
[00000000000000001000] et_entry: { en = ( "SVC 10" : container = 266 ), flags = 0, depth = 1, latency = 0, old_ia = 0x0, new_ia = 0x0 }
[00000000000000001020] et_entry: { en = ( "I/O isc 5" : container = 13 ), flags = 0, depth = 1, latency = 0, old_ia = 0x0, new_ia = 0x0 }
[00000000000000001025] et_exit: { en = ( "I/O isc 5" : container = 13 ), flags = 0, depth = 1, gross = 5, self = 5 }
[00000000000000001025] et_return: { en = ( "NORMAL" : container = 0 ), flags = 0, depth = 0, ia = 0x0 }
[00000000000000001100] et_exit: { en = ( "SVC 10" : container = 266 ), flags = 0, depth = 1, gross = 100, self = 100 }
[00000000000000001100] et_return: { en = ( "NORMAL" : container = 0 ), flags = 0, depth = 0, ia = 0x0 }
END
    rm -rf ctf
    "$et" --ctf ctf s7 2>err
    babeltrace2 ctf >out 2>err || fail "loss: $(cat err)"
    grep -q 'discarded' err || fail "babeltrace2 is not told of events that were lost"
    grep -q 'et_lost: .*events = 7' out || fail "the loss is no event"
    for stream in s3 omit ctx; do
        rm -rf ctf
        "$et" --ctf ctf $stream 2>err
        babeltrace2 ctf >out 2>err || fail "$stream: $(cat err)"
    done
else
    part_skipped 'babeltrace2 is not installed'
fi

part 'ET-92 a full disk, a folder that cannot be made'
[ -c /dev/full ] && {
    "$et" --csv s3 >/dev/full 2>err
    [ $? -eq 2 ] || fail "a full disk is not noticed"
}
"$et" --ctf /dev/null/no s3 2>err
[ $? -eq 2 ] || fail "a folder that cannot be made is not noticed"
finish "outputs of zri-et"
