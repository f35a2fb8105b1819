#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# zri-prof export --format dot: what Graphviz says to its graphs, of the specification's example and of a large function;
# options that belong to it alone.
. "${srcdir:-.}/tests/lib.sh"
prof=${ZRI:+$(dirname "$ZRI")/zri-prof}
prof=${prof:-./zri-prof}
case $prof in /*) ;; *) prof=$PWD/$prof ;; esac
cp "${srcdir:-.}/tests/script/example.zeprof" "$work/profile"
script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
cd "$work" || exit 99
# The code of 3.2.
printf '\247Y\0\3\247)\0\1\2479\0\1\247I\0\2\354$\0\4\5~\7\0\2471\0\1\247t\0\4\247K\0\5\271\2\0D\247\204\0\14\271\4\0d' >ex
printf '\354b\0\4\0}\7\0\247+\0\2\247W\377\352\247)\0\0\12\1' >>ex

part 'EP-96 what dot needs'
"$prof" export --format dot profile >out 2>err
[ $? -eq 1 ] && grep -q 'module ex; .*--symbols' err && [ ! -s out ] || fail "without code: $(cat err)"
"$prof" export --format dot --function nobody --symbols ex@10000 profile >out 2>err
[ $? -eq 1 ] && grep -q 'function nobody' err || fail "no such function: $(cat err)"
for option in '--function _start' --prob; do
    # shellcheck disable=SC2086
    "$prof" export --format folded $option profile >out 2>err
    [ $? -eq 64 ] && grep -q 'only the form dot' err || fail "$option with another form: $(cat err)"
done

part 'EP-73 EP-83 EP-97 blocks'
"$prof" report --symbols ex@10000 profile >out 2>err || fail "report: $(cat err)"
grep -q '^Residuals of blocks (0 at 8 of 10)$' out || fail "residuals: $(cat out)"
"$prof" diff --metrics --symbols ex@10000 profile profile >out 2>err || fail "diff: $(cat err)"
grep -q '^block-overlap 1.000000$' out || fail "block-overlap: $(cat out)"

# without TOOL WORDS: the parts behind are skipped when it is not there.
without()
{
    command -v "$1" >/dev/null && return
    part_end
    sed -n "s|^ *part '\(.*\)'\$|part skipped: \1|p" "$script" | tail -n "+$((part_number + 1))"
    finish "zri-prof: graphs, but for those that want $2"
}
# drawn FILE: dot takes it without a word.
drawn() { dot -Tsvg "$1" >svg 2>words && [ ! -s words ] && grep -q '</svg>' svg || fail "dot refuses $1: $(cat words)"; }

without dot 'Graphviz'
part 'EP-96 EP-T12 Graphviz draws the example'
"$prof" export --format dot --function _start --symbols ex@10000 profile >cfg 2>err || fail "function: $(cat err)"
[ "$(grep -c '^b[0-9a-f]* \[' cfg)" = 10 ] && [ "$(grep -c -e '->' cfg)" = 14 ] || fail "blocks and edges: $(cat cfg)"
drawn cfg
"$prof" export --format dot --prob --symbols ex@10000 profile >calls 2>err || fail "calls: $(cat err)"
drawn calls

without python3 'python3 for the large graph'
part 'EP-70 EP-96 EP-T12 Graphviz draws a large function'
# Functions with 120 branches and with one, which the first calls; the name of one has signs that need care.
python3 - <<'END' || fail "the large profile was not made"
import struct, zlib
code, sites, edges, runs = b"", [], [], []
for i in range(120):
    at = len(code) + 2
    code += bytes([0x18, 0x12]) * (1 + i % 14 // 13 * 12)
    at = len(code)
    target = ([0] + [s for s, _ in sites])[-1 - i % 3 if i > 3 else 0] # near ones: long ways take Graphviz minutes
    code += struct.pack(">BBh", 0xa7, 0x74, (target - at) // 2)
    sites.append((at, target))
call = len(code)
code += struct.pack(">BBi", 0xc0, 0xe5, 4) + bytes([0x07, 0xfe])
callee = call + 8
code += bytes([0x07, 0xfe])
open("big", "wb").write(code)
lines = ["H mode edge", "H source exact", "H event branch", "H rate-base 0", "H rate-delta 0", "H seed 1", "H tbt 0",
         "H cbt 0", "H short-policy auto", "H append-nt 1", "H norm none", "H unit 1"]
body = ["S 0 primary 0000000000000000 -", "M 0 0 20000 %x 20000 sha256:- big" % (0x20000 + len(code)),
        'F 0 0 20000 %x a"b\\c%%20d' % (0x20000 + callee), "F 1 0 %x %x e" % (0x20000 + callee, 0x20000 + len(code))]
total, first = 0, 0
for at, target in sites:
    body_site = "B 0 %x cond 4 %x a7x4" % (0x20000 + at, 0x20000 + target)
    edges.append("E 0 %x 0 %x N 3" % (0x20000 + at, 0x20000 + at + 4))
    runs.append("R 0 %x %x B 3" % (0x20000 + first, 0x20000 + at))
    body.append(body_site)
    first, total = at + 4, total + 3
body.append("B 0 %x call 6 %x c0x5" % (0x20000 + call, 0x20000 + callee))
body.append("B 0 %x ret 2 - 07" % (0x20000 + callee))
edges += ["E 0 %x 0 %x T 3" % (0x20000 + call, 0x20000 + callee), "E 0 %x 0 %x T 3" % (0x20000 + callee, 0x20000 + call + 6)]
runs += ["R 0 %x %x B 3" % (0x20000 + first, 0x20000 + call), "R 0 %x %x B 3" % (0x20000 + callee, 0x20000 + callee)]
total += 6
lines += ["H events-total %d" % total, "H samples-triggered 0", "H samples-accepted 0", "H branch-units %d" % total,
          "H run-units %d" % total, "H program big"]
text = "\n".join(["ZEPROF 1"] + lines + body + edges + runs) + "\n"
text += "Z %d %08x\n" % (text.count("\n"), zlib.crc32(text.encode()))
open("large", "w").write(text)
END
"$prof" export --format dot --function 'a"b\c%20d' --prob --symbols big@20000 large >cfg 2>err || fail "large: $(cat err)"
[ "$(grep -c '^b[0-9a-f]* \[' cfg)" -gt 120 ] || fail "blocks: $(grep -c '^b' cfg)"
grep -q '\.\.\.\\l' cfg || fail "no block was cut to its ends"
grep -q '^b[0-9a-f]* -> f1 \[kind=call, label="3"' cfg || fail "the call: $(grep call cfg)"
grep -q '^b[0-9a-f]* -> b[0-9a-f]* \[kind=ret, label="3"' cfg || fail "the return site: $(grep ret cfg)"
drawn cfg
"$prof" export --format dot --symbols big@20000 large >calls 2>err || fail "calls: $(cat err)"
grep -q '^f0 -> f1 \[kind=call, label="3"' calls || fail "call graph: $(cat calls)"
drawn calls
finish "zri-prof: graphs"
