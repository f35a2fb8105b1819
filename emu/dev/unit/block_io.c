/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'250', block I/O. Formats and codes as in the description of the z/VM control program's functions and as
   the Linux driver for it has them. R1 has the real address of a parameter list of 64 bytes, R3 the function; R1+1
   receives a return code. Numbers of blocks begin with 1 less the offset. A request is carried out whole within the
   instruction; one that asks for it is told about by an external interruption X'2603' besides, unless too many of those
   are pending: then it ends like one that does not ask. Reading: there are
   no address spaces for access-list-entry tokens here, so a token that is not zero is a specification exception for the
   list and a status of the entry for a buffer. */
#include "emu/dev/unit/block_io.h"
#include "cpu/control/interrupt.h"
#include "cpu/storage/access.h"
#include "cpu/storage/operand.h"
#include "emu/dev/css/css.h"
#include "emu/dev/image/disk.h"
#include "emu/state/machine.h"

enum { FUNCTION_INITIALIZE = 0, FUNCTION_TRANSFER = 1, FUNCTION_REMOVE = 2 };
enum { CC_DONE = 0, CC_PARTLY = 1, CC_NOT = 2 };
/* Return codes. */
enum {
    RETURN_DONE = 0,
    RETURN_READ_ONLY = 4,   /* initialized; the disk cannot be written */
    RETURN_STARTED = 8,     /* an interruption will come */
    RETURN_PARTLY = 12,     /* some blocks were not moved */
    RETURN_NO_DEVICE = 16,  /* */
    RETURN_NO_DISK = 20,    /* */
    RETURN_BLOCK_SIZE = 24, /* not 512, 1,024, 2,048 or 4,096 */
    RETURN_STATE = 28,      /* initialized already, or not at all */
    RETURN_COUNT = 36,      /* not 1 to 256 blocks */
    RETURN_NONE = 40,       /* no block was moved */
};
/* Status of an entry. */
enum {
    STATUS_DONE = 0,
    STATUS_NO_BLOCK = 1,
    STATUS_ADDRESSING = 2,
    STATUS_READ_ONLY = 3,
    STATUS_ERROR = 5,
    STATUS_TYPE = 6,
    STATUS_PROTECTION = 7,
    STATUS_ALET = 10,
    STATUS_NOT_ZERO = 11,
};
enum { TYPE_WRITE = 1, TYPE_READ = 2 };
/* What the interruption says of a list. */
enum { LIST_DONE = 0, LIST_PARTLY = 1, LIST_ACCESS = 2 };
#define INTERRUPTION_32 0x0300u
#define INTERRUPTION_64 0x0700u

#define LIST       64u
#define FORMAT_64  0x80u
#define FLAG_LATER 0x02u
#define FLAGS      0x03u
#define MOST       256u
#define LARGEST    4096u

/* Where the fields of a parameter list and of an entry are, by format. */
struct form {
    uint8_t number;                          /* bytes of a number or address */
    uint8_t offset, first, last;             /* initialize */
    uint8_t entries, parameter;              /* transfer */
    uint8_t entry, block, alet, buffer;      /* an entry: its length, and its fields */
    uint64_t initialize_zero, transfer_zero; /* bytes that must be zero, from the left */
};
static const struct form forms[2] = {
    {4, 28, 32, 36, 36, 40, 16, 4, 8, 12, UINT64_C(0x1fffff0000ffffff), UINT64_C(0x1fffff30000fffff)},
    {8, 32, 40, 48, 48, 40, 24, 8, 4, 16, UINT64_C(0x1fffff0f000000ff), UINT64_C(0x1fffff300f0000ff)},
};
#define REMOVE_ZERO UINT64_C(0x3fffffffffffffff)

static uint64_t get(const uint8_t *at, unsigned size) { return size == 4 ? get32(at) : get64(at); }

/* A number with a sign. */
static int64_t get_signed(const uint8_t *at, unsigned size)
{
    return size == 4 ? (int32_t)get32(at) : (int64_t)get64(at);
}

static void put(uint8_t *at, uint64_t value, unsigned size)
{
    if (size == 4)
        put32(at, (uint32_t)value);
    else
        put64(at, value);
}

static bool zero_where(const uint8_t *list, uint64_t bytes)
{
    for (unsigned i = 0; i < LIST; i++)
        if ((bytes << i & BIT64(0)) && list[i])
            return false;
    return true;
}

static int answer(struct cpu *cpu, unsigned r1, unsigned cc, uint32_t code)
{
    set_gr32(cpu, r1 + 1, code);
    cpu->cc = (uint8_t)cc;
    return 0;
}

static struct image *image_of(struct channel_device *d) { return d->type->image ? d->type->image(d) : NULL; }

/* ---- environments ---------------------------------------------------------------------------------------------- */

static int initialize(struct cpu *cpu, unsigned r1, uint64_t at, const uint8_t *list, const struct form *form)
{
    struct machine *m = cpu->sys->machine;
    struct channel_device *d = css_find_number(m->css, 0, get16(list));
    struct image *image = d ? image_of(d) : NULL;
    const uint32_t size = get32(list + 24);
    uint8_t numbers[16];
    if (!zero_where(list, form->initialize_zero))
        return PIC_SPECIFICATION;
    if (!d || !image)
        return answer(cpu, r1, CC_NOT, d ? RETURN_NO_DISK : RETURN_NO_DEVICE);
    if (size != 512 && size != 1024 && size != 2048 && size != LARGEST)
        return answer(cpu, r1, CC_NOT, RETURN_BLOCK_SIZE);
    if (d->block_io.block_size)
        return answer(cpu, r1, CC_NOT, RETURN_STATE);
    const uint64_t offset = (uint64_t)get_signed(list + form->offset, form->number);
    put(numbers, 1 - offset, form->number);
    put(numbers + form->number, image_size(image) / size - offset, form->number);
    if (!channel_storage_store(m, at + form->first, numbers, 2u * form->number))
        return PIC_ADDRESSING;
    d->block_io = (struct block_io){.block_size = size, .offset = (int64_t)offset};
    return answer(cpu, r1, CC_DONE, image_read_only(image) ? RETURN_READ_ONLY : RETURN_DONE);
}

static int remove_environment(struct cpu *cpu, unsigned r1, const uint8_t *list)
{
    struct machine *m = cpu->sys->machine;
    struct channel_device *d = css_find_number(m->css, 0, get16(list));
    if (!zero_where(list, REMOVE_ZERO))
        return PIC_SPECIFICATION;
    if (!d || !d->block_io.block_size)
        return answer(cpu, r1, CC_NOT, d ? RETURN_STATE : RETURN_NO_DEVICE);
    d->block_io.block_size = 0;
    return answer(cpu, r1, CC_DONE, RETURN_DONE);
}

/* ---- transfer -------------------------------------------------------------------------------------------------- */

struct transfer {
    struct machine *m;
    struct channel_device *device;
    const struct form *form;
    unsigned key;
    unsigned done, failed; /* entries */
};

/* Absolute storage may be used with the key: 0, or the program-interruption code. */
static int allowed(const struct transfer *t, uint64_t at, uint64_t length, bool store)
{
    const struct storage *s = &t->m->sys.storage;
    if (!storage_has(s, at, length))
        return PIC_ADDRESSING;
    for (uint64_t page = at >> PAGE_BITS; t->key && page <= (at + length - 1) >> PAGE_BITS; page++) {
        const uint8_t key = s->keys[page];
        if (t->key != (unsigned)(key >> 4) && (store || (key & KEY_F)))
            return PIC_PROTECTION;
    }
    return 0;
}

static uint8_t move(const struct transfer *t, const uint8_t *entry)
{
    const struct form *f = t->form;
    const uint32_t size = t->device->block_io.block_size;
    const uint64_t buffer = get(entry + f->buffer, f->number);
    struct image *image = image_of(t->device);
    uint8_t bytes[LARGEST];
    /* Block 1 less the offset is the first of the disk. */
    const uint64_t block = (uint64_t)get_signed(entry + f->block, f->number) + (uint64_t)t->device->block_io.offset - 1;
    const bool write = entry[0] == TYPE_WRITE;
    if (entry[2] || entry[3])
        return STATUS_NOT_ZERO;
    if (block >= image_size(image) / size)
        return STATUS_NO_BLOCK;
    if (!write && entry[0] != TYPE_READ)
        return STATUS_TYPE;
    if (get32(entry + f->alet))
        return STATUS_ALET;
    const int code = allowed(t, buffer, size, !write);
    if (code)
        return code == PIC_ADDRESSING ? STATUS_ADDRESSING : STATUS_PROTECTION;
    if (write && image_read_only(image))
        return STATUS_READ_ONLY;
    int error;
    if (write && !channel_storage_fetch(t->m, buffer, bytes, size))
        return STATUS_ADDRESSING;
    if (write)
        error = image_write(image, block * size, bytes, size);
    else
        error = image_read(image, block * size, bytes, size);
    if (image_result(image, write ? "write" : "read", block * size, error, "an I/O error"))
        return STATUS_ERROR;
    return write || channel_storage_store(t->m, buffer, bytes, size) ? STATUS_DONE : STATUS_ADDRESSING;
}

/* All entries, each of which receives its status. 0, or a program-interruption code when the list cannot be used. */
static int move_all(struct transfer *t, uint64_t at, uint32_t count)
{
    uint8_t entry[24];
    for (uint32_t i = 0; i < count; i++, at += t->form->entry) {
        int code = allowed(t, at, t->form->entry, false);
        if (!code && !channel_storage_fetch(t->m, at, entry, t->form->entry))
            code = PIC_ADDRESSING;
        if (code)
            return code;
        uint8_t status = move(t, entry);
        code = allowed(t, at + 1, 1, true);
        if (!code && !channel_storage_store(t->m, at + 1, &status, 1))
            code = PIC_ADDRESSING;
        if (code)
            return code;
        *(status == STATUS_DONE ? &t->done : &t->failed) += 1;
    }
    return 0;
}

static int transfer(struct cpu *cpu, unsigned r1, const uint8_t *list, const struct form *form)
{
    struct machine *m = cpu->sys->machine;
    struct transfer t = {.m = m, .device = css_find_number(m->css, 0, get16(list)), .form = form, .key = list[24] >> 4};
    const uint32_t count = get32(list + 28);
    const bool wide = form->number == 8;
    if (!zero_where(list, form->transfer_zero) || (list[24] & 0x0f) || (list[25] & ~FLAGS) || get32(list + 32))
        return PIC_SPECIFICATION;
    if (!t.device || !t.device->block_io.block_size || !image_of(t.device))
        return answer(cpu, r1, CC_NOT, t.device ? RETURN_STATE : RETURN_NO_DEVICE);
    if (!count || count > MOST)
        return answer(cpu, r1, CC_NOT, RETURN_COUNT);
    const bool later = (list[25] & FLAG_LATER) && cpu_block_io_room(cpu->sys);
    const int code = move_all(&t, get(list + form->entries, form->number), count);
    if (later) {
        const unsigned status = code ? LIST_ACCESS : t.failed ? LIST_PARTLY : LIST_DONE;
        cpu_raise_block_io(cpu->sys, (uint16_t)((wide ? INTERRUPTION_64 : INTERRUPTION_32) | status),
                           get(list + form->parameter, form->number));
        return answer(cpu, r1, CC_DONE, RETURN_STARTED);
    }
    if (code)
        return code;
    if (t.failed)
        return answer(cpu, r1, t.done ? CC_PARTLY : CC_NOT, t.done ? RETURN_PARTLY : RETURN_NONE);
    return answer(cpu, r1, CC_DONE, RETURN_DONE);
}

/* ---- the instruction ------------------------------------------------------------------------------------------- */

int block_io(void *machine, struct cpu *cpu, unsigned r1, unsigned r3)
{
    const uint64_t real = cpu_wrap(cpu, cpu->gr[r1]), at = cpu_real_to_absolute(cpu, real);
    const uint32_t function = (uint32_t)cpu->gr[r3];
    uint8_t list[LIST];
    if ((r1 & 1) || (real & 7) || function > FUNCTION_REMOVE)
        return PIC_SPECIFICATION;
    if (!channel_storage_fetch(machine, at, list, LIST))
        return PIC_ADDRESSING;
    if (function == FUNCTION_REMOVE)
        return remove_environment(cpu, r1, list);
    if (list[2] & ~FORMAT_64)
        return PIC_SPECIFICATION;
    const struct form *form = &forms[(list[2] & FORMAT_64) != 0];
    return function == FUNCTION_INITIALIZE ? initialize(cpu, r1, at, list, form) : transfer(cpu, r1, list, form);
}
