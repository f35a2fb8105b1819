# SPDX-License-Identifier: GPL-3.0-or-later
# Lessons, which are installed, and their solutions, which are not.
lessonsdir = $(pkgdatadir)/lessons
dist_lessons_DATA = lessons/01-numbers.lesson lessons/02-addresses.lesson lessons/03-branches.lesson
EXTRA_DIST += lessons/01-numbers.solution lessons/02-addresses.solution lessons/03-branches.solution
