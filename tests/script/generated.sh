#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripted tests in tests/script/generated are what the programs beside them write: generated.sh compares, generated.sh
# --renew (make generated) writes them again. Needs python3; crypto.py also Python's package cryptography.
. "${srcdir:-.}/tests/lib.sh"
source=$(cd "${srcdir:-.}" && pwd)
folder=$source/tests/script/generated
command -v python3 >/dev/null || skip "python3 is not installed: generated tests are not looked at"
export PYTHONDONTWRITEBYTECODE=1
if python3 -c 'import cryptography' 2>/dev/null; then
    python3 "$folder/crypto.py" "$work" || fail "crypto.py"
else
    echo "Python's package cryptography is not installed: crypto-*.zt are not looked at"
fi
python3 "$folder/dfp.py" "$work" || fail "dfp.py"
python3 "$folder/bfp.py" >"$work/bfp-table.zt" || fail "bfp.py"
python3 "$folder/exceptions.py" "$source" >"$work/exceptions.zt" || fail "exceptions.py"
[ "$failed" -eq 0 ] || exit 1
[ "${1:-}" != --renew ] || {
    cp "$work"/*.zt "$folder"
    exit
}
fresh=0
for file in "$folder"/*.zt; do
    name=$(basename "$file")
    if [ ! -f "$work/$name" ]; then
        case $name in crypto-*) ;; *) fail "$name: no program writes it" ;; esac
    elif cmp -s "$file" "$work/$name"; then
        fresh=$((fresh + 1))
    else
        fail "$name is not what its program writes now: make generated, and look at the difference"
        diff "$file" "$work/$name" | head -n 6
    fi
done
for file in "$work"/*.zt; do
    [ -f "$folder/$(basename "$file")" ] || fail "$(basename "$file") is written, but not kept in $folder: make generated"
done
finish "$fresh generated tests are fresh"
