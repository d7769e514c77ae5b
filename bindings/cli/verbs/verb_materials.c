/* SPDX-License-Identifier: MIT */
/* bindings/cli/verbs/verb_materials.c -- sandbell materials: prints the library
 * of materials with its sources. */
#include "bindings/cli/console/console.h"
#include "runtime/model/material.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 64, SOURCE_COLUMNS = 78, SOURCE_INDENT = 15 };

typedef struct materials_options {
    bool wants_json;
} materials_options;

#define AT(field) offsetof(materials_options, field)
const option_row materials_rows[] = {
    FLAG_ROW("--json", wants_json, "print one JSON object"),
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

/* The standard bar is one that sounds at 1 kHz. */
static const double standard_hz = 1000;

static double t60_s(const sb_material *material) {
    return 2.2 / (sb_material_loss(material, standard_hz) * standard_hz);
}

static void print_values(int i) {
    const sb_material *m = sb_material_at(i);
    (void)printf("%-14s %6g %6.4g", sb_material_name(i), m->density,
                 m->youngs_modulus / 1e9);
    if (sb_material_is_orthotropic(m)) {
        (void)printf(" %6.3g %6.3g", m->youngs_modulus_across / 1e9,
                     m->shear_modulus / 1e9);
    } else {
        (void)printf("      -      -");
    }
    (void)printf(" %5.2f %9.3g %8.1e %7.1e %7.3g %9.2g %8.3g %4.2f %5.2f\n",
                 m->poisson_ratio, m->alpha, m->beta,
                 sb_material_loss(m, standard_hz), t60_s(m), m->hardness,
                 m->roughness * 1e6, m->restitution, m->friction);
}

/* Filled to SOURCE_COLUMNS, later lines indented. */
static void print_source(int i) {
    int column = printf("%-*s", SOURCE_INDENT - 1, sb_material_name(i));
    for (const char *at = sb_material_source(i); *at;) {
        int length = (int)strcspn(at, " ");
        if (column + 1 + length > SOURCE_COLUMNS) {
            (void)printf("\n%*s", SOURCE_INDENT - 1, "");
            column = SOURCE_INDENT - 1;
        }
        column += printf(" %.*s", length, at);
        at += length;
        at += strspn(at, " ");
    }
    (void)printf("\n");
}

static void print_table(const int *rows, int count) {
    (void)printf("material       kg/m^3  E GPa across  G GPa    nu alpha 1/s "
                 "  beta s     eta   T60 s  hard N/m rough um    e    mu\n");
    for (int i = 0; i < count; i++)
        print_values(rows[i]);
    (void)printf(
        "\nE: Young's modulus, of wood along and across the grain; G: shear "
        "modulus; nu:\nPoisson's ratio; eta: loss factor at 1 kHz, alpha / w + "
        "beta w with w = 2 pi f;\nT60 = 2.2 / (eta f): of a bar that sounds at "
        "1 kHz; hard: stiffness of a\ncontact; e: restitution of a ball on a "
        "massive block; mu: friction. An\nisotropic material has no number "
        "across, and G = E / (2 (1 + nu)).\n\nsources\n");
    for (int i = 0; i < count; i++)
        print_source(rows[i]);
}

static cJSON *json_of(int i) {
    const sb_material *m = sb_material_at(i);
    cJSON *json = cJSON_CreateObject();
    add_text(json, "name", sb_material_name(i));
    for (const sb_field *field = sb_material_fields; field->name; field++)
        add_number(json, field->name, sb_field_value(field, m));
    add_number(json, "loss_1khz", sb_material_loss(m, standard_hz));
    add_number(json, "t60_1khz_s", t60_s(m));
    add_text(json, "source", sb_material_source(i));
    return json;
}

static int print_list(const int *rows, int count) {
    cJSON *root = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(root, "materials");
    for (int i = 0; i < count; i++)
        (void)cJSON_AddItemToArray(list, json_of(rows[i]));
    return print_json(root);
}

static int row_of(const char *name) {
    int i = 0;
    while (i < sb_material_count() && strcmp(sb_material_name(i), name) != 0)
        i++;
    return i;
}

int materials_main(int argc, char **argv) {
    materials_options options = {0};
    const char *names[MOST_NAMES] = {NULL};
    if (!parse_options(&verb_materials, argc, argv, &options, names, 0,
                       MOST_NAMES)) {
        return EXIT_USAGE;
    }
    int rows[MOST_NAMES], count = 0;
    while (count < MOST_NAMES && names[count]) {
        rows[count] = row_of(names[count]);
        if (rows[count] == sb_material_count()) {
            const char *alike = sb_material_alike(names[count]);
            return complain(
                "materials",
                "there is no material '%s'%s%s (sandbell materials lists them)",
                names[count], alike ? "; like it are " : "",
                alike ? alike : "");
        }
        count++;
    }
    if (count == 0) {
        for (; count < sb_material_count() && count < MOST_NAMES; count++)
            rows[count] = count;
    }
    if (options.wants_json) return print_list(rows, count);
    print_table(rows, count);
    return EXIT_OK;
}
