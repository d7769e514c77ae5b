/* bindings/cli/verbs/help_print.h -- the table of verbs as text.
 *
 * All of it is printed from verbs.def and the option tables, so the texts
 * cannot drift apart from what the program accepts.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_VERBS_HELP_PRINT_H
#define SB_BINDINGS_CLI_VERBS_HELP_PRINT_H

#include "bindings/cli/console/cli.h"

#include <stdio.h>

/* `sandbell help`: one line per verb. */
void help_print_list(FILE *out);

/* `sandbell help VERB`. */
void help_print_verb(FILE *out, const cli_verb *verb);

/* Print the reference of bindings/README.md, with the marks around it. */
void help_print_markdown(FILE *out);

/* Print sandbell.1, the manual page. */
void help_print_man(FILE *out);

/* Print the completion script for a shell. */
void help_print_bash(FILE *out);
void help_print_zsh(FILE *out);

#endif
