/* Reads a piece of Lua up to the cursor, as far as completion needs it: words,
 * strings, open brackets.
 * Thread: any. */
#include "bindings/reference/reading.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool reading_is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* --- going back from a place; all give the new place ---------------------- */

static size_t skip_blanks(const char *text, size_t end) {
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    return end;
}

/* Copy the word that ends at `end`; returns its start. */
static size_t take_word(const char *text, size_t end, char out[READING_NAME]) {
    size_t start = end;
    while (start > 0 && reading_is_word(text[start - 1]))
        start--;
    (void)snprintf(out, READING_NAME, "%.*s", (int)(end - start), text + start);
    return start;
}

/* The name of the function called just before `end`. */
static void take_call(const char *text, size_t end, reading *out) {
    size_t start = take_word(text, skip_blanks(text, end), out->call);
    start = skip_blanks(text, start);
    out->is_method = start > 0 && text[start - 1] == ':';
}

/* Copy the dotted name ("a.b") that ends at `end`. */
static void take_chain(const char *text, size_t end, char out[READING_NAME]) {
    size_t start = end;
    while (start > 0 &&
           (reading_is_word(text[start - 1]) || text[start - 1] == '.'))
        start--;
    (void)snprintf(out, READING_NAME, "%.*s", (int)(end - start), text + start);
}

/* Position of the bracket that matches the one at end - 1; ignores strings. */
static size_t matching(const char *text, size_t end) {
    int depth = 0;
    while (end > 0) {
        char c = text[--end];
        if (strchr(")]}", c)) depth++;
        if (strchr("([{", c) && --depth == 0) break;
    }
    return end;
}

/* --- forward: brackets, strings, comments --------------------------------- */

/* Position after the string that opens at `i`, or the end if it is not closed.
 */
static size_t pass_string(const char *text, size_t i, reading *out) {
    char quote = text[i];
    size_t start = ++i;
    while (text[i] && text[i] != quote && text[i] != '\n') {
        if (text[i] == '\\' && text[i + 1]) i++;
        i++;
    }
    if (text[i]) return i + 1;
    out->is_string = true;
    out->word_start = start;
    return i;
}

static void read_brackets(const char *text, reading *out) {
    size_t i = 0;
    while (text[i]) {
        char c = text[i];
        if (c == '"' || c == '\'') {
            i = pass_string(text, i, out);
            continue;
        }
        if (c == '-' && text[i + 1] == '-') {
            i += strcspn(text + i, "\n");
            out->is_comment = !text[i];
            continue;
        }
        if (strchr("([{", c) && out->depth < READING_DEPTH) {
            out->open[out->depth++] = i;
        } else if (strchr(")]}", c) && out->depth > 0) {
            out->depth--;
        }
        i++;
    }
}

/* --- what the word is ----------------------------------------------------- */

static void read_string_place(const char *text, reading *out) {
    size_t end = skip_blanks(text, out->word_start - 1);
    if (end > 0 && text[end - 1] == '=') {
        (void)take_word(text, skip_blanks(text, end - 1), out->field);
        return;
    }
    if (end > 0 && text[end - 1] == '(') end = skip_blanks(text, end - 1);
    take_call(text, end, out);
}

static void read_word_place(const char *text, size_t end, reading *out) {
    out->word_start = take_word(text, end, out->word);
    size_t before = skip_blanks(text, out->word_start);
    char c = before > 0 ? text[before - 1] : '\0';
    bool is_concat = before > 1 && text[before - 2] == c;
    if ((c == '.' || c == ':') && !is_concat) {
        out->separator = c;
        before = skip_blanks(text, before - 1);
        if (before > 0 && strchr(")}", text[before - 1])) {
            size_t open = matching(text, before);
            take_call(text, open, out);
        } else {
            take_chain(text, before, out->chain);
        }
        return;
    }
    out->is_key = out->depth > 0 && text[out->open[out->depth - 1]] == '{' &&
                  (c == '{' || c == ',' || c == ';');
}

void reading_read(const char *text, reading *out) {
    memset(out, 0, sizeof *out);
    out->text = text;
    read_brackets(text, out);
    if (out->is_string) {
        (void)snprintf(out->word, sizeof out->word, "%s",
                       text + out->word_start);
        read_string_place(text, out);
        return;
    }
    read_word_place(text, strlen(text), out);
}

/* --- which table is being written ----------------------------------------- */

const bind_record *reading_record(const reading *at, int depth) {
    char name[READING_NAME];
    reading before;
    if (depth < 1) return NULL;
    const char *text = at->text;
    size_t open = at->open[depth - 1];
    size_t end = skip_blanks(text, open);
    char c = end > 0 ? text[end - 1] : '\0';
    if (text[open] == '{' && c == '=') { /* at = { */
        const bind_record *outer = reading_record(at, depth - 1);
        (void)take_word(text, skip_blanks(text, end - 1), name);
        const bind_field *field =
            outer ? api_find_field(outer->fields, name, strlen(name)) : NULL;
        return field && field->type ? api_find_record(field->type) : NULL;
    }
    if (c == '(' || c == ',' || c == '{') { /* one of several arguments */
        return reading_record(at, depth - 1);
    }
    take_call(text, end, &before);
    const bind_function *function =
        api_find_function(before.call, before.is_method);
    return function ? api_find_record(function->arguments) : NULL;
}
