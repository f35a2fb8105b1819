/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/edges/modules.h"
#include "emu/symbols/digest.h"
#include <stdlib.h>
#include <string.h>

#define FILE_MOST (UINT64_C(1) << 30)

/* ELF (gABI chapters 4 and 5) */
enum { EHDR_SIZE = 64, PHDR_SIZE = 56, PT_LOAD = 1, PF_X = 1 };

const char *edge_modules_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add(struct edge_modules *m, const struct ep_module *module, uint64_t start, uint64_t length)
{
    for (unsigned i = 0; i < m->count; i++) /* what is put into a module does not make another one */
        if (start < m->module[i].end && m->module[i].start < start + length)
            return;
    if (!length || m->count == EDGE_MODULES)
        return;
    char *name = strdup(module->name);
    if (!name)
        return;
    m->module[m->count] = *module;
    m->module[m->count].name = name;
    m->module[m->count].start = start;
    m->module[m->count++].end = start + length;
}

/* One for each executable segment. */
static void add_elf(struct edge_modules *m, const struct ep_module *module, const uint8_t *bytes, uint64_t length)
{
    const uint64_t offset = get64(bytes + 32), size = get16(bytes + 54), count = get16(bytes + 56);
    if (size < PHDR_SIZE || offset > length || count * size > length - offset)
        return;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *p = bytes + offset + i * size;
        if (get32(p) == PT_LOAD && get32(p + 4) & PF_X)
            add(m, module, get64(p + 16), get64(p + 40));
    }
}

static void find(struct edge_modules *m, const struct ipl_request *image)
{
    uint8_t *bytes;
    uint64_t length;
    char error[300];
    if (image->kind == IPL_KIND_LINUX || image->initrd) {
        m->kernel = true;
        return;
    }
    if (!strncmp(image->path, "builtin:", 8) ||
        ipl_host_files.read(ipl_host_files.context, image->path, FILE_MOST, &bytes, &length, error, sizeof error))
        return;
    struct ep_module module = {.name = edge_modules_base(image->path)};
    module.has_digest = symbols_digest(bytes, (size_t)length, module.digest);
    if (length >= EHDR_SIZE && !memcmp(bytes, "\177ELF\2\2", 6))
        add_elf(m, &module, bytes, length);
    else
        add(m, &module, image->has_address ? image->address : 0, length);
    free(bytes);
}

void edge_modules_find(struct edge_modules *m, const struct ipl_request *images, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        find(m, &images[i]);
}

void edge_modules_forget(struct edge_modules *m)
{
    for (unsigned i = 0; i < m->count; i++)
        free((char *)(uintptr_t)m->module[i].name);
    m->count = 0;
    m->kernel = false;
}
