/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load: images are checked and placed here, and stored into the machine only when all of them were accepted. */
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "ipl/builtin.h"
#include "ipl/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>
#if HAVE_ZLIB
#include <zlib.h>
#endif

#define PSW_64BIT_SUPERVISOR UINT64_C(0x0000000180000000)
/* A file may be longer than what it puts into storage (debugging information, compression) by this much. */
#define FILE_SLACK     (UINT64_C(256) << 20)
#define ARGUMENTS      0xf00000 /* of a program on the system-call nucleus, as in ipl/guest/linux-user.c */
#define ARGUMENTS_MOST 32768

struct ipl_load *ipl_load_new(const struct ipl_files *files, uint64_t storage_size)
{
    struct ipl_load *load = calloc(1, sizeof *load);
    if (!load)
        return NULL;
    load->files = files;
    load->storage_size = storage_size;
    load->kind = IPL_KIND_AUTO;
    load->symbols = ipl_symbols_new();
    load->staged = ipl_symbols_new();
    if (!load->symbols || !load->staged) {
        ipl_load_free(load);
        return NULL;
    }
    return load;
}

static void drop_pieces(struct ipl_load *load, unsigned from)
{
    while (load->count > from)
        free(load->pieces[--load->count].bytes);
}

void ipl_load_free(struct ipl_load *load)
{
    if (!load)
        return;
    drop_pieces(load, 0);
    free(load->pieces);
    ipl_symbols_free(load->symbols);
    ipl_symbols_free(load->staged);
    free(load);
}

struct ipl_symbols *ipl_load_symbols(struct ipl_load *load) { return load->symbols; }
enum ipl_kind ipl_kind_of(const struct ipl_load *load) { return load->kind; }

static const char *kind_name(enum ipl_kind kind)
{
    switch (kind) {
    case IPL_KIND_RAW:
        return "raw binary";
    case IPL_KIND_ELF:
        return "ELF";
    case IPL_KIND_INS:
        return "load list";
    case IPL_KIND_DECK:
        return "object deck";
    case IPL_KIND_LINUX:
        return "Linux kernel";
    case IPL_KIND_AUTO:
        break;
    }
    return "image";
}

uint64_t ipl_load_bytes(const struct ipl_load *load)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < load->count; i++)
        all += load->pieces[i].length + load->pieces[i].zero;
    return all;
}

uint64_t ipl_load_end(const struct ipl_load *load)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < load->count; i++) {
        const struct ipl_piece *p = &load->pieces[i];
        uint64_t last = p->address + p->length + p->zero;
        end = last > end ? last : end;
    }
    return end;
}

#if HAVE_ZLIB
/* Unpack a gzip file of any number of members into at most `limit` bytes. */
static int unpack(const char *path, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error, size_t size)
{
    z_stream z = {.next_in = *bytes, .avail_in = (uInt)*length};
    uint64_t room = *length * 4 + 65536, used = 0;
    uint8_t *out = *length <= UINT32_MAX ? malloc(room) : NULL;
    if (!out || inflateInit2(&z, 15 + 16) != Z_OK) {
        free(out);
        return fail_with(-ENOMEM, error, size, "%s: no memory on the host to unpack it; unpack it with gunzip", path);
    }
    int code = 0, state = Z_OK;
    while (!code && state != Z_STREAM_END) {
        if (used == room) {
            uint8_t *more = room < limit ? realloc(out, room * 2) : NULL;
            if (!more) {
                code = fail_with(-EFBIG, error, size, "%s: unpacks to more than the %" PRIu64 " bytes that would fit",
                                 path, limit);
                break;
            }
            out = more;
            room *= 2;
        }
        uint64_t part = room - used < UINT32_MAX ? room - used : UINT32_MAX;
        z.next_out = out + used;
        z.avail_out = (uInt)part;
        state = inflate(&z, Z_NO_FLUSH);
        used += part - z.avail_out;
        if (state != Z_OK && state != Z_STREAM_END)
            code = fail_with(-ENOEXEC, error, size,
                             "%s: the gzip data is damaged or cut short after %" PRIu64 " bytes; fetch the file again",
                             path, used);
    }
    inflateEnd(&z);
    if (!code && used > limit)
        code = fail_with(-EFBIG, error, size, "%s: unpacks to %" PRIu64 " bytes, which do not fit", path, used);
    if (code) {
        free(out);
        return code;
    }
    free(*bytes);
    *bytes = out;
    *length = used;
    return 0;
}
#else
static int unpack(const char *path, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error, size_t size)
{
    (void)limit, (void)bytes, (void)length;
    return fail_with(-ENOTSUP, error, size, "%s: is gzip-compressed and this zri was built without zlib; use gunzip",
                     path);
}
#endif

/* Read a file through the load's reader, unpacking gzip. */
static int read_image(struct ipl_load *load, const char *path, uint8_t **bytes, uint64_t *length, char *error,
                      size_t size)
{
    uint64_t limit = load->storage_size + FILE_SLACK;
    *bytes = NULL;
    *length = 0;
    int code;
    if (!strncmp(path, "builtin:", 8)) {
        const struct ipl_builtin *builtin = ipl_builtin_named(path + 8);
        if (!builtin)
            return fail_with(-ENOENT, error, size,
                             "%s: this zri has no built-in image of that name; build it with the s390x cross tools",
                             path);
        *bytes = malloc(builtin->length);
        if (!*bytes)
            return fail_with(-ENOMEM, error, size, "%s: no memory on the host; close other programs", path);
        memcpy(*bytes, builtin->bytes, builtin->length);
        *length = builtin->length;
        return 0;
    }
    code = load->files->read(load->files->context, path, limit, bytes, length, error, size);
    if (!code && *length >= 18 && (*bytes)[0] == 0x1f && (*bytes)[1] == 0x8b)
        code = unpack(path, limit, bytes, length, error, size);
    if (code) {
        free(*bytes);
        *bytes = NULL;
    }
    return code;
}

static enum ipl_kind recognize(const struct ipl_request *request, const uint8_t *bytes, uint64_t length)
{
    if (request->kind != IPL_KIND_AUTO)
        return request->kind;
    size_t n = strlen(request->path);
    if (n > 4 && !strcasecmp(request->path + n - 4, ".ins"))
        return IPL_KIND_INS;
    if (ipl_is_elf(bytes, length))
        return IPL_KIND_ELF;
    if (ipl_is_linux(bytes, length) && (!request->has_address || request->address == 0))
        return IPL_KIND_LINUX;
    if (request->initrd)
        return IPL_KIND_LINUX; /* refused there with the reason */
    return ipl_is_deck(bytes, length) ? IPL_KIND_DECK : IPL_KIND_RAW;
}

static int add_raw(struct ipl_load *load, const struct ipl_request *request, uint8_t *bytes, uint64_t length,
                   char *error, size_t size)
{
    uint64_t address = request->has_address ? request->address : 0;
    int code = ipl_piece(load, request->path, address, bytes, length, 0, false, error, size);
    if (!code && address == 0 && length < 8)
        return fail_with(-ENOEXEC, error, size,
                         "%s: has %" PRIu64 " bytes, too few for the PSW with which an image at address 0 starts; "
                         "load it elsewhere with @ADDRESS",
                         request->path, length);
    if (!code)
        ipl_start(load, address ? IPL_START_ENTRY : IPL_START_PSW_AT_0, address);
    return code;
}

/* Arguments for a program on the system-call nucleus: where linux-user.c looks for their text. */
static int add_arguments(struct ipl_load *load, const char *text, char *error, size_t size)
{
    size_t n = strlen(text) + 1;
    if (n > ARGUMENTS_MOST)
        return fail_with(-E2BIG, error, size, "--append: %zu characters of arguments, and %d fit; shorten them", n - 1,
                         ARGUMENTS_MOST - 1);
    return ipl_piece(load, "--append", ARGUMENTS, (uint8_t *)(uintptr_t)text, n, 0, false, error, size);
}

static int add_as(struct ipl_load *load, const struct ipl_request *request, enum ipl_kind kind, uint8_t *bytes,
                  uint64_t length, char *error, size_t size)
{
    bool placed = kind == IPL_KIND_RAW || kind == IPL_KIND_DECK;
    if (request->has_address && !placed && !(kind == IPL_KIND_LINUX && request->address == 0))
        return fail_with(-EINVAL, error, size, "%s: %s images name their own addresses; leave out @%" PRIX64,
                         request->path, kind_name(kind), request->address);
    if (request->append && !request->initrd && !strcmp(request->path, "builtin:linux-user")) {
        int code = add_arguments(load, request->append, error, size);
        return code ? code : ipl_elf(load, request->path, bytes, length, error, size);
    }
    if (request->initrd && kind != IPL_KIND_LINUX)
        return fail_with(-EINVAL, error, size, "%s: --initrd goes with a Linux kernel only, and this is %s",
                         request->path, kind_name(kind));
    int code;
    switch (kind) {
    case IPL_KIND_LINUX:
        return ipl_linux(load, request, bytes, length, error, size);
    case IPL_KIND_ELF:
        code = ipl_elf(load, request->path, bytes, length, error, size);
        break;
    case IPL_KIND_INS:
        code = ipl_ins(load, request->path, bytes, length, error, size);
        break;
    case IPL_KIND_DECK:
        code = ipl_deck(load, request, bytes, length, error, size);
        break;
    default:
        code = add_raw(load, request, bytes, length, error, size);
        break;
    }
    return code || !request->append ? code : ipl_command_line(load, request->append, error, size);
}

int ipl_add(struct ipl_load *load, const struct ipl_request *request, char *error, size_t size)
{
    uint8_t *bytes;
    uint64_t length;
    unsigned before = load->count;
    enum ipl_start_kind start = load->start;
    int code = read_image(load, request->path, &bytes, &length, error, size);
    if (code)
        return code;
    enum ipl_kind kind = recognize(request, bytes, length);
    if (length == 0)
        code = fail_with(-ENOEXEC, error, size, "%s: the file is empty; build or fetch it again", request->path);
    else
        code = add_as(load, request, kind, bytes, length, error, size);
    free(bytes);
    if (!code && ipl_symbols_move(load->symbols, load->staged))
        code = fail_with(-ENOMEM, error, size, "%s: no memory on the host for its symbols", request->path);
    if (code) {
        drop_pieces(load, before);
        ipl_symbols_clear(load->staged);
        load->start = start;
    } else {
        load->kind = kind;
    }
    return code;
}

int ipl_store(const struct ipl_load *load, struct cpu_system *sys)
{
    if (sys->storage.size < load->storage_size)
        return -EFAULT;
    for (unsigned i = 0; i < load->count; i++) {
        const struct ipl_piece *p = &load->pieces[i];
        if (p->length)
            memcpy(sys->storage.bytes + p->address, p->bytes, p->length);
        memset(sys->storage.bytes + p->address + p->length, 0, p->zero);
        storage_record_store(&sys->storage, p->address, p->length + p->zero);
        cpu_code_written(sys, p->address, p->length + p->zero);
    }
    return 0;
}

int ipl_start_psw(const struct ipl_load *load, const struct storage *storage, uint64_t *mask, uint64_t *ia, char *error,
                  size_t size)
{
    if (load->start == IPL_START_NONE)
        return fail_with(-ENOEXEC, error, size, "nothing to start: no image was loaded; name one or set the PSW");
    if (load->start == IPL_START_ENTRY) {
        *mask = PSW_64BIT_SUPERVISOR;
        *ia = load->entry;
        return 0;
    }
    uint64_t first = get64(storage->bytes);
    if (first & BIT64(12)) {
        *mask = (first & ~BIT64(12) & UINT64_C(0xffffffff80000000));
        *ia = first & 0x7fffffff;
        return 0;
    }
    *mask = first;
    *ia = get64(storage->bytes + 8);
    if (!(first | *ia))
        return fail_with(-ENOEXEC, error, size,
                         "nothing to start: the PSW at absolute 0 is zero; put one there or load the image elsewhere "
                         "with @ADDRESS");
    return 0;
}

int ipl_parse_argument(char *argument, struct ipl_request *request, char *error, size_t size)
{
    request->path = argument;
    request->has_address = false;
    request->address = 0;
    char *at = strrchr(argument, '@');
    if (at && at[1]) {
        const char *digits = at + 1;
        if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') && digits[2])
            digits += 2;
        size_t n = strspn(digits, "0123456789abcdefABCDEF");
        if (digits[n] == 0) {
            if (strspn(digits, "0") + 16 < n)
                return fail_with(-EINVAL, error, size, "%s: the address %s has more than 64 bits", argument, at + 1);
            request->address = strtoull(digits, NULL, 16);
            request->has_address = true;
            *at = 0;
        }
    }
    if (!argument[0])
        return fail_with(-EINVAL, error, size, "an image without a name; say IMAGE or IMAGE@ADDRESS");
    return 0;
}
