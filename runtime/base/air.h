/* SPDX-License-Identifier: MIT */
/* runtime/base/air.h -- the air that carries sound.
 *
 * Sound travels at c = 331.3 sqrt(1 + T / 273.15 K) m/s and loses a(f) decibels
 * per metre, most at high frequencies: classical losses proportional to f^2,
 * and the relaxation of oxygen and nitrogen, which depends on humidity.
 *
 * Thread: any. Memory: plain values.
 * Source: ISO 9613-1:1993, 6.
 */
#pragma once

#include <stdbool.h>

/* Air at 20 C: what bodies radiate into. */
#define SB_AIR_DENSITY 1.204 /* kg/m^3 */
#define SB_AIR_SPEED   343.2 /* m/s */

/* What stands in the way of a sound is known at these frequencies. */
#define SB_SHADE_LOW_HZ  500.0
#define SB_SHADE_HIGH_HZ 4000.0

typedef struct sb_air {
    double temperature_c; /* -50 .. 60; default 20 */
    double humidity;      /* relative, percent, 0 .. 100; default 50 */
    double pressure_kpa;  /* 1 .. 1000; default 101.325 */
    bool absorbs;         /* default true */
} sb_air;

sb_air sb_air_default(void);
bool sb_air_is_same(const sb_air *a, const sb_air *b);

double sb_air_speed(const sb_air *air); /* speed of sound, m/s */
double sb_air_loss_db_m(const sb_air *air, double freq_hz);
