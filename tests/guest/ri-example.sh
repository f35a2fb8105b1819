#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The worked example of the RI specification as a real image on both engines: the program buffer and the stored controls,
# byte for byte, but for the TOD fields.
. "${srcdir:-.}/tests/lib.sh"
dir=${GUESTS:-tests/guest}
image=$dir/ri-example.elf
[ -s "$image" ] || skip "no $image: no s390x cross tools and no prebuilt images"
core=$work/core
cat > "$core.want" <<'END'
0200000300014000
0000000000000000 0000000000000000
0000000000000000 0000000000000000
0000000000000000 0000000000000000
1000000000010018 00000000000005a5
120000000001001c 8000000000010040
1300000000010044 0000000000010022
0400000000010044 e4ef020007fe0000
0300000000010000
1000000000010018 00000000000005a5
120000000001001c 8000000000010040
1300000000010044 0000000000010022
1400000000010022 0000000000010018
1000000000010018 00000000000005a5
120000000001001c 8000000000010040
0400000000010040 04ef0400a74a0001
0300000000010000
1000000000010018 00000000000005a5
120000000001001c 8000000000010040
1300000000010044 8000000000010022
1400000000010022 8000000000010018
1000000000010018 00000000000005a5
120000000001001c 8000000000010040
040000000001001c f4ef0600c0e50000
0000000000000000 0000000000000000
0000000000020180 0000000000020000
0000000000020fff 8850000210e80100
0000000000000000 0000000000000004
0000000000000001 0000000000000000
END
# Doublewords, the second of begin and timestamp records left out.
words() { od -An -v -tx1 "$1" | tr -d ' \n' | fold -w 16; echo; }
for engine in reference block; do
    "$zri" --batch --engine "$engine" --storage 1M --savecore "$core:20000-2018f" "$image" 2>/dev/null || fail "$engine: exit status $?"
    words "$core" | paste -d ' ' - - | sed -E 's/^(0[23]00.*) .*$/\1/' > "$core.is"
    "$zri" --batch --engine "$engine" --storage 1M --savecore "$core:10200-1023f" "$image" 2>/dev/null || fail "$engine: exit status $?"
    words "$core" | paste -d ' ' - - >> "$core.is"
    if ! diff "$core.want" "$core.is"; then
        fail "ri-example on the $engine engine: expected <, found >"
    fi
done
finish "the worked example is exact on both engines"
