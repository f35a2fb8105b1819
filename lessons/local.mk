# SPDX-License-Identifier: GPL-3.0-or-later
# Lessons, which are installed, and their solutions, which are not.
lessonsdir = $(pkgdatadir)/lessons
dist_lessons_DATA = lessons/01-numbers.lesson lessons/02-addresses.lesson lessons/03-branches.lesson \
	lessons/04-characters.lesson lessons/05-psw.lesson lessons/06-interruptions.lesson \
	lessons/07-translation.lesson lessons/08-protection.lesson lessons/09-cpus.lesson lessons/10-channels.lesson \
	lessons/11-instrumentation.lesson lessons/12-speculation.lesson
EXTRA_DIST += $(dist_lessons_DATA:.lesson=.solution)
EXTRA_DIST += doc/lessons.txt
