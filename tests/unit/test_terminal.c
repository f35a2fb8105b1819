/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the panel in a terminal stands on, without a terminal: panes and their edges, lines that are typed, text that
   was written. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "emu/panel/terminal/edit.h"
#include "emu/panel/terminal/keys.h"
#include "emu/panel/terminal/layout.h"
#include "emu/panel/terminal/scroll.h"
#include <stdlib.h>
#include <string.h>

/* ---- panes ---- */

static const struct layout_box screen = {0, 0, 101, 40};

/* Panes fill the screen, and none lies over another. */
static void covers(const struct layout *layout, unsigned panes)
{
    struct layout_box boxes[LAYOUT_PANES];
    unsigned seen = 0;
    uint8_t cells[40][101] = {{0}};
    assert_true(layout_place(layout, screen, boxes));
    for (int i = 0; i < LAYOUT_PANES; i++) {
        const struct layout_box *b = &boxes[i];
        seen += b->width > 0;
        for (int y = b->y; y < b->y + b->height; y++)
            for (int x = b->x; x < b->x + b->width; x++)
                assert_int_equal(cells[y][x]++, 0);
    }
    assert_int_equal(seen, panes);
}

static void panes_divide(void **state)
{
    struct layout l;
    struct layout_box boxes[LAYOUT_PANES];
    (void)state;
    layout_begin(&l);
    covers(&l, 1);
    assert_true(layout_split(&l, 0, true, 500, 1));
    assert_true(layout_split(&l, 1, false, 250, 2));
    assert_false(layout_split(&l, 5, false, 250, 3)); /* it is not there */
    assert_false(layout_split(&l, 0, false, 250, 2)); /* that one is there */
    covers(&l, 3);
    assert_true(layout_place(&l, screen, boxes));
    assert_int_equal(boxes[0].width, 50);
    assert_int_equal(boxes[1].x, 51);
    assert_int_equal(boxes[1].height, 10);
    assert_int_equal(boxes[2].y, 10);
    assert_int_equal(layout_next(&l, 0, false), 1);
    assert_int_equal(layout_next(&l, 2, false), 0);
    assert_int_equal(layout_next(&l, 0, true), 2);
    assert_false(layout_place(&l, (struct layout_box){0, 0, 20, 5}, boxes)); /* too small */
}

static void edges_move(void **state)
{
    struct layout l;
    struct layout_box boxes[LAYOUT_PANES];
    (void)state;
    layout_begin(&l);
    assert_false(layout_resize(&l, 0, true, true));
    assert_true(layout_split(&l, 0, true, 500, 1));
    assert_true(layout_split(&l, 1, false, 500, 2));
    assert_true(layout_resize(&l, 2, true, false)); /* the edge between 0 and the others, to the left */
    assert_true(layout_place(&l, screen, boxes));
    assert_int_equal(boxes[0].width, 45);
    assert_true(layout_resize(&l, 1, false, true)); /* that between 1 and 2, down */
    assert_true(layout_place(&l, screen, boxes));
    assert_int_equal(boxes[1].height, 22);
    unsigned times = 0;
    while (layout_resize(&l, 0, true, false))
        assert_true(++times < 30);
    assert_int_equal(times, 8); /* a twentieth stays */
}

static void panes_close(void **state)
{
    struct layout l;
    (void)state;
    layout_begin(&l);
    assert_false(layout_close(&l, 0));
    for (int i = 1; i < LAYOUT_PANES; i++) {
        assert_int_equal(layout_free(&l), i);
        assert_true(layout_split(&l, i - 1, i % 2, 500, i));
    }
    assert_int_equal(layout_free(&l), -1);
    assert_false(layout_split(&l, 0, true, 500, LAYOUT_PANES));
    for (int i = 0; i < LAYOUT_PANES - 1; i++) {
        assert_true(layout_has(&l, i));
        assert_true(layout_close(&l, i));
        assert_false(layout_has(&l, i));
    }
    covers(&l, 1);
    assert_false(layout_close(&l, LAYOUT_PANES - 1));
}

/* ---- lines ---- */

static void type(struct edit *e, const char *text)
{
    for (; *text; text++)
        assert_true(edit_key(e, (uint8_t)*text));
}

static void lines_are_edited(void **state)
{
    struct edit *e = calloc(1, sizeof *e);
    (void)state;
    assert_non_null(e);
    type(e, "store status");
    edit_key(e, KEY_OF_CONTROL('W'));
    assert_string_equal(e->text, "store ");
    edit_key(e, KEY_OF_CONTROL('A'));
    edit_key(e, KEY_OF_CONTROL('Y'));
    assert_string_equal(e->text, "statusstore ");
    edit_key(e, KEY_OF_CONTROL('K'));
    assert_string_equal(e->text, "status");
    edit_key(e, KEYS_LEFT);
    edit_key(e, 0x20AC); /* a character of three bytes */
    assert_string_equal(e->text, "statu\xE2\x82\xACs");
    assert_int_equal(edit_columns(e, e->at), 6);
    edit_key(e, KEYS_LEFT);
    edit_key(e, KEYS_DELETE);
    assert_string_equal(e->text, "status");
    edit_key(e, KEY_OF_CONTROL('T'));
    assert_string_equal(e->text, "statsu");
    edit_key(e, KEY_OF_CONTROL('U'));
    assert_string_equal(e->text, "");
    edit_key(e, KEYS_BACKSPACE);
    edit_key(e, KEYS_DELETE);
    edit_key(e, KEY_OF_CONTROL('T'));
    assert_false(edit_key(e, KEYS_F + 1));
    for (unsigned i = 0; i < EDIT_LINE + 10; i++)
        edit_key(e, 'x');
    assert_int_equal(e->length, EDIT_LINE);
    edit_key(e, KEY_OF_CONTROL('U'));
    edit_key(e, KEY_OF_CONTROL('Y'));
    edit_key(e, KEY_OF_CONTROL('Y')); /* no room for it twice */
    assert_int_equal(e->length, EDIT_LINE);
    edit_free(e);
    free(e);
}

static void lines_come_again(void **state)
{
    struct edit *e = calloc(1, sizeof *e);
    (void)state;
    assert_non_null(e);
    edit_keep(e, "gpr 1=2");
    edit_keep(e, "psw");
    edit_keep(e, "psw"); /* once is enough */
    edit_keep(e, "");
    edit_keep(e, "gpr 3=4");
    assert_int_equal(e->history_count, 3);
    edit_set(e, "");
    type(e, "gp");
    edit_key(e, KEYS_UP);
    assert_string_equal(e->text, "gpr 3=4");
    edit_key(e, KEYS_UP); /* those that begin alike */
    assert_string_equal(e->text, "gpr 1=2");
    edit_key(e, KEYS_UP);
    assert_string_equal(e->text, "gpr 1=2");
    edit_key(e, KEYS_DOWN);
    edit_key(e, KEYS_DOWN);
    assert_string_equal(e->text, "gp");
    for (unsigned i = 0; i < EDIT_HISTORY + 5; i++)
        edit_keep(e, i % 2 ? "odd" : "even");
    assert_int_equal(e->history_count, EDIT_HISTORY);
    edit_free(e);
    free(e);
}

/* ---- text ---- */

/* Line n of what was written. */
static const char *line(const struct scroll *s, unsigned n, char *text)
{
    unsigned length;
    const uint32_t *characters = scroll_line(s, n, &length);
    for (unsigned i = 0; i < length; i++)
        text[i] = (char)characters[i];
    text[length] = 0;
    return text;
}

static void text_is_kept(void **state)
{
    static const char written[] =
        "one\ntwo\rTW\nthree\b\b12\n\033[1;31mfour\033[0m\033[2D\033[K!\n\033]0;title\007a\tb";
    struct scroll *s = calloc(1, sizeof *s);
    char text[SCROLL_LINE + 1];
    (void)state;
    assert_non_null(s);
    for (const char *at = written; *at; at++) /* byte by byte */
        scroll_write(s, at, 1, true);
    assert_int_equal(scroll_lines(s), 5);
    assert_string_equal(line(s, 0, text), "one");
    assert_string_equal(line(s, 1, text), "TWo");
    assert_string_equal(line(s, 2, text), "thr12");
    assert_string_equal(line(s, 3, text), "fo!");
    assert_string_equal(line(s, 4, text), "a       b");
    scroll_write(s, "\n\xE2\x97\x8F\xFF.", 6, true);
    unsigned length;
    assert_int_equal(scroll_line(s, 5, &length)[0], 0x25CF);
    assert_int_equal(length, 3);
    scroll_free(s);
    free(s);
}

/* Whatever a guest writes: lines that never end, places far away, many lines. */
static void text_is_bounded(void **state)
{
    static const char away[] = "\r\033[99999999999999999999C!\033[499C!\033[4000G!\033[D";
    static const char likely[] = "\033[];()\r\n\b\tCDGKPJHm0129\xE2\x97\x8F\xFFxyz";
    struct scroll *s = calloc(1, sizeof *s);
    unsigned length;
    uint32_t random = 1;
    (void)state;
    assert_non_null(s);
    for (unsigned i = 0; i < 3 * SCROLL_LINE; i++)
        scroll_write(s, "x", 1, true);
    assert_int_equal(scroll_lines(s), 3);
    (void)scroll_line(s, 0, &length);
    assert_int_equal(length, SCROLL_LINE);
    scroll_write(s, away, sizeof away - 1, true);
    for (unsigned i = 0; i < 300000; i++) {
        random = random * 1103515245 + 12345;
        const char byte = likely[(random >> 16) % (sizeof likely - 1)];
        scroll_write(s, &byte, 1, false);
    }
    for (unsigned i = 0; i < SCROLL_LINES + 5; i++)
        scroll_write(s, "\n", 1, true);
    assert_int_equal(scroll_lines(s), SCROLL_LINES);
    scroll_free(s);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(panes_divide),     cmocka_unit_test(edges_move),
                                       cmocka_unit_test(panes_close),      cmocka_unit_test(lines_are_edited),
                                       cmocka_unit_test(lines_come_again), cmocka_unit_test(text_is_kept),
                                       cmocka_unit_test(text_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
