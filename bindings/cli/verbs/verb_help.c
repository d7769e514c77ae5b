/* bindings/cli/verbs/verb_help.c -- what there is, and how it is called. */
#include "bindings/api/api_print.h"
#include "bindings/cli/console/cli.h"

#include <stdio.h>
#include <string.h>

static void list_verbs(void) {
    (void)printf("Sandbell %s: scenes that sound, from their physics.\n\n"
                 "usage: sandbell VERB ...\n\n",
                 SANDBELL_VERSION);
    for (const cli_verb *const *verb = all_verbs; *verb; verb++) {
        (void)printf("  %-8s %s\n", (*verb)->name, (*verb)->summary);
    }
    (void)printf("\n`sandbell help VERB` says more. A first sound: "
                 "sandbell run scripts/marimba.lua\n");
}

static void explain(const cli_verb *verb) {
    (void)printf("sandbell %s%s%s\n\n%s\n", verb->name,
                 verb->arguments[0] ? " " : "", verb->arguments, verb->summary);
    if (verb->details) (void)printf("\n%s\n", verb->details);
    if (verb->options->name) (void)printf("\noptions:\n");
    for (const option_row *row = verb->options; row->name; row++) {
        char left[64];
        (void)snprintf(left, sizeof left, "%s%s%s%s%s",
                       row->short_name ? row->short_name : "",
                       row->short_name ? ", " : "", row->name,
                       row->value ? " " : "", row->value ? row->value : "");
        (void)printf("  %-28s %s\n", left, row->help);
    }
    (void)printf("\nexit codes: 0 ok, 1 script error, 2 usage, 3 a file cannot "
                 "be used,\n4 nothing that sounds, 5 no audio device, 130 "
                 "interrupted\n");
}

typedef struct help_options {
    bool wants_stubs;
    bool wants_markdown;
} help_options;

static const option_row rows[] = {
    {"--api-stubs", NULL, OPTION_FLAG, offsetof(help_options, wants_stubs), 0,
     0, NULL, "print the Lua API for editors (bindings/sandbell.d.lua)"},
    {"--api-markdown", NULL, OPTION_FLAG,
     offsetof(help_options, wants_markdown), 0, 0, NULL,
     "print the Lua API as tables (README.md)"},
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL}};

static int run(int argc, char **argv) {
    help_options options = {0};
    const char *name = NULL;
    if (!parse_options(&verb_help, argc, argv, &options, &name, 0, 1)) {
        return EXIT_USAGE;
    }
    if (options.wants_stubs) api_print_stubs(stdout);
    if (options.wants_markdown) api_print_markdown(stdout);
    if (options.wants_stubs || options.wants_markdown) return EXIT_OK;
    if (!name) {
        list_verbs();
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
    explain(verb);
    return EXIT_OK;
}

const cli_verb verb_help = {"help", "[VERB]", "list the verbs, or explain one",
                            NULL,   rows,     run};
