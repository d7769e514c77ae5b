/* Prints shell completions for bash and zsh from the table of verbs.
 * Thread: control. */
#include "bindings/cli/verbs/help_print.h"

#include <string.h>

/* Print the alternatives of a usage like "[modes | live] [options]", separated
 * by spaces; nothing if the argument is not a list of words. */
static void print_choices(FILE *out, const cli_verb *verb) {
    const char *text = verb->arguments;
    const char *end = strchr(text, ']');
    const char *bar = strstr(text, " | ");
    if (*text != '[' || !end || !bar || bar > end) return;
    for (text++; text < end; text++) {
        if (*text != '|') (void)fputc(*text, out);
    }
}

static void print_names(FILE *out) {
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        (void)fprintf(out, "%s%s", verb == all_verbs ? "" : " ", (*verb)->name);
}

static bool is_file(const option_row *row) {
    return row->kind == OPTION_FILE || row->kind == OPTION_OUTPUT;
}

/* --- bash ----------------------------------------------------------------- */

static void bash_verb(FILE *out, const cli_verb *verb) {
    (void)fprintf(out, "    %s)\n        options='--help", verb->name);
    for (const option_row *row = verb->options; row->name; row++) {
        (void)fprintf(out, " %s", row->name);
        if (row->short_name) (void)fprintf(out, " %s", row->short_name);
    }
    (void)fprintf(out, "'\n        values='");
    for (const option_row *row = verb->options; row->name; row++) {
        if (row->kind != OPTION_FLAG && !is_file(row))
            (void)fprintf(out, " %s", row->name);
    }
    (void)fprintf(out, " '\n        words='");
    if (verb == &verb_help) print_names(out);
    print_choices(out, verb);
    (void)fprintf(out, "'\n        ;;\n");
}

void help_print_bash(FILE *out) {
    (void)fprintf(
        out, "# bash completion for sandbell; made by: sandbell help --bash\n"
             "_sandbell() {\n"
             "    local cur=${COMP_WORDS[COMP_CWORD]}\n"
             "    local prev=${COMP_WORDS[COMP_CWORD-1]}\n"
             "    local options= values= words=\n"
             "    COMPREPLY=()\n"
             "    if ((COMP_CWORD == 1)); then\n"
             "        mapfile -t COMPREPLY < <(compgen -W '");
    print_names(out);
    (void)fprintf(out, "' -- \"$cur\")\n"
                       "        return\n"
                       "    fi\n"
                       "    case ${COMP_WORDS[1]} in\n");
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        bash_verb(out, *verb);
    (void)fprintf(out,
                  "    esac\n"
                  "    if [[ $prev == -* && $values == *\" $prev \"* ]]; then\n"
                  "        return # a number or a name: nothing to offer\n"
                  "    elif [[ $cur == -* ]]; then\n"
                  "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- "
                  "\"$cur\")\n"
                  "    elif [[ $words && $prev != -* ]]; then\n"
                  "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                  "\"$cur\")\n"
                  "    else\n"
                  "        compopt -o filenames 2>/dev/null\n"
                  "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                  "    fi\n"
                  "}\n"
                  "complete -F _sandbell sandbell\n");
}

/* --- zsh ------------------------------------------------------------------ */

/* Escape for zsh inside single quotes; colons and brackets would end a part of
 * the specification. */
static void zsh_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\'') {
            (void)fputs("'\\''", out);
            continue;
        }
        if (strchr(":[]\\", *text)) (void)fputc('\\', out);
        (void)fputc(*text, out);
    }
}

static void zsh_option(FILE *out, const option_row *row) {
    bool has_value = row->kind != OPTION_FLAG;
    bool repeats = row->kind == OPTION_SETTING || row->kind == OPTION_PLACES;
    (void)fprintf(out, " \\\n            ");
    if (row->short_name)
        (void)fprintf(out, "'(%s %s)'{%s,%s%s}'", row->short_name, row->name,
                      row->short_name, row->name, has_value ? "=" : "");
    else
        (void)fprintf(out, "'%s%s%s", repeats ? "*" : "", row->name,
                      has_value ? "=" : "");
    (void)fputc('[', out);
    zsh_text(out, row->help);
    (void)fputc(']', out);
    if (has_value) {
        (void)fputc(':', out);
        zsh_text(out, row->value);
        (void)fputs(is_file(row) ? ":_files" : ": ", out);
    }
    (void)fputc('\'', out);
}

static void zsh_verb(FILE *out, const cli_verb *verb) {
    (void)fprintf(out, "    %s)\n        _arguments", verb->name);
    for (const option_row *row = verb->options; row->name; row++)
        zsh_option(out, row);
    (void)fprintf(out, " \\\n            '*:argument:");
    if (verb == &verb_help || strstr(verb->arguments, " | ")) {
        (void)fputc('(', out);
        if (verb == &verb_help) print_names(out);
        print_choices(out, verb);
        (void)fputc(')', out);
    } else {
        (void)fprintf(out, "_files");
    }
    (void)fprintf(out, "'\n        ;;\n");
}

void help_print_zsh(FILE *out) {
    (void)fprintf(out, "#compdef sandbell\n"
                       "# Made by: sandbell help --zsh\n"
                       "local -a verbs\n"
                       "verbs=(\n");
    for (const cli_verb *const *verb = all_verbs; *verb; verb++) {
        (void)fprintf(out, "    '%s:", (*verb)->name);
        zsh_text(out, (*verb)->summary);
        (void)fprintf(out, "'\n");
    }
    (void)fprintf(out, ")\n"
                       "if ((CURRENT == 2)); then\n"
                       "    _describe verb verbs\n"
                       "    return\n"
                       "fi\n"
                       "local verb=$words[2]\n"
                       "shift words\n"
                       "((CURRENT--))\n"
                       "case $verb in\n");
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        zsh_verb(out, *verb);
    (void)fprintf(out, "esac\n");
}
