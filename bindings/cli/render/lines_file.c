/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/lines_file.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINES_MOST = 10000, BYTES_MOST = 256 << 20, COLUMNS_MOST = 64 };

typedef struct reading {
    const char *path;
    lines_file *out;
    sb_error *err;
    int row;             /* of a text, from 1 */
    int freq_column;     /* of a CSV file; -1: a frequency begins each row */
    int label_column;    /* or -1 */
    bool has_many_names; /* several bodies: labels begin with their names */
} reading;

void lines_free(lines_file *lines) {
    sb_free(lines->lines);
    *lines = (lines_file){0};
}

static sb_status add(reading *r, double freq_hz, const char *label) {
    if (r->out->count == LINES_MOST)
        return sb_fail(r->err, SB_BAD_FORMAT, "%.300s: more than %d lines",
                       r->path, LINES_MOST);
    if (!sb_grow_list(r->out->lines, r->out->capacity, r->out->count + 1))
        return sb_fail(r->err, SB_NO_MEMORY, "%.300s: no memory", r->path);
    spectral_line *line = &r->out->lines[r->out->count++];
    line->freq_hz = freq_hz;
    if (label && *label) {
        (void)snprintf(line->label, sizeof line->label, "%s", label);
    } else {
        (void)snprintf(line->label, sizeof line->label,
                       freq_hz < 1000 ? "%.1f Hz" : "%.0f Hz", freq_hz);
    }
    return SB_OK;
}

static bool is_frequency(double freq_hz) {
    return isfinite(freq_hz) && freq_hz > 0.0;
}

/* --- JSON ----------------------------------------------------------------- */

static sb_status add_json(reading *r, const cJSON *item, const char *body,
                          int index) {
    const cJSON *freq = cJSON_GetObjectItemCaseSensitive(item, "freq_hz");
    const char *label =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "label"));
    if (cJSON_IsNumber(item)) freq = item;
    if (!cJSON_IsNumber(freq) || !is_frequency(freq->valuedouble))
        return sb_fail(r->err, SB_BAD_FORMAT,
                       "%.300s: item %d: expected a frequency in Hz above 0, "
                       "or an object with one in freq_hz",
                       r->path, index + 1);
    char both[2 * LINE_LABEL_SIZE];
    if (body && r->has_many_names) {
        (void)snprintf(both, sizeof both, "%.40s %.40s", body,
                       label ? label : "");
        label = both;
    }
    return add(r, freq->valuedouble, label);
}

static sb_status add_array(reading *r, const cJSON *array, const char *body) {
    int index = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        sb_status status = add_json(r, item, body, index++);
        if (status) return status;
    }
    return SB_OK;
}

static sb_status read_json(reading *r, const char *text) {
    cJSON *root = cJSON_Parse(text);
    const cJSON *bodies = cJSON_GetObjectItemCaseSensitive(root, "bodies");
    const cJSON *modes = cJSON_GetObjectItemCaseSensitive(root, "modes");
    sb_status status = SB_OK;
    if (cJSON_IsArray(root)) {
        status = add_array(r, root, NULL);
    } else if (cJSON_IsArray(modes)) {
        status = add_array(r, modes, NULL);
    } else if (cJSON_IsArray(bodies)) {
        const cJSON *body;
        r->has_many_names = cJSON_GetArraySize(bodies) > 1;
        cJSON_ArrayForEach(body, bodies) {
            if (status) break;
            status =
                add_array(r, cJSON_GetObjectItemCaseSensitive(body, "modes"),
                          cJSON_GetStringValue(
                              cJSON_GetObjectItemCaseSensitive(body, "name")));
        }
    } else {
        status = sb_fail(r->err, SB_BAD_FORMAT,
                         root ? "%.300s: expected an array of frequencies, or "
                                "an object with modes or bodies"
                              : "%.300s is not valid JSON",
                         r->path);
    }
    cJSON_Delete(root);
    return status;
}

/* --- text and CSV --------------------------------------------------------- */

static char *trim(char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        text[length - 1] = '\0';
        text++;
    }
    return text;
}

/* Split a row at its commas, semicolons or tabs, none of them inside quotes. */
static int split(char *row, char *cells[COLUMNS_MOST]) {
    int count = 0;
    bool is_quoted = false;
    char *from = row;
    for (char *at = row;; at++) {
        bool is_end = *at == '\0';
        if (*at == '"') is_quoted = !is_quoted;
        if (!is_end && (is_quoted || !strchr(",;\t", *at))) continue;
        *at = '\0';
        if (count < COLUMNS_MOST) cells[count++] = trim(from);
        if (is_end) return count;
        from = at + 1;
    }
}

/* The whole text is a number. */
static bool is_number(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

static int column_of(char *cells[], int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcasecmp(cells[i], name) == 0) return i;
    return -1;
}

static sb_status read_header(reading *r, char *row) {
    char *cells[COLUMNS_MOST], shown[60];
    (void)snprintf(shown, sizeof shown, "%.50s", row);
    int count = split(row, cells);
    r->freq_column = column_of(cells, count, "freq_hz");
    r->label_column = column_of(cells, count, "label");
    if (r->label_column < 0) r->label_column = column_of(cells, count, "mode");
    if (r->freq_column >= 0) return SB_OK;
    return sb_fail(r->err, SB_BAD_FORMAT,
                   "%.300s, line %d: expected a frequency in Hz, or a header "
                   "with a column freq_hz; got '%s'",
                   r->path, r->row, shown);
}

static sb_status read_cells(reading *r, char *row) {
    char *cells[COLUMNS_MOST];
    int count = split(row, cells);
    const char *cell = r->freq_column < count ? cells[r->freq_column] : "";
    double freq_hz;
    if (!is_number(cell, &freq_hz) || !is_frequency(freq_hz))
        return sb_fail(r->err, SB_BAD_FORMAT,
                       "%.300s, line %d: freq_hz: expected a frequency in Hz "
                       "above 0, got '%.50s'",
                       r->path, r->row, cell);
    bool has_label = r->label_column >= 0 && r->label_column < count;
    return add(r, freq_hz, has_label ? cells[r->label_column] : NULL);
}

/* A second number may be the frequency of a table without a header, or what
 * follows a decimal comma: neither is a label. */
static sb_status read_plain(reading *r, char *row) {
    char *end;
    double freq_hz = strtod(row, &end), other;
    bool ends_well = *end == '\0' || strchr(" \t,;", *end);
    if (end == row || !ends_well || !is_frequency(freq_hz))
        return sb_fail(r->err, SB_BAD_FORMAT,
                       "%.300s, line %d: expected a frequency in Hz above 0, "
                       "got '%.50s'",
                       r->path, r->row, row);
    while (*end && strchr(" \t,;", *end))
        end++;
    char *label = trim(end);
    double value;
    other = strtod(label, &end);
    if (is_number(label, &value) ||
        (end != label && strchr(",;", *end) && isfinite(other)))
        return sb_fail(r->err, SB_BAD_FORMAT,
                       "%.300s, line %d: two numbers, '%.50s': which is the "
                       "frequency? Give a header with a column freq_hz",
                       r->path, r->row, row);
    return add(r, freq_hz, label);
}

static sb_status read_text(reading *r, char *text) {
    bool is_first = true;
    r->freq_column = r->label_column = -1;
    for (char *next; text; text = next) {
        next = strchr(text, '\n');
        if (next) *next++ = '\0';
        r->row++;
        char *comment = strchr(text, '#');
        if (comment) *comment = '\0';
        char *row = text + strspn(text, " \t\r"), *end;
        for (size_t n = strlen(row); n > 0 && strchr(" \t\r", row[n - 1]);)
            row[--n] = '\0';
        if (*row == '\0') continue;
        (void)strtod(row, &end);
        sb_status status = is_first && end == row ? read_header(r, row)
                           : r->freq_column >= 0  ? read_cells(r, row)
                                                  : read_plain(r, row);
        if (status) return status;
        is_first = false;
    }
    return SB_OK;
}

/* --- the file ------------------------------------------------------------- */

static sb_status load(const char *path, char **out, sb_error *err) {
    char *text = NULL;
    size_t count;
    sb_status status = sb_in_file_read(path, BYTES_MOST, &text, &count, err);
    if (status) return status;
    if (memchr(text, '\0', count)) {
        sb_free(text);
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s is not a text: it contains zero bytes", path);
    }
    *out = text;
    return SB_OK;
}

static int compare(const void *a, const void *b) {
    double fa = ((const spectral_line *)a)->freq_hz;
    double fb = ((const spectral_line *)b)->freq_hz;
    return (fa > fb) - (fa < fb);
}

sb_status lines_read(lines_file *out, const char *path, sb_error *err) {
    char *text = NULL;
    lines_file made = {0};
    sb_status status = load(path, &text, err);
    if (status) return status;
    reading r = {.path = path, .out = &made, .err = err};
    char *begin = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
    char first = begin[strspn(begin, " \t\r\n")];
    status = first == '{' || first == '[' ? read_json(&r, begin)
                                          : read_text(&r, begin);
    sb_free(text);
    if (!status && made.count == 0)
        status =
            sb_fail(err, SB_BAD_FORMAT, "%.300s contains no frequency", path);
    if (status) {
        lines_free(&made);
        return status;
    }
    qsort(made.lines, (size_t)made.count, sizeof *made.lines, compare);
    *out = made;
    return SB_OK;
}
