/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/modes_compare.c -- solves a body with every method and
 * compares modes and cost.
 *
 * If a closed form exists, it is the reference: its modes are the rows, and the
 * modes of the other methods are matched to them (modes_match.c) with their
 * deviation. Otherwise the rows are the modes in ascending order. Every method
 * solves afresh; the cache is not used.
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/modes/modes.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"
#include "runtime/model/solve/mesh_prepare.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/model_maker.h"

#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    ROWS_USUAL = 20,
    /* Elements along the longest side for springs-literal: one third of its
     * motions are mechanisms, and all of them must be found. */
    LITERAL_ELEMENTS = 18,
    LITERAL_SECONDS = 30, /* time limit; a mesh cannot be made coarser */
    METHOD_COUNT = SB_METHOD_COUNT - SB_METHOD_ANALYTIC
};

/* Result of one method. */
typedef struct attempt {
    sb_method method;
    sb_status status;
    sb_error err;
    int count;
    double *freqs_hz;
    int *fellows; /* matching mode per row; NULL: in order */
    double seconds;
    bool is_solved; /* the following are valid */
    sb_solution_facts facts;
    int vertex_count;
} attempt;

typedef struct comparison {
    const mode_body *body;
    attempt attempts[METHOD_COUNT];
    bool has_form;
    int row_count;
    sb_model_limits limits; /* limits of the solver */
} comparison;

/* Reset the kernel's peak memory, where that is possible; elsewhere the memory
 * shown is the peak of all methods so far. */
static void forget_peak(void) {
    (void)malloc_trim(0);
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)!write(file, "5", 1);
    (void)close(file);
}

/* --- solving -------------------------------------------------------------- */

static sb_status keep_result(const comparison *all, attempt *self,
                             const sb_model *model) {
    const sb_solution *solution = sb_model_solution(model);
    self->count = solution ? solution->mode_count : sb_model_mode_count(model);
    self->freqs_hz = sb_alloc((size_t)self->count + 1, sizeof(double));
    if (!self->freqs_hz)
        return sb_fail(&self->err, SB_NO_MEMORY, "out of memory");
    double one = sb_solution_lambda(&all->body->material, 1.0);
    for (int k = 0; k < self->count; k++) {
        self->freqs_hz[k] = solution ? sqrt(solution->lambdas[k] / one)
                                     : sb_model_modes(model)[k].freq_hz;
    }
    if (solution) {
        self->is_solved = true;
        self->facts = solution->facts;
        self->seconds = solution->facts.seconds;
        self->vertex_count = solution->vertex_count;
    }
    return SB_OK;
}

typedef struct patience {
    char name[SB_NAME_SIZE + 24];
    double until_s;
} patience;

static bool goes_on(void *context, const char *stage, int done, int expected) {
    patience *self = context;
    return solving_goes_on(self->name, stage, done, expected) &&
           sb_clock_s() < self->until_s;
}

/* A method that exceeded its time limit counts as failed. */
static void judge_end(attempt *self) {
    if (self->status != SB_INTERRUPTED || is_interrupted()) return;
    self->status = sb_fail(&self->err, SB_NO_CONVERGENCE,
                           "not done in %d s, since it has to find all its "
                           "mechanisms; a coarser mesh has fewer",
                           (int)LITERAL_SECONDS);
}

static void attempt_method(const comparison *all, attempt *self) {
    patience limit = {.until_s = INFINITY};
    (void)snprintf(limit.name, sizeof limit.name, "%s (%s)", all->body->name,
                   sb_method_name(self->method));
    sb_maker maker = {.progress = goes_on, .context = &limit};
    sb_shape shape = all->body->shape;
    char why[160];
    if (!sb_wall_allows(&shape, self->method, why, sizeof why)) {
        self->status = sb_fail(&self->err, SB_BAD_ARGUMENT, "%s", why);
        return;
    }
    shape.method = self->method;
    shape.keeps_beats = true;
    if (sb_shape_is_computed(&shape)) {
        shape.max_hz = all->limits.max_hz;
        shape.max_modes = all->limits.max_modes;
    }
    if (self->method == SB_METHOD_SPRINGS_LITERAL) {
        /* Without bending stiffness its first mode is far above the others'. */
        shape.max_hz = all->body->shape.max_hz;
        if (shape.elements == 0) shape.elements = LITERAL_ELEMENTS;
        limit.until_s = sb_clock_s() + LITERAL_SECONDS;
    }
    forget_peak();
    double began_s = sb_clock_s();
    sb_model *model;
    self->status = sb_maker_make(&maker, &shape, &all->body->material,
                                 &all->limits, &model, &self->err);
    self->seconds = sb_clock_s() - began_s;
    solving_end();
    judge_end(self);
    if (self->status) return;
    self->status = keep_result(all, self, model);
    sb_model_release(model);
}

/* The highest frequency of the closed form limits the other methods. */
static void take_form(comparison *all, const modes_options *options) {
    attempt *form = &all->attempts[0];
    attempt_method(all, form);
    all->has_form = !form->status;
    if (form->status) return;
    if (form->count < all->row_count) all->row_count = form->count;
    form->count = all->row_count;
    if (options->max_hz <= 0 && all->row_count > 0) {
        double top_hz = 1.2 * form->freqs_hz[all->row_count - 1];
        all->limits.max_hz = fmin(top_hz, 1e6);
    }
    all->limits.max_modes = (int)fmin(2.0 * all->row_count + 20, 4096);
}

static sb_status match_attempt(const comparison *all, attempt *self) {
    const attempt *form = &all->attempts[0];
    if (self->status || !all->has_form || self == form) return SB_OK;
    self->fellows = sb_alloc((size_t)all->row_count + 1, sizeof(int));
    if (self->fellows &&
        match_modes(form->freqs_hz, all->row_count, self->freqs_hz, self->count,
                    self->fellows)) {
        return SB_OK;
    }
    return self->status = sb_fail(&self->err, SB_NO_MEMORY, "out of memory");
}

static int run_all(comparison *all, const modes_options *options) {
    bool is_mesh = all->body->shape.kind == SB_SHAPE_MESH;
    int asked = options->mode_count > 0 ? (int)options->mode_count : ROWS_USUAL;
    all->row_count = asked;
    all->limits = sb_model_limits_default();
    all->limits.max_modes = asked;
    if (options->max_hz > 0) all->limits.max_hz = options->max_hz;
    for (int i = 0; i < METHOD_COUNT; i++) {
        attempt *self = &all->attempts[i];
        self->method = (sb_method)(SB_METHOD_ANALYTIC + i);
        if (i == 0 && !is_mesh) {
            take_form(all, options);
        } else if (i > 0) {
            attempt_method(all, self);
            (void)match_attempt(all, self);
        } else {
            self->status = SB_NOT_FOUND;
        }
        if (self->status == SB_INTERRUPTED || is_interrupted()) {
            (void)fail_with(&self->err);
            return EXIT_INTERRUPTED;
        }
    }
    if (all->has_form) return EXIT_OK;
    int most = 0;
    for (int i = 1; i < METHOD_COUNT; i++)
        most = all->attempts[i].count > most ? all->attempts[i].count : most;
    if (most < all->row_count) all->row_count = most;
    return EXIT_OK;
}

/* --- what it gave --------------------------------------------------------- */

/* The mode of an attempt in row k, or -1. */
static int mode_in_row(const attempt *self, int k) {
    if (self->fellows) return self->fellows[k];
    return k < self->count ? k : -1;
}

static int mechanism_count(const comparison *all, const attempt *self) {
    int more = self->facts.rigid_count - mode_body_rigid_motions(all->body);
    return self->is_solved && more > 0 ? more : 0;
}

static bool has_any(const comparison *all) {
    for (int i = 0; i < METHOD_COUNT; i++)
        if (!all->attempts[i].status) return true;
    return false;
}

/* --- as a table ----------------------------------------------------------- */

static const char *title_of(const attempt *self) {
    return self->method == SB_METHOD_ANALYTIC ? "closed form"
                                              : sb_method_name(self->method);
}

static double cents_of(const comparison *all, const attempt *self, int k) {
    return cents_between(self->freqs_hz[mode_in_row(self, k)],
                         all->attempts[0].freqs_hz[k]);
}

static void print_cell(const comparison *all, const attempt *self, int k) {
    int mode = mode_in_row(self, k);
    if (mode < 0) {
        (void)printf(self->fellows ? " %11s %8s" : " %15s", "-", "");
    } else if (self->fellows) {
        (void)printf(" %11.2f %+8.1f", self->freqs_hz[mode],
                     cents_of(all, self, k));
    } else {
        (void)printf(" %15.2f", self->freqs_hz[mode]);
    }
}

/* Row -2 has the titles, -1 the units. */
static void print_modes(const comparison *all) {
    for (int k = -2; k < all->row_count; k++) {
        if (k < 0)
            (void)printf("%4s", k == -2 ? "n" : "");
        else
            (void)printf("%4d", k + 1);
        for (int i = 0; i < METHOD_COUNT; i++) {
            const attempt *self = &all->attempts[i];
            if (self->status) continue;
            if (k == -2)
                (void)printf(self->fellows ? " %20s" : " %15s", title_of(self));
            else if (k == -1)
                (void)printf(self->fellows ? " %11s %8s" : " %15s", "Hz",
                             "cents");
            else
                print_cell(all, self, k);
        }
        (void)printf("\n");
    }
}

static void print_costs(const comparison *all) {
    (void)printf("\n%17s %9s %9s %9s %9s %9s %9s %10s\n", "", "time s", "MB",
                 "vertices", "elements", "dof", "rigid", "mechanisms");
    for (int i = 0; i < METHOD_COUNT; i++) {
        const attempt *self = &all->attempts[i];
        const sb_solution_facts *facts = &self->facts;
        if (self->status) continue;
        (void)printf("%17s %9.3f", title_of(self), self->seconds);
        if (self->is_solved) {
            int mechanisms = mechanism_count(all, self);
            (void)printf(" %9.0f %9d %9d %9d %9d %10d",
                         (double)facts->peak_bytes / 1e6, self->vertex_count,
                         facts->element_count, facts->dof_count,
                         facts->rigid_count - mechanisms, mechanisms);
        }
        (void)printf("\n");
    }
}

static void print_failures(const comparison *all) {
    for (int i = 0; i < METHOD_COUNT; i++) {
        const attempt *self = &all->attempts[i];
        if (self->status && self->status != SB_NOT_FOUND)
            (void)printf("%17s: %s\n", title_of(self), self->err.message);
    }
    (void)printf("\n");
}

static void print_all(const comparison *all) {
    (void)printf("%s: %d %s by all methods%s\n", all->body->name,
                 COUNTED(all->row_count, "mode", "modes"),
                 all->has_form ? ", in cents from the closed form" : "");
    print_modes(all);
    print_costs(all);
    print_failures(all);
}

/* --- as JSON -------------------------------------------------------------- */

static void add_modes(cJSON *json, const comparison *all, const attempt *self) {
    cJSON *modes = cJSON_AddArrayToObject(json, "modes");
    for (int k = 0; k < all->row_count; k++) {
        int mode = mode_in_row(self, k);
        if (mode < 0) continue;
        cJSON *item = cJSON_CreateObject();
        add_number(item, "index", k + 1);
        add_number(item, "freq_hz", self->freqs_hz[mode]);
        if (self->fellows) add_number(item, "cents", cents_of(all, self, k));
        (void)cJSON_AddItemToArray(modes, item);
    }
}

static cJSON *attempt_json(const comparison *all, const attempt *self) {
    cJSON *json = cJSON_CreateObject();
    add_text(json, "method", sb_method_name(self->method));
    if (self->status) {
        add_text(json, "error", self->err.message);
        return json;
    }
    add_number(json, "seconds", self->seconds);
    const sb_solution_facts *facts = &self->facts;
    double values[] = {self->vertex_count,
                       facts->element_count,
                       facts->dof_count,
                       (double)facts->peak_bytes,
                       facts->rigid_count - mechanism_count(all, self),
                       mechanism_count(all, self)};
    static const char *const names[] = {"vertices",    "elements",
                                        "dof",         "peak_rss_bytes",
                                        "rigid_modes", "mechanisms"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add_number(json, names[i], self->is_solved ? values[i] : NAN);
    add_modes(json, all, self);
    return json;
}

static cJSON *all_json(const comparison *all) {
    cJSON *json = cJSON_CreateObject();
    add_text(json, "name", all->body->name);
    add_text(json, "method", "all");
    cJSON *methods = cJSON_AddArrayToObject(json, "methods");
    for (int i = 0; i < METHOD_COUNT; i++) {
        const attempt *self = &all->attempts[i];
        if (self->status == SB_NOT_FOUND) continue;
        (void)cJSON_AddItemToArray(methods, attempt_json(all, self));
    }
    return json;
}

/* --- all of it ------------------------------------------------------------ */

static int tell(const comparison *all, cJSON *bodies) {
    if (!has_any(all)) {
        complain(NULL, "%s: no method finds modes: %s", all->body->name,
                 all->attempts[1].err.message);
        return EXIT_SOLVE;
    }
    if (bodies) {
        (void)cJSON_AddItemToArray(bodies, all_json(all));
    } else {
        print_all(all);
    }
    return EXIT_OK;
}

int compare_methods(const mode_body *body, const modes_options *options,
                    cJSON *bodies) {
    sb_shape_kind kind = body->shape.kind;
    /* A mesh is not solved yet; any other body that has no modes is rigid. */
    bool is_rigid = body->model && sb_model_mode_count(body->model) == 0;
    if (kind == SB_SHAPE_MODES || is_rigid)
        return list_modes(body, options, bodies);
    comparison all = {.body = body};
    int code = run_all(&all, options);
    if (code == EXIT_OK) code = tell(&all, bodies);
    for (int i = 0; i < METHOD_COUNT; i++) {
        sb_free(all.attempts[i].freqs_hz);
        sb_free(all.attempts[i].fellows);
    }
    return code;
}
