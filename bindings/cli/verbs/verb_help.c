/* bindings/cli/verbs/verb_help.c -- sandbell help: explains the verbs. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/verbs/help_print.h"
#include "bindings/reference/api_print.h"

#include <stdio.h>

typedef struct help_options {
    bool wants_stubs;
    bool wants_api;
    bool wants_markdown;
    bool wants_man;
    bool wants_bash;
    bool wants_zsh;
} help_options;

#define AT(field) offsetof(help_options, field)
const option_row help_rows[] = {
    {"--man", NULL, OPTION_FLAG, AT(wants_man), 0, 0, NULL,
     "print the man page, sandbell.1"},
    {"--bash", NULL, OPTION_FLAG, AT(wants_bash), 0, 0, NULL,
     "print the completion for bash"},
    {"--zsh", NULL, OPTION_FLAG, AT(wants_zsh), 0, 0, NULL,
     "print the completion for zsh"},
    {"--markdown", NULL, OPTION_FLAG, AT(wants_markdown), 0, 0, NULL,
     "print all verbs as Markdown (bindings/README.md)"},
    {"--api-stubs", NULL, OPTION_FLAG, AT(wants_stubs), 0, 0, NULL,
     "print the Lua API for editors (bindings/sandbell.d.lua)"},
    {"--api-markdown", NULL, OPTION_FLAG, AT(wants_api), 0, 0, NULL,
     "print the Lua API as Markdown (bindings/README.md)"},
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
        if (!texts[i].is_wanted) continue;
        texts[i].print(stdout);
        has_printed = true;
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
        (void)fprintf(stderr,
                      "sandbell help: there is no verb '%s' (sandbell help "
                      "lists them)\n",
                      name);
        return EXIT_USAGE;
    }
    help_print_verb(stdout, verb);
    return EXIT_OK;
}
