/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rule of the on-line analyser, read from text. */
#ifndef ZRI_RI_TRACE_RULES_RULE_H
#define ZRI_RI_TRACE_RULES_RULE_H

#include "ri/trace/config.h"
#include "ri/trace/number.h"

enum et_measure { ET_M_RATE, ET_M_COUNT, ET_M_LATENCY, ET_M_GROSS, ET_M_DEPTH, ET_M_LOST };
enum et_operator { ET_OP_MORE, ET_OP_MORE_EQUAL, ET_OP_LESS, ET_OP_LESS_EQUAL, ET_OP_EQUAL, ET_OP_UNEQUAL };
enum et_deed { ET_DO_SET, ET_DO_MARK, ET_DO_ALERT, ET_DO_MODE, ET_DO_STOP };
enum et_of { ET_OF_ALL, ET_OF_NUMBER, ET_OF_CLASS };

#define ET_RULE_ACTIONS 8u
#define ET_RULE_TEXT    512u

struct et_action {
    enum et_deed deed;
    uint64_t value;   /* mark */
    const char *key;  /* set; in the rule's words */
    const char *text; /* set: value; mode: name */
};

struct et_rule {
    char text[ET_RULE_TEXT];  /* as it was written */
    char words[ET_RULE_TEXT]; /* what name, keys and values point into */
    const char *name;
    enum et_measure measure;
    enum et_of of;
    unsigned number; /* EN or class */
    enum et_operator op;
    uint64_t value, per; /* per 0: no window */
    unsigned actions;
    struct et_action action[ET_RULE_ACTIONS];
};

/* Read rule->text. NULL, or why not: a sentence in `why`. */
const char *et_rule_read(struct et_rule *rule, char *why, size_t size);
bool et_rule_holds(const struct et_rule *rule, uint64_t measured);
/* The rule is about this number. */
bool et_rule_about(const struct et_rule *rule, unsigned en);

#endif
