/* SPDX-License-Identifier: MIT */
#include "runtime/base/air.h"

#include <math.h>

sb_air sb_air_default(void) {
    return (sb_air){.temperature_c = 20.0,
                    .humidity = 50.0,
                    .pressure_kpa = 101.325,
                    .absorbs = true};
}

bool sb_air_is_same(const sb_air *a, const sb_air *b) {
    return a->temperature_c == b->temperature_c && a->humidity == b->humidity &&
           a->pressure_kpa == b->pressure_kpa && a->absorbs == b->absorbs;
}

double sb_air_speed(const sb_air *air) {
    return 331.3 * sqrt(1.0 + air->temperature_c / 273.15);
}

double sb_air_loss_db_m(const sb_air *air, double freq_hz) {
    double kelvin = air->temperature_c + 273.15;
    double t = kelvin / 293.15, p = air->pressure_kpa / 101.325;
    double saturation =
        pow(10.0, -6.8346 * pow(273.16 / kelvin, 1.261) + 4.6151);
    double h = air->humidity * saturation / p; /* molar, percent */
    double oxygen = p * (24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h));
    double nitrogen =
        p / sqrt(t) * (9.0 + 280.0 * h * exp(-4.170 * (1.0 / cbrt(t) - 1.0)));
    double f2 = freq_hz * freq_hz;
    double relaxing =
        0.01275 * exp(-2239.1 / kelvin) / (oxygen + f2 / oxygen) +
        0.1068 * exp(-3352.0 / kelvin) / (nitrogen + f2 / nitrogen);
    return 8.686 * f2 * (1.84e-11 / p * sqrt(t) + pow(t, -2.5) * relaxing);
}
