/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reasons not to take a profile's figures as they are. */
#include "ri/profile/show/output.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The sum of the counters drop.*, and a list of those that are not zero. */
static uint64_t dropped(const struct ep_profile *profile, char *list, size_t size)
{
    uint32_t count;
    const struct ep_counter *counters = ep_profile_list(profile, EP_COUNTERS, &count);
    uint64_t sum = 0;
    size_t n = 0;
    *list = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (strncmp(counters[i].name, "drop.", 5) || !counters[i].value)
            continue;
        sum = ep_saturated_sum(sum, counters[i].value);
        if (n < size)
            n += (size_t)snprintf(list + n, size - n, "%s%s %" PRIu64, n ? ", " : "", counters[i].name,
                                  counters[i].value);
    }
    return sum;
}

static bool more_than(uint64_t part, unsigned percent, uint64_t all)
{
    return (unsigned __int128)part * 100 > (unsigned __int128)all * percent;
}

void ep_cautions(const struct ep_profile *profile, void (*say)(void *context, const char *sentence), void *context)
{
    char list[600], text[900];
    const uint64_t triggered = ep_profile_number(profile, EP_H_SAMPLES_TRIGGERED);
    const uint64_t drops = dropped(profile, list, sizeof list);
    const uint64_t cut = ep_profile_counter(profile, "drop.short");
    if (ep_profile_is(profile, EP_H_EVENT, "taken"))
        say(context,
            "the profile is not uniform: its samples are spaced by taken branches, which gives too much weight to "
            "code in which few branches are taken; sample with event=branch");
    else if (ep_profile_is(profile, EP_H_EVENT, EP_MIXED))
        say(context, "the profile may not be uniform: it was merged from profiles of different events");
    if (ep_profile_is(profile, EP_H_UNIFORM, "0") || ep_profile_is(profile, EP_H_UNIFORM, EP_MIXED))
        say(context, "the profile is not uniform (header uniform): counts of different places cannot be compared");
    if (!ep_profile_number(profile, EP_H_BRANCH_UNITS))
        say(context, "no branch is in the profile: the run was shorter than one interval, or all samples were dropped");
    if (more_than(drops, 1, triggered)) {
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " samples were dropped: %s", drops, triggered, list);
        say(context, text);
    }
    if (!ep_profile_is(profile, EP_H_SOURCE, "native") && !ep_profile_is(profile, EP_H_SOURCE, "exact") &&
        more_than(cut, 5, triggered))
        say(context,
            "more than 5 % of the samples had short traces: the profile is skewed away from code that is executed "
            "soon after interruptions; prefer zri --profile-out, which records without run-time instrumentation");
    if (ep_profile_saturated(profile))
        say(context, "a count has reached 2**64 - 1 and is too small from there on");
}
