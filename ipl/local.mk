# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += ipl/ipl.h
