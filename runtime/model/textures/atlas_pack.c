/* runtime/model/textures/atlas_pack.c -- charts in rows on a square. */
#include "runtime/model/textures/atlas.h"

#include <math.h>
#include <stdbool.h>

/* Four texels of 256: a bake continues each chart by two. */
#define MARGIN (4.0 / 256)

/* Places rows from the top at this scale; false if they do not fit. */
static bool set_rows(sb_chart *charts, const int *order, int count,
                     double scale, double margin) {
    double x = margin / 2, y = margin / 2, row = 0;
    for (int i = 0; i < count; i++) {
        sb_chart *chart = &charts[order[i]];
        double wide = chart->wide * scale, high = chart->high * scale;
        if (x + wide > 1 - margin / 2) {
            x = margin / 2;
            y += row + margin;
            row = 0;
        }
        if (x + wide > 1 - margin / 2 || y + high > 1 - margin / 2)
            return false;
        chart->x = x;
        chart->y = y;
        x += wide + margin;
        row = fmax(row, high);
    }
    return true;
}

/* Highest first, equal ones in their order: a shell sort with fixed gaps. */
static void sort_by_height(const sb_chart *charts, int *order, int count) {
    static const int gaps[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int g = 0; g < 10; g++) {
        for (int i = gaps[g]; i < count; i++) {
            int chart = order[i], j = i;
            double high = charts[chart].high;
            while (j >= gaps[g]) {
                int before = order[j - gaps[g]];
                double other = charts[before].high;
                if (other > high || (other == high && before < chart)) break;
                order[j] = before;
                j -= gaps[g];
            }
            order[j] = chart;
        }
    }
}

double sb_charts_pack(sb_chart *charts, int *order, int count, double *margin) {
    double longest = 0, low = 0;
    for (int i = 0; i < count; i++)
        longest = fmax(longest, fmax(charts[i].wide, charts[i].high));
    sort_by_height(charts, order, count);
    *margin = MARGIN;
    /* Margins must leave half of the square. */
    while ((double)count * *margin * *margin > 0.25)
        *margin /= 2;
    double high = 1 / longest;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (set_rows(charts, order, count, middle, *margin)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (void)set_rows(charts, order, count, low, *margin);
    return low;
}
