/* Energies in bands one ERB apart (bands.h). Thread: any. */
#include "runtime/model/sound/bands.h"

#include <math.h>

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
