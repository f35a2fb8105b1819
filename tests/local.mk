# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests: one program per file tests/unit/test_NAME.c. Add yours to UNIT_TESTS and give its sources.
if HAVE_CMOCKA
UNIT_TESTS =
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif
