#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The packages of debian/ are built from a copy of the sources, have what they promise, and lintian finds no error and no
# warning in them.
. "${srcdir:-.}/tests/lib.sh"
for tool in dpkg-buildpackage dh lintian; do
    command -v $tool > /dev/null || skip "no $tool (packages dpkg-dev, debhelper, lintian)"
done
sources=$(cd "${srcdir:-.}" && pwd)
mkdir "$work/zri"
(cd "$sources" && git ls-files -z 2> /dev/null | tar -cf - --null -T -) | tar -xf - -C "$work/zri"
[ -x "$work/zri/debian/rules" ] || skip "not a checkout"
(cd "$work/zri" && dpkg-buildpackage -us -uc -b) > "$work/log" 2>&1 || {
    tail -20 "$work/log"
    fail "the packages cannot be built"
    finish ""
}
dpkg-deb -c "$work"/zri_*.deb > "$work/files"
dpkg-deb -c "$work"/zri-doc_*.deb > "$work/doc-files"
for file in usr/bin/zri usr/bin/zri-ri usr/bin/zri-et usr/bin/zri-prof usr/share/man/man1/zri.1.gz usr/share/man/man1/zri-et.1.gz \
    usr/share/man/man1/zri-prof.1.gz \
    usr/share/man/man5/zri-json.5.gz usr/share/man/man5/zri-et-format.5.gz \
    usr/share/man/man7/zri-interruptions.7.gz usr/share/man/man7/zri-instructions.7.gz usr/share/man/man7/zri-facilities.7.gz \
    usr/share/bash-completion/completions/zri usr/share/zsh/site-functions/_zri \
    usr/share/bash-completion/completions/zri-et usr/share/zsh/site-functions/_zri-et \
    usr/share/bash-completion/completions/zri-prof usr/share/zsh/site-functions/_zri-prof; do
    grep -q " \./$file\$" "$work/files" || fail "zri has no $file"
done
grep -q '/tour.txt.gz$' "$work/doc-files" || fail "zri-doc has no tour"
grep -q ' \./usr/share/doc/zri/zri.html/index.html$' "$work/doc-files" || fail "zri-doc has no manual as HTML"
grep -q ' \./usr/share/info/zri.info.gz$' "$work/doc-files" || fail "zri-doc has no manual for info"
lintian --allow-root --fail-on error,warning "$work"/zri_*.changes > "$work/lint" 2>&1 || fail "lintian: $(cat "$work/lint")"
finish "packages zri and zri-doc"
