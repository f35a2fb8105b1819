/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: the block engine goes on where the reference engine, which counts branches up to the last one that is
   far from the next sample, was left; with several CPUs that is so whenever one must be alone. What is left of the
   stretch may be less than a block needs, so it begins near. */
#include "cpu/control/psw.h"
#include "cpu/engine/block.h"
#include "emu/edges/profile.h"
#include "emu/machine/machine.h"
#include "tests/unit/cpu_harness.h"
#include <string.h>

#define CODE 0x10000u

static struct machine *profiled(void)
{
    /* Four instructions, three branches of which two are not taken */
    static const uint8_t loop[] = {0xa7, 0x1a, 0,    1,             /* AHI 1,1 */
                                   0xa7, 0x14, 0,    2,             /* BRC 1,*+4 */
                                   0xa7, 0x14, 0,    2,             /* BRC 1,*+4 */
                                   0xa7, 0xf4, 0xff, 0xff - 6 + 1}; /* BRC 15,*-12 */
    struct machine_config config = machine_default_config();
    struct emu_edges edges;
    const char *doubt;
    char error[512];
    config.storage = UINT64_C(1) << 20;
    config.engine = ENGINE_REFERENCE;
    struct machine *m = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(m);
    memcpy(m->sys.storage.bytes + CODE, loop, sizeof loop);
    assert_int_equal(cpu_load_psw(m->sys.cpus[0], PSW_EA | PSW_BA, CODE), 0);
    m->sys.cpus[0]->state = CPU_STATE_OPERATING;
    emu_edges_reset(&edges);
    edges.has_base = edges.problem = edges.supervisor = true;
    edges.base = 997;
    assert_int_equal(edge_profile_set(m, &edges, &doubt, error, sizeof error), 0);
    assert_int_equal(edge_profile_on(m, error, sizeof error), 0);
    return m;
}

/* Did the block engine begin anything in MODE_FAR? */
static bool far_was(struct cpu *cpu)
{
    for (unsigned i = 0; i < sizeof cache_of(cpu)->tables / sizeof *cache_of(cpu)->tables; i++)
        if (cache_of(cpu)->tables[i].key & MODE_FAR)
            return true;
    return false;
}

static void run(struct cpu *cpu, uint64_t units)
{
    uint64_t done;
    assert_int_equal(engine_run(cpu, units, &done), ENGINE_BUDGET);
    assert_int_equal(done, units);
}

static void a_stretch_that_is_nearly_over(void **state)
{
    (void)state;
    struct machine *m = profiled();
    struct cpu *cpu = m->sys.cpus[0];
    const struct cpu_edges *e = cpu->edges;
    for (unsigned n = 0; n < 10000 && !(e->far && cpu->edge_word == 2 && cpu->edge_word != e->start); n++)
        run(cpu, 1);
    assert_true(e->far);
    assert_int_equal(cpu->edge_word, 2);
    cpu->engine_kind = ENGINE_BLOCK;
    run(cpu, 64);
    assert_false(far_was(cpu));
    run(cpu, 2000);
    assert_true(far_was(cpu)); /* behind the sample */
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stretch_that_is_nearly_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
