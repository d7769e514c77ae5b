/* bindings/reference/reading.h -- a piece of Lua up to the cursor.
 *
 * Reads as far as completion needs it:
 *
 *     sb.body("F3", { shape = sb.ba|   word "ba", separator '.', chain "sb"
 *     bar:strike { contact = "pu|      word "pu" in a string, field "contact"
 *
 * Thread: any.
 */
#ifndef SB_BINDINGS_REFERENCE_READING_H
#define SB_BINDINGS_REFERENCE_READING_H

#include "bindings/api/api.h"

#include <stdbool.h>
#include <stddef.h>

enum { READING_DEPTH = 64, READING_NAME = 96 };

typedef struct reading {
    const char *text;
    size_t word_start;
    char word[READING_NAME]; /* typed so far */
    bool is_string;          /* the cursor is inside quotes */
    bool is_comment;
    bool is_key;                /* a table key is possible here */
    char separator;             /* '.' or ':' before the word, or 0 */
    char chain[READING_NAME];   /* "a.b" before the separator */
    char call[READING_NAME];    /* function called before the cursor */
    bool is_method;             /* of `call` */
    char field[READING_NAME];   /* field = "...: in a string */
    size_t open[READING_DEPTH]; /* open brackets, outermost first */
    int depth;
} reading;

void reading_read(const char *text, reading *out);

/* The record whose fields are expected in the bracket at `depth` (1 is the
 * outermost), or NULL. */
const bind_record *reading_record(const reading *at, int depth);

bool reading_is_word(char c); /* a letter, digit or underscore */

#endif
