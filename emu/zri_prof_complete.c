/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What shells complete for zri-prof, from its tables. */
#include "emu/zri_prof.h"
#include <stdio.h>
#include <string.h>

static void command_words(const struct zri_prof_tables *t)
{
    for (unsigned i = 0; i < t->commands; i++)
        printf("%s ", t->command[i].name);
}

static void form_words(const struct zri_prof_tables *t)
{
    for (unsigned i = 0; i < t->forms; i++)
        printf("%s ", t->form[i].name);
}

/* Lines for the options of each command; in front of them, between and behind them what the shell wants. */
static void option_words(const struct zri_prof_tables *t, const char *format, const char *between, const char *end)
{
    for (unsigned k = 0; k < t->commands; k++) {
        printf(format, t->command[k].name);
        for (unsigned i = 0; i < t->options; i++)
            if (!t->option[i].commands || t->option[i].commands & 1u << k)
                printf("%s--%s", between, t->option[i].option.name);
        puts(end);
    }
}

bool zri_prof_complete(const char *shell, const struct zri_prof_tables *t)
{
    if (!strcmp(shell, "bash")) {
        fputs("# Completion of zri-prof for bash; made from its tables.\n_zri_prof()\n{\n"
              "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n    case $prev in\n"
              "    --format) COMPREPLY=($(compgen -W '",
              stdout);
        form_words(t);
        fputs("' -- \"$cur\")); return ;;\n    --brstack) COMPREPLY=(full); return ;;\n    --top|--module) "
              "COMPREPLY=(); return ;;\n    esac\n"
              "    case $COMP_CWORD:${COMP_WORDS[1]} in\n    1:*) COMPREPLY=($(compgen -W '",
              stdout);
        command_words(t);
        puts("--help --version' -- \"$cur\")); return ;;");
        option_words(t, "    *:%s) words='", " ", "' ;;");
        puts("    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
             "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\n"
             "complete -o filenames -F _zri_prof zri-prof");
        return true;
    }
    if (strcmp(shell, "zsh") != 0)
        return false;
    fputs("#compdef zri-prof\n# Completion of zri-prof for zsh; made from its tables.\n"
          "if (( CURRENT == 2 )); then\n    compadd -- --help --version ",
          stdout);
    command_words(t);
    fputs("\nelif [[ $words[CURRENT-1] == --format ]]; then\n    compadd ", stdout);
    form_words(t);
    puts("\nelif [[ $words[CURRENT] == -* ]]; then\n    case $words[2] in");
    option_words(t, "    %s) compadd --", " ", " ;;");
    puts("    esac\nelse\n    _files\nfi");
    return true;
}
