/* SPDX-License-Identifier: MIT */
/* bindings/api/l_lesson.c -- lessons: what a button does, and whether a task is
 * done.
 *
 *     sb.action("strike_end", function() bar:strike { ... } end)
 *     sb.question("silent_second", function(answer)
 *       local all = sb.strikes()
 *       ...
 *       return is_right, "why"
 *     end, { strikes = { "hand", "strike_there" } })
 *
 * While a question is asked, sb.strikes lists only those that count for it: by
 * hand, or by the buttons that it names. A question that computes with NaN, as
 * 0/0, is not answered, whatever it returns: comparisons with NaN are false.
 *
 * The text of a lesson, NN_name.md, names them (scripts/guide/lessons.md).
 * Thread: the one that runs the script.
 */
#include "bindings/api/l_lesson.h"

#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/lesson/number.h"
#include "bindings/sandbox/guard.h"
#include "bindings/script/protect.h"
#include "bindings/script/timers.h"
#include "runtime/scene/contact/scene_event.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

/* In the registry: { name = function }. */
#define ACTIONS   "sandbell.actions"
#define QUESTIONS "sandbell.questions"
/* { name = { unit = text or nil, strikes = { [name] = true } } } */
#define RULES "sandbell.rules"
/* Of these the strikes of the question that is being asked; or nil. */
#define COUNTED "sandbell.counted"

enum { LESSON_MOST = 64 };

static void push_list(lua_State *L, const char *list) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, list);
}

static int declare(lua_State *L, const char *list, const char *where) {
    (void)bind_check_name(L, 1, where);
    bind_check_function(L, 2, where);
    lua_settop(L, 2);
    push_list(L, list);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_rawset(L, 3);
    return 0;
}

static int lesson_action(lua_State *L) {
    const char *name = bind_check_name(L, 1, "sb.action");
    if (strcmp(name, SCRIPT_HAND) == 0)
        bind_error(L, "sb.action: 'hand' stands for strikes that are made by "
                      "hand; choose another name");
    return declare(L, ACTIONS, "sb.action");
}

static const bind_field rule_fields[] = {
    FIELD_OTHER("strikes", "string[]", "",
                "whose strikes count, for sb.strikes in check: \"hand\" (the "
                "default), and actions whose buttons were pressed"),
    FIELD_OTHER(
        "unit", "string", "",
        "of the answer: \"s\", \"ms\", \"Hz\", \"kHz\", \"dB\", \"%\"; one that "
        "is typed is converted; default: a plain number"),
    FIELD_END,
};

/* Pushes { [name] = true } of the list on top, which is replaced. */
static void push_set(lua_State *L, const char *where) {
    int count = lua_type(L, -1) == LUA_TTABLE
                    ? bind_list_length(L, -1, LESSON_MOST)
                    : -1;
    if (count < 0)
        bind_error(L,
                   "%s: strikes must be a list of names, such as "
                   "{ \"hand\", \"strike_there\" }",
                   where);
    lua_createtable(L, 0, count);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -2, i);
        (void)bind_check_text(L, lua_gettop(L), where, "each of strikes");
        lua_pushboolean(L, true);
        lua_rawset(L, -3);
    }
    lua_remove(L, -2);
}

/* Pushes the rules of the question from the table at 3, which may be nil. */
static void push_rules(lua_State *L, const char *where) {
    bool has_rules = !lua_isnoneornil(L, 3);
    lua_settop(L, 3);
    if (has_rules) {
        bind_check_table(L, 3, where);
        bind_read_fields(L, 3, where, rule_fields, NULL);
    }
    lua_createtable(L, 0, 2);
    if (has_rules && bind_get(L, 3, "unit") != LUA_TNIL) {
        const char *unit = bind_check_text(L, lua_gettop(L), where, "unit");
        if (!lesson_has_unit(unit))
            bind_error(
                L, "%s: there is no unit '%s'; use s, ms, Hz, kHz, dB or %%",
                where, unit);
        lua_setfield(L, 4, "unit");
    }
    lua_settop(L, 4);
    if (!has_rules || bind_get(L, 3, "strikes") == LUA_TNIL) {
        lua_settop(L, 4);
        lua_createtable(L, 1, 0);
        lua_pushliteral(L, SCRIPT_HAND);
        lua_rawseti(L, -2, 1);
    }
    push_set(L, where);
    lua_setfield(L, 4, "strikes");
}

static int lesson_question(lua_State *L) {
    static const char where[] = "sb.question";
    (void)bind_check_name(L, 1, where);
    bind_check_function(L, 2, where);
    push_rules(L, where);
    push_list(L, RULES);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 4);
    lua_rawset(L, -3);
    return declare(L, QUESTIONS, where);
}

/* Pushes the function called by the text at `name`, or raises. */
static void push_named(lua_State *L, const char *list, int name,
                       const char *where, const char *kind) {
    push_list(L, list);
    lua_pushvalue(L, name);
    if (lua_rawget(L, -2) != LUA_TFUNCTION) {
        bind_error(L, "%s: the scene declares no %s '%s'", where, kind,
                   lua_tostring(L, name));
    }
    lua_remove(L, -2);
}

static int lesson_do(lua_State *L) {
    script_check_running(L, "sb.press");
    (void)bind_check_text(L, 1, "sb.press", "the name");
    lua_settop(L, 1);
    push_named(L, ACTIONS, 1, "sb.press", "action");
    /* What the scene presses itself is not a button that was pressed. */
    (void)timers_add_thread(L, script_actor(L) ? lua_tostring(L, 1) : NULL);
    return 0;
}

/* Pushes the rules of the question at 1; raises if they name no action. */
static void push_rules_of(lua_State *L) {
    push_list(L, RULES);
    lua_pushvalue(L, 1);
    (void)lua_rawget(L, -2);
    lua_remove(L, -2);
    int rules = lua_gettop(L);
    push_list(L, ACTIONS);
    (void)lua_getfield(L, rules, "strikes");
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        const char *name = lua_tostring(L, -1);
        lua_pushvalue(L, -1);
        bool is_there = lua_rawget(L, rules + 1) == LUA_TFUNCTION;
        if (!is_there && strcmp(name, SCRIPT_HAND) != 0)
            bind_error(L,
                       "question '%s': strikes names '%s', and the scene "
                       "declares no such action",
                       lua_tostring(L, 1), name);
        lua_pop(L, 1);
    }
    lua_settop(L, rules);
}

/* Calls the question below its argument; pushes two results. Only the strikes
 * that count are listed meanwhile. */
static void call_question(lua_State *L, int rules) {
    int base = lua_gettop(L) - 1;
    lua_pushcfunction(L, guard_describe);
    lua_insert(L, base);
    (void)lua_getfield(L, rules, "strikes");
    lua_setfield(L, LUA_REGISTRYINDEX, COUNTED);
    (void)feclearexcept(FE_INVALID);
    int failed = lua_pcall(L, 1, 2, base);
    bool is_nan = fetestexcept(FE_INVALID) != 0;
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, COUNTED);
    lua_remove(L, base);
    if (failed) (void)lua_error(L);
    if (!is_nan) return;
    lua_pop(L, 2);
    lua_pushboolean(L, false);
    lua_pushliteral(L, "That cannot be judged: nothing of what is asked for "
                       "has happened.");
}

/* Pushes true or false, and a text. */
static int lesson_ask(lua_State *L) {
    script_check_running(L, "sb.ask");
    (void)bind_check_text(L, 1, "sb.ask", "the name");
    lua_settop(L, 2);
    push_named(L, QUESTIONS, 1, "sb.ask", "question");
    lua_insert(L, 2);
    push_rules_of(L);
    lua_insert(L, 2);
    call_question(L, 2);
    bool is_right = lua_toboolean(L, -2);
    if (lua_type(L, -1) != LUA_TSTRING) {
        lua_pop(L, 1);
        lua_pushstring(L, is_right ? "That is right." : "Not yet.");
    }
    lua_pushboolean(L, is_right);
    lua_replace(L, -3);
    return 2;
}

/* --- the latest strikes ---------------------------------------------------- */

static void push_energies(lua_State *L, const sb_hit *hit) {
    lua_createtable(L, hit->mode_count, 0);
    for (int k = 0; k < hit->mode_count; k++) {
        lua_pushnumber(L, hit->energy_j[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "energies");
}

static void push_hit(lua_State *L, const sb_hit *hit) {
    const sb_event *event = &hit->event;
    lua_createtable(L, 0, 12);
    body_push_id(L, event->body[0]);
    lua_setfield(L, -2, "body");
    if (*event->by) {
        lua_pushstring(L, event->by);
        lua_setfield(L, -2, "by");
    }
    bind_set_number(L, "time", event->time_s);
    bind_set_number(L, "speed", event->speed_m_s);
    bind_set_number(L, "impulse", event->impulse_ns);
    bind_set_number(L, "duration", event->duration_s);
    if (event->restitution >= 0.0)
        bind_set_number(L, "restitution", event->restitution);
    push_vec3(L, event->spot.point);
    lua_setfield(L, -2, "point");
    if (event->spot.has_uv) {
        bind_set_number(L, "u", event->spot.u);
        bind_set_number(L, "v", event->spot.v);
    }
    push_energies(L, hit);
}

/* Does it count for the question that is being asked? `counted` is nil if
 * none is. */
static bool counts(lua_State *L, int counted, const sb_hit *hit) {
    if (lua_isnil(L, counted)) return true;
    bool is_counted = lua_getfield(L, counted, hit->event.by) == LUA_TBOOLEAN;
    lua_pop(L, 1);
    return is_counted;
}

static int lesson_strikes(lua_State *L) {
    script_check_running(L, "sb.strikes");
    const sb_scene *scene = script_scene(script_of(L));
    lua_settop(L, 0);
    (void)lua_getfield(L, LUA_REGISTRYINDEX, COUNTED);
    sb_hit *hits = lua_newuserdatauv(L, SB_HITS * sizeof *hits, 0);
    int count = sb_scene_hits(scene, hits);
    int shown = 0;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        if (!sb_scene_has(scene, hits[i].event.body[0])) continue;
        if (!counts(L, 1, &hits[i])) continue;
        push_hit(L, &hits[i]);
        lua_rawseti(L, -2, ++shown);
    }
    return 1;
}

/* --- from outside ----------------------------------------------------------- */

typedef struct lesson_call {
    const char *list, *name, *answer;
    lesson_verdict *verdict;
    bool is_there;
} lesson_call;

/* A number in the unit of the question where the text is one. */
static void push_answer(lua_State *L, const char *question,
                        const char *answer) {
    double value;
    push_list(L, RULES);
    (void)lua_getfield(L, -1, question);
    (void)lua_getfield(L, -1, "unit");
    const char *unit = lua_tostring(L, -1);
    if (!answer || !*answer) {
        lua_pushnil(L);
    } else if (lesson_number(answer, unit ? unit : "", &value)) {
        lua_pushnumber(L, value);
    } else {
        lua_pushstring(L, answer);
    }
    lua_replace(L, -4);
    lua_pop(L, 2);
}

static int call_named(lua_State *L) {
    lesson_call *call = lua_touserdata(L, 1);
    push_list(L, call->list);
    lua_pushstring(L, call->name);
    call->is_there = lua_rawget(L, -2) == LUA_TFUNCTION;
    if (!call->is_there) return 0;
    if (!call->verdict) {
        script_run_now(L, call->name);
        return 0;
    }
    lua_settop(L, 0);
    lua_pushcfunction(L, lesson_ask);
    lua_pushstring(L, call->name);
    push_answer(L, call->name, call->answer);
    lua_call(L, 2, 2);
    call->verdict->is_right = lua_toboolean(L, -2);
    (void)snprintf(call->verdict->text, sizeof call->verdict->text, "%s",
                   lua_tostring(L, -1));
    return 0;
}

static sb_status run(sb_script *script, lesson_call *call, const char *kind,
                     sb_error *err) {
    sb_status status =
        script_protect(script, GUARD_CALL, call_named, call, err);
    if (status || call->is_there) return status;
    return sb_fail(err, SB_NOT_FOUND, "the scene declares no %s '%.60s'", kind,
                   call->name);
}

sb_status lesson_check(sb_script *script, const char *question,
                       const char *answer, lesson_verdict *out, sb_error *err) {
    *out = (lesson_verdict){0};
    lesson_call call = {QUESTIONS, question, answer, out, false};
    return run(script, &call, "question", err);
}

sb_status lesson_press(sb_script *script, const char *action, sb_error *err) {
    lesson_call call = {ACTIONS, action, NULL, NULL, false};
    return run(script, &call, "action", err);
}

/* --- tables of the API ------------------------------------------------------- */

static const bind_function functions[] = {
    {"action", lesson_action, "name: string, run: fun()", "",
     "A button of a lesson: its text names it, and run may call sb.sleep."},
    {"question", lesson_question,
     "name: string, check: fun(answer: number|string|nil): boolean, string?, "
     "rules?: sandbell.QuestionRules",
     "",
     "A task of a lesson. check looks at the running scene and returns whether "
     "the task is done, and a sentence; answer is what the student typed, a "
     "number if it is one. Computing with NaN is no answer."},
    {"press", lesson_do, "name: string", "", "Run an action."},
    {"ask", lesson_ask, "name: string, answer?: number|string",
     "boolean, string", "Ask a question: is the task done, and a sentence."},
    {"strikes", lesson_strikes, "", "sandbell.Strike[]",
     "The latest strikes of scripts and of hands in the studio, at most 64, "
     "newest last. In a question: those that count for it."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_field strike_record[] = {
    FIELD_OTHER("body", "sandbell.Body", "", "that was struck"),
    FIELD_OTHER("by", "string?", "",
                "\"hand\", the action whose button was pressed, or nil: the "
                "scene itself"),
    FIELD_OTHER("time", "number", "s", "of the scene"),
    FIELD_OTHER("speed", "number", "m/s", "of the striker; 0: not known"),
    FIELD_OTHER("impulse", "number", "N s", "given to the body"),
    FIELD_OTHER("duration", "number", "s", "of the contact"),
    FIELD_OTHER("restitution", "number?", "",
                "speed after over speed before, if it is known"),
    FIELD_OTHER("point", "sandbell.Vec3", "m", "in the world"),
    FIELD_OTHER("u", "number?", "", "along the surface, 0 to 1"),
    FIELD_OTHER("v", "number?", "", "across the surface, likewise"),
    FIELD_OTHER("energies", "number[]", "J",
                "that a half-sine pulse of this impulse and duration gives to "
                "the lowest modes, at most 24"),
    FIELD_END,
};

static const bind_record records[] = {
    {"sandbell.Strike", "One of sb.strikes.", strike_record},
    {"sandbell.QuestionRules", "What counts for a question.", rule_fields},
    {NULL, NULL, NULL},
};

const api_chapter lesson_chapter = {"Lessons", functions, records, NULL};
