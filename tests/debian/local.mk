# SPDX-License-Identifier: GPL-3.0-or-later
# A whole Debian, too long for make check: DEBIAN_TESTS="tools jit perf virtio fba ascii facilities" says which of its parts.
EXTRA_DIST += tests/debian/facilities.sh tests/debian/facilities-work tests/debian/evp.c tests/debian/build-gzip.sh
EXTRA_DIST += tests/debian/tools.sh tests/debian/tools-work tests/debian/jit.js
EXTRA_DIST += tests/debian/perf.sh tests/debian/perf-work tests/debian/perf-hot.c
EXTRA_DIST += tests/debian/jit.golden tests/debian/build-tools.sh
EXTRA_DIST += tests/debian/check.sh tests/debian/build-root.sh tests/debian/second-stage tests/debian/init
check-debian: zri$(EXEEXT)
	ZRI=$(abs_builddir)/zri$(EXEEXT) srcdir=$(srcdir) sh $(srcdir)/tests/debian/check.sh $(DEBIAN_TESTS) || [ $$? -eq 77 ]
.PHONY: check-debian

# Packages: built and looked at by lintian.
EXTRA_DIST += tests/debian/packages.sh
check-packages:
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/debian/packages.sh
.PHONY: check-packages
