/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T0, the interpreter. A frame is: locals (arguments first), a place for a return address, the operand stack; a
   callee's frame begins at its arguments on the caller's stack, and its result is left in their first place. */
#include "vm.h"

/* What the interpreter does for the profile; each kind is a function of its own, so that none pays for another. */
enum profile { PROFILE_NONE, PROFILE_EMIT, PROFILE_COUNT, PROFILE_EXACT };

static inline void emit(u64 value) { asm volatile(".insn ri,0xaa040000,%0,0" : : "d"(value)); }

s64 *new_object(u64 number)
{
    struct klass *c = &vm.klass[number];
    struct object *o = (struct object *)vm.heap;
    vm.heap += 8 + 8ul * c->fields;
    if (vm.heap > HEAP_START + HEAP_SIZE)
        service(SVC_EXIT, 3, 0, 0);
    o->klass = c;
    return (s64 *)o;
}

s64 *new_array(u64 length)
{
    struct array *a = (struct array *)vm.heap;
    if (length > HEAP_SIZE / 8 || vm.heap + 8 + 8 * length > HEAP_START + HEAP_SIZE)
        service(SVC_EXIT, 3, 0, 0);
    vm.heap += 8 + 8 * length;
    a->length = (s64)length;
    return (s64 *)a;
}

static void count_exactly(u32 method, u32 bci, u32 target)
{
    struct site *s = &vm.site[vm.method[method].site0 - 1];
    u32 i;
    while (s->bci != bci)
        s++;
    s->n++;
    for (i = 0; i < s->targets && s->target[i] != target; i++)
        ;
    if (i == s->targets && i < TARGETS) {
        s->target[i] = (u16)target;
        s->targets++;
    }
    if (i < TARGETS)
        s->count[i]++;
    else
        s->other++;
}

static inline void call(u32 number, s64 *frame)
{
    if (vm.method[number].tier == T0)
        interpret(number, frame);
    else
        call_code(vm.entry[number], frame, &vm);
}

static inline __attribute__((always_inline)) s64 run(u64 number, s64 *frame, enum profile profile)
{
    struct method *m = &vm.method[number];
    const u8 *code = m->code, *p = code;
    s64 *sp = frame + m->locals, value;
    if (profile == PROFILE_EMIT)
        emit(number << 32);
    if (profile == PROFILE_COUNT && --m->counter == 0)
        triggered(number);
    if (*(volatile u16 *)(BUFFER_START + 2) >= vm.limit)
        safepoint();
#define REL16 ((s16v)(p[1] << 8 | p[2]))
    for (;;) {
        switch (*p) {
        case BC_PUSH8:
            *++sp = (signed char)p[1];
            p += 2;
            break;
        case BC_PUSH32:
            *++sp = (s32)((u32)p[1] << 24 | (u32)p[2] << 16 | (u32)p[3] << 8 | p[4]);
            p += 5;
            break;
        case BC_LOAD:
            *++sp = frame[p[1]];
            p += 2;
            break;
        case BC_STORE:
            frame[p[1]] = *sp--;
            p += 2;
            break;
        case BC_DUP:
            sp[1] = sp[0];
            sp++;
            p++;
            break;
        case BC_POP:
            sp--;
            p++;
            break;
        case BC_SWAP:
            value = sp[0];
            sp[0] = sp[-1];
            sp[-1] = value;
            p++;
            break;
#define BINARY(name, expression)                                                                                       \
    case name:                                                                                                         \
        sp[-1] = (s64)(expression);                                                                                    \
        sp--;                                                                                                          \
        p++;                                                                                                           \
        break;
            BINARY(BC_ADD, (u64)sp[-1] + (u64)sp[0])
            BINARY(BC_SUB, (u64)sp[-1] - (u64)sp[0])
            BINARY(BC_MUL, (u64)sp[-1] * (u64)sp[0])
            BINARY(BC_AND, sp[-1] & sp[0])
            BINARY(BC_XOR, sp[-1] ^ sp[0])
            BINARY(BC_OR, sp[-1] | sp[0])
            BINARY(BC_SHL, (u64)sp[-1] << (sp[0] & 63))
            BINARY(BC_SHR, sp[-1] >> (sp[0] & 63))
            BINARY(BC_LT, sp[-1] < sp[0])
            BINARY(BC_EQ, sp[-1] == sp[0])
        case BC_JZ:
            if (*sp-- != 0) {
                p += 3;
                break;
            }
            goto jump;
        case BC_JNZ:
            if (*sp-- == 0) {
                p += 3;
                break;
            }
            goto jump;
        case BC_JMP:
        jump:
            if (REL16 < 0) {
                if (profile == PROFILE_EMIT)
                    emit(number << 32 | (u64)(p - code));
                if (profile == PROFILE_COUNT && --m->counter == 0)
                    triggered(number);
            }
            p += REL16;
            break;
        case BC_CALLS: {
            const u32 callee = (u32)p[1] << 8 | p[2];
            sp -= vm.method[callee].arguments;
            if (profile == PROFILE_EXACT)
                count_exactly((u32)number, (u32)(p - code), callee);
            call(callee, ++sp);
            p += 3;
            break;
        }
        case BC_CALLV: {
            sp -= p[2];
            sp++;
            const u32 callee = ((struct object *)*sp)->klass->method[p[1]];
            if (profile == PROFILE_EXACT)
                count_exactly((u32)number, (u32)(p - code), callee);
            call(callee, sp);
            p += 3;
            break;
        }
        case BC_RET:
            return frame[0] = *sp;
        case BC_NEW:
            *++sp = (s64)new_object(p[1]);
            p += 2;
            break;
        case BC_GETF:
            *sp = ((struct object *)*sp)->field[p[1]];
            p += 2;
            break;
        case BC_PUTF:
            ((struct object *)sp[-1])->field[p[1]] = sp[0];
            sp -= 2;
            p += 2;
            break;
        case BC_NEWARR:
            *sp = (s64)new_array((u64)*sp);
            p++;
            break;
        case BC_ALD:
            sp[-1] = ((struct array *)sp[-1])->element[sp[0]];
            sp--;
            p++;
            break;
        case BC_AST:
            ((struct array *)sp[-2])->element[sp[-1]] = sp[0];
            sp -= 3;
            p++;
            break;
        case BC_SUM:
            vm.checksum = (vm.checksum << 7 | vm.checksum >> 57) + (u64)*sp--;
            p++;
            break;
        case BC_HALT:
            return frame[0] = 0;
        default:
            p++;
        }
    }
}

static __attribute__((noinline)) s64 run_plain(u64 number, s64 *frame) { return run(number, frame, PROFILE_NONE); }
static __attribute__((noinline)) s64 run_emit(u64 number, s64 *frame) { return run(number, frame, PROFILE_EMIT); }
static __attribute__((noinline)) s64 run_count(u64 number, s64 *frame) { return run(number, frame, PROFILE_COUNT); }
static __attribute__((noinline)) s64 run_exact(u64 number, s64 *frame) { return run(number, frame, PROFILE_EXACT); }

s64 interpret(u64 number, s64 *frame)
{
    if (vm.exact)
        return run_exact(number, frame);
    switch (vm.mode) {
    case RI:
        return vm.has_ri ? run_emit(number, frame) : run_plain(number, frame); /* RIEMIT would be no operation code */
    case COUNTER:
    case COUNTER_G:
        return run_count(number, frame);
    default:
        return run_plain(number, frame);
    }
}
