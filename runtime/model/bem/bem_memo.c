/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem_memo.h"

#include "runtime/base/memo.h"
#include "runtime/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* To be increased with every change of a solution. */
enum { VERSION = 1 };

/* One mode, before the coefs of all. */
typedef struct row {
    sb_bem_load load;
    int32_t order;
    float rest;
} row;

static void digest(const void *bytes, size_t count,
                   char text[SB_DIGEST_TEXT_SIZE]) {
    sb_digest_bytes(bytes && count ? bytes : "", count, text);
}

static void key_of(const sb_bem_def *def, const char *what,
                   char key[SB_DIGEST_TEXT_SIZE]) {
    const sb_bem_surface *surface = &def->surface;
    size_t vertices = (size_t)surface->vertex_count;
    size_t modes = (size_t)def->mode_count;
    char parts[4][SB_DIGEST_TEXT_SIZE], text[1024];
    digest(surface->vertices, vertices * sizeof *surface->vertices, parts[0]);
    digest(surface->faces, (size_t)surface->face_count * sizeof *surface->faces,
           parts[1]);
    digest(def->freqs_hz, modes * sizeof *def->freqs_hz, parts[2]);
    digest(def->shapes, modes * vertices * sizeof *def->shapes, parts[3]);
    int length =
        snprintf(text, sizeof text,
                 "%s %d sheet %d centre %a %a %a air %a %a %s %s %s "
                 "%s",
                 what, (int)VERSION, surface->is_sheet, def->centre_m.x,
                 def->centre_m.y, def->centre_m.z, def->density_kg_m3,
                 def->speed_m_s, parts[0], parts[1], parts[2], parts[3]);
    sb_digest_bytes(text, (unsigned long)length, key);
}

/* How many coefs the modes have; -1: the rows cannot be right. */
static long count_coefs(const row *rows, int modes) {
    long total = 0;
    for (int k = 0; k < modes; k++) {
        row one;
        memcpy(&one, rows + k, sizeof one);
        if (one.order < 0 || one.order > SB_HARMONICS_ORDER_MOST ||
            !(one.rest >= 0 && isfinite(one.rest)) ||
            !isfinite(one.load.mass) || !isfinite(one.load.resistance))
            return -1;
        total += sb_harmonics_count(one.order);
    }
    return total;
}

static bool take(const char *bytes, size_t count, int modes,
                 sb_bem_result *out) {
    size_t head = (size_t)modes * sizeof(row);
    if (count < head) return false;
    const row *rows = (const row *)(const void *)bytes;
    long total = count_coefs(rows, modes);
    if (total < 0 || count != head + (size_t)total * sizeof *out->coefs)
        return false;
    *out = (sb_bem_result){
        .patterns = sb_alloc((size_t)modes, sizeof *out->patterns),
        .coefs = sb_alloc((size_t)total, sizeof *out->coefs),
        .loads = sb_alloc((size_t)modes, sizeof *out->loads)};
    if (!out->patterns || !out->coefs || !out->loads) return false;
    memcpy(out->coefs, bytes + head, count - head);
    const float(*at)[2] = (const float(*)[2])out->coefs;
    for (long i = 0; i < total; i++)
        if (!isfinite(at[i][0]) || !isfinite(at[i][1])) return false;
    for (int k = 0; k < modes; k++) {
        out->loads[k] = rows[k].load;
        out->patterns[k] = (sb_pattern){rows[k].order, rows[k].rest, at};
        at += sb_harmonics_count(rows[k].order);
    }
    return true;
}

bool sb_bem_recall(const sb_bem_def *def, char key[SB_DIGEST_TEXT_SIZE],
                   sb_bem_result *out) {
    const sb_memo *memo = sb_memo_used();
    char *bytes = NULL;
    size_t count = 0;
    key[0] = '\0';
    if (!memo || !memo->find) return false;
    key_of(def, "bem", key);
    if (!memo->find(memo->context, key, &bytes, &count)) return false;
    bool is_whole = take(bytes, count, def->mode_count, out);
    if (!is_whole) sb_bem_result_free(out);
    sb_free(bytes);
    return is_whole;
}

void sb_bem_note(const sb_bem_def *def, const char *key,
                 const sb_bem_result *result) {
    const sb_memo *memo = sb_memo_used();
    if (!memo || !memo->keep || !*key) return;
    size_t head = (size_t)def->mode_count * sizeof(row), total = 0;
    for (int k = 0; k < def->mode_count; k++)
        total += (size_t)sb_harmonics_count(result->patterns[k].order);
    char *bytes = sb_alloc(1, head + total * sizeof *result->coefs);
    if (!bytes) return;
    row *rows = (row *)(void *)bytes;
    char *at = bytes + head;
    for (int k = 0; k < def->mode_count; k++) {
        const sb_pattern *pattern = &result->patterns[k];
        size_t size =
            (size_t)sb_harmonics_count(pattern->order) * sizeof *result->coefs;
        rows[k] = (row){result->loads[k], pattern->order, pattern->rest};
        memcpy(at, pattern->coefs, size);
        at += size;
    }
    memo->keep(memo->context, key, bytes, (size_t)(at - bytes));
    sb_free(bytes);
}

bool sb_bem_recall_rigid(const sb_bem_def *def, char key[SB_DIGEST_TEXT_SIZE],
                         sb_bem_rigid *out) {
    const sb_memo *memo = sb_memo_used();
    char *bytes = NULL;
    size_t count = 0;
    key[0] = '\0';
    if (!memo || !memo->find) return false;
    key_of(def, "rigid", key);
    if (!memo->find(memo->context, key, &bytes, &count)) return false;
    bool is_whole = count == sizeof *out;
    const double *numbers = (const double *)(const void *)bytes;
    for (size_t i = 0; is_whole && i < sizeof *out / sizeof *numbers; i++)
        is_whole = isfinite(numbers[i]);
    if (is_whole) memcpy(out, bytes, sizeof *out);
    sb_free(bytes);
    return is_whole;
}

void sb_bem_note_rigid(const char *key, const sb_bem_rigid *rigid) {
    const sb_memo *memo = sb_memo_used();
    if (memo && memo->keep && *key)
        memo->keep(memo->context, key, (const char *)rigid, sizeof *rigid);
}
