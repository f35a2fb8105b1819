/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings in cells: where items come to stand, how lines meet, and what ASCII has in their place. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "emu/panel/canvas/cells.h"
#include <stdlib.h>
#include <string.h>

/* The drawing as text is this. */
static void shows(const struct canvas *canvas, bool unicode, const char *wanted)
{
    struct cells cells = {0};
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(cells_draw(&cells, canvas), 0);
    cells_print(&cells, unicode, out);
    fclose(out);
    assert_string_equal(text, wanted);
    free(text);
    cells_free(&cells);
}

static void frames_and_texts(void **state)
{
    struct canvas canvas = {0};
    (void)state;
    canvas_clear(&canvas, 9, 3);
    canvas_frame(&canvas, (struct canvas_box){0, 0, 9, 3}, CANVAS_FAINT);
    canvas_line(&canvas, 4, 0, 4, 2, CANVAS_FAINT, false);
    canvas_text(&canvas, 1, 0, CANVAS_HEADING, "ab");
    canvas_text(&canvas, 6, 1, CANVAS_VALUE, "wxyz"); /* cut off at the edge, over the frame */
    shows(&canvas, true, "┌ab─┬───┐\n│   │ wxy\n└───┴───┘\n");
    shows(&canvas, false, "+ab-+---+\n|   | wxy\n+---+---+\n");
    canvas_free(&canvas);
}

static void lamps_keys_arrows(void **state)
{
    struct canvas canvas = {0};
    (void)state;
    canvas_clear(&canvas, 12, 4);
    canvas_lamp(&canvas, 0, 0, true, "run");
    canvas_lamp(&canvas, 6, 0, false, "wait");
    canvas_button(&canvas, (struct canvas_box){0, 1, 8, 1}, "Step", "s");
    canvas_line(&canvas, 0, 2, 4, 2, CANVAS_A, true);
    canvas_line(&canvas, 0, 3, -1, 3, CANVAS_A, true); /* its head is outside */
    shows(&canvas, true, "● run ○ wait\n[ Step ]\n────▶\n─\n");
    canvas_free(&canvas);
}

static void fills(void **state)
{
    struct canvas canvas = {0};
    struct cells cells = {0};
    (void)state;
    canvas_clear(&canvas, 6, 2);
    canvas_fill(&canvas, (struct canvas_box){0, 0, 3, 1}, CANVAS_B, 255);
    canvas_fill(&canvas, (struct canvas_box){3.1f, 0.1f, 0.2f, 0.2f}, CANVAS_C, 10); /* less than a cell is seen */
    canvas_text(&canvas, 1, 0, CANVAS_VALUE, "5");
    shows(&canvas, true, "█5█░\n\n");
    shows(&canvas, false, "#5#.\n\n");
    assert_int_equal(cells_draw(&cells, &canvas), 0);
    assert_int_equal(cells.cell[1].fill_role, CANVAS_B);
    assert_int_equal(cells.cell[1].fill, 255);
    assert_int_equal(cells.cell[1].role, CANVAS_VALUE);
    cells_free(&cells);
    canvas_free(&canvas);
}

/* Whatever places say, nothing outside is touched (the sanitizers look). */
static void places_far_away(void **state)
{
    struct canvas canvas = {0};
    struct cells cells = {0};
    const float far[] = {-1e30f, -5, 0, 3.5f, 1e9f, 1e30f};
    (void)state;
    canvas_clear(&canvas, 7, 3);
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < 6; k++) {
            const struct canvas_box box = {far[i], far[k], far[k], far[i]};
            canvas_fill(&canvas, box, CANVAS_A, 200);
            canvas_frame(&canvas, box, CANVAS_A);
            canvas_button(&canvas, box, "x", "s");
            canvas_line(&canvas, far[i], far[k], far[k], far[i], CANVAS_A, true);
            canvas_text(&canvas, far[i], far[k], CANVAS_A, "\xE2\x82");
            canvas_lamp(&canvas, far[k], far[i], true, "\xFF");
        }
    assert_int_equal(cells_draw(&cells, &canvas), 0);
    assert_int_equal(cells.columns * cells.rows, 21);
    canvas_clear(&canvas, 1e30f, -4);
    assert_int_equal(cells_draw(&cells, &canvas), 0);
    assert_int_equal(cells.columns, CELLS_MOST);
    assert_int_equal(cells.rows, 0);
    cells_free(&cells);
    canvas_free(&canvas);
}

static void utf8(void **state)
{
    static const char *const texts[] = {"A", "é", "●", "😀"};
    static const uint32_t characters[] = {'A', 0xE9, 0x25CF, 0x1F600};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const char *text = texts[i];
        char bytes[5];
        assert_int_equal(cells_character(&text), characters[i]);
        assert_string_equal(text, "");
        cells_utf8(characters[i], bytes);
        assert_string_equal(bytes, texts[i]);
    }
    const char *broken = "\xC3(";
    assert_int_equal(cells_character(&broken), '?');
    assert_string_equal(broken, "(");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_and_texts), cmocka_unit_test(lamps_keys_arrows),
                                       cmocka_unit_test(fills), cmocka_unit_test(places_far_away),
                                       cmocka_unit_test(utf8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
