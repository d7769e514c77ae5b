/* SPDX-License-Identifier: MIT */
/* bindings/cli/verbs/verb_help.c -- sandbell help: explains the verbs, for a
 * terminal, as Markdown, as a man page and as completions for shells.
 *
 * All of it is printed from verbs.def and the option tables, so the texts cannot
 * drift apart from what the program accepts.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/reference/reference.h"

#include <stdio.h>
#include <string.h>

/* One row per exit code, for help, README and man page. */
static const struct {
    const char *code, *meaning;
} exit_codes[] = {
    {"0", "success"},
    {"1", "error in the script"},
    {"2", "wrong usage"},
    {"3", "a file cannot be used"},
    {"4", "no modes, or they could not be computed"},
    {"5", "no audio device, but one is required"},
    {"130", "interrupted"},
};
enum { EXIT_CODE_COUNT = sizeof exit_codes / sizeof *exit_codes };

static const struct {
    const char *name, *meaning;
} variables[] = {
    {"SANDBELL_LIBRARY", "folder that holds models/ and textures/ for scenes; "
                         "default: the installed data"},
    {"SANDBELL_CACHE", "folder for computed models, or off; default: "
                       "$XDG_CACHE_HOME/sandbell or ~/.cache/sandbell"},
    {"SANDBELL_MESH_READER", "the program that reads mesh files; default: "
                             "the installed sandbell-mesh-reader"},
    {"NO_COLOR", "no colours on the terminal when set"},
};
enum { VARIABLE_COUNT = sizeof variables / sizeof *variables };

/* --- lines of a help text ------------------------------------------------- */

/* Examples and tables are indented by two spaces, and are not refilled. */
static bool is_example(const char *line) {
    return line[0] == ' ' && line[1] == ' ';
}

static size_t line_length(const char *line) {
    return strcspn(line, "\n");
}

static const char *next_line(const char *line) {
    line += line_length(line);
    return *line ? line + 1 : line;
}

/* "-o, --output FILE" */
static void print_option(FILE *out, const option_row *row) {
    (void)fprintf(out, "%s%s%s%s%s", row->short_name ? row->short_name : "",
                  row->short_name ? ", " : "", row->name, row->value ? " " : "",
                  row->value ? row->value : "");
}

/* --- a terminal ----------------------------------------------------------- */

static void help_print_list(FILE *out) {
    (void)fprintf(out,
                  "Sandbell %s: a sound simulation sandbox, scripted in Lua.\n"
                  "\n"
                  "usage: sandbell VERB ...\n\n",
                  SANDBELL_VERSION);
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        (void)fprintf(out, "  %-9s %s\n", (*verb)->name, (*verb)->summary);
    (void)fprintf(out, "\n`sandbell help VERB` explains a verb. First sound: "
                       "sandbell run scripts/marimba.lua\n");
}

static void help_print_verb(FILE *out, const cli_verb *verb) {
    (void)fprintf(out, "sandbell %s%s%s\n\n%s\n", verb->name,
                  verb->arguments[0] ? " " : "", verb->arguments,
                  verb->summary);
    if (verb->details) (void)fprintf(out, "\n%s\n", verb->details);
    if (verb->options->name) (void)fprintf(out, "\noptions:\n");
    for (const option_row *row = verb->options; row->name; row++) {
        char left[64] = "";
        FILE *stream = fmemopen(left, sizeof left, "w");
        if (stream) {
            print_option(stream, row);
            (void)fclose(stream);
        }
        (void)fprintf(out, "  %-28s %s\n", left, row->help);
    }
    (void)fprintf(out, "\nexit codes:\n");
    for (int i = 0; i < EXIT_CODE_COUNT; i++)
        (void)fprintf(out, "  %-4s %s\n", exit_codes[i].code,
                      exit_codes[i].meaning);
}

/* --- Markdown ------------------------------------------------------------- */

/* Escape | and <: a bar would end the cell, and < would start HTML. */
static void markdown_cell(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') (void)fputc('\\', out);
        (void)fputc(*text, out);
    }
}

static void markdown_details(FILE *out, const char *text) {
    bool is_fenced = false;
    for (const char *line = text; *line; line = next_line(line)) {
        int length = (int)line_length(line);
        if (is_example(line) != is_fenced && length > 0) {
            (void)fprintf(out, is_fenced ? "```\n\n" : "```text\n");
            is_fenced = !is_fenced;
        }
        if (is_fenced && length == 0) continue;
        (void)fprintf(out, "%.*s\n", is_fenced ? length - 2 : length,
                      is_fenced ? line + 2 : line);
    }
    if (is_fenced) (void)fprintf(out, "```\n");
    (void)fputc('\n', out);
}

static void markdown_verb(FILE *out, const cli_verb *verb) {
    (void)fprintf(out, "### sandbell %s\n\n`sandbell %s%s%s`: %s.\n\n",
                  verb->name, verb->name, verb->arguments[0] ? " " : "",
                  verb->arguments, verb->summary);
    if (verb->details) markdown_details(out, verb->details);
    if (!verb->options->name) return;
    (void)fprintf(out, "| option | |\n|---|---|\n");
    for (const option_row *row = verb->options; row->name; row++) {
        (void)fprintf(out, "| `");
        print_option(out, row);
        (void)fprintf(out, "` | ");
        markdown_cell(out, row->help);
        (void)fprintf(out, " |\n");
    }
    (void)fputc('\n', out);
}

static void help_print_markdown(FILE *out) {
    (void)fprintf(out, "<!-- cli -->\n\n| verb | |\n|---|---|\n");
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        (void)fprintf(out, "| [%s](#sandbell-%s) | %s |\n", (*verb)->name,
                      (*verb)->name, (*verb)->summary);
    (void)fprintf(out, "\n| exit code | |\n|---|---|\n");
    for (int i = 0; i < EXIT_CODE_COUNT; i++)
        (void)fprintf(out, "| %s | %s |\n", exit_codes[i].code,
                      exit_codes[i].meaning);
    (void)fprintf(out, "\n| environment | |\n|---|---|\n");
    for (int i = 0; i < VARIABLE_COUNT; i++)
        (void)fprintf(out, "| `%s` | %s |\n", variables[i].name,
                      variables[i].meaning);
    (void)fputc('\n', out);
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        markdown_verb(out, *verb);
    (void)fprintf(out, "<!-- /cli -->\n");
}

/* --- a man page ----------------------------------------------------------- */

/* Escape for man: backslashes, hyphens, and dots or quotes at the beginning of
 * a line. */
static void man_text(FILE *out, const char *text, size_t length) {
    if (length > 0 && (*text == '.' || *text == '\'')) (void)fputs("\\&", out);
    for (size_t n = 0; n < length && text[n]; n++) {
        if (text[n] == '\\') {
            (void)fputs("\\e", out);
        } else if (text[n] == '-') {
            (void)fputs("\\-", out);
        } else {
            (void)fputc(text[n], out);
        }
    }
}

static void man_word(FILE *out, const char *text) {
    man_text(out, text, strlen(text));
}

static void man_details(FILE *out, const char *text) {
    bool is_fixed = false;
    (void)fprintf(out, ".PP\n");
    for (const char *line = text; *line; line = next_line(line)) {
        size_t length = line_length(line);
        if (is_example(line) != is_fixed && length > 0) {
            (void)fprintf(out, is_fixed ? ".fi\n.PP\n" : ".PP\n.nf\n");
            is_fixed = !is_fixed;
        }
        if (length == 0) {
            if (!is_fixed) (void)fprintf(out, ".PP\n");
            continue;
        }
        man_text(out, line, length);
        (void)fputc('\n', out);
    }
    if (is_fixed) (void)fprintf(out, ".fi\n");
}

static void man_verb(FILE *out, const cli_verb *verb) {
    (void)fprintf(out, ".SS \"sandbell %s ", verb->name);
    man_word(out, verb->arguments);
    (void)fprintf(out, "\"\n%c%s.\n", verb->summary[0] - 'a' + 'A',
                  verb->summary + 1);
    if (verb->details) man_details(out, verb->details);
    for (const option_row *row = verb->options; row->name; row++) {
        (void)fprintf(out, ".TP\n.B ");
        if (row->short_name) {
            man_word(out, row->short_name);
            (void)fputs(", ", out);
        }
        man_word(out, row->name);
        if (row->value) {
            (void)fputs(" \\fI", out);
            man_word(out, row->value);
            (void)fputs("\\fR", out);
        }
        (void)fputc('\n', out);
        man_word(out, row->help);
        (void)fputc('\n', out);
    }
}

static void man_item(FILE *out, const char *name, const char *meaning) {
    (void)fprintf(out, ".TP\n.B ");
    man_word(out, name);
    (void)fputc('\n', out);
    man_word(out, meaning);
    (void)fputc('\n', out);
}

static void help_print_man(FILE *out) {
    (void)fprintf(
        out,
        ".TH SANDBELL 1 \"\" \"Sandbell %s\" \"User Commands\"\n"
        ".SH NAME\nsandbell \\- sound simulation sandbox, scripted in Lua\n"
        ".SH SYNOPSIS\n.B sandbell\n.I VERB\n[\\fIarguments\\fR]\n"
        ".SH DESCRIPTION\n"
        "A scene is a Lua file: what bodies are made of, where they are, and\n"
        "what strikes, rolls and rubs against what. Sandbell computes how the\n"
        "bodies vibrate and plays the sound, or writes it to a file. While a\n"
        "scene plays, saving one of its files reloads it without a click.\n"
        ".SH VERBS\n",
        SANDBELL_VERSION);
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        man_verb(out, *verb);
    (void)fprintf(out, ".SH EXIT STATUS\n");
    for (int i = 0; i < EXIT_CODE_COUNT; i++)
        man_item(out, exit_codes[i].code, exit_codes[i].meaning);
    (void)fprintf(out, ".SH ENVIRONMENT\n");
    for (int i = 0; i < VARIABLE_COUNT; i++)
        man_item(out, variables[i].name, variables[i].meaning);
    (void)fprintf(out, ".SH FILES\n"
                       "The data folder (/usr/share/sandbell in a package)\n"
                       "holds example scenes in scripts/, and the models/ and\n"
                       "textures/ that scenes can name.\n"
                       ".SH SEE ALSO\n.BR lua (1)\n");
}

/* Print the alternatives of a usage like "[modes | live] [options]", separated
 * by spaces; nothing if the argument is not a list of words. */
static void print_choices(FILE *out, const cli_verb *verb) {
    const char *text = verb->arguments;
    const char *end = strchr(text, ']');
    const char *bar = strstr(text, " | ");
    if (*text != '[' || !end || !bar || bar > end) return;
    for (text++; text < end; text++)
        if (*text != '|') (void)fputc(*text, out);
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

static void help_print_bash(FILE *out) {
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

static void help_print_zsh(FILE *out) {
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

/* --- the verb ------------------------------------------------------------- */

typedef struct help_options {
    bool wants_stubs, wants_api, wants_markdown, wants_man, wants_bash,
        wants_zsh;
} help_options;

#define AT(field) offsetof(help_options, field)
const option_row help_rows[] = {
    FLAG_ROW("--man", wants_man, "print the man page, sandbell.1"),
    FLAG_ROW("--bash", wants_bash, "print the completion for bash"),
    FLAG_ROW("--zsh", wants_zsh, "print the completion for zsh"),
    FLAG_ROW("--markdown", wants_markdown,
             "print all verbs as Markdown (bindings/README.md)"),
    FLAG_ROW("--api-stubs", wants_stubs,
             "print the Lua API for editors (bindings/sandbell.d.lua)"),
    FLAG_ROW("--api-markdown", wants_api,
             "print the Lua API as Markdown (bindings/README.md)"),
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL}};

static bool print_texts(const help_options *options) {
    const struct {
        bool is_wanted;
        void (*print)(FILE *out);
    } texts[] = {
        {options->wants_man, help_print_man},
        {options->wants_bash, help_print_bash},
        {options->wants_zsh, help_print_zsh},
        {options->wants_markdown, help_print_markdown},
        {options->wants_stubs, api_print_stubs},
        {options->wants_api, api_print_markdown},
    };
    bool has_printed = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].is_wanted) texts[i].print(stdout);
        has_printed |= texts[i].is_wanted;
    }
    return has_printed;
}

int help_main(int argc, char **argv) {
    help_options options = {0};
    const char *name = NULL;
    if (!parse_options(&verb_help, argc, argv, &options, &name, 0, 1))
        return EXIT_USAGE;
    if (print_texts(&options)) return EXIT_OK;
    if (!name) {
        help_print_list(stdout);
        return EXIT_OK;
    }
    const cli_verb *verb = find_verb(name);
    if (!verb) {
        return complain(
            "help", "there is no verb '%s' (sandbell help lists them)", name);
    }
    help_print_verb(stdout, verb);
    return EXIT_OK;
}
