/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel's parts: drawings that are full, cut and put together; what answers at a place; colours that can be read;
   pictures that others can read. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "base/bits.h"
#include "emu/panel/canvas/canvas.h"
#include "emu/panel/window/png.h"
#include "emu/panel/window/theme.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A drawing that is full says so, and goes on with nothing. */
static void full(void **state)
{
    struct canvas canvas = {0};
    (void)state;
    canvas_clear(&canvas, 80, 25);
    for (unsigned i = 0; i < CANVAS_MOST; i++)
        canvas_text(&canvas, 0, 0, CANVAS_PLAIN, "%u", i);
    assert_false(canvas.incomplete);
    canvas_text(&canvas, 0, 0, CANVAS_PLAIN, "one too many");
    assert_true(canvas.incomplete);
    assert_int_equal(canvas.count, CANVAS_MOST);
    assert_string_equal(canvas_item_text(&canvas, &canvas.items[CANVAS_MOST - 1]), "19999");
    canvas_clear(&canvas, 80, 25);
    assert_false(canvas.incomplete);
    assert_int_equal(canvas.count, 0);
    canvas_free(&canvas);
}

/* A text that is too long ends where a character does. */
static void cut_texts(void **state)
{
    struct canvas canvas = {0};
    char text[1100] = "x"; /* then characters of two bytes: the one across byte 1,000 goes */
    (void)state;
    for (unsigned i = 0; i < 540; i++)
        strcat(text, "ä");
    canvas_clear(&canvas, 80, 25);
    canvas_text(&canvas, 0, 0, CANVAS_PLAIN, "%s", text);
    assert_int_equal(canvas.items[0].length, 999);
    assert_true(canvas.items[0].box.width == 500);
    canvas_free(&canvas);
}

/* The topmost thing with a command, and no further than its box. */
static void places(void **state)
{
    struct canvas canvas = {0};
    (void)state;
    canvas_clear(&canvas, 80, 25);
    canvas_area(&canvas, (struct canvas_box){0, 0, 80, 25}, "all", "%s", "under");
    canvas_button(&canvas, (struct canvas_box){10, 5, 8, 1}, "Key", "over");
    canvas_text(&canvas, 10, 5, CANVAS_PLAIN, "a text is no obstacle");
    canvas_area(&canvas, (struct canvas_box){40, 5, 1, 1}, "a tip alone", "%s", "");
    assert_string_equal(canvas_item_command(&canvas, canvas_at(&canvas, 10, 5)), "over");
    assert_string_equal(canvas_item_command(&canvas, canvas_at(&canvas, 17.9f, 5.9f)), "over");
    assert_string_equal(canvas_item_command(&canvas, canvas_at(&canvas, 18, 5)), "under");
    assert_string_equal(canvas_item_command(&canvas, canvas_at(&canvas, 10, 6)), "under");
    assert_false(canvas_answers(canvas_at(&canvas, 40.5f, 5.5f)));
    assert_null(canvas_at(&canvas, 80, 0));
    assert_null(canvas_at(&canvas, -1, 3));
    canvas_free(&canvas);
}

/* One drawing in another: moved, and nothing of it is outside. */
static void put_together(void **state)
{
    struct canvas one = {0}, all = {0};
    const struct canvas_box clip = {5, 10, 20, 4};
    (void)state;
    canvas_clear(&one, 20, 10);
    canvas_text(&one, 1, 0, CANVAS_VALUE, "above");
    canvas_text(&one, 1, 2, CANVAS_VALUE, "inside");
    canvas_field(&one, 1, 5, CANVAS_VALUE, "7", "%s", "set ");
    canvas_text(&one, 1, 6, CANVAS_VALUE, "below");
    canvas_fill(&one, (struct canvas_box){0, 0, 30, 30}, CANVAS_A, 100);
    canvas_line(&one, 0, 0, 0, 8, CANVAS_FAINT, false);
    canvas_line(&one, 0, 0, 9, 1, CANVAS_FAINT, false);
    canvas_clear(&all, 80, 25);
    canvas_append(&all, &one, 5, 8, clip);
    assert_int_equal(all.count, 4);
    assert_string_equal(canvas_item_text(&all, &all.items[0]), "inside");
    assert_true(all.items[0].box.x == 6 && all.items[0].box.y == 10);
    assert_string_equal(canvas_item_command(&all, &all.items[1]), "set ");
    assert_true(all.items[2].box.x == 5 && all.items[2].box.y == 10 && all.items[2].box.width == 20 &&
                all.items[2].box.height == 4);
    assert_int_equal(all.items[2].strength, 100);
    assert_true(all.items[3].box.y == 10 && all.items[3].box.height == 4);
    canvas_free(&one);
    canvas_free(&all);
}

/* Words and values can be read on their ground, lamps and lines be seen. */
static void colours(void **state)
{
    (void)state;
    assert_true(theme_contrast(0, 0xFFFFFF) > 20.9 && theme_contrast(0x777777, 0x777777) == 1);
    for (unsigned t = 0; t < THEMES; t++)
        for (unsigned role = 0; role < CANVAS_GROUND; role++) {
            const double contrast = theme_contrast(themes[t].ground, themes[t].roles[role]);
            if (contrast < 4.5)
                fail_msg("theme %s, role %u: contrast %.2f", themes[t].name, role, contrast);
        }
    for (unsigned t = 0; t < THEMES; t++)
        assert_true(theme_contrast(themes[t].key, themes[t].roles[CANVAS_LINK]) >= 4.5);
}

#ifdef HAVE_ZLIB
#include <zlib.h>

static uint8_t *whole_file(const char *name, size_t *length)
{
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(10000);
    assert_non_null(f);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 10000, f);
    fclose(f);
    return bytes;
}

/* The chunk at an offset has this name and its check word; returns the offset behind it. */
static size_t is_chunk(const uint8_t *bytes, size_t at, const char *name, const uint8_t **data, uint32_t *length)
{
    *length = get32(bytes + at);
    assert_memory_equal(bytes + at + 4, name, 4);
    assert_int_equal(get32(bytes + at + 8 + *length), crc32(0, bytes + at + 4, *length + 4));
    *data = bytes + at + 8;
    return at + 12 + *length;
}

static void picture(void **state)
{
    enum { WIDTH = 7, HEIGHT = 3, STRIDE = 9 };
    uint32_t pixels[STRIDE * HEIGHT], length;
    char name[] = "/tmp/zri-png-XXXXXX", error[300] = "";
    const uint8_t *data;
    uint8_t rows[HEIGHT * (3 * WIDTH + 1)];
    uLongf row_bytes = sizeof rows;
    size_t size;
    (void)state;
    for (unsigned i = 0; i < STRIDE * HEIGHT; i++)
        pixels[i] = i * 0x01030507u;
    close(mkstemp(name));
    assert_int_equal(png_write(name, pixels, WIDTH, HEIGHT, STRIDE, error, sizeof error), 0);
    uint8_t *bytes = whole_file(name, &size);
    unlink(name);
    assert_memory_equal(bytes, "\211PNG\r\n\032\n", 8);
    size_t at = is_chunk(bytes, 8, "IHDR", &data, &length);
    assert_int_equal(get32(data), WIDTH);
    assert_int_equal(get32(data + 4), HEIGHT);
    assert_memory_equal(data + 8, "\x08\x02\0\0\0", 5);
    at = is_chunk(bytes, at, "IDAT", &data, &length);
    assert_int_equal(uncompress(rows, &row_bytes, data, length), Z_OK);
    assert_int_equal(row_bytes, sizeof rows);
    for (unsigned y = 0; y < HEIGHT; y++) {
        uint8_t colour[3] = {0};
        const uint8_t *row = rows + y * (3 * WIDTH + 1);
        assert_int_equal(row[0], 1); /* each byte is told by its difference to that of the pixel on the left */
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned c = 0; c < 3; c++) {
                colour[c] = (uint8_t)(colour[c] + row[1 + 3 * x + c]);
                assert_int_equal(colour[c], pixels[y * STRIDE + x] >> (16 - 8 * c) & 0xFF);
            }
    }
    at = is_chunk(bytes, at, "IEND", &data, &length);
    assert_int_equal(at, size);
    free(bytes);
    assert_true(png_write("/no such folder/a.png", pixels, WIDTH, HEIGHT, STRIDE, error, sizeof error) < 0);
    assert_non_null(strstr(error, "'/no such folder/a.png' cannot be written: No such file"));
}
#else
static void picture(void **state)
{
    char error[300];
    uint32_t pixel = 0;
    (void)state;
    assert_true(png_write("a.png", &pixel, 1, 1, 1, error, sizeof error) < 0);
    assert_non_null(strstr(error, "without zlib"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(full),    cmocka_unit_test(cut_texts),
                                       cmocka_unit_test(places),  cmocka_unit_test(put_together),
                                       cmocka_unit_test(colours), cmocka_unit_test(picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
