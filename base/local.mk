# SPDX-License-Identifier: GPL-3.0-or-later
# words that all share: bits and fields, EBCDIC, messages
libzri_a_SOURCES += base/bits.h base/digit.h base/ebcdic.c base/ebcdic.h base/message.c base/message.h \
	base/room.h base/utf8.c base/utf8.h base/words.c base/words.h
