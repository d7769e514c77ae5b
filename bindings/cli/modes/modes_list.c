/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/modes_list.c -- prints the modes of a body as a table or
 * as JSON.
 * Thread: control. */
#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "runtime/base/pattern.h"
#include "runtime/base/pi.h"
#include "runtime/model/clicks.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/remark.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LN_1000 6.907755278982137

/* A body and the output it is written to. */
typedef struct mode_listing {
    const mode_body *body;
    const sb_model *model;
    const sb_mode *modes;
    int count;
    double *weights; /* NULL without --at */
} mode_listing;

static double t60_of(const sb_mode *mode) {
    return LN_1000 / mode->sigma_per_s;
}

/* --- as a table ----------------------------------------------------------- */

static sb_played_mode played_of(const mode_body *body, const sb_mode *mode) {
    return sb_discretise(body->discretisation, SB_TAU * mode->freq_hz,
                         mode->sigma_per_s, body->rate_hz);
}

/* How the mode is sampled, if not exactly. */
static void print_played(const mode_listing *listing, const sb_mode *mode) {
    if (listing->body->discretisation == SB_DISCRETISE_EXACT) return;
    sb_played_mode played = played_of(listing->body, mode);
    if (played.is_silent) {
        (void)printf(" %12s %8s", "silent", "-");
    } else {
        (void)printf(" %12.3f %+8.2f", played.omega_rad_s / SB_TAU,
                     played.cents);
    }
}

/* Decay times of the material alone, and of what is radiated alone. */
static void print_losses(const mode_listing *listing, const sb_mode *mode) {
    if (!sb_model_loses(listing->model)) return;
    double air = sb_radiation_loss(mode->radiation);
    (void)printf(" %9.4g %9.4g", LN_1000 / (mode->sigma_per_s - air),
                 LN_1000 / air);
}

/* What its directions are heard without, as a share of its power: 1 if it has
 * none. As modal_aim.h. */
static double left_out(const sb_pattern *pattern) {
    double phase, total = sb_pattern_power(pattern);
    if (pattern->order < 1 || !(total > 0)) return 1;
    double left = 1 - sb_pattern_real(pattern, &phase) / total;
    return left > 0.5 ? 1 : fmax(left, 1e-6);
}

/* The order of its directions, and what they are heard without. */
static void print_directions(const mode_listing *listing, int k) {
    const sb_pattern *patterns = sb_model_patterns(listing->model);
    if (!patterns) return;
    double left = left_out(&patterns[k]);
    if (left < 1)
        (void)printf(" %5d %5.0f", patterns[k].order, 10 * log10(left));
    else
        (void)printf(" %5s %5s", "-", "-");
}

static void print_row(const mode_listing *listing, int k) {
    const sb_mode *mode = &listing->modes[k];
    char note[16], t60[16] = "-", q[16] = "-";
    note_name(mode->freq_hz, note);
    if (mode->sigma_per_s > 0.0) {
        (void)snprintf(t60, sizeof t60, "%.4g", t60_of(mode));
        (void)snprintf(q, sizeof q, "%.4g",
                       SB_PI * mode->freq_hz / mode->sigma_per_s);
    }
    (void)printf("%4d %12.3f  %-8s %8.4f %9s %9s", k + 1, mode->freq_hz, note,
                 mode->freq_hz / listing->modes[0].freq_hz, t60, q);
    print_losses(listing, mode);
    print_directions(listing, k);
    print_played(listing, mode);
    if (listing->weights) (void)printf(" %+12.5f", listing->weights[k]);
    (void)printf("  %s\n", mode->label);
}

static void print_motions(const mode_listing *listing) {
    int rigid = sb_model_rigid_modes(listing->model);
    const sb_solution *solution = sb_model_solution(listing->model);
    if (solution) {
        int mechanisms = solution->facts.rigid_count -
                         mode_body_rigid_motions(listing->body);
        if (mechanisms > 0) {
            (void)printf(", %d mechanisms", mechanisms);
            rigid = mode_body_rigid_motions(listing->body);
        }
    }
    if (rigid) (void)printf(", %d rigid motions", rigid);
}

/* The vertices of a mesh that was made coarser; 0: it was not. */
static int thinned_from(const mode_body *body, const sb_solution *solution) {
    if (!body->shape.mesh || solution->facts.thickness_m == 0) return 0;
    int count = sb_mesh_source_mesh(body->shape.mesh)->vertex_count;
    return count > solution->vertex_count ? count : 0;
}

/* Modes that are stored in a file were solved elsewhere. */
static void print_solve(const mode_listing *listing,
                        const sb_solution_facts *facts) {
    if (facts->dof_count == 0) return;
    (void)printf(", %d elements, %d dof, %s in %.2f s with %.0f MB",
                 facts->element_count, facts->dof_count,
                 listing->body->is_cached ? "cached; solved" : "solved",
                 facts->seconds, (double)facts->peak_bytes / 1e6);
}

static int plain_count(const sb_model *model) {
    const sb_finish_report *report = sb_model_finish_report(model);
    int plain = sb_model_plain_modes(model, NULL, NULL);
    if (report) return sb_model_mode_count(model) + report->merged_count;
    return plain > 0 ? plain : sb_model_mode_count(model);
}

/* Says nothing of the quick law, which is the usual one. */
static void print_radiation(const mode_listing *listing) {
    int exact, all = plain_count(listing->model);
    bool is_exact =
        sb_model_radiating(listing->model, &exact) == SB_RADIATES_EXACT;
    if (listing->body->shape.is_for_deform && all > 0 && !is_exact)
        (void)printf("   radiation: quick, as of the deformable body that it "
                     "can be compared with\n");
    if (!is_exact || all == 0) return;
    (void)printf("   radiation: exact for %d of %d modes", exact, all);
    if (exact < all) (void)printf(", quick for the others");
    (void)printf("\n");
}

static void print_facts(const mode_listing *listing) {
    const sb_solution *solution = sb_model_solution(listing->model);
    const sb_finish_report *report = sb_model_finish_report(listing->model);
    if (!solution) {
        double error_db;
        int plain = sb_model_plain_modes(listing->model, NULL, &error_db);
        if (plain == 0) return;
        (void)printf("   %d merged into others (%.2f dB)\n",
                     plain - sb_model_mode_count(listing->model), error_db);
        return;
    }
    const sb_solution_facts *facts = &solution->facts;
    char thinned[48] = "";
    int before = thinned_from(listing->body, solution);
    if (before > 0)
        (void)snprintf(thinned, sizeof thinned, " (thinned from %d)", before);
    (void)printf("   %d vertices%s", solution->vertex_count, thinned);
    print_solve(listing, facts);
    if (report->merged_count > 0 && listing->body->shape.keeps_beats) {
        int shared = report->merged_count;
        (void)printf("; nothing merged: %d modes, of which %d %s the frequency "
                     "and the line of another",
                     sb_model_mode_count(listing->model) + shared,
                     COUNTED(shared, "has", "have"));
    } else if (report->merged_count > 0) {
        (void)printf("; %d merged into others (%.2f dB)", report->merged_count,
                     report->error_db);
    }
    (void)printf("\n");
}

/* A mesh or an overridden body is not in a scene: it is treated as one there
 * would be. */
static void print_beyond(const mode_listing *listing) {
    sb_beyond_report report = sb_beyond_of(
        listing->model, &listing->body->diffuse, listing->body->is_nonlinear);
    char line[128];
    beyond_line(&report, line, sizeof line);
    if (line[0]) (void)printf("   %s\n", line);
}

/* Its rigid motion, along the axis on which it is loudest. */
static void print_click(const sb_model *model) {
    sb_click clicks[SB_CLICKS_MOST];
    int exact, count = sb_model_clicks(model, clicks), most = 0;
    for (int i = 1; i < count; i++)
        if (clicks[i].peak_pa > clicks[most].peak_pa) most = i;
    if (count > 0) {
        (void)printf(
            "   click: %.0f Hz, T60 %.2g ms, %.0f dB SPL at 1 m when it "
            "is stopped from 1 m/s\n",
            clicks[most].freq_hz, 1e3 * LN_1000 / clicks[most].sigma_per_s,
            20 * log10(clicks[most].peak_pa / 2e-5));
    } else if (sb_model_radiating(model, &exact) == SB_RADIATES_EXACT &&
               sb_model_rigid_modes(model) > 0) {
        (void)printf("   no click: it is in separate parts, or boundary "
                     "elements cannot take its surface\n");
    }
}

static void print_table(const mode_listing *listing) {
    int all = sb_model_mode_count(listing->model);
    const char *theory = sb_model_theory(listing->model);
    (void)printf("%s: %d modes, %s%s%s%s", listing->body->name, all,
                 sb_model_method(listing->model), *theory ? " (" : "", theory,
                 *theory ? ")" : "");
    print_motions(listing);
    (void)printf("\n");
    print_facts(listing);
    print_radiation(listing);
    print_click(listing->model);
    char remark[SB_REMARK_SIZE];
    sb_model_remark(listing->model, remark);
    if (*remark) (void)printf("   %s\n", remark);
    if (sb_shape_size_remark(&listing->body->shape, remark, sizeof remark))
        (void)printf("   %s\n", remark);
    print_beyond(listing);
    if (listing->count == 0) {
        (void)printf("   a rigid body does not ring\n\n");
        return;
    }
    bool is_moved = listing->body->discretisation != SB_DISCRETISE_EXACT;
    (void)printf("%4s %12s  %-8s %8s %9s %9s%s%s%s%s  %s\n", "n", "Hz", "note",
                 "ratio", "T60 s", "Q",
                 sb_model_loses(listing->model) ? "  material       air" : "",
                 sb_model_patterns(listing->model) ? " order  left" : "",
                 is_moved ? "       played    cents" : "",
                 listing->weights ? "       weight" : "", "mode");
    for (int k = 0; k < listing->count; k++)
        print_row(listing, k);
    if (all > listing->count)
        (void)printf("     ... and %d more\n", all - listing->count);
    (void)printf("\n");
}

/* --- as JSON -------------------------------------------------------------- */

static void add_played(cJSON *json, const mode_body *body,
                       const sb_mode *mode) {
    if (body->discretisation == SB_DISCRETISE_EXACT) return;
    sb_played_mode played = played_of(body, mode);
    double hz = played.omega_rad_s / SB_TAU;
    add_number(json, "played_hz", played.is_silent ? NAN : hz);
    add_number(json, "cents", played.is_silent ? NAN : played.cents);
}

/* Of order -1 without coefs: alike in all directions. */
static void add_pattern(cJSON *json, const sb_pattern *pattern) {
    cJSON *to = cJSON_AddObjectToObject(json, "directions");
    add_number(to, "order", pattern->order);
    add_number(to, "rest", (double)pattern->rest);
    add_number(to, "left_out_db", 10 * log10(left_out(pattern)));
    cJSON *coefs = cJSON_AddArrayToObject(to, "coefs");
    for (int i = 0; i < sb_harmonics_count(pattern->order); i++)
        (void)cJSON_AddItemToArray(
            coefs, cJSON_CreateFloatArray(pattern->coefs[i], 2));
}

static cJSON *mode_json(const mode_listing *listing, int k) {
    const sb_mode *mode = &listing->modes[k];
    double omega = 2.0 * SB_PI * mode->freq_hz;
    double damped = omega * omega - mode->sigma_per_s * mode->sigma_per_s;
    cJSON *json = cJSON_CreateObject();
    add_number(json, "index", k + 1);
    add_number(json, "freq_hz", mode->freq_hz);
    add_number(json, "t60_s", t60_of(mode)); /* null without damping */
    add_text(json, "label", mode->label);
    add_number(json, "damped_hz",
               damped > 0.0 ? sqrt(damped) / (2.0 * SB_PI) : 0.0);
    add_number(json, "radiation", mode->radiation);
    if (sb_model_loses(listing->model)) {
        double air = sb_radiation_loss(mode->radiation);
        add_number(json, "t60_material_s", LN_1000 / (mode->sigma_per_s - air));
        add_number(json, "t60_air_s", LN_1000 / air);
    }
    if (sb_model_patterns(listing->model))
        add_pattern(json, &sb_model_patterns(listing->model)[k]);
    add_played(json, listing->body, mode);
    if (listing->weights) add_number(json, "weight", listing->weights[k]);
    return json;
}

/* Add the figures of the solve; null if there was none. */
static void add_facts(cJSON *json, const sb_model *model, bool merges) {
    static const char *const names[] = {"vertices", "elements",       "dof",
                                        "seconds",  "peak_rss_bytes", "merged",
                                        "error_db"};
    enum { COUNT = sizeof names / sizeof names[0] };
    const sb_solution *solution = sb_model_solution(model);
    double values[COUNT] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, error_db;
    int plain = solution ? 0 : sb_model_plain_modes(model, NULL, &error_db);
    if (plain > 0) {
        values[5] = plain - sb_model_mode_count(model);
        values[6] = error_db;
    }
    if (solution) {
        const sb_finish_report *report = sb_model_finish_report(model);
        const sb_solution_facts *facts = &solution->facts;
        values[0] = solution->vertex_count;
        if (facts->dof_count > 0) { /* not stored in a file */
            values[1] = facts->element_count;
            values[2] = facts->dof_count;
            values[3] = facts->seconds;
            values[4] = (double)facts->peak_bytes;
        }
        values[5] = merges ? report->merged_count : 0;
        values[6] = report->error_db;
    }
    for (int i = 0; i < COUNT; i++)
        add_number(json, names[i], values[i]);
}

static void add_clicks(cJSON *json, const sb_model *model) {
    sb_click clicks[SB_CLICKS_MOST];
    int count = sb_model_clicks(model, clicks);
    cJSON *list = cJSON_AddArrayToObject(json, "clicks");
    for (int i = 0; i < count; i++) {
        cJSON *click = cJSON_CreateObject();
        const double axis[3] = {clicks[i].axis.x, clicks[i].axis.y,
                                clicks[i].axis.z};
        add_number(click, "freq_hz", clicks[i].freq_hz);
        add_number(click, "t60_s", LN_1000 / clicks[i].sigma_per_s);
        add_number(click, "peak_pa", clicks[i].peak_pa);
        add_number(click, "energy_j", clicks[i].energy_j);
        (void)cJSON_AddItemToObject(click, "axis",
                                    cJSON_CreateDoubleArray(axis, 3));
        (void)cJSON_AddItemToArray(list, click);
    }
}

static cJSON *body_json(const mode_listing *listing) {
    const char *material = mode_body_material(listing->body);
    cJSON *json = cJSON_CreateObject();
    add_text(json, "name", listing->body->name);
    add_text(json, "method", sb_model_method(listing->model));
    add_text(json, "theory", sb_model_theory(listing->model));
    char remark[SB_REMARK_SIZE];
    sb_model_remark(listing->model, remark);
    add_text(json, "remark", remark);
    if (material) add_text(json, "material", material);
    add_number(json, "rigid_modes", sb_model_rigid_modes(listing->model));
    add_number(json, "mass_kg", sb_model_mass_kg(listing->model));
    add_facts(json, listing->model, !listing->body->shape.keeps_beats);
    int exact;
    bool is_exact =
        sb_model_radiating(listing->model, &exact) == SB_RADIATES_EXACT;
    add_text(json, "radiation", is_exact ? "exact" : "quick");
    add_number(json, "exact_modes", exact);
    add_clicks(json, listing->model);
    cJSON *modes = cJSON_AddArrayToObject(json, "modes");
    for (int k = 0; k < listing->count; k++)
        (void)cJSON_AddItemToArray(modes, mode_json(listing, k));
    return json;
}

/* --- a place -------------------------------------------------------------- */

static bool read_point(const char *text, sb_vec3 *out) {
    double *parts[3] = {&out->x, &out->y, &out->z};
    for (int i = 0; i < 3; i++) {
        char *end;
        *parts[i] = strtod(text, &end);
        if (end == text || !(fabs(*parts[i]) <= 1e6)) return false;
        if (*end != (i < 2 ? ',' : '\0')) return false;
        text = end + 1;
    }
    return true;
}

/* The place given with --at or --point. False: there was none, or the body has
 * no such place; *code is then EXIT_OK, or that of a printed message. */
static bool mode_body_place(const mode_body *body, const modes_options *options,
                            sb_model_point *out, int *code) {
    bool has_at = options->at[0] >= 0.0;
    sb_vec3 point;
    *code = EXIT_OK;
    if (options->point && has_at) {
        *code = complain("modes",
                         "--at and --point are two ways to give one place");
    } else if (options->point && !read_point(options->point, &point)) {
        *code = complain("modes", "--point needs X,Y,Z in metres, got '%s'",
                         options->point);
    } else if (options->point) {
        *out = sb_model_nearest(body->model, point);
        return true;
    } else if (has_at && body->shape.mesh && !sb_model_has_uv(body->model)) {
        *code = complain("modes",
                         "%s has no texture coordinates, so --at has no "
                         "meaning: give a place with --point X,Y,Z (m), or add "
                         "some with sandbell bake --unwrap",
                         body->name);
    }
    if (*code != EXIT_OK || !has_at) return false;
    *out = sb_model_point_at(body->model, options->at[0], options->at[1]);
    return true;
}

/* --- all of it ------------------------------------------------------------ */

/* A strike acts into the surface; a mode shape is shown outwards, positive at
 * the corner u = v = 0. Modes listed by a script have a gain and no direction.
 */
static void show_outward(const mode_listing *listing, int count) {
    if (strcmp(sb_model_method(listing->model), "given") == 0) return;
    for (int k = 0; k < count; k++)
        listing->weights[k] = 0.0 - listing->weights[k];
}

int list_modes(const mode_body *body, const modes_options *options,
               cJSON *bodies) {
    mode_listing listing = {.body = body, .model = body->model};
    listing.modes = sb_model_modes(listing.model);
    int all = sb_model_mode_count(listing.model);
    bool is_limited = options->limit > 0.0 && options->limit < all;
    listing.count = is_limited ? (int)options->limit : all;
    sb_model_point place;
    int code = EXIT_OK;
    bool has_place = mode_body_place(body, options, &place, &code);
    if (code != EXIT_OK) return code;
    if (has_place && all > 0) {
        listing.weights = sb_alloc((size_t)all, sizeof *listing.weights);
        if (!listing.weights) {
            complain("modes", "out of memory");
            return EXIT_SCRIPT;
        }
        sb_model_weights(body->model, place, NULL, listing.weights);
        show_outward(&listing, all);
    }
    if (bodies) {
        (void)cJSON_AddItemToArray(bodies, body_json(&listing));
    } else {
        print_table(&listing);
    }
    sb_free(listing.weights);
    return EXIT_OK;
}
