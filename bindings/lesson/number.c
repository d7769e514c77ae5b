/* SPDX-License-Identifier: MIT */
#include "bindings/lesson/number.h"

#include "runtime/base/pi.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Units of the same thing have the same letter. */
static const struct unit_row {
    const char *name;
    char measures;
    double scale;
} units[] = {
    {"", '1', 1.0},           {"times", '1', 1.0},    {"modes", '1', 1.0},
    {"s", 's', 1.0},          {"sec", 's', 1.0},      {"secs", 's', 1.0},
    {"second", 's', 1.0},     {"seconds", 's', 1.0},  {"ms", 's', 1e-3},
    {"msec", 's', 1e-3},      {"us", 's', 1e-6},      {"\u00b5s", 's', 1e-6},
    {"\u03bcs", 's', 1e-6},   {"Hz", 'f', 1.0},       {"hertz", 'f', 1.0},
    {"per second", 'f', 1.0}, {"/s", 'f', 1.0},       {"1/s", 'f', 1.0},
    {"beats", 'f', 1.0},      {"kHz", 'f', 1e3},      {"%", '%', 1.0},
    {"dB", 'd', 1.0},         {"decibels", 'd', 1.0}, {"percent", '%', 1.0},
    {"per cent", '%', 1.0}};

static const struct unit_row *find_unit(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length &&
            strncasecmp(units[i].name, name, length) == 0) {
            return &units[i];
        }
    return NULL;
}

bool lesson_has_unit(const char *unit) {
    return find_unit(unit, strlen(unit)) != NULL;
}

static bool skip(const char **at, const char *word) {
    size_t length = strlen(word);
    if (strncasecmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

static void skip_blanks(const char **at) {
    while (skip(at, " ") || skip(at, "\t") || skip(at, "\u00a0")) {
    }
}

static bool is_of_thousands(const char *digits, size_t before,
                            const char *comma) {
    size_t after = strspn(comma + 1, "0123456789");
    return *digits != '0' && (before == 2 || before == 3) && after == 3;
}

/* 12, 1.5, ,5, 14,037, 1.5e3 */
static bool read_digits(const char **at, double *out) {
    char plain[64];
    size_t length = strspn(*at, "0123456789.,"), used = 0, points = 0;
    bool has_digit = false;
    if (length == 0 || length > 40) return false;
    for (size_t i = 0; i < length; i++) {
        char c = (*at)[i];
        if (c == ',' && is_of_thousands(*at, i, *at + i)) continue;
        points += c == '.' || c == ',';
        has_digit = has_digit || isdigit((unsigned char)c);
        plain[used++] = (char)(c == ',' ? '.' : c);
    }
    *at += length;
    const char *power = *at;
    if (skip(&power, "e")) power += *power == '-' || *power == '+';
    if (power > *at && isdigit((unsigned char)*power)) {
        power += strspn(power, "0123456789");
        if (power - *at > 8) return false;
        memcpy(plain + used, *at, (size_t)(power - *at));
        used += (size_t)(power - *at);
        *at = power;
    }
    plain[used] = '\0';
    *out = strtod(plain, NULL); /* the program keeps the locale "C" */
    return has_digit && points <= 1;
}

static bool read_pi(const char **at, double *value) {
    if (!skip(at, "pi") && !skip(at, "\u03c0")) return false;
    *value *= SB_PI;
    return true;
}

/* -12, pi, 2pi */
static bool read_factor(const char **at, double *out) {
    skip_blanks(at);
    double sign = skip(at, "-") || skip(at, "\u2212") ? -1.0 : 1.0;
    if (sign > 0.0) (void)skip(at, "+");
    *out = 1.0;
    bool is_read = read_digits(at, out);
    is_read = read_pi(at, out) || is_read;
    *out *= sign;
    skip_blanks(at);
    return is_read;
}

bool lesson_number(const char *text, const char *unit, double *out) {
    const char *at = text;
    double value, next;
    skip_blanks(&at);
    if (skip(&at, "~") || skip(&at, "\u2248") || skip(&at, "=") ||
        skip(&at, "about ") || skip(&at, "ca. ")) {
        skip_blanks(&at);
    }
    if (!read_factor(&at, &value)) return false;
    for (;;) {
        const char *before = at;
        bool divides = skip(&at, "/") || skip(&at, "\u00f7");
        if (!divides && !skip(&at, "*") && !skip(&at, "\u00d7")) break;
        if (!read_factor(&at, &next)) {
            at = before; /* 20 /s */
            break;
        }
        value = divides ? value / next : value * next;
    }
    size_t length = strlen(at);
    while (length > 0 && strchr(" \t.", at[length - 1]))
        length--;
    const struct unit_row *typed = find_unit(at, length);
    const struct unit_row *wanted = find_unit(unit, strlen(unit));
    if (!typed || !wanted) return false;
    if (length > 0 && typed->measures != wanted->measures) return false;
    *out = length > 0 ? value * typed->scale / wanted->scale : value;
    return isfinite(*out);
}
