/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmark programs. What they compute is said once more, in plain C, in tests/mr/model.c. */
#include "build.h"

#define COLD   40u
#define FLATS  200u
#define GROUPS 10u

u16 main_method;

/* A name with a number behind it. */
static const char *numbered(const char *word, u32 n)
{
    static char names[512][12];
    static u32 used;
    char *to = names[used++];
    u32 i = 0;
    for (; word[i]; i++)
        to[i] = word[i];
    if (n >= 100)
        to[i++] = (char)('0' + n / 100);
    to[i++] = (char)('0' + n / 10 % 10);
    to[i++] = (char)('0' + n % 10);
    return to;
}

/* Text that is put together. */
static char piece[8192];
static u32 piece_used;
static void add(const char *word)
{
    for (; *word; word++)
        piece[piece_used++] = *word;
    piece[piece_used] = 0;
}
static void add_number(u64 n)
{
    char digits[24];
    u32 i = 23;
    digits[23] = 0;
    do
        digits[--i] = (char)('0' + n % 10);
    while (n /= 10);
    add(digits + i);
    add(" ");
}

static void areas(void)
{
    build_method("Circle.area", 1, 1, "load 0 getf 0 dup mul push 3 mul ret");
    build_method("Rect.area", 1, 1, "load 0 getf 0 load 0 getf 1 mul ret");
    build_method("Tri.area", 1, 1, "load 0 getf 0 load 0 getf 1 mul push 1 shr ret");
    build_method("Square.area", 1, 1, "load 0 getf 0 dup mul ret");
    build_method("Hex.area", 1, 1, "load 0 getf 0 dup mul push 21 mul push 3 shr ret");
    build_method("Star.area", 1, 1, "load 0 getf 0 load 0 getf 1 xor push 5 mul ret");
    static const char *const methods[6][SLOTS] = {{"Circle.area"}, {"Rect.area"}, {"Tri.area"},
                                                  {"Square.area"}, {"Hex.area"},  {"Star.area"}};
    static const char *const names[6] = {"Circle", "Rect", "Tri", "Square", "Hex", "Star"};
    for (u32 i = 0; i < 6; i++)
        build_class(names[i], 2, methods[i]);
}

/* World: 0 two thousand circles, 1 as many rectangles, 2 five hundred rectangles and triangles, 3 nine hundred of all
   classes. */
static void world(void)
{
    build_method("Circle.new", 2, 3, "new 0 store 2 load 2 load 0 putf 0 load 2 load 1 putf 1 load 2 ret");
    build_method("Rect.new", 2, 3, "new 1 store 2 load 2 load 0 putf 0 load 2 load 1 putf 1 load 2 ret");
    build_method("Tri.new", 2, 3, "new 2 store 2 load 2 load 0 putf 0 load 2 load 1 putf 1 load 2 ret");
    build_method("Square.new", 2, 3, "new 3 store 2 load 2 load 0 putf 0 load 2 load 1 putf 1 load 2 ret");
    build_method("Hex.new", 2, 3, "new 4 store 2 load 2 load 0 putf 0 load 2 load 1 putf 1 load 2 ret");
    build_method("Star.new", 2, 3, "new 5 store 2 load 2 load 0 putf 0 load 2 load 1 putf 1 load 2 ret");
    build_method("World.many", 2, 5, /* class 0 or 1, how many */
                 "load 1 newarr store 2 push 0 store 3 loop: load 3 load 1 lt jz end "
                 "load 0 jnz rect load 3 push 31 and push 3 add load 3 calls Circle.new 2 store 4 jmp put "
                 "rect: load 3 push 31 and push 3 add load 3 push 15 and push 1 add calls Rect.new 2 store 4 "
                 "put: load 2 load 3 load 4 ast load 3 push 1 add store 3 jmp loop end: load 2 ret");
    build_method("World.pairs", 1, 5, /* 70 rectangles in a hundred, the others triangles */
                 "load 0 newarr store 1 push 0 store 2 push 12345 store 3 "
                 "loop: load 2 load 0 lt jz end "
                 "load 3 push 1103515245 mul push 12345 add push 2147483647 and store 3 "
                 "load 3 push 16 shr push 1023 and push 717 lt jz tri "
                 "load 2 push 7 and push 2 add load 2 calls Rect.new 2 store 4 jmp put "
                 "tri: load 2 push 7 and push 4 add load 2 calls Tri.new 2 store 4 "
                 "put: load 1 load 2 load 4 ast load 2 push 1 add store 2 jmp loop end: load 1 ret");
    build_method("World.zoo", 1, 5,
                 "load 0 newarr store 1 push 0 store 2 push 0 store 3 "
                 "loop: load 2 load 0 lt jz end load 2 push 15 and push 1 add store 4 "
                 "load 3 push 0 eq jz c1 load 1 load 2 load 4 load 2 calls Circle.new 2 ast "
                 "c1: load 3 push 1 eq jz c2 load 1 load 2 load 4 load 2 calls Rect.new 2 ast "
                 "c2: load 3 push 2 eq jz c3 load 1 load 2 load 4 load 2 calls Tri.new 2 ast "
                 "c3: load 3 push 3 eq jz c4 load 1 load 2 load 4 load 2 calls Square.new 2 ast "
                 "c4: load 3 push 4 eq jz c5 load 1 load 2 load 4 load 2 calls Hex.new 2 ast "
                 "c5: load 3 push 5 eq jz c6 load 1 load 2 load 4 load 2 calls Star.new 2 ast "
                 "c6: load 3 push 1 add store 3 load 3 push 6 eq jz c7 push 0 store 3 "
                 "c7: load 2 push 1 add store 2 jmp loop end: load 1 ret");
    build_method(
        "World.new", 0, 1,
        "push 4 newarr store 0 load 0 push 0 push 0 push 2000 calls World.many 2 ast "
        "load 0 push 1 push 1 push 2000 calls World.many 2 ast "
        "load 0 push 2 push 500 calls World.pairs 1 ast load 0 push 3 push 900 calls World.zoo 1 ast load 0 ret");
}

/* Sum of the areas of an array: three methods, a call site in each. */
#define VISIT                                                                                                          \
    "push 0 store 2 push 0 store 3 loop: load 2 load 1 lt jz end load 3 load 0 load 2 ald callv 0 1 add store 3 "      \
    "load 2 push 1 add store 2 jmp loop end: load 3 ret"

static void statics(void)
{
    build_method("lerp", 2, 2, "load 0 load 1 load 0 sub push 2 shr add ret");
    build_method("mix", 2, 2, "load 0 push 5 shl load 0 xor load 1 add push 16777215 and ret");
    build_method("clamp", 1, 1, "load 0 push 65535 and ret");
    build_method("scale", 2, 2, "load 0 push 3 mul load 1 add push 1 shr push 16777215 and ret");
    build_method("twist", 2, 2, "load 0 load 1 xor push 7 shl load 0 push 9 shr xor push 16777215 and ret");
    /* lerp, mix, clamp a thousand times each */
    build_method("Mix.early", 1, 5,
                 "push 0 store 1 push 0 store 2 load 0 store 3 push 1 store 4 "
                 "loop: load 1 push 1000 lt jz end load 2 load 1 calls lerp 2 store 2 "
                 "load 3 load 2 calls mix 2 store 3 load 4 load 3 add calls clamp 1 store 4 "
                 "load 1 push 1 add store 1 jmp loop end: load 2 load 3 add load 4 add ret");
    build_method("Mix.late", 1, 5,
                 "push 0 store 1 push 0 store 2 load 0 store 3 push 1 store 4 "
                 "loop: load 1 push 1000 lt jz end load 2 load 1 calls scale 2 store 2 "
                 "load 3 load 2 calls twist 2 store 3 load 4 load 3 add calls clamp 1 store 4 "
                 "load 1 push 1 add store 1 jmp loop end: load 2 load 3 add load 4 add ret");
    build_method("Grid.sum", 1, 4,
                 "push 0 store 1 load 0 store 3 "
                 "rows: load 1 push 50 lt jz end push 0 store 2 "
                 "cells: load 2 push 50 lt jz row load 3 load 1 load 2 mul add load 2 xor store 3 "
                 "load 2 push 1 add store 2 jmp cells row: load 1 push 1 add store 1 jmp rows end: load 3 ret");
}

static void cold(void)
{
    for (u32 k = 0; k < COLD; k++) {
        piece_used = 0;
        add("load 0 push ");
        add_number(k * 77 + 13);
        add("mul push ");
        add_number(k * 1009 + 5);
        add("xor load 0 push ");
        add_number(k % 7 + 1);
        add("shl add ret");
        build_method(numbered("Cold.m", k), 1, 1, piece);
    }
    for (u32 quarter = 0; quarter < 4; quarter++) {
        piece_used = 0;
        for (u32 k = quarter * 10; k < quarter * 10 + 10; k++) {
            add("load 0 push 63 and push ");
            add_number(k);
            add("eq jz l");
            add_number(k);
            add("load 0 calls ");
            add(numbered("Cold.m", k));
            add(" 1 sum l");
            add_number(k);
            piece[piece_used - 1] = ':';
            add(" ");
        }
        add("push 0 ret");
        build_method(numbered("Cold.q", quarter), 1, 1, piece);
    }
}

static void shapes(u32 phase)
{
    areas();
    world();
    statics();
    cold();
    build_method("Scene.visit", 2, 4, VISIT);
    build_method("Pair.visit", 2, 4, VISIT);
    build_method("Zoo.visit", 2, 4, VISIT);
    main_method = (u16)build_method(
        "main", 2, 3, /* world, iteration; after the change the second array and other static methods */
        phase ? "load 1 push 100 lt jz late "
                "load 0 push 0 ald push 2000 calls Scene.visit 2 sum load 1 calls Mix.early 1 sum jmp both "
                "late: load 0 push 1 ald push 2000 calls Scene.visit 2 sum load 1 calls Mix.late 1 sum "
                "both: load 0 push 2 ald push 500 calls Pair.visit 2 sum "
                "load 0 push 3 ald push 900 calls Zoo.visit 2 sum load 1 calls Grid.sum 1 sum "
                "load 1 calls Cold.q00 1 pop load 1 calls Cold.q01 1 pop load 1 calls Cold.q02 1 pop "
                "load 1 calls Cold.q03 1 pop push 0 ret"
              : "load 0 push 0 ald push 2000 calls Scene.visit 2 sum load 1 calls Mix.early 1 sum "
                "load 0 push 2 ald push 500 calls Pair.visit 2 sum "
                "load 0 push 3 ald push 900 calls Zoo.visit 2 sum load 1 calls Grid.sum 1 sum "
                "load 1 calls Cold.q00 1 pop load 1 calls Cold.q01 1 pop load 1 calls Cold.q02 1 pop "
                "load 1 calls Cold.q03 1 pop push 0 ret");
}

/* Each of two hundred methods forty times an iteration. */
static void flat(void)
{
    for (u32 k = 0; k < FLATS; k++) {
        piece_used = 0;
        add("load 0 push ");
        add_number(k * 31 + 7);
        add("mul load 0 push 11 shr xor push ");
        add_number(k * 401 + 3);
        add("add store 1 load 1 push 3 shl load 1 push 5 shr xor load 0 add push ");
        add_number(k % 5 + 1);
        add("shr load 1 xor push 1073741823 and ret");
        build_method(numbered("f", k), 1, 2, piece);
    }
    for (u32 g = 0; g < GROUPS; g++) {
        piece_used = 0;
        for (u32 k = g * (FLATS / GROUPS); k < (g + 1) * (FLATS / GROUPS); k++) {
            add("load 0 calls ");
            add(numbered("f", k));
            add(" 1 store 0 ");
        }
        add("load 0 ret");
        build_method(numbered("g", g), 1, 1, piece);
    }
    piece_used = 0;
    add("push 0 store 2 load 1 store 3 loop: load 2 push 40 lt jz end ");
    for (u32 g = 0; g < GROUPS; g++) {
        add("load 3 calls ");
        add(numbered("g", g));
        add(" 1 store 3 ");
    }
    add("load 2 push 1 add store 2 jmp loop end: load 3 sum push 0 ret");
    main_method = (u16)build_method("main", 2, 4, piece);
    build_method("World.new", 0, 1, "push 0 ret");
}

void program_build(void)
{
    if (vm.prog == FLAT)
        flat();
    else
        shapes(vm.prog == PHASE || (vm.prog == TWIN && vm.second));
    build_link();
}
