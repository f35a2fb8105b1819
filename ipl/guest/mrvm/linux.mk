# SPDX-License-Identifier: GPL-3.0-or-later
# The managed run-time as a program for Linux on s390x: make -f ipl/guest/mrvm/linux.mk [CC=...] [TOP=tree] [OUT=file]
TOP = .
OUT = mrvm
CC = s390x-linux-gnu-gcc
HERE = $(TOP)/ipl/guest/mrvm
SOURCES = $(patsubst %,$(HERE)/%.c,linux build code compile1 compile2 decide inline operate value interpret main program read report) \
	$(HERE)/glue.S $(TOP)/ipl/guest/libri/libri.c
HEADERS = $(wildcard $(HERE)/*.h $(TOP)/ipl/guest/libri/*.h $(TOP)/ri/*.def)
$(OUT): $(SOURCES) $(HEADERS)
	$(CC) -std=gnu11 -O2 -m64 -march=zEC12 -static -fno-pie -no-pie -ffreestanding -fno-stack-protector \
	-fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns -Wall -Wextra -I $(TOP) -o $@ $(SOURCES)
