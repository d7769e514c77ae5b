/* bindings/api/l_quality.c -- sb.quality: what to do when there is too much
 * sound.
 *
 *     sb.quality { budget = 0.5, slope = 8, tau = 0.5 }
 */
#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "runtime/scene/plan/plan.h"
#include "runtime/scene/state/hear.h"

#include <math.h>

/* More modes than any machine can mix in real time. */
#define MODES_MAX 1e6

/* Above this slope only the loudest sound gets any budget. */
#define SLOPE_MAX 1e6

/* The fields as Lua numbers. */
typedef struct wish {
    double budget, slope, tau, modes;
} wish;

static const bind_field quality_fields[] = {
    FIELD("budget", offsetof(wish, budget), 0, 1, "",
          "share of one core for all sound, in live play; 0: no limit; "
          "default 0.6"),
    FIELD("slope", offsetof(wish, slope), 0, SLOPE_MAX, "",
          "0 divides the budget equally among bodies, more favours the "
          "loudest; default 8"),
    FIELD("tau", offsetof(wish, tau), 0, 32768, "",
          "modes quieter than this are not mixed, in 1/32768 of full scale; "
          "default 0.01"),
    FIELD("modes", offsetof(wish, modes), 0, MODES_MAX, "",
          "greatest number mixed at once, also in a render; 0, the default: "
          "no limit"),
    FIELD_END,
};

static int quality_set(lua_State *L) {
    static const char where[] = "sb.quality";
    const sb_script *owner = script_of(L);
    sb_plan *plan = script_plan(owner);
    sb_quality_def def =
        plan ? *sb_plan_quality(plan) : sb_scene_quality(script_scene(owner));
    wish w = {def.budget, def.slope, def.tau, def.modes};
    bind_read_fields(L, 1, where, quality_fields, &w);
    if (w.modes != floor(w.modes)) {
        return bind_error(L, "%s: modes must be a whole number, got %f", where,
                          w.modes);
    }
    def.budget = w.budget;
    def.slope = w.slope;
    def.tau = w.tau;
    def.modes = (int)w.modes;
    sb_error err;
    if (plan) {
        *sb_plan_quality(plan) = def;
    } else if (sb_scene_set_quality(script_scene(owner), &def,
                                    script_now(owner), &err)) {
        return bind_fail(L, where, &err);
    }
    return 0;
}

static const bind_function functions[] = {
    {"quality", quality_set, "def: sandbell.QualityDef", "",
     "Set limits for when there is too much sound; fields that are not given "
     "keep their values."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_record records[] = {
    {"sandbell.QualityDef", "What sb.quality takes.", quality_fields},
    {NULL, NULL, NULL},
};

const api_chapter quality_chapter = {"Quality", functions, records, NULL};
