/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/classroom.h"
#include "emu/config/wrap.h"
#include "emu/console/base/json.h"
#include "emu/exit.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *error)
{
    fprintf(stderr, "zri: %s\n", error);
    return EMU_EXIT_HOST;
}

/* ---- the list -------------------------------------------------------------------------------------------------- */

static unsigned done_of(const struct lesson *l, const char *progress)
{
    char error[512];
    uint32_t done;
    unsigned count = 0;
    if (!*progress || progress_read(progress, l->name, &done, error, sizeof error))
        return 0;
    for (unsigned i = 0; i < l->task_count; i++)
        count += done >> i & 1;
    return count;
}

#define ABOUT_COLUMN 20

static void list_one(const struct lesson *l, unsigned number, unsigned done, bool json)
{
    struct json j = {.length = 0};
    if (!json) {
        printf("%3u  %-14s %s%s\n", number, l->name, l->title, done == l->task_count ? " (done)" : "");
        char about[400];
        wrap_text(l->about, ABOUT_COLUMN, ABOUT_COLUMN, wrap_width(stdout, 0), about, sizeof about);
        printf("%*s%s\n", ABOUT_COLUMN, "", about);
        if (done && done < l->task_count)
            printf("     %-14s %u of %u tasks are done\n", "", done, l->task_count);
        return;
    }
    json_begin_object(&j, NULL);
    json_number(&j, "number", number);
    json_text(&j, "name", l->name);
    json_text(&j, "title", l->title);
    json_text(&j, "about", l->about);
    json_number(&j, "tasks", l->task_count);
    json_number(&j, "done", done);
    json_end_object(&j);
    printf("%s\n", j.text ? j.text : "");
    json_clear(&j);
}

/* Where progress is and whether it is understood; "" after a sentence. */
static void find_progress(char progress[PROGRESS_PATH])
{
    char error[512];
    uint32_t done;
    if (progress_path(progress, error, sizeof error) == 0 &&
        progress_read(progress, "", &done, error, sizeof error) == 0)
        return;
    *progress = 0;
    (void)fail(error);
}

int classroom_list(bool json)
{
    struct found_lessons *found = malloc(sizeof *found);
    struct lesson *lesson = malloc(sizeof *lesson);
    char error[1024] = "the host has no memory", progress[PROGRESS_PATH];
    int status = found && lesson && !find_lessons(found, error, sizeof error) ? EMU_EXIT_GOOD : fail(error);
    if (!status)
        find_progress(progress);
    for (unsigned i = 0; !status && i < found->count; i++) {
        if (lesson_read(lesson, found->paths[i], error, sizeof error))
            status = fail(error);
        else
            list_one(lesson, found->numbers[i], done_of(lesson, progress), json);
        lesson_free(lesson);
    }
    if (!status && !json)
        printf("\nzri --lesson N begins one, or goes on with it.\n");
    free(lesson);
    free(found);
    return status;
}

/* ---- one lesson ------------------------------------------------------------------------------------------------ */

int classroom_open(struct classroom *room, const struct emu_options *o, struct machine_config *config, char *error,
                   size_t size)
{
    memset(room, 0, sizeof *room);
    int code = find_lesson(o->lesson, room->path, error, size);
    code = code ? code : lesson_read(&room->lesson, room->path, error, size);
    code = code ? code : teach_machine(&room->lesson, config, error, size);
    if (code)
        return code;
    /* A script begins at the beginning, whatever was done before. */
    char why[512];
    room->keeps = !o->script_count && progress_path(room->progress, why, sizeof why) == 0;
    if (!o->script_count && !room->keeps)
        (void)fail(why);
    return 0;
}

int classroom_begin(struct classroom *room, struct console *console, char *error, size_t size)
{
    room->teach = teach_begin(console, &room->lesson, room->path, room->keeps ? room->progress : NULL, error, size);
    if (!room->teach)
        return -EINVAL;
    teach_welcome(room->teach);
    return 0;
}

int classroom_end(struct classroom *room)
{
    const int status = room->teach && teach_complete(room->teach) ? EMU_EXIT_GOOD : EMU_EXIT_BAD;
    teach_end(room->teach);
    room->teach = NULL;
    return status;
}

void classroom_close(struct classroom *room) { lesson_free(&room->lesson); }
