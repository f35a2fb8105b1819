/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that wait. Of several with one number the time of the oldest is kept; those behind it are not measured. */
#include "ri/trace/wait.h"

void et_wait_begin(struct et_waits *waits, unsigned en, uint64_t now)
{
    if (waits->of[en].count++)
        return;
    waits->of[en].known = true;
    waits->of[en].since = now;
}

void et_wait_withdraw(struct et_waits *waits, unsigned en)
{
    if (!waits->of[en].count)
        return;
    waits->of[en].count--;
    waits->of[en].known = false;
}

bool et_wait_end(struct et_waits *waits, unsigned en, uint64_t now, uint64_t *latency)
{
    if (!waits->of[en].count)
        return false;
    const bool known = waits->of[en].known && now >= waits->of[en].since;
    *latency = now - waits->of[en].since;
    waits->of[en].count--;
    waits->of[en].known = false;
    return known;
}
