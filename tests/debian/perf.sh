# SPDX-License-Identifier: GPL-3.0-or-later
# Part of check.sh, "perf": Debian's perf lists the counters of a z14, counts what zri counts, samples, and finds the function
# that is busiest; lscpumf and hyptop tell of the machine. (cpacfstats is in no package of Debian; what its daemon reads, the
# counters of the crypto-activity set, perf reads here.)
# by hand: part 'EC-101 EC-113 EC-114 EC-124 EC-125 EC-133 perf, lscpumf and hyptop in a guest'

# counted MARK EVENT: what perf's lines with fields say.
counted() { sed -n "s|^$1: \([0-9]*\),[^,]*,$2,.*|\1|p" "$work/perf.text"; }
# exactly MARK EVENT NUMBER
exactly()
{
    [ "$(counted "$1" "$2")" = "$3" ] || fail "perf: $1: $2 is '$(counted "$1" "$2")', not $3"
}
# near EVENT ZRI PERF: perf's interval is from exec to exit, zri's within it from mark to mark: not less, and little more.
near()
{
    echo "perf: $1: zri $2, perf $3"
    [ "${2:-0}" -gt 0 ] && [ "${3:-0}" -ge "$2" ] && [ "$3" -le $(($2 + $2 / 10 + 4000)) ] || fail "perf: $1: zri counted '$2', perf '$3'"
}
# growth EVENT COLUMN: of zri's own count from stop 7 to stop 8
growth()
{
    awk -v event="$1" -v column="$2" '$1 == event { n++; at[n] = $column } END { if (n == 2) print at[2] - at[1] }' "$work/perf.text"
}
perf()
{
    perf_image=$(sh "$folder/build-tools.sh" perf linux-perf s390-tools) || {
        echo "perf: skipped"
        return
    }
    # At addresses that no other program has.
    "$cross" -static -O2 -march=z196 -Wl,-Ttext-segment=0x7000000 -o "$work/busy" "$folder/perf-hot.c" 2>"$work/cross" || {
        echo "perf: skipped, no cross compiler"
        return
    }
    # shellcheck disable=SC2086
    sh "$here/mkinitrd.sh" "$busybox" "$work/perf-initrd" "$folder/perf-work" "$work/busy" "$work/modules" $list
    for mark in mark_begin mark_end; do
        "${cross%gcc}nm" "$work/busy" | sed -n "s/^0*\([0-9a-f]*\) T $mark\$/break \1/p"
    done >"$work/perf-script"
    {
        printf '%s\n' go go go go go 'ctr on teach' go go
        printf '%s\n' 'ctr show INST BRANCH BR_MISP L1D_MISS L1I_MISS L1D_PEN' go
        printf '%s\n' 'ctr show INST BRANCH BR_MISP L1D_MISS L1I_MISS L1D_PEN' go go go quit
    } >>"$work/perf-script"
    begin=$(date +%s)
    "$zri" --script "$work/perf-script" --seconds 1800 --profile z14 --facility -38 -m 512M --kernel "$kernel" \
        --initrd "$work/perf-initrd" --disk "$perf_image,snapshot" --append "nokaslr zri.run=/bin/perf-work" \
        </dev/null >"$work/perf" 2>"$work/perf.end"
    tr -d '\r' <"$work/perf" >"$work/perf.text"
    echo "perf: $(($(date +%s) - begin)) s"
    [ -z "${ZRI_DEBIAN_LOG:-}" ] || cp "$work/perf.text" "$ZRI_DEBIAN_LOG-perf"
    for mark in lscpumf hyptop crypto anywhere stat record report counters list pairs record2 report2; do
        says perf "perf-work: status 0 of $mark"
    done

    # Without the model: no extended set; cycles and instructions; cryptographic functions to the letter.
    says perf 'levels: CPU-MF: Counter facility: version=3.5 authorization=000e'
    for words in 'Version: 3.5' 'Basic counter Set' 'Crypto-Activity counter Set' 'Problem-State counter Set' \
        'Linux perf event support: Yes (PMU: cpum_sf)' 'basic:      (sample size:  32 bytes)' \
        'diagnostic: (sample size: 112 bytes)'; do
        grep -F 'lscpumf: ' "$work/perf.text" | grep -qF -- "$words" || fail "perf: lscpumf does not say '$words'"
    done
    grep -q '^hyptop: ZRI  *1 ' "$work/perf.text" || fail "perf: $(grep '^hyptop' "$work/perf.text")"
    exactly crypto AES_FUNCTIONS 300
    exactly crypto SHA_FUNCTIONS 200
    exactly crypto DEA_FUNCTIONS 100
    exactly crypto PRNG_FUNCTIONS 0
    [ "$(counted anywhere AES_FUNCTIONS)" -ge 300 ] || fail "perf: of all CPUs: $(grep '^anywhere' "$work/perf.text")"
    near instructions "$(sed -n 's/^breakpoint, \([0-9]*\) instructions so far.*/\1/p' "$work/perf.text" |
        awk 'NR == 1 { n = $1 } NR == 2 { print $1 - n }')" "$(counted stat instructions)"
    [ "$(counted stat instructions:u)" -le "$(counted stat instructions)" ] || fail "perf: more in the problem state than altogether"
    grep -q '^stat: <not supported>,,cpum_cf/event=0xb0/' "$work/perf.text" || fail "perf: the extended set without a model"
    for report in report report2; do # without the model, and with it
        [ "$(sed -n "s/^$report:  *[0-9.]*%.*\\] //p" "$work/perf.text" | head -n 1)" = hot ] ||
            fail "perf: $(grep "^$report: " "$work/perf.text" | head -n 20)"
    done

    # With it.
    says perf 'model: CPU-MF: Counter facility: version=3.5 authorization=000f'
    for event in CPU_CYCLES L1D_DIR_WRITES PROBLEM_STATE_INSTRUCTIONS AES_FUNCTIONS TX_NC_TEND DTLB2_WRITES; do
        grep -q "^counters: r[0-9a-f]*  *$event\$\|^counters: 8:[0-9]*  *$event\$" "$work/perf.text" || fail "perf: lscpumf -c has no $event"
        grep -iq "^list:  *$event\|^list:  *cpum_cf/$event/" "$work/perf.text" || fail "perf: perf list has no $event"
    done
    near INST "$(growth INST 2)" "$(counted pairs cpum_cf/event=0xb0/)"
    near 'INST completed' "$(growth INST 3)" "$(counted pairs cpum_cf/event=0xb1/)"
    near 'INSTRUCTIONS' "$(growth INST 3)" "$(counted pairs INSTRUCTIONS)"
    near BRANCH "$(growth BRANCH 2)" "$(counted pairs cpum_cf/event=0xb2/)"
    near 'BRANCH completed' "$(growth BRANCH 3)" "$(counted pairs cpum_cf/event=0xb3/)"
    near BR_MISP "$(growth BR_MISP 2)" "$(counted pairs cpum_cf/event=0xb4/)"
    near 'L1D_MISS by counter 4' "$(growth L1D_MISS 2)" "$(counted pairs L1D_DIR_WRITES)"
    near 'L1D_MISS completed' "$(growth L1D_MISS 3)" "$(counted pairs cpum_cf/event=0xb7/)"
    near 'L1D_MISS by counter 182' "$(growth L1D_MISS 2)" "$(counted pairs cpum_cf/event=0xb6/)"
    [ "$(counted pairs L1I_DIR_WRITES)" -gt 0 ] || fail "perf: no line of instructions"
}
