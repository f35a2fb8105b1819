/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording is of: the options and files that make a difference to the guest, each with a name that an operator
   knows. Engine and observation are not among them. */
#include "emu/history/record.h"
#include "emu/dev/css/css.h"
#include "emu/dev/image/disk.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITEMS 60000u /* bytes */
#define PROBES     256u   /* places of a disk that are looked at */
#define PROBE      4096u

struct items {
    char *text;
    size_t length;
};

/* One more; what does not fit is left out, on both sides. */
static void item(struct items *to, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void item(struct items *to, const char *name, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const size_t first = strlen(name) + 1, second = strlen(value) + 1;
    if (to->length + first + second > MOST_ITEMS)
        return;
    memcpy(to->text + to->length, name, first);
    memcpy(to->text + to->length + first, value, second);
    to->length += first + second;
}

/* A file of the host: its length and what it holds. */
static void file_item(struct items *to, const char *name, const char *file)
{
    uint8_t bytes[16384];
    uint64_t hash = 0, length = 0;
    size_t n;
    FILE *f = strncmp(file, "builtin:", 8) == 0 ? NULL : fopen(file, "rbe");
    if (!f) {
        item(to, name, "%.400s", file);
        return;
    }
    while ((n = fread(bytes, 1, sizeof bytes, f))) {
        hash = tape_hash(hash, bytes, n);
        length += n;
    }
    fclose(f);
    item(to, name, "a file of %" PRIu64 " bytes that hash to %016" PRIX64, length, hash);
}

/* A disk as the guest finds it: its beginning, its end and places between. */
static uint64_t disk_hash(struct image *image)
{
    uint8_t bytes[PROBE];
    const uint64_t size = image_size(image), last = size > PROBE ? size - PROBE : 0;
    uint64_t hash = size;
    for (uint64_t n = 0; n <= PROBES; n++) {
        const uint64_t at = last / PROBES * n + (n == PROBES ? last % PROBES : 0);
        const size_t length = size - at < PROBE ? (size_t)(size - at) : PROBE;
        if (!image_read(image, at, bytes, length))
            hash = tape_hash(hash, bytes, length);
    }
    return hash;
}

static void devices(struct items *to, const struct machine *m)
{
    struct channel_device *d;
    char name[40];
    for (unsigned n = 0; (d = css_device(m->css, n)); n++) {
        struct image *image = d->type->image ? d->type->image(d) : NULL;
        snprintf(name, sizeof name, "device %u:%04X", d->set & 7u, d->number);
        if (image)
            item(to, name, "%s%s of %" PRIu64 " bytes that hash to %016" PRIX64, d->type->name,
                 image_read_only(image) ? ", read-only," : "", image_size(image), disk_hash(image));
        else
            item(to, name, "%s", d->type->name);
    }
}

static void images(struct items *to, const struct emu_options *o)
{
    char name[24];
    for (unsigned n = 0; n < o->image_count; n++) {
        snprintf(name, sizeof name, "image %u", n + 1);
        file_item(to, name, o->images[n].path);
        if (o->images[n].has_address) {
            snprintf(name, sizeof name, "address of image %u", n + 1);
            item(to, name, "%" PRIX64, o->images[n].address);
        }
    }
    if (o->initrd)
        file_item(to, "--initrd", o->initrd);
    if (o->append)
        item(to, "--append", "%s", o->append);
    if (o->ipl)
        item(to, "--ipl", "%s", o->ipl);
    if (o->snapshot)
        file_item(to, "--snapshot", o->snapshot);
}

char *recording_items(const struct session *s, const struct emu_options *o, size_t *length)
{
    const struct machine *m = s->machine;
    const struct machine_config *c = &m->config;
    struct items to = {.text = malloc(MOST_ITEMS)};
    if (!to.text)
        return NULL;
    item(&to, "zri", "%s", PACKAGE_VERSION);
    item(&to, "--storage", "%" PRIu64 " bytes", c->storage - c->standby_storage);
    item(&to, "--cpus", "%u", c->cpus - c->standby_cpus);
    item(&to, "--standby-storage", "%" PRIu64 " bytes", c->standby_storage);
    item(&to, "--standby-cpus", "%u", c->standby_cpus);
    item(&to, "--profile", "%s", c->profile.name);
    item(&to, "the facilities", "%016" PRIX64 " %016" PRIX64 " %016" PRIX64 " %016" PRIX64,
         m->sys.profile.facilities[0], m->sys.profile.facilities[1], m->sys.profile.facilities[2],
         m->sys.profile.facilities[3]);
    item(&to, "--identity", "%u", c->profile.level);
    item(&to, "--console", "%u", c->consoles);
    item(&to, "--diagnose", "%" PRIX32, c->diagnose);
    item(&to, "--clock", "%s", o->follows ? "host" : "virtual");
    item(&to, "seed", "%" PRIu64, c->seed);
    item(&to, "clock begins", "%" PRIu64, c->profile.tod_start);
    images(&to, o);
    devices(&to, m);
    *length = to.length;
    return to.text;
}
