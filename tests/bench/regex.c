/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A regular expression is looked for in a text, by a program of characters, classes, splits and jumps whose threads run
   side by side. */
enum { CHARACTER, CLASS, ANY, SPLIT, JUMP, FOUND };
struct step {
    unsigned char what, c, d; /* a character, or from c to d; steps that are gone on to */
};
/* [a-z]+(ing|ed)? .*(foo|bar)[0-9]+ */
static const struct step program[] = {
    {CLASS, 'a', 'z'},   {SPLIT, 0, 2},       {SPLIT, 3, 10},      {SPLIT, 4, 8},       {CHARACTER, 'i', 0},
    {CHARACTER, 'n', 0}, {CHARACTER, 'g', 0}, {JUMP, 10, 0},       {CHARACTER, 'e', 0}, {CHARACTER, 'd', 0},
    {CHARACTER, ' ', 0}, {SPLIT, 12, 14},     {ANY, 0, 0},         {JUMP, 11, 0},       {SPLIT, 15, 19},
    {CHARACTER, 'f', 0}, {CHARACTER, 'o', 0}, {CHARACTER, 'o', 0}, {JUMP, 22, 0},       {CHARACTER, 'b', 0},
    {CHARACTER, 'a', 0}, {CHARACTER, 'r', 0}, {CLASS, '0', '9'},   {SPLIT, 22, 24},     {FOUND, 0, 0}};
#define STEPS (sizeof program / sizeof *program)

static unsigned marks[STEPS], now;
struct list {
    unsigned count;
    unsigned char at[STEPS];
};

static void add(struct list *list, unsigned at)
{
    if (marks[at] == now)
        return;
    marks[at] = now;
    if (program[at].what == JUMP) {
        add(list, program[at].c);
    } else if (program[at].what == SPLIT) {
        add(list, program[at].c);
        add(list, program[at].d);
    } else {
        list->at[list->count++] = (unsigned char)at;
    }
}

static unsigned search(const char *text)
{
    struct list lists[2] = {{0}}, *from = &lists[0], *to = &lists[1];
    unsigned found = 0;
    now++;
    for (; *text; text++) {
        add(from, 0);
        to->count = 0;
        now++;
        for (unsigned i = 0; i < from->count; i++) {
            const struct step *s = &program[from->at[i]];
            const unsigned char c = (unsigned char)*text;
            if ((s->what == CHARACTER && c == s->c) || s->what == ANY || (s->what == CLASS && c >= s->c && c <= s->d))
                add(to, from->at[i] + 1u);
            else if (s->what == FOUND)
                found++;
        }
        struct list *other = from;
        from = to;
        to = other;
    }
    return found;
}

void kernel(unsigned long repeat)
{
    static const char text[] = "we are looking here and walked there to find foo12 or a bar7 in what is said; nothing "
                               "else was asked for, and foo and bar alone are not enough: testing foo bar foo99";
    for (unsigned found = 0; repeat; repeat--) {
        found += search(text);
        __asm__ volatile("" : : "r"(found) : "memory");
    }
}
