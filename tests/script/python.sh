#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python module zri: its own tests, and its words for a shell.
. "${srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || skip "no python3"
"$zri" --control "unix:$work/none" --batch builtin:demo 2>&1 | grep -q 'built without jansson' &&
    skip "this zri has no control socket: it was built without jansson"
source=$(cd "${srcdir:-.}" && pwd)
ZRI=$zri PYTHONPATH=$source/python
export ZRI PYTHONPATH
python3 -B -W error "$source/python/tests/test_zri.py" >"$work/out" 2>&1 || { fail "the module's tests"; cat "$work/out"; }
grep -q '^OK' "$work/out" || fail "the module's tests say nothing good"
# every public word has its help
python3 -B - >"$work/out" 2>&1 <<'END' || fail "without a docstring: $(cat "$work/out")"
import inspect, sys, zri, zri.client, zri.machine, zri.testing, zri.__main__
bare = [m.__name__ for m in (zri, zri.client, zri.machine, zri.testing, zri.__main__) if not m.__doc__]
for name in zri.__all__:
    thing = getattr(zri, name)
    bare += [] if thing.__doc__ else [name]
    bare += ['%s.%s' % (name, n) for n, f in inspect.getmembers(thing)
             if not n.startswith('_') and not f.__doc__ and
             (isinstance(f, property) or (inspect.isfunction(f) and f.__module__.startswith('zri')))]
print(bare)
sys.exit(bool(bare))
END
# for a shell
python3 -B -m zri run builtin:demo "echo from the shell" g >"$work/out" 2>&1 || fail "run: $(cat "$work/out")"
grep -q '^from the shell$' "$work/out" || fail "run: $(cat "$work/out")"
python3 -B -m zri talk "$work/none" version >"$work/out" 2>&1
[ $? -eq 2 ] || fail "talk to nobody: $(cat "$work/out")"
# the sessions of the manual
(
    . "${srcdir:-.}/tests/guest/tour-lib.sh"
    export PYTHONDONTWRITEBYTECODE=1
    follow control.txt
    [ "$total" -gt 0 ] && [ "$failed" -eq 0 ]
) >"$work/out" 2>&1 || fail "doc/control.txt: $(cat "$work/out")"
finish "the Python module"
