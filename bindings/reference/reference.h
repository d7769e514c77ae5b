/* SPDX-License-Identifier: MIT */
/* bindings/reference/reference.h -- the API as text: for editors and for
 * bindings/README.md.
 *
 * Thread: any.
 */
#pragma once

#include <stdio.h>

/* bindings/sandbell.d.lua: annotations for the Lua language server. */
void api_print_stubs(FILE *out);

/* Print Markdown tables for the README, with the marks around them. */
void api_print_markdown(FILE *out);

#define API_MARK_BEGIN "<!-- api -->"
#define API_MARK_END   "<!-- /api -->"
