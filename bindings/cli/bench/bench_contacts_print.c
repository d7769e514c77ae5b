/* bindings/cli/bench/bench_contacts_print.c -- sandbell bench contacts: prints
 * the measurements as a table or as JSON.
 * Thread: control. */
#include "bindings/cli/bench/bench_contacts_print.h"

#include "bindings/cli/console/terminal.h"
#include "runtime/bench/bench_contacts.h"
#include "runtime/bench/bench_energy.h"
#include "runtime/bench/bench_rolling.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static void add_load(cJSON *to, const char *name,
                     const sb_bench_contacts_load *load) {
    cJSON *json = cJSON_AddObjectToObject(to, name);
    (void)cJSON_AddNumberToObject(json, "p50", load->p50);
    (void)cJSON_AddNumberToObject(json, "p99", load->p99);
    (void)cJSON_AddNumberToObject(json, "best", load->best);
    (void)cJSON_AddNumberToObject(json, "strikers_realtime", load->realtime);
    (void)cJSON_AddNumberToObject(json, "solves_per_s", load->solves_per_s);
}

static void add_rolling_load(cJSON *to, const char *name,
                             const sb_bench_rolling_load *load) {
    cJSON *json = cJSON_AddObjectToObject(to, name);
    (void)cJSON_AddNumberToObject(json, "p50", load->p50);
    (void)cJSON_AddNumberToObject(json, "p99", load->p99);
    (void)cJSON_AddNumberToObject(json, "best", load->best);
    (void)cJSON_AddNumberToObject(json, "force", load->force);
}

static void add_rolling(cJSON *to, const sb_bench_rolling_result *r) {
    cJSON *json = cJSON_AddObjectToObject(to, "rolling");
    (void)cJSON_AddNumberToObject(json, "voices", r->voices);
    (void)cJSON_AddNumberToObject(json, "body_modes", r->body_modes);
    add_rolling_load(json, "impacts", &r->impacts);
    add_rolling_load(json, "impacts_and_profile", &r->profile);
}

static int print_json(const sb_bench_contacts_result *r,
                      const sb_bench_rolling_result *rolling) {
    cJSON *json = cJSON_CreateObject();
    cJSON *contacts = cJSON_AddObjectToObject(json, "contacts");
    (void)cJSON_AddNumberToObject(contacts, "strikers", r->strikers);
    (void)cJSON_AddNumberToObject(contacts, "body_modes", r->body_modes);
    (void)cJSON_AddStringToObject(contacts, "isa", r->isa);
    add_load(contacts, "pressing", &r->pressing);
    add_load(contacts, "striking", &r->striking);
    add_rolling(contacts, rolling);
    char *text = cJSON_Print(json);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

static void print_load(const char *what, const sb_bench_contacts_load *load) {
    (void)printf(
        "  %-28s p50 %3.0f %%, p99 %3.0f %%, best %3.0f %% of a block; "
        "%.0f in real time, %.1f million solves/s\n",
        what, 100.0 * load->p50, 100.0 * load->p99, 100.0 * load->best,
        load->realtime, load->solves_per_s * 1e-6);
}

static void print_rolling_load(const char *what,
                               const sb_bench_rolling_load *load) {
    (void)printf(
        "  %-28s p50 %3.0f %%, p99 %3.0f %%, best %3.0f %% of a block; "
        "the forces alone %.0f %%\n",
        what, 100.0 * load->p50, 100.0 * load->p99, 100.0 * load->best,
        100.0 * load->force);
}

static void print_rolling(const sb_bench_rolling_result *r) {
    (void)printf("\n%d rolling voices of %d modes each, a moving contact on "
                 "every one: force, ringing and driving\n\n",
                 r->voices, r->body_modes);
    print_rolling_load("micro-impacts", &r->impacts);
    print_rolling_load("micro-impacts and profile", &r->profile);
}

int bench_contacts_run(bool is_json) {
    sb_error err;
    sb_bench_contacts_result result;
    sb_bench_rolling_result rolling;
    progress_show("measuring", -1.0, "a few seconds");
    sb_status status = sb_bench_contacts(&result, &err);
    if (!status) status = sb_bench_rolling(&rolling, &err);
    progress_end();
    if (status) return fail_with(&err);
    if (is_json) return print_json(&result, &rolling);
    (void)printf("%d nonlinear impacts at once on bodies of %d modes at 48 kHz "
                 "in blocks of 128 frames, one core, %s\n\n",
                 result.strikers, result.body_modes, result.isa);
    print_load("all pressing in every frame", &result.pressing);
    print_load("all striking in every block", &result.striking);
    print_rolling(&rolling);
    return EXIT_OK;
}

/* --- the energy campaign -------------------------------------------------- */

static void add_impacts(cJSON *to, const char *name,
                        const sb_bench_energy_impacts *impacts) {
    cJSON *json = cJSON_AddObjectToObject(to, name);
    (void)cJSON_AddNumberToObject(json, "sets", (double)impacts->sets);
    (void)cJSON_AddNumberToObject(json, "touched", (double)impacts->touched);
    (void)cJSON_AddNumberToObject(json, "not_finite",
                                  (double)impacts->not_finite);
    (void)cJSON_AddNumberToObject(json, "gained", (double)impacts->gained);
    (void)cJSON_AddNumberToObject(json, "worst_gain", impacts->worst);
}

static void print_energy_json(const sb_bench_energy_result *r) {
    cJSON *json = cJSON_CreateObject();
    cJSON *energy = cJSON_AddObjectToObject(json, "energy");
    add_impacts(energy, "gradient", &r->gradient);
    add_impacts(energy, "kmethod", &r->kmethod);
    (void)cJSON_AddNumberToObject(energy, "steps", (double)r->steps);
    (void)cJSON_AddNumberToObject(energy, "gradient_iterations",
                                  r->gradient_iterations);
    (void)cJSON_AddNumberToObject(energy, "kmethod_iterations",
                                  r->kmethod_iterations);
    (void)cJSON_AddNumberToObject(energy, "steps_not_finite",
                                  (double)r->not_finite);
    (void)cJSON_AddNumberToObject(energy, "worst_miss", r->miss);
    char *text = cJSON_Print(json);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
}

static void print_impacts(const char *what, const sb_bench_energy_impacts *b) {
    (void)printf(
        "  %-10s %8ld impacts, %ld touched; %ld not finite, %ld gained "
        "more than 1e-9; most %.2g\n",
        what, b->sets, b->touched, b->not_finite, b->gained, b->worst);
}

int bench_energy_run(double sets, bool is_json) {
    sb_error err;
    sb_bench_energy_result r;
    progress_show("measuring", -1.0, "some minutes for a million");
    sb_status status = sb_bench_energy((long)sets, 1, &r, &err);
    progress_end();
    if (status) return fail_with(&err);
    if (is_json) {
        print_energy_json(&r);
    } else {
        (void)printf("random impacts over twelve decades: does one ever give "
                     "more energy than it had?\n\n");
        print_impacts("gradient", &r.gradient);
        print_impacts("kmethod", &r.kmethod);
        (void)printf("  %-10s %8ld solved, %ld not finite; iterations: "
                     "gradient %.2f (most %d), kmethod %.2f (most %d); "
                     "gradient off its root by %.2g at most\n",
                     "steps", r.steps, r.not_finite, r.gradient_mean,
                     r.gradient_iterations, r.kmethod_mean,
                     r.kmethod_iterations, r.miss);
    }
    bool is_well = r.gradient.gained == 0 && r.gradient.not_finite == 0 &&
                   r.kmethod.not_finite == 0 && r.not_finite == 0;
    return is_well ? EXIT_OK : EXIT_SCRIPT;
}
