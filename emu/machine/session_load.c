/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator puts into a machine and takes out of it: images, devices, storage in a file. */
#include "emu/machine/session.h"
#include "cpu/control/psw.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/attach.h"
#include "emu/dev/css/load.h"
#include "emu/machine/diagnose.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The load goes into one machine; what was there before is cleared, unless the guest wants to keep it. */
static int enter(struct machine *m, const struct ipl_load *load, bool clear, char *error, size_t size)
{
    uint64_t mask, ia;
    if (clear)
        machine_clear(m);
    else
        cpu_reset(m->sys.cpus[0], CPU_RESET_INITIAL);
    int code = ipl_store(load, &m->sys);
    if (code) {
        snprintf(error, size, "the images do not fit into the storage of this machine; give it more with --storage");
        return code;
    }
    code = ipl_start_psw(load, &m->sys.storage, &mask, &ia, error, size);
    if (code)
        return code;
    code = cpu_load_psw(m->sys.cpus[0], mask, ia);
    if (code) {
        snprintf(error, size,
                 "the PSW to start with, %016" PRIX64 " %016" PRIX64
                 ", is not valid; give an address with IMAGE@ADDRESS",
                 mask, ia);
        return -ENOEXEC;
    }
    return 0;
}

/* Initial program loading from a device; CPU 0 stays stopped. */
static int load_device(struct machine *m, unsigned set, uint16_t number, bool clear, char *error, size_t size)
{
    struct channel_device *d = css_find_number(m->css, set, number);
    if (!d) {
        snprintf(error, size, "IPL from %u:%04X: there is no such device; `devlist' lists the devices", set, number);
        return -ENODEV;
    }
    if (clear)
        machine_clear(m);
    else
        machine_reset(m);
    int code = css_ipl(m, d, error, size);
    cpu_set_state(m->sys.cpus[0], CPU_STATE_STOPPED);
    return code;
}

bool session_load_again(const struct session *s, struct machine *m, bool clear)
{
    char error[512] = "nothing was loaded that could be loaded again";
    const struct machine_diagnose *d = &m->diagnose;
    if (diagnose_from_images(m) ? !s->load || enter(m, s->load, clear, error, sizeof error)
                                : load_device(m, d->ipl_set, d->ipl_number, clear, error, sizeof error)) {
        fprintf(stderr, "zri: %s\n", error);
        return false;
    }
    cpu_set_state(m->sys.cpus[0], CPU_STATE_OPERATING);
    return true;
}

int session_load(struct session *s, const struct ipl_request *images, unsigned count, char *error, size_t size)
{
    struct ipl_load *load = ipl_load_new(&ipl_host_files, s->machine->sys.storage.size);
    int code = load ? 0 : -ENOMEM;
    if (!load)
        snprintf(error, size, "the host has no memory for a load");
    for (unsigned i = 0; !code && i < count; i++)
        code = ipl_add(load, &images[i], error, size);
    if (!code)
        code = enter(s->machine, load, true, error, size);
    if (!code && s->twin)
        code = enter(s->twin, load, true, error, size);
    if (code) {
        ipl_load_free(load);
        return code;
    }
    ipl_load_free(s->load);
    s->load = load;
    s->loads++;
    s->image_count = 0;
    for (unsigned i = 0; i < count && s->image_count < SESSION_IMAGES; i++) {
        if (strlen(images[i].path) >= sizeof *s->images)
            continue;
        s->requests[s->image_count] = images[i];
        s->requests[s->image_count].path = strcpy(s->images[s->image_count], images[i].path);
        s->requests[s->image_count].initrd = images[i].initrd ? "" : NULL;
        s->requests[s->image_count++].append = NULL;
    }
    diagnose_loads_images(s->machine);
    if (s->twin)
        diagnose_loads_images(s->twin);
    return 0;
}

static int parse_number(const char *text, unsigned *set, uint16_t *number, char *error, size_t size)
{
    if (css_parse_number(text, set, number))
        return 0;
    snprintf(error, size, "'%.40s' is no device number; give one as 000C or 0:000C", text);
    return -EINVAL;
}

int session_ipl(struct session *s, const char *number, bool clear, char *error, size_t size)
{
    unsigned set;
    uint16_t device;
    int code = parse_number(number, &set, &device, error, size);
    if (code)
        return code;
    code = load_device(s->machine, set, device, clear, error, size);
    if (!code)
        diagnose_loads_from(s->machine, (uint8_t)set, device);
    if (code || !s->twin)
        return code;
    code = load_device(s->twin, set, device, clear, error, size);
    if (!code)
        diagnose_loads_from(s->twin, (uint8_t)set, device);
    return code;
}

int session_attach(struct session *s, const char *text, bool report, char *error, size_t size)
{
    int code = css_attach_text(s->machine, text, report, error, size);
    return code || !s->twin ? code : css_attach_text(s->twin, text, report, error, size);
}

int session_attach_next(struct session *s, const char *words, char *error, size_t size)
{
    char text[1024];
    int length = snprintf(text, sizeof text, "%04X,%s", css_free_number(s->machine->css), words);
    if (length >= 0 && (size_t)length < sizeof text)
        return session_attach(s, text, false, error, size);
    snprintf(error, size, "'%.60s...': a device has at most %zu characters", words, sizeof text - 6);
    return -EINVAL;
}

int session_detach(struct session *s, const char *text, char *error, size_t size)
{
    unsigned set;
    uint16_t number;
    int code = parse_number(text, &set, &number, error, size);
    if (code)
        return code;
    code = css_detach(s->machine, set, number, true, error, size);
    return code || !s->twin ? code : css_detach(s->twin, set, number, true, error, size);
}

/* The range is in storage? As session_savecore(). */
static int check_range(const struct session *s, uint64_t start, uint64_t end, char *error, size_t size)
{
    const struct storage *storage = &s->machine->sys.storage;
    if (end >= start && end < storage->size)
        return 0;
    snprintf(error, size, "absolute storage ends at %" PRIX64 "; %" PRIX64 "-%" PRIX64 " is not in it",
             storage->size - 1, start, end);
    return -EINVAL;
}

static int cannot_write(const char *file, const char *more, int code, char *error, size_t size)
{
    snprintf(error, size, "cannot write '%.100s': %s%s", file, strerror(-code), more);
    return code;
}

int session_savecore_place(const struct session *s, const char *file, uint64_t start, uint64_t end, char *error,
                           size_t size)
{
    struct stat was;
    const bool there = stat(file, &was) == 0;
    int code = check_range(s, start, end, error, size);
    if (code || (there && !S_ISREG(was.st_mode)))
        return code;
    int place = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (place < 0)
        return cannot_write(file, "; name a file in a folder that you may write to", -errno, error, size);
    close(place);
    if (!there)
        unlink(file);
    return 0;
}

int session_savecore(const struct session *s, const char *file, uint64_t start, uint64_t end, char *error, size_t size)
{
    const struct storage *storage = &s->machine->sys.storage;
    int code = check_range(s, start, end, error, size);
    if (code)
        return code;
    FILE *f = fopen(file, "wb");
    if (!f)
        return cannot_write(file, "", -errno, error, size);
    struct stat st;
    const bool regular = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);
    const size_t length = (size_t)(end - start + 1);
    if (fwrite(storage->bytes + start, 1, length, f) != length)
        code = -errno;
    if (fclose(f) && !code)
        code = -errno;
    if (!code)
        return 0;
    if (regular)
        unlink(file);
    return cannot_write(file, regular ? "; the part that was written is removed" : "", code, error, size);
}
