/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of zri-ri's options, made of their table. */
#include "emu/zri_ri.h"
#include <stdio.h>
#include <string.h>

static bool names_file(const struct option *option) { return !strcmp(option->name, "symbols"); }

static void bash(const struct option *options)
{
    puts("# Completion of zri-ri's options for bash; made from its table of options.\n"
         "_zri_ri()\n"
         "{\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    case $prev in\n"
         "    --dump-completion) COMPREPLY=($(compgen -W 'bash zsh' -- \"$cur\")); return ;;");
    for (const struct option *o = options; o->name; o++)
        if (o->has_arg && strcmp(o->name, "dump-completion") != 0)
            printf("    --%s) COMPREPLY=(%s); return ;;\n", o->name, names_file(o) ? "$(compgen -f -- \"$cur\")" : "");
    fputs("    esac\n"
          "    case $cur in\n"
          "    -*) COMPREPLY=($(compgen -W '",
          stdout);
    for (const struct option *o = options; o->name; o++)
        printf("--%s ", o->name);
    puts("' -- \"$cur\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
         "    esac\n"
         "}\n"
         "complete -o filenames -F _zri_ri zri-ri");
}

static void zsh(const struct option *options)
{
    fputs("#compdef zri-ri\n"
          "# Completion of zri-ri's options for zsh; made from its table of options.\n"
          "_arguments",
          stdout);
    for (const struct option *o = options; o->name; o++)
        printf(" \\\n    '--%s%s'", o->name, names_file(o) ? ":file:_files" : o->has_arg ? ":value:" : "");
    puts(" \\\n    '*:file:_files'");
}

bool zri_ri_complete(const char *shell, const struct option *options)
{
    const bool is_bash = !strcmp(shell, "bash");
    if (!is_bash && strcmp(shell, "zsh") != 0)
        return false;
    (is_bash ? bash : zsh)(options);
    return true;
}
