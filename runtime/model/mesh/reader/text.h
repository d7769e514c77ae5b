/* runtime/model/mesh/reader/text.h -- numbers from lines of text.
 *
 * Thread: the reader's only one. Memory: a text owns the file's bytes.
 */
#ifndef SB_MODEL_MESH_READER_TEXT_H
#define SB_MODEL_MESH_READER_TEXT_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_text {
    char *bytes;
    const char *next; /* start of the next line */
    const char *end;
    const char *at; /* position in this line, which ends with a zero */
    int line;       /* counted from 1 */
    char where[96]; /* " of cube.ele" if it is not the mesh's own file */
} sb_text;

/* Reads a file in the mesh's folder. */
SB_NODISCARD sb_status sb_text_open(sb_text *text, const char *mesh_path,
                                    const char *path, sb_error *err);
void sb_text_close(sb_text *text);

/* Advances to the next line with content other than spaces and # comments;
 * false at the end. */
bool sb_text_line(sb_text *text);

/* Parses a number from the line; false, and nothing consumed, if the next
 * word is not one. */
bool sb_text_int(sb_text *text, long long *value);
bool sb_text_double(sb_text *text, double *value);

/* True when the rest of the line is exactly that word. */
bool sb_text_is(const sb_text *text, const char *word);

/* Error such as: line 12 of cube.ele: a point has three coordinates, not "x
 * 1 2" */
sb_status sb_text_fail(const sb_text *text, sb_error *err, const char *what);

#endif
