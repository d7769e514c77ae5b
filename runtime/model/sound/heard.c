/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/heard.h"

#include "runtime/base/memo.h"
#include "runtime/base/memory.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/patterns.h"
#include "runtime/model/profile.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* To be increased with every change of what is heard. */
enum { VERSION = 1 };

typedef struct head {
    int32_t mode_count, exact_count, has_patterns, spare;
} head;

/* One mode; its coefs follow all rows. */
typedef struct row {
    double radiation, slope;
    sb_pattern_head pattern;
} row;

/* --- the key -------------------------------------------------------------- */

enum { NUMBERS = 4 + SB_MODE_COEFS };

/* Frequency and shape of all modes. */
static bool digest_modes(const sb_model *model,
                         char text[SB_DIGEST_TEXT_SIZE]) {
    size_t count = (size_t)model->mode_count;
    double(*all)[NUMBERS] = sb_alloc(count, sizeof *all);
    if (!all) return false;
    for (size_t k = 0; k < count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        const double first[4] = {model->modes[k].freq_hz, shape->kind, shape->m,
                                 shape->n};
        memcpy(all[k], first, sizeof first);
        memcpy(all[k] + 4, shape->c, sizeof shape->c);
    }
    sb_digest_bytes(all, count * sizeof *all, text);
    sb_free(all);
    return true;
}

static bool find_key(const sb_model *model, char key[SB_DIGEST_TEXT_SIZE]) {
    const sb_shape *shape = &model->shape;
    const sb_material *material = &model->material;
    char modes[SB_DIGEST_TEXT_SIZE], profile[SB_DIGEST_TEXT_SIZE] = "";
    char sizes[SB_DIGEST_TEXT_SIZE], text[1024];
    double lengths[SB_SHAPE_SIZE_COUNT];
    sb_shape_sizes(shape, lengths);
    sb_digest_bytes(lengths, sizeof lengths, sizes);
    if (shape->profile) {
        size_t points = (size_t)sb_profile_count(shape->profile);
        sb_digest_bytes(sb_profile_points(shape->profile),
                        points * sizeof(sb_profile_point), profile);
    }
    if (!digest_modes(model, modes)) return false;
    int length = snprintf(
        text, sizeof text,
        "heard %d kind %d support %d theory %d cut %d max %a mass %a "
        "E %a %a rho %a nu %a G %a sizes %s profile %s modes %s",
        (int)VERSION, (int)shape->kind, (int)shape->support, (int)shape->theory,
        model->is_cut, model->limits.max_hz, model->mass_kg,
        material->youngs_modulus, material->youngs_modulus_across,
        material->density, material->poisson_ratio, material->shear_modulus,
        sizes, profile, modes);
    sb_digest_bytes(text, (unsigned long)length, key);
    return true;
}

/* --- as bytes ------------------------------------------------------------- */

static bool are_sound(const row *rows, int count) {
    for (int k = 0; k < count; k++) {
        double g = rows[k].radiation;
        if (!(g >= 0 && isfinite(g) && isfinite(rows[k].slope))) return false;
    }
    return true;
}

static bool take_patterns(sb_model *model, const row *rows, const char *bytes,
                          size_t count) {
    size_t modes = (size_t)model->mode_count;
    sb_pattern_head *heads = sb_alloc(modes, sizeof *heads);
    bool is_damaged = true;
    for (size_t k = 0; heads && k < modes; k++)
        heads[k] = rows[k].pattern;
    if (heads) {
        model->patterns = sb_patterns_unpack(
            model->mode_count, heads, (const float(*)[2])(const void *)bytes,
            count / sizeof(float[2]), &is_damaged);
    }
    sb_free(heads);
    return model->patterns != NULL;
}

static bool take(sb_model *model, const char *bytes, size_t count) {
    head first;
    size_t modes = (size_t)model->mode_count;
    size_t end = sizeof first + modes * sizeof(row);
    if (count < end) return false;
    memcpy(&first, bytes, sizeof first);
    const row *rows = (const row *)(const void *)(bytes + sizeof first);
    if (first.mode_count != model->mode_count ||
        !are_sound(rows, model->mode_count))
        return false;
    if (first.has_patterns &&
        !take_patterns(model, rows, bytes + end, count - end))
        return false;
    model->exact_count = first.exact_count;
    for (size_t k = 0; k < modes; k++) {
        model->modes[k].radiation = rows[k].radiation;
        model->slopes[k] = rows[k].slope;
    }
    return true;
}

bool sb_heard_recall(sb_model *model, char key[SB_DIGEST_TEXT_SIZE]) {
    const sb_memo *memo = sb_memo_used();
    char *bytes = NULL;
    size_t count = 0;
    key[0] = '\0';
    if (!memo || !memo->find || !find_key(model, key) ||
        !memo->find(memo->context, key, &bytes, &count))
        return false;
    bool is_whole = take(model, bytes, count);
    sb_free(bytes);
    return is_whole;
}

void sb_heard_note(const sb_model *model, const char *key) {
    const sb_memo *memo = sb_memo_used();
    if (!memo || !memo->keep || !*key) return;
    const sb_patterns *patterns = model->patterns;
    size_t modes = (size_t)model->mode_count;
    size_t coefs = patterns ? sb_patterns_coef_count(patterns) : 0;
    size_t end = sizeof(head) + modes * sizeof(row);
    char *bytes = sb_alloc(1, end + coefs * sizeof(float[2]));
    sb_pattern_head *heads = sb_alloc(modes, sizeof *heads);
    if (bytes && heads) {
        const head first = {model->mode_count, model->exact_count,
                            patterns != NULL, 0};
        memcpy(bytes, &first, sizeof first);
        if (patterns)
            sb_patterns_pack(patterns, heads,
                             (float(*)[2])(void *)(bytes + end));
        row *rows = (row *)(void *)(bytes + sizeof first);
        for (size_t k = 0; k < modes; k++)
            rows[k] =
                (row){model->modes[k].radiation, model->slopes[k], heads[k]};
        memo->keep(memo->context, key, bytes, end + coefs * sizeof(float[2]));
    }
    sb_free(bytes);
    sb_free(heads);
}
