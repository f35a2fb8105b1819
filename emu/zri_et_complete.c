/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of zri-et's options, made of their tables. */
#include "emu/zri_et.h"
#include <stdio.h>
#include <string.h>

enum kind { PLAIN, WORD, FILE_NAME, FOLDER };

/* What follows an option. */
static enum kind kind_of(const struct option *option)
{
    static const struct {
        const char *name;
        enum kind kind;
    } names[] = {{"ctf", FOLDER}, {"assume-config", FILE_NAME}, {"et-config", FILE_NAME}, {"output", FILE_NAME}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(option->name, names[i].name))
            return names[i].kind;
    return option->has_arg ? WORD : PLAIN;
}

static void bash_words(const struct option *options)
{
    for (; options->name; options++)
        printf("--%s ", options->name);
}

static void bash_arguments(const struct option *options)
{
    static const char *const answers[] = {[WORD] = "COMPREPLY=()",
                                          [FILE_NAME] = "COMPREPLY=($(compgen -f -- \"$cur\"))",
                                          [FOLDER] = "COMPREPLY=($(compgen -d -- \"$cur\"))"};
    for (; options->name; options++)
        if (kind_of(options) != PLAIN)
            printf("    --%s) %s; return ;;\n", options->name,
                   strcmp(options->name, "dump-completion") ? answers[kind_of(options)]
                                                            : "COMPREPLY=($(compgen -W 'bash zsh' -- \"$cur\"))");
}

static void bash(const struct option *options)
{
    puts("# Completion of zri-et's options for bash; made from its tables of options.\n"
         "_zri_et()\n"
         "{\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words first=\n"
         "    case $prev in");
    bash_arguments(options);
    bash_arguments(zri_et_filter_options);
    fputs("    esac\n"
          "    if [ \"${COMP_WORDS[1]}\" = filter ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
          "        words='",
          stdout);
    bash_words(zri_et_filter_options);
    fputs("'\n    else\n        words='", stdout);
    bash_words(options);
    puts("'\n"
         "        [ \"$COMP_CWORD\" -gt 1 ] || first=filter\n"
         "    fi\n"
         "    case $cur in\n"
         "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
         "    *) COMPREPLY=($(compgen -W \"$first\" -- \"$cur\") $(compgen -f -- \"$cur\")) ;;\n"
         "    esac\n"
         "}\n"
         "complete -o filenames -F _zri_et zri-et");
}

static void zsh_list(const struct option *options)
{
    static const char *const rests[] = {
        [PLAIN] = "", [WORD] = ":value:", [FILE_NAME] = ":file:_files", [FOLDER] = ":folder:_files -/"};
    for (; options->name; options++)
        printf(" \\\n        '--%s%s'", options->name, rests[kind_of(options)]);
    puts(" \\\n        '*:file:_files'");
}

static void zsh(const struct option *options)
{
    fputs("#compdef zri-et\n"
          "# Completion of zri-et's options for zsh; made from its tables of options.\n"
          "if (( CURRENT > 2 )) && [[ $words[2] == filter ]]; then\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    _arguments",
          stdout);
    zsh_list(zri_et_filter_options);
    fputs("else\n"
          "    (( CURRENT == 2 )) && compadd filter\n"
          "    _arguments",
          stdout);
    zsh_list(options);
    puts("fi");
}

bool zri_et_complete(const char *shell, const struct option *options)
{
    const bool is_bash = !strcmp(shell, "bash");
    if (!is_bash && strcmp(shell, "zsh") != 0)
        return false;
    (is_bash ? bash : zsh)(options);
    return true;
}
