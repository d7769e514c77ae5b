/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/truth_read.c -- sandbell truth: loads a scene, asks its
 * table `truth` for what was measured, and compares.
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/modes/modes.h"
#include "bindings/cli/modes/truth.h"
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/model/model.h"
#include "runtime/scene/state/body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_MOST_S 3600.0

/* --- what the scene says -------------------------------------------------- */

/* Names the first field that is not one of ours. */
static const char odd_field[] =
    "(function() local known = { object = 1, source = 1, unit = 1, measured = 1,"
    " names = 1, body = 1, modes = 1, computed = 1, run = 1, ratio = 1, rms = 1,"
    " bound = 1, miss = 1 } for name in pairs(truth) do if not known[name] then"
    " return tostring(name) end end return '' end)()";

/* The value of a Lua expression as a text, to be freed with sb_free. */
static sb_status ask(sb_host *host, const char *lua, char **out,
                     sb_error *err) {
    bool is_incomplete;
    sb_status status = sb_host_evaluate(host, lua, out, &is_incomplete, err);
    if (!status && !*out) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    return status;
}

static sb_status ask_text(sb_host *host, const char *field, char *out,
                          size_t size, sb_error *err) {
    char lua[160], *text;
    (void)snprintf(lua, sizeof lua, "tostring(truth.%s or '')", field);
    sb_status status = ask(host, lua, &text, err);
    if (status) return status;
    (void)snprintf(out, size, "%s", text);
    sb_free(text);
    return SB_OK;
}

/* A list of numbers, or one number; `count` is 0 where there is none. */
static sb_status ask_numbers(sb_host *host, const char *what, const char *lua,
                             double *out, int *count, sb_error *err) {
    char asked[500], *text;
    (void)snprintf(
        asked, sizeof asked,
        "(function() local list = %s if type(list) ~= 'table' then "
        "list = { list } end for _, x in ipairs(list) do "
        "if type(x) ~= 'number' then error('truth.%s must be numbers, "
        "not a ' .. type(x), 0) end if x - x ~= 0 then "
        "error('truth.%s must be finite numbers', 0) end end "
        "return table.concat(list, ' ') end)()",
        lua, what, what);
    sb_status status = ask(host, asked, &text, err);
    *count = 0;
    if (status) return status;
    const char *from = text;
    char *end;
    for (double x = strtod(from, &end); end != from; x = strtod(from, &end)) {
        if (*count == TRUTH_VALUES_MOST) {
            status = sb_fail(err, SB_BAD_FORMAT, "truth.%s: at most %d numbers",
                             what, TRUTH_VALUES_MOST);
            break;
        }
        out[(*count)++] = x;
        from = end;
    }
    sb_free(text);
    return status;
}

static sb_status ask_list_text(sb_host *host, const char *field, char **out,
                               sb_error *err) {
    char lua[160];
    (void)snprintf(lua, sizeof lua,
                   "type(truth.%s) == 'table' and '\\n' .. "
                   "table.concat(truth.%s, '\\n') or tostring(truth.%s or '')",
                   field, field, field);
    return ask(host, lua, out, err);
}

static sb_status read_texts(sb_host *host, truth_object *self, sb_error *err) {
    const struct {
        const char *field;
        char *out;
        size_t size;
    } texts[] = {{"object", self->object, sizeof self->object},
                 {"source", self->source, sizeof self->source},
                 {"miss", self->cause, sizeof self->cause},
                 {"unit or 'Hz'", self->unit, sizeof self->unit}};
    char flag[8];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (ask_text(host, texts[i].field, texts[i].out, texts[i].size, err))
            return err->status;
    if (ask_text(host, "ratio", flag, sizeof flag, err)) return err->status;
    self->is_ratio = strcmp(flag, "true") == 0;
    if (self->is_ratio) self->unit[0] = '\0';
    if (ask_text(host, "rms", flag, sizeof flag, err)) return err->status;
    self->is_rms = strcmp(flag, "true") == 0;
    if (!self->object[0] || !self->source[0]) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.object and truth.source are needed: what was "
                       "measured, and by whom");
    }
    return SB_OK;
}

static sb_status read_measured(sb_host *host, truth_object *self,
                               sb_error *err) {
    double measured[TRUTH_VALUES_MOST], bounds[TRUTH_VALUES_MOST];
    int bound_count;
    if (ask_numbers(host, "measured", "truth.measured", measured, &self->count,
                    err) ||
        ask_numbers(host, "bound", "truth.bound", bounds, &bound_count, err))
        return err->status;
    if (self->count == 0)
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.measured is needed: a list of numbers");
    if (bound_count != 1 && (bound_count != self->count || self->is_rms)) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.bound must be one number, or one per measured "
                       "value (%d), in per cent or dB",
                       self->count);
    }
    for (int i = 0; i < self->count; i++) {
        self->values[i].measured = measured[i];
        self->values[i].bound = bounds[bound_count == 1 ? 0 : i];
        if (!(measured[i] != 0.0 || truth_is_level(self)) ||
            !(self->values[i].bound > 0.0))
            return sb_fail(err, SB_BAD_FORMAT,
                           "truth.measured and truth.bound must not be 0");
    }
    return SB_OK;
}

/* --- what is computed ----------------------------------------------------- */

static void set_name(truth_value *value, const char *name, size_t length) {
    (void)snprintf(value->name, sizeof value->name, "%.*s", (int)length, name);
}

/* Take the values from modes: as they come, those whose label begins with a
 * text, or for each value the lowest whose label begins with its own. */
static void take_modes(truth_object *self, const sb_model *model,
                       const char *labels) {
    const sb_mode *modes = sb_model_modes(model);
    double unit_hz = strcmp(self->unit, "kHz") == 0 ? 1000.0 : 1.0;
    bool is_list = labels[0] == '\n';
    for (int i = 0, k = 0; i < self->count; i++) {
        if (is_list) labels += labels[0] == '\n', k = 0;
        size_t length = strcspn(labels, "\n");
        truth_value *value = &self->values[i];
        while (k < sb_model_mode_count(model) &&
               strncmp(modes[k].label, labels, length) != 0)
            k++;
        if (k < sb_model_mode_count(model)) {
            value->has_computed = true;
            value->computed = modes[k].freq_hz / unit_hz;
            set_name(value, modes[k].label, strlen(modes[k].label));
            k++;
        } else {
            set_name(value, labels, length);
        }
        if (is_list) labels += length;
    }
}

static sb_status compute_modes(sb_host *host, truth_object *self,
                               sb_error *err) {
    const sb_scene *scene = sb_host_scene(host);
    char name[TRUTH_NAME_SIZE], *labels;
    if (ask_text(host, "body", name, sizeof name, err)) return err->status;
    if (!name[0] && sb_scene_body_count(scene) != 1) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.body is needed: which of the scene's %d bodies "
                       "was measured",
                       sb_scene_body_count(scene));
    }
    sb_body_id body =
        name[0] ? sb_scene_find(scene, name) : sb_scene_body_at(scene, 0);
    if (!sb_scene_has(scene, body))
        return sb_fail(err, SB_BAD_FORMAT, "truth.body: no body is called '%s'",
                       name);
    sb_status status = ask_list_text(host, "modes", &labels, err);
    if (status) return status;
    take_modes(self, sb_scene_body_model(scene, body), labels);
    sb_free(labels);
    return SB_OK;
}

static sb_status compute_by_script(sb_host *host, double peak,
                                   truth_object *self, sb_error *err) {
    double computed[TRUTH_VALUES_MOST];
    char call[64];
    int count;
    (void)snprintf(call, sizeof call, "truth.computed(%.17g)", peak);
    if (ask_numbers(host, "computed", call, computed, &count, err))
        return err->status;
    if (count != self->count)
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.computed must return as many numbers as were "
                       "measured, %d, not %d",
                       self->count, count);
    for (int i = 0; i < count; i++) {
        self->values[i].computed = computed[i];
        self->values[i].has_computed = true;
    }
    return SB_OK;
}

static sb_status read_names(sb_host *host, truth_object *self, sb_error *err) {
    char *names;
    sb_status status = ask_list_text(host, "names", &names, err);
    if (status) return status;
    const char *at = names;
    for (int i = 0; i < self->count && *at; i++) {
        at += *at == '\n';
        size_t length = strcspn(at, "\n");
        set_name(&self->values[i], at, length);
        at += length;
    }
    sb_free(names);
    return SB_OK;
}

bool truth_must_stop(void *user, double now_s) {
    (void)user;
    (void)now_s;
    return is_interrupted();
}

static sb_status compute(sb_host *host, truth_object *self, sb_error *err) {
    char kind[16];
    double seconds[TRUTH_VALUES_MOST], peak = 0.0;
    sb_host_hooks hooks = {.must_stop = truth_must_stop};
    int count;
    if (ask_numbers(host, "run", "truth.run", seconds, &count, err))
        return err->status;
    if (count > 0 && !(seconds[0] > 0.0 && seconds[0] <= RUN_MOST_S))
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.run must be above 0 and at most %g s",
                       RUN_MOST_S);
    if (count > 0 && sb_host_run(host, &hooks, seconds[0], &peak, err))
        return err->status;
    if (ask_text(host, "computed and 'function'", kind, sizeof kind, err))
        return err->status;
    return kind[0] ? compute_by_script(host, peak, self, err)
                   : compute_modes(host, self, err);
}

/* --- the comparison ------------------------------------------------------- */

bool truth_is_level(const truth_object *object) {
    return strcmp(object->unit, "dB") == 0;
}

bool truth_is_pitch(const truth_object *object) {
    return object->is_ratio || strcmp(object->unit, "Hz") == 0 ||
           strcmp(object->unit, "kHz") == 0;
}

double truth_error(const truth_object *object, const truth_value *value) {
    if (!value->has_computed) return (double)NAN;
    if (truth_is_level(object)) return value->computed - value->measured;
    return 100.0 * (value->computed / value->measured - 1.0);
}

double truth_rms(const truth_object *object) {
    double sum = 0.0;
    for (int i = 0; i < object->count; i++) {
        double error = truth_error(object, &object->values[i]);
        sum += error * error;
    }
    return sqrt(sum / object->count);
}

bool truth_value_holds(const truth_object *object, const truth_value *value) {
    double error =
        object->is_rms ? truth_rms(object) : truth_error(object, value);
    return fabs(error) <= value->bound;
}

const char *truth_verdict_name(truth_verdict verdict) {
    static const char *const names[] = {"holds", "MISS", "known miss",
                                        "holds, though called a miss"};
    return names[verdict];
}

static void relate_to_first(truth_object *self) {
    double measured = self->values[0].measured;
    double computed = self->values[0].computed;
    for (int i = 0; i < self->count; i++) {
        self->values[i].measured /= measured;
        self->values[i].computed /= computed;
    }
}

static void judge(truth_object *self) {
    bool holds = true;
    for (int i = 0; i < self->count; i++)
        holds = holds && truth_value_holds(self, &self->values[i]);
    if (self->cause[0])
        self->verdict = holds ? TRUTH_NOW_HOLDS : TRUTH_KNOWN_MISS;
    else
        self->verdict = holds ? TRUTH_HOLDS : TRUTH_MISS;
}

static sb_status read_truth(sb_host *host, truth_object *self, sb_error *err) {
    char kind[TRUTH_NAME_SIZE] = "";
    char *text;
    sb_status status = ask(host, "type(truth)", &text, err);
    if (status) return status;
    bool is_table = strcmp(text, "table") == 0;
    sb_free(text);
    if (!is_table)
        return sb_fail(err, SB_BAD_FORMAT,
                       "the scene has no table `truth` that says what was "
                       "measured (see sandbell help truth)");
    if (ask(host, odd_field, &text, err)) return err->status;
    (void)snprintf(kind, sizeof kind, "%s", text);
    sb_free(text);
    if (kind[0])
        return sb_fail(err, SB_BAD_FORMAT,
                       "truth.%s is not known; there are object, source, unit, "
                       "measured, bound, names, body, modes, computed, run, "
                       "ratio, rms and miss",
                       kind);
    if (read_texts(host, self, err) || read_measured(host, self, err) ||
        compute(host, self, err) || read_names(host, self, err))
        return err->status;
    if (self->is_ratio) relate_to_first(self);
    judge(self);
    return SB_OK;
}

int truth_read(const char *path, const scene_options *options,
               truth_object *out) {
    sb_host_def def;
    sb_host *host;
    sb_error err = {0};
    memset(out, 0, sizeof *out);
    (void)snprintf(out->path, sizeof out->path, "%s", path);
    if (!host_def_of(&verb_truth, options, &def)) return EXIT_USAGE;
    def.print = print_nothing;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);
    int code = EXIT_OK;
    if (read_truth(host, out, &err)) {
        if (err.status == SB_BAD_FORMAT) {
            complain("truth", "%s: %s", path, err.message);
            code = EXIT_SCRIPT;
        } else {
            code = fail_with(&err);
        }
    }
    sb_host_close(host);
    return code;
}
