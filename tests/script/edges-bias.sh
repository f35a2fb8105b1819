#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Edge profiles of guests on which wrong ones go wrong: what is biased is shown to be, and the specification's method is not;
# what sampling says by itself is found, no more and no less; how near a profile comes to the exact one.
. "${srcdir:-.}/tests/lib.sh"
prof=$(dirname "$zri")/zri-prof
case $prof in /*) ;; *) prof=$PWD/$prof ;; esac
guests=${GUESTS:-tests/guest}
case $guests in /*) ;; *) guests=$PWD/$guests ;; esac
here=$(cd "${srcdir:-.}" && pwd)/tests/script
image=$guests/bias.elf
[ -s "$image" ] || skip "the guests are not built: no assembler for s390x"
cd "$work" || exit 99

# guest PROGRAM TIMES OPTIONS...: that program of the guest, profiled so
guest()
{
    # shellcheck disable=SC2059
    printf "$(printf '\\%03o\\%03o\\247\\271\\%03o\\%03o' $(($1 / 256)) $(($1 % 256)) $(($2 / 256)) $(($2 % 256)))" >which
    shift 2
    "$zri" --batch "$@" "$image" which@11002 >out 2>err || fail "$*: exit status $?: $(cat err)"
}
header() { sed -n "s/^H $2 //p" "$1"; }
overlap() { "$prof" diff --metrics "$1" "$2" | sed -n 's/^overlap //p'; }
# between VALUE LEAST MOST WORDS...
between()
{
    awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v != "" && v + 0 >= a && v + 0 <= b) }' || {
        value=$1 least=$2 most=$3
        shift 3
        fail "$*: $value, not $least to $most"
    }
}

part 'EP-9 branches to what cannot be fetched have completed; a gap is there when execution goes on elsewhere'
for engine in block reference translate; do
    guest 4 1 --engine $engine --profile-exact x
    # shellcheck disable=SC2046
    set -- $(sed -n 's/^B 0 \([0-9a-f]*\) .* \(0d\|07\)$/\1/p' x)
    grep -q "^E 0 $1 0 13000 T 1\$" x || fail "$engine: the call to a page that is protected: $(grep '^E' x)"
    grep -q "^E 0 $2 0 13001 T 1\$" x || fail "$engine: the branch to an odd address: $(grep '^E' x)"
    [ "$(grep -c '^G' x)" = 1 ] && grep -q '^G 0 13001 0 ' x || fail "$engine: gaps: $(grep '^G' x)"
    guest 4 1 --engine $engine --profile-set base=1 --profile-set tbt=4 --profile-set short=keep --profile-out p
    [ "$(header p events-total)" = "$(header x branch-units)" ] || fail "$engine: $(header p events-total) events"
    grep -q "^E 0 $2 0 13001 T " p || fail "$engine: not in the sampled profile: $(grep '^E' p)"
done

# Each run is executed once in a round: all its triggers together weigh 1, when it was walked up to its very end. That with
# an SVC in it ends there and goes on: its last three instructions see all seven.
part 'EP-59 the walk forward ends at each kind of branch, at what changes the PSW, at the limit'
one="--profile-set event=insn --profile-set base=1 --profile-set tbt=2 --profile-set cbt=1"
for engine in block reference; do
    # shellcheck disable=SC2086
    guest 6 2 --engine $engine $one --profile-out two
    # shellcheck disable=SC2086
    guest 6 3 --engine $engine $one --profile-out three
    grep '^E' two >two.e
    got=$(grep '^E' three | paste -d ' ' two.e - | awk '{ n = $14 - $7; if (n) { printf "%.0f\n", n } }' | sort -n | uniq -c | awk '{ printf "%s*%s ", $1, $2 }')
    [ "$got" = '2*4294967295 4*4294967296 1*6135667567 ' ] || fail "$engine: weights $got"
    # shellcheck disable=SC2086
    guest 6 3 --engine $engine $one --profile-set walk_limit=2 --profile-out p
    limit=$(sed -n 's/^D drop.walk_limit //p' p)
    [ "${limit:-0}" -gt 0 ] && [ $(($(header p samples-accepted) + limit)) = "$(header p samples-triggered)" ] ||
        fail "$engine: dropped at the limit: ${limit:-none}"
done

# Which phase weighs how much: the conditional branches of the second one are those behind the first site.
part 'EP-T4 EP-46 whole traces weigh code that falls through too much; cut ones do not'
guest 1 100 --profile-set base=17 --profile-set tbt=4 --profile-log log --profile-out p --profile-exact x
"$prof" export --format brstack --symbols "$image" log >traces || fail "export: exit status $?"
first=$(awk '/^E/ && $7 > 100000 && $6 == "T" { print $3; exit }' x)
# shares FILE: of the branches behind `first` and of those that are not taken, per mille
shares() { awk -v first="$first" '/^E/ { n += $7; if ($3 "" > first "") b += $7; if ($6 == "N") t += $7 } END { printf "%d %d\n", 1000 * b / n, 1000 * t / n }' "$1"; }
between "$(shares x | cut -d ' ' -f 1)" 495 505 'the true share of the second phase, per mille'
between "$(shares p | cut -d ' ' -f 1)" 480 520 'its share of the profile, per mille'
awk -v first="$first" '
    FNR == NR { if (/^B/ && $4 == "cond") site[++sites] = $3; next }
    function passed(from, to,   i) { # sites that were walked over: in front of `to`
        for (i = 1; i <= sites; i++)
            if (site[i] "" >= from "" && site[i] "" < to "") { n++; if (site[i] "" > first "") b++ }
    }
    /^ / {
        for (i = NF; i > 1; i--) { # oldest first
            split($i, e, "/")
            from = substr(e[1], 3)
            if (i < NF) passed(at, from)
            n++; t++
            if (from "" > first "") { b++; bt++ }
            at = substr(e[2], 3)
        }
        if ($1 "" != from "") { passed(at, $1); n++; if ($1 "" > first "") b++ }
    }
    END { printf "%d %d\n", 1000 * b / n, 1000 * bt / t }' x traces >whole
between "$(cut -d ' ' -f 1 whole)" 764 804 'the share of the second phase when whole traces are added up, per mille'
between "$(shares x | cut -d ' ' -f 2)" 370 380 'the true share of branches not taken, per mille'
between "$(shares p | cut -d ' ' -f 2)" 350 400 'their share of the profile, per mille (of traces alone it is none)'

part 'EP-T6 EP-26 an interval that is a loop long locks; a random part or a prime cures it'
guest 2 10100 --profile-exact x
guest 2 10100 --profile-set base=100 --profile-set delta=0 --profile-set tbt=16 --profile-out p
grep -q 'lock' err || fail "no warning: $(cat err)"
[ "$(grep -c '^E' p)" = 16 ] || fail "$(grep -c '^E' p) edges were seen, not 16"
between "$(overlap x p)" 0.1599 0.1601 'overlap with an interval that locks'
guest 2 10100 --profile-set base=100 --profile-set delta=12 --profile-set tbt=16 --profile-out p
between "$(overlap x p)" 0.9 1 'overlap with a delta of 12'
guest 2 10200 --profile-exact x
guest 2 10200 --profile-set base=101 --profile-set delta=0 --profile-set tbt=16 --profile-out p
between "$(overlap x p)" 0.999 1 'overlap with a prime'
[ "$(header p samples-accepted)" -ge 10000 ] || fail "$(header p samples-accepted) samples"

part 'EP-T8 EP-84 EP-98 no worse than noise, with ten seeds'
guest 3 1200 --profile-exact x
seeds='1 2 3 4 5 6 7 8 9 10'
if short; then seeds=1; fi
for base in 53 97 211 499 997; do
    lowest=2
    for seed in $seeds; do
        guest 3 1200 --profile-period "$base" --profile-set "seed=$seed" --profile-out p
        o=$(overlap x p) n=$(header p samples-accepted)
        floor=$(awk -v n="$n" '/^E/ { v[++k] = $7; sum += $7 } END { for (i = 1; i <= k; i++) s += sqrt(v[i] / sum); print 1 - s / sqrt(2 * 3.14159265 * n) }' x)
        [ "$(awk -v f="$floor" 'BEGIN { print f >= 0.85 }')" = 0 ] || between "$o" "$floor" 1 "overlap with base $base, seed $seed, above the floor"
        [ "$n" -lt 200 ] || between "$o" 0.95 1 "overlap with base $base, seed $seed, $n samples"
        lowest=$(printf '%s\n%s\n' "$lowest" "$o" | sort -n | head -n 1)
    done
    echo "base $base: $n samples, overlap $lowest and more, floor $floor"
done

# The model is given all branches, as traces side by side, and draws its intervals itself.
part 'EP-T8 EP-27 EP-98 a program that resonates: what the method says, to the last branch, and what to do'
if command -v python3 >/dev/null; then
    tiles="--profile-set base=32 --profile-set delta=0 --profile-out tiles --profile-log log"
    modelled() # PROGRAM TIMES BASE DELTA: into p and overlap
    {
        guest "$1" "$2" --profile-set "base=$3" --profile-set "delta=$4" --profile-out p
        awk '/^E/ { print $3, $5, $6, $7 }' p | LC_ALL=C sort >p.edges
        python3 "$here/edges-model.py" stream "$3" "$4" 32 1 >model.edges || fail "the model ends with $?"
        [ -s p.edges ] && cmp -s p.edges model.edges || fail "program $1, base $3, delta $4: not as the model has it"
        o=$(overlap x p)
        echo "program $1, base $3, delta $4: $(header p samples-accepted) samples, overlap $o, as the model has it"
    }
    # shellcheck disable=SC2086
    guest 5 194 $tiles --profile-exact x
    "$prof" export --format brstack --brstack=full --symbols "$image" log >stream
    modelled 5 194 997 0
    between "$o" 0 0.45 'overlap with an interval that resonates, delta 0'
    modelled 5 194 997 62
    by_default=$o
    modelled 5 194 997 124
    between "$o" "$by_default" 1 'a larger delta helps'
    modelled 5 194 97 6
    between "$o" 0.96 1 'a shorter period cures it'
    # shellcheck disable=SC2086
    guest 3 310 $tiles --profile-exact x
    "$prof" export --format brstack --brstack=full --symbols "$image" log >stream
    modelled 3 310 97 6
else
    part_skipped 'no python3'
fi
part 'EP-87 more address spaces than there are numbers for: said, once'
guest 7 1 --profile-what kernel --profile-out p
[ "$(grep -c '65,536 address spaces' err)" = 1 ] || fail "$(cat err)"
[ "$(grep -c '^S' p)" -ge 1 ] || fail "no profile"
guest 1 1 --profile-what kernel --profile-out p
! grep -q 'address spaces' err || fail "$(cat err)"
enough "edge profiles are right where wrong ones show"

part 'EP-T7 EP-56 EP-57 each instruction a trigger: exact with weights, wrong without'
guest 3 8000 --profile-exact x --profile-set event=insn --profile-set base=1 --profile-set tbt=4 --profile-out p
[ "$(header x branch-units)" -ge 1000000 ] || fail "$(header x branch-units) branches"
between "$(overlap x p)" 0.9999 1 'overlap with norm=run'
guest 3 8000 --profile-set event=insn --profile-set norm=none --profile-set base=1 --profile-set tbt=4 --profile-out p
between "$(overlap x p)" 0 0.9 'overlap with norm=none'

# One loop of 231 branches, 231 samples: some seeds are below 0.95, as they have to be.
part 'EP-84 EP-98 what is below 0.95 is chance: as the model has it, and no farther off than independent samples are'
if command -v python3 >/dev/null && [ -s "$guests/edges.elf" ]; then
    printf '\047\020' >rounds # 10000 of them
    edges() { "$zri" --batch "$@" "$guests/edges.elf" rounds@11002 >out 2>err || fail "$*: exit status $?: $(cat err)"; }
    edges --profile-exact x
    edges --profile-set base=32 --profile-set delta=0 --profile-out tiles --profile-log log
    "$prof" export --format brstack --brstack=full --symbols "$guests/edges.elf" log >stream
    rm log
    # shellcheck disable=SC2046
    set -- $(python3 "$here/edges-model.py" stream 10007 625 32 1 200)
    [ $# -eq 5 ] || fail "the model says '$*'"
    edges --profile-out p
    o=$(overlap x p)
    echo "$(header p samples-accepted) samples: overlap $o; with 200 seeds mean $2, standard deviation $3; of independent samples $4, $5"
    between "$o" "$(awk -v v="$1" 'BEGIN { print v - 0.0001 }')" "$(awk -v v="$1" 'BEGIN { print v + 0.0001 }')" 'the overlap that the model has'
    between "$2" "$(awk -v m="$4" -v s="$5" 'BEGIN { print m - 4 * s / 10 }')" 1 'the mean of 200 seeds'
    between "$3" 0 "$(awk -v s="$5" 'BEGIN { print 1.3 * s }')" 'the standard deviation of 200 seeds'
    between "$o" "$(awk -v m="$2" -v s="$3" 'BEGIN { print m - 3 * s }')" 1 'the overlap of one seed'
else
    part_skipped 'no python3'
fi

part 'EP-98 interpreter, short loops, calls by table, copies, recursion: near to the exact profile at the defaults'
found=
for cc in ${S390X_CC:+"$S390X_CC"} s390x-linux-gnu-gcc 'clang --target=s390x-linux-gnu'; do
    # shellcheck disable=SC2086
    [ -n "$found" ] || { $cc -O2 -static -march=z13 -o kinds "$here/edges-kinds.c" 2>/dev/null && found=1; }
done
if [ -z "$found" ]; then
    part_skipped "no compiler makes static programs for s390x here"
else
    for kind in 0 1 2 3 4; do
        "$zri" --batch --run kinds --append $kind --profile-out p --profile-exact x >out 2>err || fail "kind $kind: $(cat err)"
        o=$(overlap x p) n=$(header p samples-accepted)
        echo "kind $kind: overlap $o of $n samples"
        [ "$n" -ge 200 ] || fail "kind $kind: only $n samples"
        between "$o" 0.95 1 "overlap of kind $kind"
    done
fi
finish "edge profiles are right where wrong ones show, and near to the exact ones"
