/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/compress.h"

#include "runtime/base/memory.h"

#include <math.h>

/* --- bands ---------------------------------------------------------------- */

void sb_bands_add(double bands[SB_BANDS], double freq_hz, double energy) {
    double place = 21.4 * log10(1 + 0.00437 * freq_hz); /* ERB number */
    int low = (int)fmin(floor(place), SB_BANDS - 2);
    double part = fmin(place - low, 1);
    bands[low] += energy * (1 - part);
    bands[low + 1] += energy * part;
}

double sb_bands_error_db(const double before[SB_BANDS],
                         const double after[SB_BANDS]) {
    double sum = 0, weight = 0;
    for (int b = 0; b < SB_BANDS; b++) {
        if (!(before[b] > 0 && after[b] > 0)) continue;
        double db = 10 * log10(after[b] / before[b]);
        sum += before[b] * db * db;
        weight += before[b];
    }
    return weight > 0 ? sqrt(sum / weight) : 0;
}

/* --- groups --------------------------------------------------------------- */

/* The anchors of DLC (physics 2.7). */
#define LOW_HZ  20.0
#define MID_HZ  2000.0
#define HIGH_HZ 22000.0
#define LOW_DLC 2.0
#define MID_DLC 6.0
#define TOP_DLC 230.0

/* Two modes nearer than this have the same frequency; they differ by
 * rounding. */
#define SAME_PITCH 1e-6

/* L is complete when the rest of C's diagonal is below this share of its
 * largest entry. */
#define RANK_TOLERANCE 1e-14

double sb_compress_dlc_hz(double freq_hz) {
    if (freq_hz <= LOW_HZ) return LOW_DLC;
    if (freq_hz < MID_HZ) {
        return LOW_DLC +
               (MID_DLC - LOW_DLC) * (freq_hz - LOW_HZ) / (MID_HZ - LOW_HZ);
    }
    return MID_DLC +
           (TOP_DLC - MID_DLC) * (freq_hz - MID_HZ) / (HIGH_HZ - MID_HZ);
}

double sb_compress_limens(double freq_hz) {
    const double low_rate = (MID_DLC - LOW_DLC) / (MID_HZ - LOW_HZ);
    const double high_rate = (TOP_DLC - MID_DLC) / (HIGH_HZ - MID_HZ);
    double dlc = sb_compress_dlc_hz(freq_hz);
    if (freq_hz <= LOW_HZ) return (freq_hz - LOW_HZ) / LOW_DLC;
    if (freq_hz < MID_HZ) return log(dlc / LOW_DLC) / low_rate;
    return log(MID_DLC / LOW_DLC) / low_rate + log(dlc / MID_DLC) / high_rate;
}

void sb_compress_pool(double *freqs_hz, int mode_count) {
    for (int first = 0; first < mode_count;) {
        int end = first + 1;
        double sum = freqs_hz[first];
        while (end < mode_count && freqs_hz[end] - freqs_hz[end - 1] <=
                                       SAME_PITCH * freqs_hz[end - 1]) {
            sum += freqs_hz[end++];
        }
        double mean = sum / (end - first);
        while (first < end)
            freqs_hz[first++] = mean;
    }
}

/* --- one group ------------------------------------------------------------ */

/* C_ij of two modes. Nothing is known of the directions of a mode without a far
 * field: it shares nothing with another. */
static double product_of(const sb_far_set *heard, int i, int j) {
    if (i < heard->far_count && j < heard->far_count) {
        return sb_far_product(&heard->fars[i], &heard->fars[j]);
    }
    return i == j ? heard->levels[i] * heard->levels[i] : 0;
}

/* C of the group's modes, n x n; returns its trace. */
static double far_products(const sb_far_set *heard, int first, int n,
                           double *c) {
    double trace = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double product = product_of(heard, first + i, first + j);
            c[i * n + j] = c[j * n + i] = product;
        }
        trace += c[i * n + i];
    }
    return trace;
}

/* L by outer products, the largest diagonal first: row r of L is the pivot's
 * column of the rest of C over the root of its diagonal. Returns the rank.
 * `c` is used up. */
static int factor(double *c, int n, double scale, double *rows) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, c[i * n + i]);
    int rank = 0;
    for (; rank < n; rank++) {
        int pivot = 0;
        for (int i = 1; i < n; i++) {
            if (c[i * n + i] > c[pivot * n + pivot]) pivot = i;
        }
        double diagonal = c[pivot * n + pivot];
        if (!(diagonal > RANK_TOLERANCE * most)) break;
        double *row = rows + (size_t)rank * (size_t)n;
        for (int j = 0; j < n; j++)
            row[j] = c[pivot * n + j] / sqrt(diagonal);
        for (int i = 0; i < n; i++) {
            if (row[i] == 0) continue; /* most, without far fields */
            for (int j = 0; j < n; j++)
                c[i * n + j] -= row[i] * row[j];
        }
        for (int j = 0; j < n; j++)
            c[pivot * n + j] = c[j * n + pivot] = 0;
    }
    for (int i = 0; i < rank * n; i++)
        rows[i] *= scale;
    return rank;
}

static void one_mode(sb_group *group, const sb_far_set *heard, double *rows) {
    int k = group->first_mode;
    group->radiation = sqrt(product_of(heard, k, k));
    group->row_count = 1;
    rows[0] = 1;
}

/* If all are silent: the root of the sum of squares. */
static void silent_modes(sb_group *group, double *rows) {
    int n = group->mode_count;
    group->row_count = n;
    for (int i = 0; i < n; i++)
        rows[(size_t)i * (size_t)n + (size_t)i] = 1;
}

static void many_modes(sb_group *group, const double *freqs_hz,
                       const sb_far_set *heard, double *c, double *rows) {
    int n = group->mode_count;
    double trace = far_products(heard, group->first_mode, n, c);
    if (!(trace > 0)) {
        silent_modes(group, rows);
        return;
    }
    /* Equal frequencies count by the sum of their C_ii, a trace: so the mean
     * is the same in any basis. */
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += c[i * n + i] / trace * (freqs_hz[i] - freqs_hz[0]);
    group->freq_hz = freqs_hz[0] + sum;
    group->radiation = sqrt(trace / n);
    group->row_count = factor(c, n, 1 / group->radiation, rows);
}

/* --- all groups ----------------------------------------------------------- */

static int group_end(const double *freqs_hz, int first, int count, double merge,
                     double step) {
    double limit = sb_compress_limens(freqs_hz[first]) + step;
    int end = first + 1;
    while (end < count &&
           (freqs_hz[end] == freqs_hz[end - 1] ||
            (merge > 0 && sb_compress_limens(freqs_hz[end]) < limit))) {
        end++;
    }
    return end;
}

/* The number of groups that steps of this size make. */
static int count_groups(const double *freqs_hz, int count, double merge,
                        double step) {
    int groups = 0;
    for (int first = 0; first < count; groups++)
        first = group_end(freqs_hz, first, count, merge, step);
    return groups;
}

/* The extent of each group; returns the largest number of terms in all L. */
static size_t lay_out(const double *freqs_hz, int count, double merge, int most,
                      sb_groups *groups, int *largest) {
    double span = sb_compress_limens(HIGH_HZ);
    double step = merge * (span / (SB_COMPRESS_MOST - 0.5));
    if (merge > 0 && count_groups(freqs_hz, count, merge, step) > most) {
        step = span / (most - 0.5);
    }
    size_t terms = 0;
    for (int first = 0; first < count && groups->group_count < most;) {
        int end = group_end(freqs_hz, first, count, merge, step);
        size_t n = (size_t)(end - first);
        groups->groups[groups->group_count++] =
            (sb_group){.freq_hz = freqs_hz[first],
                       .first_mode = first,
                       .mode_count = end - first,
                       .first_term = terms};
        if (end - first > *largest) *largest = end - first;
        terms += n * n;
        first = end;
    }
    return terms;
}

void sb_groups_free(sb_groups *groups) {
    sb_free(groups->groups);
    sb_free(groups->terms);
    *groups = (sb_groups){0};
}

sb_status sb_compress(const double *freqs_hz, const sb_far *fars,
                      int mode_count, double merge, int most, sb_groups *out,
                      sb_error *err) {
    sb_far_set heard = {.fars = fars, .far_count = mode_count};
    return sb_compress_set(freqs_hz, &heard, mode_count, merge, most, out, err);
}

sb_status sb_compress_set(const double *freqs_hz, const sb_far_set *heard,
                          int mode_count, double merge, int most,
                          sb_groups *out, sb_error *err) {
    sb_groups groups = {0};
    int largest = 1;
    groups.groups = sb_alloc((size_t)mode_count, sizeof *groups.groups);
    size_t terms = 0;
    if (groups.groups) {
        terms = lay_out(freqs_hz, mode_count, merge, most, &groups, &largest);
    }
    groups.terms = sb_alloc(terms, sizeof(double));
    double *c = sb_alloc((size_t)largest * (size_t)largest, sizeof(double));
    if (!groups.groups || !groups.terms || !c) {
        sb_free(c);
        sb_groups_free(&groups);
        return sb_fail(err, SB_NO_MEMORY, "out of memory to merge %d modes",
                       mode_count);
    }
    for (int i = 0; i < groups.group_count; i++) {
        sb_group *group = &groups.groups[i];
        double *rows = groups.terms + group->first_term;
        if (group->mode_count == 1) {
            one_mode(group, heard, rows);
        } else {
            many_modes(group, freqs_hz + group->first_mode, heard, c, rows);
        }
        groups.row_count += group->row_count;
    }
    sb_free(c);
    *out = groups;
    return SB_OK;
}

sb_patterns *sb_patterns_group(const sb_patterns *patterns,
                               const sb_groups *groups) {
    sb_patterns *self = sb_patterns_make(groups->group_count);
    for (int i = 0; self && i < groups->group_count; i++) {
        const sb_group *group = &groups->groups[i];
        const sb_pattern *first = &patterns->modes[group->first_mode];
        bool is_one = group->mode_count == 1 && first->order >= 0;
        if (is_one && !sb_patterns_put(self, i, first)) {
            sb_patterns_free(self);
            return NULL;
        }
        sb_patterns_match(self, i, group->radiation);
    }
    return self;
}
