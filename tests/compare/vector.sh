#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of single vector instructions: each case is carried out by zri's engines and by QEMU from the same
# image; registers, condition code, FPC register, interruption and storage are compared.
# vector.sh [CASES [SEED [MNEMONIC]]]: 4,000 cases by default (make check).
vector=${VECTOR:-tests/compare/vector}
cases=${1:-4000} seed=${2:-1} only=$3
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0

"$vector" make "$seed" "$cases" "$dir/image" $only || exit 99
for engine in reference block; do
    "$vector" run "$dir/image" "$dir/$engine" $engine || status=1
done
echo "reference and block engine:"
"$vector" diff "$dir/reference" "$dir/block" || status=1
command -v qemu-system-s390x >/dev/null || { echo "qemu-system-s390x is not installed: not compared"; exit $status; }
truncate -s 64M "$dir/theirs"
timeout 600 qemu-system-s390x -cpu max -m 64M -display none -serial none -monitor none -nic none \
    -object memory-backend-file,id=m,size=64M,mem-path="$dir/theirs",share=on -machine s390-ccw-virtio,memory-backend=m \
    -kernel "$dir/image" -action panic=exit-failure >"$dir/log" 2>&1
echo "QEMU:"
"$vector" diff "$dir/reference" "$dir/theirs" ${LIMIT:-1} || status=1
exit $status
